"""Repairs what a public task expects: its required orders, and the rubrics that its two lists say twice."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from vitagym.tasks.faults import Fault, FaultCode
from vitagym.tasks.paraphrase import paired
from vitagym.tasks.spellings import provider_tables
from vitagym.world.records import Status

Json = dict[str, Any]
_LOOSE_TIME = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2}) (\d{1,2}):(\d{2})(?::(\d{2}))?")
_ID_KEYS = ("order_id", "book_id", "reservation_id")
_SETTABLE = {
    "order_id": {Status.UNPAID, Status.PAID, Status.CANCELLED},
    "book_id": {Status.UNPAID, Status.PAID, Status.CANCELLED},
    "reservation_id": {Status.UNCONSUMED, Status.CANCELLED},
}


def repair_expectations(task: Json) -> Iterator[Fault]:
    """Repair a task's evaluation criteria in place; yields what was wrong (D4, D5, D6)."""
    yield from _nested_orders(task)
    yield from _repeated_orders(task)
    for where, record in _records(task):
        yield from _user(task, where, record)
        if kind_of(record) == "order_id":
            yield from _products(task, where, record)
        yield from _status(task, where, record)
        yield from _times(task, where, record)
    yield from _paraphrases(task)


def kind_of(record: Json) -> str:
    """Return which id an expected record has: a booking has a time under ``book_time``, whatever its id is called."""
    if "book_time" in record:
        return "book_id"
    return "reservation_id" if "reservation_time" in record else "order_id"


def record_id(record: Json) -> str:
    """Return the id of an expected record; empty where it has none."""
    return str(next((record[key] for key in _ID_KEYS if key in record), ""))


def _states(task: Json) -> list[Json]:
    states: list[Json] = task["evaluation_criteria"]["expected_states"]
    for state in states:
        for part in ("required_orders", "optional_orders", "state_rubrics"):
            state[part] = state.get(part) or []
    return states


def _records(task: Json) -> Iterator[tuple[str, Json]]:
    for index, state in enumerate(_states(task)):
        for part in ("required_orders", "optional_orders"):
            for record in state[part]:
                yield f"evaluation_criteria.expected_states.{index}.{part}.{record_id(record)}", record


def _nested_orders(task: Json) -> Iterator[Fault]:
    """Some orders stand among the products of another one; they become orders of their own."""
    for index, state in enumerate(_states(task)):
        for order in list(state["required_orders"]):
            inner = [line for line in order.get("products", ()) if "order_id" in line]
            if inner:
                where = f"evaluation_criteria.expected_states.{index}.required_orders.{record_id(order)}.products"
                what = f"orders {', '.join(map(record_id, inner))} stand among its products; they are orders now"
                yield Fault(FaultCode.D4, task["id"], where, what, True)
                order["products"] = [line for line in order["products"] if "order_id" not in line]
                state["required_orders"].extend(inner)


def _repeated_orders(task: Json) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, state in enumerate(_states(task)):
        kept = [r for r in state["required_orders"] if json.dumps(r, sort_keys=True) not in seen]
        repeats = len(state["required_orders"]) - len(kept)
        if repeats:
            where = f"evaluation_criteria.expected_states.{index}.required_orders"
            what = f"{repeats} of an earlier state repeated; each is expected once now"
            yield Fault(FaultCode.D5, task["id"], where, what, True)
        seen.update(json.dumps(r, sort_keys=True) for r in kept)
        state["required_orders"] = kept


def _user(task: Json, where: str, record: Json) -> Iterator[Fault]:
    key = "user_id" if "user_id" in record else "customer_id"
    user = task["environment"]["user_id"]
    if record.get(key) != user:
        what = f"names user {record.get(key)}; the task's user is {user}"
        yield Fault(FaultCode.D4, task["id"], f"{where}.{key}", what, True)
        record[key] = user


def _products(task: Json, where: str, order: Json) -> Iterator[Fault]:
    sold = _sold(task)
    lines = order.setdefault("products", [])
    owners = [set(sold.get(line["product_id"], {})) for line in lines]
    common = set.intersection(*owners) if owners else set()
    if order.get("store_id") not in common and len(common) == 1:
        owner = next(iter(common))
        what = f"{order.get('store_id')} does not sell its products, {owner} does; it names that now"
        yield Fault(FaultCode.D4, task["id"], f"{where}.store_id", what, True)
        order["store_id"] = owner
    total = 0.0
    for line in lines:
        offers = sold.get(line["product_id"], {}).get(order.get("store_id"), [])
        if not offers:
            what = f"{order.get('store_id')} sells no {line['product_id']}; it cannot be ordered"
            yield Fault(FaultCode.D4, task["id"], f"{where}.products.{line['product_id']}", what, False)
        yield from _price(task, f"{where}.products.{line['product_id']}", line, offers)
        total += float(line.get("price", 0)) * int(line.get("quantity", 1))
    stated = order.get("total_price")
    if stated is None or abs(total - float(stated)) >= 0.01:
        what = f"{stated}, but its products come to {total:g}; it has that now"
        yield Fault(FaultCode.D4, task["id"], f"{where}.total_price", what, True)
        order["total_price"] = round(total, 2)


def _sold(task: Json) -> dict[str, dict[str | None, list[Json]]]:
    """Return product id -> provider id -> the products of that id, one a date where they are dated."""
    sold: dict[str, dict[str | None, list[Json]]] = {}
    for table, id_key in provider_tables().items():
        for row in (task["environment"].get(table) or {}).values():
            for product in row.get("products") or ():
                sold.setdefault(product["product_id"], {}).setdefault(row[id_key], []).append(product)
    return sold


def _price(task: Json, where: str, line: Json, offers: list[Json]) -> Iterator[Fault]:
    dated = [offer for offer in offers if line.get("date") in (None, offer.get("date"))]
    if not dated:
        return
    price = float(dated[0]["price"])
    if "price" not in line or float(line["price"]) != price:
        what = f"price {line.get('price')}, but it is sold at {price:g}; it has that now"
        yield Fault(FaultCode.D4, task["id"], f"{where}.price", what, True)
        line["price"] = price


def _status(task: Json, where: str, record: Json) -> Iterator[Fault]:
    status = record.get("status")
    if status not in _SETTABLE[kind_of(record)]:
        what = f"no tool can set {status!r}; any status but cancelled will do now"
        yield Fault(FaultCode.D5, task["id"], f"{where}.status", what, True)
        record["status"] = None


def _times(task: Json, where: str, record: Json) -> Iterator[Fault]:
    for key in ("dispatch_time", "delivery_time", "book_time", "reservation_time"):
        written = record.get(key) or ""
        found = _LOOSE_TIME.fullmatch(written.strip())
        if found is None:
            continue
        year, month, day, hour, minute, second = (int(part or 0) for part in found.groups())
        full = f"{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"
        if written != full:
            yield Fault(FaultCode.D4, task["id"], f"{where}.{key}", f"{written!r} is read as {full!r}", True)
            record[key] = full


def _paraphrases(task: Json) -> Iterator[Fault]:
    """Give a rubric of a state the wording of the whole task's rubric that means the same."""
    states = _states(task)
    stated = list(dict.fromkeys(text for state in states for text in state["state_rubrics"]))
    overall = list(dict.fromkeys(task["evaluation_criteria"].get("overall_rubrics") or ()))
    wording: dict[str, str] = {}
    for j, i in sorted(paired(stated, overall).items()):
        wording[stated[i]] = overall[j]
        if stated[i] != overall[j]:
            what = f"says what a state says as {stated[i]!r}; counted once now"
            yield Fault(FaultCode.D6, task["id"], f"evaluation_criteria.overall_rubrics.{j}", what, True)
    task["evaluation_criteria"]["overall_rubrics"] = overall
    for state in states:
        state["state_rubrics"] = [wording.get(text, text) for text in state["state_rubrics"]]
