"""What the public data expects in the ledger at the end of a task, for a judge that compares records."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from vitagym.world.records import Status


class _Expected(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ExpectedLine(_Expected):
    """One product of an expected order.

    Attributes:
        attributes: Options of the product in the words of the data; empty where none are named.
    """

    product_id: str
    quantity: int
    date: str | None = None
    attributes: str = ""


class ExpectedOrder(_Expected):
    """An order that should be there.

    Attributes:
        id: Its id in the data; an order that the user has at the start when the world knows that id, else a new one.
        order_kind: ``delivery``, ``instore``, ``hotel``, ``attraction``, ``flight`` or ``train``.
        total_price: In yuan, at the prices of the world where it knows the products.
        address: Where it is delivered to; None where nothing is.
        status: The status it should have; None where the data names one that no tool can set: any but cancelled.
    """

    kind: Literal["order"] = "order"
    id: str
    order_kind: str
    provider_id: str
    lines: tuple[ExpectedLine, ...]
    total_price: float
    address: str | None = None
    dispatch_time: str = ""
    delivery_time: str = ""
    note: str = ""
    status: Status | None = None


class ExpectedBooking(_Expected):
    """A table booking that should be there (``status`` as in orders)."""

    kind: Literal["booking"] = "booking"
    id: str
    shop_id: str
    time: str
    customer_count: int
    status: Status | None = None


class ExpectedReservation(_Expected):
    """A reservation that should be there (``status`` as in orders)."""

    kind: Literal["reservation"] = "reservation"
    id: str
    shop_id: str
    time: str
    customer_count: int
    status: Status | None = None


ExpectedRecord = Annotated[ExpectedOrder | ExpectedBooking | ExpectedReservation, Field(discriminator="kind")]


class ExpectedState(_Expected):
    """One part of what should be there at the end.

    Attributes:
        required: Records that must be there. A record that several parts repeat stands in the first of them alone.
        optional: Records that may be there as well.
        rubrics: Ids of the task's rubrics that the data states with this part.
    """

    required: tuple[ExpectedRecord, ...] = ()
    optional: tuple[ExpectedRecord, ...] = ()
    rubrics: tuple[str, ...] = ()
