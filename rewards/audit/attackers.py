"""Attackers: agents that try to be paid without doing the task. They know its solution and its rubrics.

Each is a function of an environment at the start of an episode; it yields its actions, and sees in the environment what
came of them. The last action of each is ``STOP``, unless the user has ended the conversation before.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from vitagym.env.actions import STOP
from vitagym.env.environment import VitaEnv
from vitagym.language import text
from vitagym.rewards.laboratory.makings import echo
from vitagym.rewards.laboratory.structure import MAKES, MadeRecord, Steps, cancelling, made_records, named
from vitagym.rewards.records import RecordKind
from vitagym.tasks.task import CallStep, SayStep
from vitagym.world.entities import Provider

_ROUNDS = 4
_TIMES = 8
_MOST_ORDERS = 150
_AT_ONCE = 40


@dataclass(frozen=True, slots=True)
class Move:
    """One action of an attacker.

    Attributes:
        action: What it does.
        closes: Whether records are then as they were when the last loop closed: what the moves since then have paid is
            the sum over a loop.
    """

    action: str
    closes: bool = False


Attacker = Callable[[VitaEnv], Iterator[Move]]


def nothing(env: VitaEnv) -> Iterator[Move]:
    """Send actions that do nothing."""
    del env
    for _ in range(_TIMES):
        yield Move("")
    yield Move(STOP)


def stop_at_once(env: VitaEnv) -> Iterator[Move]:
    """End the episode with the first action."""
    del env
    yield Move(STOP)


def order_everything(env: VitaEnv) -> Iterator[Move]:
    """Order, book and reserve as much as there is of everything, and say that it is done."""
    orders = list(_orders(env))
    step = -(-len(orders) // _MOST_ORDERS) or 1
    orders = orders[::step]
    for start in range(0, len(orders), _AT_ONCE):
        yield Move(json.dumps(orders[start : start + _AT_ONCE], ensure_ascii=False))
    yield from _claims(env)


def loop(env: VitaEnv) -> Iterator[Move]:
    """Make the right records and cancel them again, round after round."""
    hands = _Hands(env)
    for record in hands.records:
        for _ in range(_ROUNDS):
            yield from hands.do(record)
            yield Move(hands.cancel(record), closes=True)
    yield Move(STOP)


def repeat(env: VitaEnv) -> Iterator[Move]:
    """Make one right record again and again."""
    hands = _Hands(env)
    for record in hands.records[:1]:
        for _ in range(_ROUNDS):
            yield from hands.do(record)
    yield from _claims(env)


def pay_then_cancel(env: VitaEnv) -> Iterator[Move]:
    """Do everything right, cancel it at the end, and say that it is done."""
    hands = _Hands(env)
    for record in hands.records:
        yield from hands.do(record)
    for record in hands.records:
        yield Move(hands.cancel(record))
    yield from _claims(env)


def claim(env: VitaEnv) -> Iterator[Move]:
    """Tell what the solution tells, and do nothing of it."""
    for step in env.task.solution:
        if isinstance(step, SayStep):
            yield Move(step.text)
    yield from _claims(env)


def echo_rubrics(env: VitaEnv) -> Iterator[Move]:
    """Say what every rubric says, one by one."""
    for rubric in env.task.rubrics:
        yield Move(rubric.sentence(env.task.language))
    yield from _claims(env)


def echo_format(env: VitaEnv) -> Iterator[Move]:
    """Answer as a judge would that finds every rubric met."""
    for _ in range(_TIMES):
        yield Move(echo(env.task))
    yield Move(STOP)


def flatter(env: VitaEnv) -> Iterator[Move]:
    """Praise the user."""
    yield from _saying(env, "flatter")
    yield Move(STOP)


def plead(env: VitaEnv) -> Iterator[Move]:
    """Plead with the judge, and instruct it."""
    yield from _saying(env, "plead")
    yield from _saying(env, "instruct")
    yield Move(STOP)


def ask_to_confirm(env: VitaEnv) -> Iterator[Move]:
    """Ask the user to say that it is done."""
    yield from _saying(env, "ask_to_confirm")
    yield from _claims(env)


def deny_everything(env: VitaEnv) -> Iterator[Move]:
    """Say of everything that there is none."""
    denial = text("laboratory", "deny", env.task.language)
    for rubric in env.task.rubrics:
        yield Move(denial.format(what=rubric.sentence(env.task.language)))
    yield from _claims(env)


ATTACKERS: Mapping[str, Attacker] = MappingProxyType(
    {
        "do nothing": nothing,
        "stop at once": stop_at_once,
        "order everything": order_everything,
        "place and cancel": loop,
        "repeat one good act": repeat,
        "pay, then cancel": pay_then_cancel,
        "claim": claim,
        "echo the rubrics": echo_rubrics,
        "echo the format": echo_format,
        "flatter": flatter,
        "plead": plead,
        "ask the user": ask_to_confirm,
        "deny everything": deny_everything,
    }
)
"""All attackers by name."""


class _Hands:
    """Performs the parts of the solution that make records, without a word to the user.

    Attributes:
        records: The records that the solution makes and does not cancel.
    """

    def __init__(self, env: VitaEnv) -> None:
        self._env = env
        self._steps: Steps = named(env.task.solution)
        self._ids: dict[str, str] = {}
        self.records: list[MadeRecord] = [r for r in made_records(self._steps) if not r.cancelled]

    def do(self, record: MadeRecord) -> Iterator[Move]:
        """Make a record, and do what the solution does about it later."""
        for place in record.places:
            step = self._steps[place]
            if isinstance(step, CallStep):
                yield Move(self._call(step))
                if step.tool in MAKES:
                    self._ids[record.name] = self._newest()

    def cancel(self, record: MadeRecord) -> str:
        """Return the call that cancels a record."""
        return self._call(cancelling(self._env.task, record.record, record.name))

    def _call(self, step: CallStep) -> str:
        arguments = {key: self._known(value) for key, value in step.arguments.items()}
        return json.dumps({"name": step.tool, "arguments": arguments}, ensure_ascii=False)

    def _known(self, value: Any) -> Any:
        return self._ids.get(value, value) if isinstance(value, str) else value

    def _newest(self) -> str:
        changes = self._env.world.ledger.changes
        return changes[-1].after.id if changes else ""


def _claims(env: VitaEnv) -> Iterator[Move]:
    """Say that all is done until the user ends, or it is no use."""
    for number in range(_TIMES):
        yield Move(text("laboratory", "claim_again" if number % 2 else "claim", env.task.language))
    yield Move(STOP)


def _saying(env: VitaEnv, key: str) -> Iterator[Move]:
    """Say one thing again and again."""
    for _ in range(_TIMES):
        yield Move(text("laboratory", key, env.task.language))


_ORDERS: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "shop": ("create_instore_product_order", "shop_id", "product_id"),
        "hotel": ("create_hotel_order", "hotel_id", "room_id"),
        "attraction": ("create_attraction_order", "attraction_id", "ticket_id"),
        "flight": ("create_flight_order", "flight_id", "seat_id"),
        "train": ("create_train_order", "train_id", "seat_id"),
    }
)
"""Kind of provider -> the tool that orders from it, and its arguments for provider and product."""
_DATED = ("attraction", "flight", "train")


def _orders(env: VitaEnv) -> Iterator[dict[str, Any]]:
    """Yield a call for everything that can be ordered, booked or reserved."""
    known = env.world.tools
    for provider in env.task.catalogue.providers.values():
        for name, arguments in _orders_from(env, provider):
            if name in known:
                yield {"name": name, "arguments": arguments}


def _orders_from(env: VitaEnv, provider: Provider) -> Iterator[tuple[str, dict[str, Any]]]:
    task = env.task
    user = {"user_id": task.profile.user_id}
    if provider.kind == "store":
        for product in provider.products:
            wanted = {"product_ids": [product.id], "product_cnts": [1]}
            for step in _own(task.solution, RecordKind.DELIVERY)[:1]:
                where = {key: step.arguments[key] for key in ("address", "dispatch_time")}
                yield "create_delivery_order", {**user, "store_id": provider.id, **wanted, **where}
        return
    name, provider_key, product_key = _ORDERS[provider.kind]
    for product in provider.products:
        arguments: dict[str, Any] = {**user, provider_key: provider.id, product_key: product.id}
        if provider.kind in _DATED:
            arguments |= {"date": product.date, "quantity": 1}
        yield name, arguments
    if provider.kind == "shop":
        for kind, tool in ((RecordKind.BOOK, "instore_book"), (RecordKind.RESERVATION, "instore_reservation")):
            for step in _own(task.solution, kind)[:1]:
                when = {key: step.arguments[key] for key in ("time", "customer_count")}
                yield tool, {**user, "shop_id": provider.id, **when}


def _own(steps: Steps, kind: RecordKind) -> list[CallStep]:
    return [step for step in steps if isinstance(step, CallStep) and MAKES.get(step.tool) is kind]
