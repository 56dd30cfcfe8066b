"""Shops and what they sell, read from the public JSON shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from vitagym.tasks.environment import LABELS
from vitagym.world.entities import Place, Product, Provider


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopProduct(Product):
    """A voucher or package that is used in its shop; its stock is counted.

    Attributes:
        tags: What it is known for.
    """

    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shop(Provider):
    """A shop, restaurant or other place that is visited; it has one place.

    Attributes:
        tags: What it is known for.
        enable_book: Whether tables can be booked.
        book_price: Fee of a booking in yuan; 0: free.
        enable_reservation: Whether visits can be reserved.
    """

    kind: ClassVar[str] = "shop"
    tags: tuple[str, ...]
    enable_book: bool
    book_price: float
    enable_reservation: bool


def read_shops(environment: Mapping[str, Any]) -> Iterator[Shop]:
    """Yield the shops of an environment, in stored order."""
    for row in environment.get("shops", {}).values():
        yield _shop(row)


def _shop(row: Mapping[str, Any]) -> Shop:
    where = row["location"]
    shown = {key: value for key, value in row.items() if key not in LABELS and key != "products"}
    return Shop(
        id=row["shop_id"],
        name=row["shop_name"],
        places=(Place(where["address"], float(where["longitude"]), float(where["latitude"])),),
        products=tuple(_product(row["shop_id"], product) for product in row["products"]),
        data=shown,
        tags=tuple(row.get("tags", ())),
        enable_book=bool(row.get("enable_book")),
        book_price=float(row.get("book_price") or 0),
        enable_reservation=bool(row.get("enable_reservation")),
    )


def _product(shop_id: str, row: Mapping[str, Any]) -> ShopProduct:
    shown = {key: value for key, value in row.items() if key not in LABELS and key != "shop_id"}
    return ShopProduct(
        id=row["product_id"],
        provider_id=shop_id,
        name=row["name"],
        price=float(row["price"]),
        quantity=row.get("quantity"),
        data={"shop_id": shop_id, **shown},
        tags=tuple(row.get("tags", ())),
    )
