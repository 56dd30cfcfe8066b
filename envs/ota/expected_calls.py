"""The calls that bring an expected hotel, attraction, flight or train order about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from vitagym.tasks.expected import ExpectedOrder, ExpectedRecord
from vitagym.tasks.task import CallStep
from vitagym.world.catalogue import Catalogue
from vitagym.world.records import Order, Record, Status

_PRODUCT = {"hotel": "room_id", "attraction": "ticket_id", "flight": "seat_id", "train": "seat_id"}


def expected_calls(record: ExpectedRecord, old: Record | None, catalogue: Catalogue, name: str) -> Iterator[CallStep]:
    """Return the calls that make the order, or make the old one what is expected."""
    if not isinstance(record, ExpectedOrder) or record.order_kind not in _PRODUCT:
        return
    kind = record.order_kind
    if isinstance(old, Order):
        yield from _changes(record, old, catalogue)
        return
    line = record.lines[0]
    arguments: dict[str, Any] = {
        f"{kind}_id": record.provider_id,
        _PRODUCT[kind]: line.product_id,
        "user_id": catalogue.user_id,
    }
    if kind != "hotel":
        arguments |= {"date": line.date or "", "quantity": line.quantity}
    yield CallStep(tool=f"create_{kind}_order", arguments=arguments, binds=name)
    if record.status is not Status.UNPAID:
        yield CallStep(tool=f"pay_{kind}_order", arguments={"order_id": name})


def _changes(record: ExpectedOrder, old: Order, catalogue: Catalogue) -> Iterator[CallStep]:
    kind, own = record.order_kind, {"order_id": old.id, "user_id": catalogue.user_id}
    if record.status is Status.CANCELLED:
        yield CallStep(tool=f"cancel_{kind}_order", arguments=own)
        return
    date = record.lines[0].date
    if old.status == Status.UNPAID and record.status is not Status.UNPAID:
        yield CallStep(tool=f"pay_{kind}_order", arguments={"order_id": old.id})
    if kind in ("flight", "train") and date is not None and date != old.lines[0].date:
        yield CallStep(tool=f"modify_{kind}_order", arguments={**own, "new_date": date})
