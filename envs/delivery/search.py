"""The search indexes of the delivery domain, made once a catalogue."""

from __future__ import annotations

from collections.abc import Iterator

from vitagym.envs.delivery.entities import Store, StoreProduct
from vitagym.world.catalogue import Catalogue
from vitagym.world.search import Index


def store_index(catalogue: Catalogue) -> Index[Store]:
    """Return the stores of a catalogue, ranked by name and tags."""
    return catalogue.built("delivery stores", _store_index)


def product_index(catalogue: Catalogue) -> Index[StoreProduct]:
    """Return the delivery products of a catalogue, ranked by their store's name, their own and their tags."""
    return catalogue.built("delivery products", _product_index)


def _store_index(catalogue: Catalogue) -> Index[Store]:
    stores = list(_stores(catalogue))
    return Index(stores, [store.name + " ".join(store.tags) for store in stores])


def _product_index(catalogue: Catalogue) -> Index[StoreProduct]:
    products = [p for store in _stores(catalogue) for p in store.products if isinstance(p, StoreProduct)]
    return Index(products, [f"{p.store_name} {p.name} {list(p.tags)}" for p in products])


def _stores(catalogue: Catalogue) -> Iterator[Store]:
    return (store for store in catalogue.of_kind(Store.kind).values() if isinstance(store, Store))
