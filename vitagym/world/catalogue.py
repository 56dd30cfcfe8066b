"""The catalogue: everything a task gives that no action changes. Built once a task, shared by all its episodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, TypeVar

from vitagym.language import Language
from vitagym.world.entities import Place, Product, Provider, WeatherDay
from vitagym.world.ledger import Ledger
from vitagym.world.records import Booking, Order, Reservation
from vitagym.world.times import format_time

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Catalogue:
    """What is true in a task's world before anybody acts.

    Attributes:
        task_id: Id of the task; new records are named after it.
        time: The episode's clock, which stands still.
        user_id: The one user that tools act for.
        behaviors: The user's profile and habits as the platform knows them, hidden fields left out.
        places: Places of the task itself (home, office …), in stored order.
        weather: One entry a city and day, in stored order.
        providers: Every provider by id, in stored order, all kinds together.
        orders, bookings, reservations: The user's records at the start, by id.
    """

    task_id: str
    language: Language
    time: datetime
    user_id: str
    behaviors: Mapping[str, Any]
    places: tuple[Place, ...]
    weather: tuple[WeatherDay, ...]
    providers: Mapping[str, Provider]
    orders: Mapping[str, Order] = field(default_factory=dict)
    bookings: Mapping[str, Booking] = field(default_factory=dict)
    reservations: Mapping[str, Reservation] = field(default_factory=dict)

    @cached_property
    def now(self) -> str:
        """The clock as records show it."""
        return format_time(self.time)

    @cached_property
    def _of_kind(self) -> dict[str, dict[str, Provider]]:
        out: dict[str, dict[str, Provider]] = {}
        for provider in self.providers.values():
            out.setdefault(provider.kind, {})[provider.id] = provider
        return out

    def of_kind(self, kind: str) -> Mapping[str, Provider]:
        """Return the providers of one kind by id, in stored order."""
        return self._of_kind.get(kind, {})

    @cached_property
    def _products(self) -> dict[tuple[str, str], Product]:
        out: dict[tuple[str, str], Product] = {}
        for provider in self.providers.values():
            for product in provider.products:
                out.setdefault((provider.kind, product.id), product)
        return out

    def product(self, kind: str, product_id: str) -> Product | None:
        """Return the first product of that id sold by providers of that kind, or None."""
        return self._products.get((kind, product_id))

    @cached_property
    def all_places(self) -> tuple[Place, ...]:
        """Every place the world knows: the task's own, then every provider's, in stored order."""
        return self.places + tuple(place for provider in self.providers.values() for place in provider.places)

    @cached_property
    def _built(self) -> dict[str, Any]:
        return {}

    def built(self, name: str, build: Callable[[Catalogue], T]) -> T:
        """Return what ``build`` makes of this catalogue, made once under that name and then shared (search indexes)."""
        if name not in self._built:
            self._built[name] = build(self)
        found: T = self._built[name]
        return found

    def new_ledger(self) -> Ledger:
        """Return a ledger as it stands at the start of an episode."""
        return Ledger(self.task_id, dict(self.orders), dict(self.bookings), dict(self.reservations))
