"""What an episode makes and changes: orders, bookings and reservations. All frozen; a change is a new record."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from vitagym.frozen import quickly_made
from vitagym.world.entities import Place


class Status(StrEnum):
    """Status of an order, booking or reservation."""

    UNPAID = "unpaid"
    PAID = "paid"
    PROCESSED = "processed"
    IN_PROGRESS = "in_progress"
    DELIVERED = "delivered"
    UNCONSUMED = "unconsumed"
    CONSUMED = "consumed"
    CANCELLED = "cancelled"


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class OrderLine:
    """One product in an order.

    Attributes:
        price: Price of one when it was ordered, in yuan.
        details: The rest that an agent sees of it: date, seat, room or ticket type, attributes, name.
        sold_by: Key and id of its provider, where the line shows it (as its first entry).
    """

    product_id: str
    price: float
    quantity: int
    date: str | None = None
    details: tuple[tuple[str, Any], ...] = ()
    sold_by: tuple[str, str] | None = None

    def data(self) -> dict[str, Any]:
        """Return the line as an agent sees it."""
        out: dict[str, Any] = {} if self.sold_by is None else {self.sold_by[0]: self.sold_by[1]}
        out.update(product_id=self.product_id, price=self.price, quantity=self.quantity)
        if self.date is not None:
            out["date"] = self.date
        out.update(self.details)
        return out


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """An order of one provider's products.

    Attributes:
        kind: ``delivery``, ``instore``, ``hotel``, ``attraction``, ``flight`` or ``train``.
        location: Where it is delivered to; None where nothing is.
        total_price: Price of all of it, in yuan.
        paid: What was paid so far, in yuan.
        shipping_minutes: Minutes on the way; 0 where nothing is delivered.
    """

    id: str
    kind: str
    user_id: str
    provider_id: str
    lines: tuple[OrderLine, ...]
    total_price: float
    status: str
    create_time: str
    update_time: str
    note: str = ""
    location: Place | None = None
    dispatch_time: str = ""
    delivery_time: str = ""
    shipping_minutes: float = 0
    paid: float = 0

    @property
    def due(self) -> float:
        """What is still to be paid, in yuan (0 once cancelled)."""
        return 0.0 if self.status == Status.CANCELLED else max(0.0, round(self.total_price - self.paid, 2))

    def data(self) -> dict[str, Any]:
        """Return the order as an agent sees it."""
        return {**self.summary(), "products": [line.data() for line in self.lines]}

    def summary(self) -> dict[str, Any]:
        """Return the order as an agent sees it in a list: without its products."""
        return {
            "order_id": self.id,
            "order_type": self.kind,
            "user_id": self.user_id,
            "store_id": self.provider_id,
            "note": self.note,
            "location": None if self.location is None else self.location.data(),
            "dispatch_time": self.dispatch_time,
            "shipping_time": self.shipping_minutes,
            "delivery_time": self.delivery_time,
            "total_price": self.total_price,
            "amount_paid": self.paid,
            "amount_due": self.due,
            "create_time": self.create_time,
            "update_time": self.update_time,
            "status": self.status,
        }


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class Booking:
    """A table booking; ``price`` is the booking fee in yuan."""

    id: str
    shop_id: str
    user_id: str
    time: str
    customer_count: int
    price: float
    status: str
    update_time: str

    def data(self) -> dict[str, Any]:
        """Return the booking as an agent sees it."""
        return {
            "book_id": self.id,
            "shop_id": self.shop_id,
            "book_time": self.time,
            "customer_id": self.user_id,
            "customer_count": self.customer_count,
            "book_price": self.price,
            "status": self.status,
            "update_time": self.update_time,
        }


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """A reservation of a visit."""

    id: str
    shop_id: str
    user_id: str
    time: str
    customer_count: int
    status: str
    update_time: str

    def data(self) -> dict[str, Any]:
        """Return the reservation as an agent sees it."""
        return {
            "reservation_id": self.id,
            "shop_id": self.shop_id,
            "reservation_time": self.time,
            "customer_id": self.user_id,
            "customer_count": self.customer_count,
            "status": self.status,
            "update_time": self.update_time,
        }


Record = Order | Booking | Reservation
