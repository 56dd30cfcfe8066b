"""The ledger: what actions change, owned by one episode, small enough to copy at every turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vitagym.frozen import quickly_made
from vitagym.world.entities import Product
from vitagym.world.records import Booking, Order, Record, Reservation

Prefix = Literal["O", "B", "R"]


@quickly_made
@dataclass(frozen=True, slots=True)
class Change:
    """One change of a record: what it was (None: new) and what it became."""

    before: Record | None
    after: Record


class Ledger:
    """Orders, bookings, reservations and stock of one episode.

    Attributes:
        orders, bookings, reservations: Records by id, in the order in which they came.
        changes: Every change so far, oldest first; its length tells whether anything changed.
    """

    __slots__ = ("_count", "_stock", "_task_id", "bookings", "changes", "orders", "reservations")

    def __init__(
        self,
        task_id: str,
        orders: dict[str, Order],
        bookings: dict[str, Booking],
        reservations: dict[str, Reservation],
    ) -> None:
        self._task_id = task_id
        self.orders = dict(orders)
        self.bookings = dict(bookings)
        self.reservations = dict(reservations)
        self.changes: list[Change] = []
        self._stock: dict[str, int] = {}
        self._count = 0

    def fork(self) -> Ledger:
        """Return a copy; records are frozen, so only the tables are copied."""
        other = Ledger.__new__(Ledger)
        other._task_id = self._task_id
        other.orders = dict(self.orders)
        other.bookings = dict(self.bookings)
        other.reservations = dict(self.reservations)
        other.changes = list(self.changes)
        other._stock = dict(self._stock)
        other._count = self._count
        return other

    def new_id(self, prefix: Prefix) -> str:
        """Return an id that no record has: the prefix, the task's id and a counter."""
        while True:
            self._count += 1
            new = f"{prefix}{self._task_id}N{self._count:02d}"
            if new not in self.orders and new not in self.bookings and new not in self.reservations:
                return new

    def put(self, record: Record) -> None:
        """Add a record, or replace the one of the same id."""
        before: Record | None
        if isinstance(record, Order):
            before = self.orders.get(record.id)
            self.orders[record.id] = record
        elif isinstance(record, Booking):
            before = self.bookings.get(record.id)
            self.bookings[record.id] = record
        else:
            before = self.reservations.get(record.id)
            self.reservations[record.id] = record
        self.changes.append(Change(before, record))

    def stock(self, product: Product) -> int | None:
        """Return how many of a product are left; None where stock is not counted."""
        if product.quantity is None:
            return None
        return self._stock.get(product.key, product.quantity)

    def move_stock(self, product: Product, change: int) -> None:
        """Add to (or take from) the stock of a product; nothing happens where stock is not counted."""
        left = self.stock(product)
        if left is not None:
            self._stock[product.key] = left + change

    def stock_changes(self) -> dict[str, int]:
        """Return stock key -> how many are left, for the products whose stock was ever moved."""
        return dict(self._stock)
