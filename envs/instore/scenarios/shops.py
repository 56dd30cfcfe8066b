"""Shops that are visited: how they stand in an environment.

Fields of a shop: ``book`` (whether tables can be booked), ``fee`` (yuan for a booking), ``reserve`` (whether visits can
be reserved). Field of what it sells: ``left`` (how many vouchers there are).
"""

from __future__ import annotations

from typing import Any

from vitagym.generation.shapes import Shape, register_shape
from vitagym.generation.sketches import ProviderSketch

SHOP = "shop"


def _shop(shop: ProviderSketch) -> dict[str, Any]:
    if shop.spot is None:
        raise ValueError(f"shop {shop.name.en} was not laid out")
    return {
        "shop_id": shop.id,
        "shop_name": shop.name,
        "score": shop.score,
        "location": shop.spot.data(),
        "tags": shop.tags,
        "enable_book": shop.fields.get("book", False),
        "book_price": shop.fields.get("fee", 0),
        "enable_reservation": shop.fields.get("reserve", False),
        "products": [
            {
                "product_id": product.id,
                "name": product.name,
                "price": product.price,
                "shop_id": shop.id,
                "tags": product.tags,
                "quantity": product.fields.get("left", 20),
            }
            for product in shop.products
        ],
    }


register_shape(SHOP, Shape("shops", _shop))
