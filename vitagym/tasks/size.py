"""How much there is in a world: the search space of a task, in its parts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Size:
    """How much there is in a world, or in all worlds of a set.

    Attributes:
        providers: Stores, shops, hotels, attractions, flights and trains.
        products: What they sell; a room, ticket or seat counts once a day that it is sold for.
        transactions: Orders, bookings and reservations from before the episode.
    """

    providers: int
    products: int
    transactions: int

    @property
    def search_space(self) -> int:
        """All of it."""
        return self.providers + self.products + self.transactions

    def __add__(self, other: Size) -> Size:
        return Size(
            self.providers + other.providers, self.products + other.products, self.transactions + other.transactions
        )
