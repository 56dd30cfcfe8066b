"""The records that requirements are about, and what their statuses mean.

One name a kind of record, whatever its class: orders by their own kind, bookings ``book``, reservations
``reservation``.
"""

from __future__ import annotations

from enum import StrEnum

from vitagym.world.records import Booking, Order, Record, Status


class RecordKind(StrEnum):
    """Kind of a record that a tool call makes."""

    DELIVERY = "delivery"
    INSTORE = "instore"
    HOTEL = "hotel"
    ATTRACTION = "attraction"
    FLIGHT = "flight"
    TRAIN = "train"
    BOOK = "book"
    RESERVATION = "reservation"


class Meaning(StrEnum):
    """What a status means to the user; several statuses share one meaning."""

    PLACED = "placed"
    """It stands: paid or not, not cancelled."""
    PAID = "paid"
    """It stands and nothing is due."""
    CANCELLED = "cancelled"


def kind_of(record: Record) -> str:
    """Return the kind of a record, a value of RecordKind."""
    if isinstance(record, Order):
        return record.kind
    return RecordKind.BOOK.value if isinstance(record, Booking) else RecordKind.RESERVATION.value


def provider_of(record: Record) -> str:
    """Return the id of the provider of a record."""
    return record.provider_id if isinstance(record, Order) else record.shop_id


def is_live(record: Record) -> bool:
    """Return whether a record stands: it was not cancelled."""
    return record.status != Status.CANCELLED


def means(record: Record, meaning: Meaning) -> bool:
    """Return whether the status of a record has that meaning."""
    cancelled = record.status == Status.CANCELLED
    if meaning is Meaning.CANCELLED:
        return cancelled
    if cancelled or meaning is Meaning.PLACED:
        return not cancelled
    return record.status != Status.UNPAID and not (isinstance(record, Order) and record.due > 0)


def amount_of(record: Record) -> float:
    """Return what a record costs, in yuan; a reservation costs nothing."""
    if isinstance(record, Order):
        return record.total_price
    return record.price if isinstance(record, Booking) else 0.0
