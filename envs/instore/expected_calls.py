"""The calls that bring an expected in-store order, booking or reservation about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from vitagym.envs.instore.entities import Shop
from vitagym.tasks.expected import ExpectedBooking, ExpectedOrder, ExpectedRecord, ExpectedReservation
from vitagym.tasks.task import CallStep
from vitagym.world.catalogue import Catalogue
from vitagym.world.records import Record, Reservation, Status


def expected_calls(record: ExpectedRecord, old: Record | None, catalogue: Catalogue, name: str) -> Iterator[CallStep]:
    """Return the calls that make the record, or make the old one what is expected."""
    if isinstance(record, ExpectedOrder):
        if record.order_kind == "instore":
            yield from _order(record, old, catalogue, name)
    elif isinstance(record, ExpectedBooking):
        yield from _booking(record, old, catalogue, name)
    else:
        yield from _reservation(record, old, catalogue, name)


def _order(record: ExpectedOrder, old: Record | None, catalogue: Catalogue, name: str) -> Iterator[CallStep]:
    if old is not None and record.status is Status.CANCELLED:
        yield CallStep(tool="instore_cancel_order", arguments={"order_id": old.id})
        return
    if old is None:
        line = record.lines[0]
        arguments = {
            "user_id": catalogue.user_id,
            "shop_id": record.provider_id,
            "product_id": line.product_id,
            "quantity": line.quantity,
        }
        yield CallStep(tool="create_instore_product_order", arguments=arguments, binds=name)
    if record.status is not Status.UNPAID and (old is None or old.status == Status.UNPAID):
        yield CallStep(tool="pay_instore_order", arguments={"order_id": name if old is None else old.id})


def _booking(record: ExpectedBooking, old: Record | None, catalogue: Catalogue, name: str) -> Iterator[CallStep]:
    if old is not None and record.status is Status.CANCELLED:
        yield CallStep(tool="instore_cancel_book", arguments={"book_id": old.id})
        return
    shop = catalogue.providers.get(record.shop_id)
    unpaid = old.status == Status.UNPAID if old is not None else isinstance(shop, Shop) and shop.book_price > 0
    if old is None:
        yield CallStep(tool="instore_book", arguments=_visit(record, catalogue), binds=name)
    if unpaid and record.status is not Status.UNPAID:
        yield CallStep(tool="pay_instore_book", arguments={"book_id": name if old is None else old.id})


def _reservation(
    record: ExpectedReservation, old: Record | None, catalogue: Catalogue, name: str
) -> Iterator[CallStep]:
    if not isinstance(old, Reservation):
        yield CallStep(tool="instore_reservation", arguments=_visit(record, catalogue), binds=name)
    elif record.status is Status.CANCELLED:
        yield CallStep(tool="instore_cancel_reservation", arguments={"reservation_id": old.id})
    else:
        changed = {"reservation_id": old.id, "time": record.time, "customer_count": record.customer_count}
        yield CallStep(tool="instore_modify_reservation", arguments=changed)


def _visit(record: ExpectedBooking | ExpectedReservation, catalogue: Catalogue) -> dict[str, Any]:
    return {
        "user_id": catalogue.user_id,
        "shop_id": record.shop_id,
        "time": record.time,
        "customer_count": record.customer_count,
    }
