"""The search indexes of the in-store domain, made once a catalogue."""

from __future__ import annotations

from collections.abc import Iterator

from vitagym.envs.instore.entities import Shop, ShopProduct
from vitagym.world.catalogue import Catalogue
from vitagym.world.search import Index


def shop_index(catalogue: Catalogue) -> Index[Shop]:
    """Return the shops of a catalogue, ranked by name and tags."""
    return catalogue.built("shops", _shop_index)


def product_index(catalogue: Catalogue) -> Index[ShopProduct]:
    """Return the vouchers and packages of a catalogue, ranked by name and tags."""
    return catalogue.built("shop products", _product_index)


def _shop_index(catalogue: Catalogue) -> Index[Shop]:
    shops = list(_shops(catalogue))
    return Index(shops, [f"{shop.name} {' '.join(shop.tags)}" for shop in shops])


def _product_index(catalogue: Catalogue) -> Index[ShopProduct]:
    products = [p for shop in _shops(catalogue) for p in shop.products if isinstance(p, ShopProduct)]
    return Index(products, [f"{product.name} {' '.join(product.tags)}" for product in products])


def _shops(catalogue: Catalogue) -> Iterator[Shop]:
    return (shop for shop in catalogue.of_kind(Shop.kind).values() if isinstance(shop, Shop))
