"""Delivery stores and their products, read from the public JSON shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from vitagym.world.entities import Place, Product, Provider


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreProduct(Product):
    """A dish, drink or other thing that a store delivers.

    Attributes:
        store_name: Name of its store as the product's own entry spells it.
        tags: What it is known for.
    """

    store_name: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Store(Provider):
    """A store that delivers; it has one place.

    Attributes:
        tags: What it is known for.
    """

    kind: ClassVar[str] = "store"
    tags: tuple[str, ...]


def read_stores(environment: Mapping[str, Any]) -> Iterator[Store]:
    """Yield the stores of an environment, in stored order."""
    for row in environment.get("stores", {}).values():
        yield _store(row)


def _store(row: Mapping[str, Any]) -> Store:
    where = row["location"]
    return Store(
        id=row["store_id"],
        name=row["name"],
        places=(Place(where["address"], float(where["longitude"]), float(where["latitude"])),),
        products=tuple(_product(row["store_id"], row["name"], product) for product in row["products"]),
        data={key: row[key] for key in ("store_id", "name", "score", "location", "tags") if key in row},
        tags=tuple(row.get("tags", ())),
    )


def _product(store_id: str, store_name: str, row: Mapping[str, Any]) -> StoreProduct:
    fields = ("store_name", "product_id", "name", "price", "attributes", "tags")
    return StoreProduct(
        id=row["product_id"],
        provider_id=store_id,
        name=row["name"],
        price=float(row["price"]),
        data={"store_id": store_id, **{key: row[key] for key in fields if key in row}},
        store_name=row.get("store_name", store_name),
        tags=tuple(row.get("tags", ())),
    )
