"""A bare world for judges: ledger and transcript without domains, so that every record can be made directly."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from vitagym.dialogue.transcript import Role, ToolCall, Transcript
from vitagym.language import Language
from vitagym.tasks.checks import Evidence
from vitagym.tasks.task import Persona, Profile, Rubric, Task
from vitagym.tools.results import Result
from vitagym.tools.toolset import Toolset
from vitagym.world.catalogue import Catalogue
from vitagym.world.entities import Place
from vitagym.world.records import Booking, Order, OrderLine, Record, Reservation
from vitagym.world.world import World

TIME = "2025-07-25 09:00:00"


def make_order(**fields: Any) -> Order:
    given = {
        "id": "O1", "kind": "delivery", "user_id": "U1", "provider_id": "S1", "total_price": 30.0, "status": "unpaid",
        "lines": (OrderLine(product_id="P1", price=30.0, quantity=1),), "create_time": TIME, "update_time": TIME,
        "location": Place("Home", 102.7, 25.0), "delivery_time": "2025-07-25 12:10:00",
    }  # fmt: skip
    order = Order(**(given | fields))
    return order if order.status == "unpaid" or "paid" in fields else replace(order, paid=order.total_price)


def make_booking(**fields: Any) -> Booking:
    given = {
        "id": "B1", "shop_id": "S1", "user_id": "U1", "time": "2025-07-26 18:00:00", "customer_count": 2, "price": 0.0,
        "status": "paid", "update_time": TIME,
    }  # fmt: skip
    return Booking(**(given | fields))


def make_reservation(**fields: Any) -> Reservation:
    given = {
        "id": "R1", "shop_id": "S1", "user_id": "U1", "time": "2025-07-26 18:00:00", "customer_count": 2,
        "status": "unconsumed", "update_time": TIME,
    }  # fmt: skip
    return Reservation(**(given | fields))


def make_task(*rubrics: Rubric | dict[str, Any], language: Language = Language.EN) -> Task:
    return Task(
        id="T1", split="test", domains=("delivery",), language=language, time=TIME, persona=Persona.NEUTRAL,
        profile=Profile(user_id="U1", public={}, hidden={}), instruction="", environment={},
        rubrics=tuple(r if isinstance(r, Rubric) else Rubric(sentences={"en": "-"}, **r) for r in rubrics),
    )  # fmt: skip


@dataclass
class Episode:
    """An episode played by hand: what the agent does is put straight into ledger and transcript."""

    orders: dict[str, Order] = field(default_factory=dict)
    bookings: dict[str, Booking] = field(default_factory=dict)
    reservations: dict[str, Reservation] = field(default_factory=dict)

    def __post_init__(self) -> None:
        catalogue = Catalogue(
            task_id="T1", language=Language.EN, time=datetime.fromisoformat(TIME), user_id="U1", behaviors={},
            places=(), weather=(), providers={}, orders=self.orders, bookings=self.bookings,
            reservations=self.reservations,
        )  # fmt: skip
        self.world = World(catalogue, Toolset([]))
        self.transcript = Transcript()
        self.evidence = Evidence(self.world, self.transcript)

    def put(self, *records: Record) -> Episode:
        """One tool call that changes records."""
        for record in records:
            self.world.ledger.put(record)
        call = ToolCall(f"c{len(self.transcript)}", "write", {}, "{}")
        self.transcript.add(Role.ASSISTANT, "", calls=(call,))
        result = Result.accepted({}, len(self.world.ledger.changes))
        self.transcript.add(Role.TOOL, result.text, call=call, result=result)
        return self

    def read(self, data: Any) -> Episode:
        """One tool call that gives something and changes nothing."""
        call = ToolCall(f"c{len(self.transcript)}", "read", {}, "{}")
        self.transcript.add(Role.ASSISTANT, "", calls=(call,))
        result = Result.accepted(data, len(self.world.ledger.changes))
        self.transcript.add(Role.TOOL, result.text, call=call, result=result)
        return self

    def say(self, text: str) -> Episode:
        self.transcript.add(Role.ASSISTANT, text)
        return self

    def hear(self, text: str) -> Episode:
        self.transcript.add(Role.USER, text)
        return self

    def cancel(self, record: Record) -> Episode:
        return self.put(replace(record, status="cancelled"))
