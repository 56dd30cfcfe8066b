"""Spoiling: solutions that miss one requirement, to show that its rubric bites.

A requirement on what is on offer is missed with its near-miss, ordered instead; one on the record with an argument that
is off: another address, a later time, one person more, no note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar

from vitagym.generation.drafts import Draft
from vitagym.generation.goals import Goal
from vitagym.generation.sketches import Offer
from vitagym.generation.speech import stamp
from vitagym.rewards.checks import (
    ChangedTo,
    DeliveredBetween,
    DeliveredTo,
    Existing,
    HasStatus,
    Includes,
    Meaning,
    NoneOfKind,
    NoOther,
    NoteSays,
    OnlyProducts,
    People,
    Provided,
    RecordKind,
    SpentAtMost,
    TalkCheck,
    TotalAtMost,
    Untouched,
    VisitBetween,
)
from vitagym.tasks.checks import Check
from vitagym.tasks.task import CallStep, Rubric, Step, Task

Steps = tuple[Step, ...]
C = TypeVar("C", bound=Check)
_CREATES = ("create_", "instore_book", "instore_reservation")


def near_misses(draft: Draft, task: Task) -> Iterable[tuple[Rubric, Steps]]:
    """Yield, for each requirement on what is on offer, its rubric and the solution that takes its near-miss."""
    for goal in draft.scene.goals:
        if goal.pool is None or not goal.pool.valid:
            continue
        for name, offer in goal.pool.near.items():
            rubric = next((r for r in task.rubrics if r.id == goal.rubric_id(name)), None)
            if rubric is not None:
                yield rubric, swapped(task.solution, goal.pool.chosen, offer, companions(draft, goal, offer) or {})


def companions(draft: Draft, goal: Goal, offer: Offer) -> dict[str, str] | None:
    """Return what is ordered along with a goal's offer -> what the other offer's provider sells in its place.

    None: it sells nothing in the place of some of it.
    """
    names: dict[str, str] | None = {}
    for other in draft.scene.goals:
        if other.key == goal.key and other.pool is not None and other.pool is not goal.pool:
            sold = (valid for valid in other.pool.valid if valid.provider is offer.provider)
            there = next((valid for valid in sold if valid.product is not offer.product), None)
            if there is None:
                names = None
            elif names is not None:
                names[other.pool.chosen.product.id] = there.product.id
    return names


def swapped(steps: Steps, taken: Offer, offer: Offer, companions: Mapping[str, str]) -> Steps:
    """Return the solution with another offer in place of the one that was taken, and its companions."""
    names = {**companions, taken.provider.id: offer.provider.id, taken.product.id: offer.product.id}
    if "date" in taken.product.facts:
        names[taken.product.facts["date"]] = offer.product.facts["date"]
    if not any(isinstance(step, CallStep) and _about(step, taken.product.id) for step in steps):
        return _straight(steps, taken, offer)
    return tuple(
        step.model_copy(update={"arguments": _renamed(step.arguments, names)})
        if isinstance(step, CallStep) and (_about(step, taken.product.id) or _visits(step, taken.provider.id))
        else step
        for step in steps
    )


def _straight(steps: Steps, taken: Offer, offer: Offer) -> Steps:
    """Return a solution that came to an offer by a change, with another one ordered at once and not changed."""
    names = {taken.provider.id: offer.provider.id}
    for product in taken.provider.products:
        names |= {product.id: offer.product.id}
        if "date" in product.facts:
            names[product.facts["date"]] = offer.product.facts["date"]
    return tuple(
        step.model_copy(update={"arguments": _renamed(step.arguments, names)})
        if isinstance(step, CallStep) and step.tool.startswith(_CREATES) and taken.provider.id in str(step.arguments)
        else step
        for step in steps
        if not (isinstance(step, CallStep) and step.tool.startswith("modify_"))
    )


def spoilt(task: Task, rubric: Rubric) -> Steps | None:
    """Return the solution with one thing off, so that this rubric must fail; None where there is no way known."""
    check = rubric.check
    if check is None:
        return None
    if isinstance(check, TalkCheck):
        return _silent(task)
    way = _WAYS.get(type(check))
    return None if way is None else way(task, check)


def _about(step: CallStep, thing_id: str) -> bool:
    """Return whether a step orders a product, or from a provider."""
    return step.tool.startswith("create_") and thing_id in str(step.arguments)


def _visits(step: CallStep, shop_id: str) -> bool:
    """Return whether a step books or reserves at a shop."""
    return step.tool in ("instore_book", "instore_reservation") and step.arguments["shop_id"] == shop_id


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, dict):
        return {key: _renamed(inner, names) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(inner, names) for inner in value]
    return value


def _changed(task: Task, key: str, change: Callable[[Any], Any]) -> Steps:
    """Return the solution with one argument changed in every write that has it."""
    return tuple(
        step.model_copy(update={"arguments": {**step.arguments, key: change(step.arguments[key])}})
        if isinstance(step, CallStep) and key in step.arguments and _writes(step)
        else step
        for step in task.solution
    )


def _writes(step: CallStep) -> bool:
    return step.tool.startswith((*_CREATES, "modify_", "instore_modify"))


def _without(task: Task, *beginnings: str) -> Steps:
    return tuple(s for s in task.solution if not (isinstance(s, CallStep) and s.tool.startswith(beginnings)))


def _elsewhere(task: Task, check: DeliveredTo) -> Steps:
    for place in task.catalogue.all_places:
        if abs(place.longitude - check.longitude) + abs(place.latitude - check.latitude) > 0.002:
            return _changed(task, "address", lambda _: place.address)  # noqa: B023
    return _changed(task, "address", lambda address: address)


def _other_shop(task: Task, check: Provided) -> Steps:
    kind = task.catalogue.providers[check.ids[0]].kind
    others = [p.id for p in task.catalogue.of_kind(kind).values() if p.id not in check.ids]
    return _changed(task, "shop_id", lambda _: others[0]) if others else ()


def _later(task: Task, check: Check) -> Steps:
    del check
    return _changed(task, "dispatch_time", lambda time: _shifted(time, 30))


def _other_visit(task: Task, check: Check) -> Steps:
    del check
    return _changed(task, "time", lambda time: _shifted(time, 30))


def _other_change(task: Task, check: ChangedTo) -> Steps:
    if check.record in (RecordKind.BOOK, RecordKind.RESERVATION):
        return _changed(task, "time", lambda time: _shifted(time, 30))
    return _without(task, "modify_")


def _shifted(time: str, hours: int) -> str:
    return stamp(datetime.fromisoformat(time) + timedelta(hours=hours))


def _one_more(task: Task, check: Check) -> Steps:
    del check
    return tuple(
        _with_more(step) if isinstance(step, CallStep) and step.tool.startswith("create_") else step
        for step in task.solution
    )


def _with_more(step: CallStep) -> CallStep:
    arguments = dict(step.arguments)
    if "product_cnts" in arguments:
        arguments["product_cnts"] = [count + 1 for count in arguments["product_cnts"]]
    else:
        arguments["quantity"] = arguments.get("quantity", 1) + 1
    return step.model_copy(update={"arguments": arguments})


def _more_people(task: Task, check: Check) -> Steps:
    del check
    return _changed(task, "customer_count", lambda count: count + 1)


def _no_note(task: Task, check: Check) -> Steps:
    del check
    return _changed(task, "note", lambda _: "-")


def _no_status(task: Task, check: HasStatus) -> Steps:
    if check.meaning is Meaning.CANCELLED:
        return _without(task, "cancel_", "instore_cancel")
    if check.meaning is Meaning.PAID:
        return _without(task, "pay_")
    return _without(task, *_CREATES)


def _nothing_changed(task: Task, check: Check) -> Steps:
    del check
    return _without(task, "cancel_", "modify_", "instore_cancel", "instore_modify")


def _silent(task: Task) -> Steps:
    return tuple(step for step in task.solution if isinstance(step, CallStep))


def _twice(task: Task, check: Check) -> Steps:
    """Return the solution with everything made twice; where nothing is made, with something made."""
    del check
    doubled: list[Step] = []
    for step in task.solution:
        doubled.append(step)
        if isinstance(step, CallStep) and step.tool.startswith(_CREATES):
            doubled.append(step.model_copy(update={"binds": None}))
    if len(doubled) == len(task.solution):
        doubled.append(_any_order(task))
    return tuple(doubled)


def _any_order(task: Task) -> CallStep:
    """Return an order that nobody wants: of the first thing that is on sale in a shop or store."""
    user, catalogue = task.profile.user_id, task.catalogue
    for shop in catalogue.of_kind("shop").values():
        bought = {"user_id": user, "shop_id": shop.id, "product_id": shop.products[0].id}
        return CallStep(tool="create_instore_product_order", arguments=bought)
    store = next(iter(catalogue.of_kind("store").values()))
    ordered = {
        "user_id": user,
        "store_id": store.id,
        "product_ids": [store.products[0].id],
        "product_cnts": [1],
        "address": store.places[0].address,
        "dispatch_time": task.time,
    }
    return CallStep(tool="create_delivery_order", arguments=ordered)


def _touched(task: Task, check: Untouched) -> Steps:
    order = task.catalogue.orders.get(check.id or "")
    kind = "instore" if order is None else order.kind
    tool = "instore_cancel_order" if kind == "instore" else f"cancel_{kind}_order"
    whose = {"user_id": task.profile.user_id} if kind not in ("instore", "delivery") else {}
    return (*task.solution, CallStep(tool=tool, arguments={"order_id": check.id, **whose}))


def _added(task: Task, check: OnlyProducts) -> Steps:
    """Return the solution with another product of the same store in the order."""
    steps: list[Step] = []
    for step in task.solution:
        if isinstance(step, CallStep) and set(step.arguments.get("product_ids", ())) & set(check.ids):
            store = task.catalogue.providers[step.arguments["store_id"]]
            other = next((p.id for p in store.products if p.id not in check.ids), None)
            if other is None:
                return ()
            arguments = {
                **step.arguments,
                "product_ids": [*step.arguments["product_ids"], other],
                "product_cnts": [*step.arguments["product_cnts"], 1],
            }
            steps.append(step.model_copy(update={"arguments": arguments}))
        else:
            steps.append(step)
    return tuple(steps)


def _way(kind: type[C], way: Callable[[Task, C], Steps]) -> tuple[type[Check], Callable[[Task, Check], Steps]]:
    """Return how checks of a kind are missed, as an entry of the table of all kinds."""

    def miss(task: Task, check: Check) -> Steps:
        if not isinstance(check, kind):
            raise TypeError(f"{check!r} is no {kind.__name__}")
        return way(task, check)

    return kind, miss


_WAYS: dict[type[Check], Callable[[Task, Check], Steps]] = dict(
    (
        _way(Provided, _other_shop),
        _way(DeliveredTo, _elsewhere),
        _way(DeliveredBetween, _later),
        _way(VisitBetween, _other_visit),
        _way(ChangedTo, _other_change),
        _way(People, _more_people),
        _way(Includes, _one_more),
        _way(SpentAtMost, _one_more),
        _way(TotalAtMost, _one_more),
        _way(NoteSays, _no_note),
        _way(HasStatus, _no_status),
        _way(Existing, _nothing_changed),
        _way(NoOther, _twice),
        _way(NoneOfKind, _twice),
        _way(Untouched, _touched),
        _way(OnlyProducts, _added),
    )
)
