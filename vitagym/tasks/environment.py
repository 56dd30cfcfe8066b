"""The catalogue of a task, read from its environment in the public JSON shape.

Shape: ``time``, ``user_id``, ``orders``, ``books``, ``reservations``, ``weather``, ``location``,
``user_historical_behaviors``, and each domain's providers (``stores``; ``shops``; ``hotels``, ``attractions``,
``flights``, ``trains``). Hidden profile fields and the labels "target" and "distraction" of the public data stop here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from vitagym.domains import domains
from vitagym.errors import CallerError
from vitagym.world.catalogue import Catalogue
from vitagym.world.entities import Place, Provider, WeatherDay
from vitagym.world.records import Booking, Order, OrderLine, Reservation
from vitagym.world.times import parse_time

if TYPE_CHECKING:
    from vitagym.tasks.task import Task

HIDDEN_FIELDS = frozenset({"dietary restrictions", "personality", "family status"})
LABELS = frozenset({"product_type", "shop_type", "target_reason"})
_LINE_FIELDS = frozenset({"product_id", "price", "quantity", "date"}) | LABELS


def read_catalogue(task: Task) -> Catalogue:
    """Return the catalogue of a task."""
    world = task.environment
    time = parse_time(task.time)
    if time is None:
        raise CallerError(f"task {task.id}: time {task.time!r} is not YYYY-MM-DD HH:MM:SS")
    providers: dict[str, Provider] = {}
    for domain in domains().values():
        for provider in domain.read_providers(world):
            providers.setdefault(provider.id, provider)
    user_id = task.profile.user_id
    return Catalogue(
        task_id=task.id,
        language=task.language,
        time=time,
        user_id=user_id,
        behaviors={k: v for k, v in world.get("user_historical_behaviors", {}).items() if k not in HIDDEN_FIELDS},
        places=tuple(read_place(row) for row in world.get("location", ())),
        weather=tuple(_weather(row) for row in world.get("weather", ())),
        providers=providers,
        orders={key: _order(key, row) for key, row in world.get("orders", {}).items()},
        bookings={key: _booking(key, row) for key, row in world.get("books", {}).items()},
        reservations={key: _reservation(key, row) for key, row in world.get("reservations", {}).items()},
    )


def read_place(row: Mapping[str, Any]) -> Place:
    """Return the place of a JSON location."""
    return Place(row["address"], float(row["longitude"]), float(row["latitude"]))


def _weather(row: Mapping[str, Any]) -> WeatherDay:
    low, high = row["temperature"]
    return WeatherDay(row["city"], row["datetime"], row["category"], low, high, row["humidity"])


def _order(key: str, row: Mapping[str, Any]) -> Order:
    total = float(row["total_price"])
    created = row.get("create_time") or row.get("order_time") or row["update_time"]
    return Order(
        id=key,
        kind=row["order_type"],
        user_id=row["user_id"],
        provider_id=row["store_id"],
        lines=tuple(_line(line) for line in row["products"]),
        total_price=total,
        status=row["status"],
        create_time=created,
        update_time=row.get("update_time") or created,
        note=row.get("note") or "",
        location=read_place(row["location"]) if row.get("location") else None,
        dispatch_time=row.get("dispatch_time") or "",
        delivery_time=row.get("delivery_time") or "",
        shipping_minutes=float(row.get("shipping_time") or 0),
        paid=0.0 if row["status"] == "unpaid" else total,
    )


def _line(row: Mapping[str, Any]) -> OrderLine:
    details = tuple((k, v) for k, v in row.items() if k not in _LINE_FIELDS)
    return OrderLine(
        product_id=row["product_id"],
        price=float(row["price"]),
        quantity=row["quantity"],
        date=row.get("date"),
        details=details,
    )


def _booking(key: str, row: Mapping[str, Any]) -> Booking:
    return Booking(
        id=key,
        shop_id=row["shop_id"],
        user_id=row["customer_id"],
        time=row["book_time"],
        customer_count=row["customer_count"],
        price=float(row.get("book_price") or 0),
        status=row["status"],
        update_time=row.get("update_time") or row["book_time"],
    )


def _reservation(key: str, row: Mapping[str, Any]) -> Reservation:
    return Reservation(
        id=key,
        shop_id=row["shop_id"],
        user_id=row["customer_id"],
        time=row["reservation_time"],
        customer_count=row["customer_count"],
        status=row["status"],
        update_time=row.get("update_time") or row["reservation_time"],
    )
