"""The calls that bring an expected delivery order about."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from vitagym.envs.delivery.conditions import KIND
from vitagym.envs.delivery.tools import metres_to, shipping_minutes
from vitagym.tasks.expected import ExpectedOrder, ExpectedRecord
from vitagym.tasks.task import CallStep
from vitagym.world.catalogue import Catalogue
from vitagym.world.geography import geography
from vitagym.world.records import Order, Record, Status
from vitagym.world.times import format_time, parse_time


def expected_calls(record: ExpectedRecord, old: Record | None, catalogue: Catalogue, name: str) -> Iterator[CallStep]:
    """Return the calls that make the order, or make the old one what is expected."""
    if not isinstance(record, ExpectedOrder) or record.order_kind != KIND:
        return
    if isinstance(old, Order):
        yield from _changes(record, old)
        return
    # The data lists a product once for each of its options; a tool wants it once.
    lines = {
        line.product_id: [one for one in record.lines if one.product_id == line.product_id] for line in record.lines
    }
    options = ["; ".join(one.attributes for one in same if one.attributes) for same in lines.values()]
    arguments: dict[str, Any] = {
        "user_id": catalogue.user_id,
        "store_id": record.provider_id,
        "product_ids": list(lines),
        "product_cnts": [sum(one.quantity for one in same) for same in lines.values()],
        "address": record.address or "",
        "dispatch_time": _dispatch(record, catalogue),
    }
    if any(options):
        arguments["attributes"] = options
    if record.note:
        arguments["note"] = record.note
    yield CallStep(tool="create_delivery_order", arguments=arguments, binds=name)
    if record.status is not Status.UNPAID:
        yield CallStep(tool="pay_delivery_order", arguments={"order_id": name})


def _changes(record: ExpectedOrder, old: Order) -> Iterator[CallStep]:
    if record.status is Status.CANCELLED:
        yield CallStep(tool="cancel_delivery_order", arguments={"order_id": old.id})
        return
    if record.note and record.note != old.note:
        yield CallStep(tool="modify_delivery_order", arguments={"order_id": old.id, "note": record.note})
    if old.status == Status.UNPAID and record.status is not Status.UNPAID:
        yield CallStep(tool="pay_delivery_order", arguments={"order_id": old.id})


def _dispatch(record: ExpectedOrder, catalogue: Catalogue) -> str:
    """Return when to send it off: so that it arrives as expected, else as the data says, and never in the past."""
    wanted = parse_time(record.dispatch_time)
    arrival = parse_time(record.delivery_time)
    store = catalogue.of_kind("store").get(record.provider_id)
    place = geography(catalogue).place(record.address or "")
    if arrival is not None and store is not None and place is not None:
        wanted = arrival - timedelta(minutes=shipping_minutes(metres_to(store, place)))
    return format_time(max(wanted or catalogue.time, catalogue.time))
