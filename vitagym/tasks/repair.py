"""Repairs a public task, and says what was wrong with it.

Each function below knows one fault: it changes the task's JSON in place and yields what it found. The world comes
first, because what is expected is compared with the repaired world.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from vitagym.tasks.environment import LABELS
from vitagym.tasks.expectations import repair_expectations
from vitagym.tasks.faults import Fault, FaultCode
from vitagym.tasks.spellings import domains_named, domains_of_tables, profile_key, provider_tables

Json = dict[str, Any]
_AIMED_AT = frozenset({"target", "distraction"})


def repaired(raw: Json) -> tuple[Json, list[Fault]]:
    """Return a copy of a task's JSON without its faults, and the faults that were found."""
    task = copy.deepcopy(raw)
    faults = [
        *_domain(task),
        *_profile_keys(task),
        *_entity_keys(task),
        *_labels(task),
        *repair_expectations(task),
        *_coordinates(task),
    ]
    return task, faults


def _domain(task: Json) -> Iterator[Fault]:
    spelling = str(task.get("domain", ""))
    found = domains_of_tables(k for k, v in task["environment"].items() if v) or domains_named(spelling)
    name = found[0] if len(found) == 1 else "cross"
    task["domain"], task["domains"] = name, list(found)
    if spelling != name:
        what = f"{spelling!r} is read as {name!r}" if found else f"{spelling!r} names no domain that is known"
        yield Fault(FaultCode.D8, task["id"], "domain", what, bool(found))


def _profile_keys(task: Json) -> Iterator[Fault]:
    profile: Json = task["user_scenario"]["user_profile"]
    named = {profile_key(key): value for key, value in profile.items()}
    for key in profile:
        if key != profile_key(key) and key.isascii():
            what = f"{key!r} is read as {profile_key(key)!r}"
            yield Fault(FaultCode.D8, task["id"], f"user_scenario.user_profile.{key}", what, True)
    task["user_scenario"]["user_profile"] = named


def _entity_keys(task: Json) -> Iterator[Fault]:
    for table, id_key in provider_tables().items():
        yield from _rekeyed(task, table, id_key)
    for table, id_key in (("orders", "order_id"), ("books", "book_id"), ("reservations", "reservation_id")):
        yield from _rekeyed(task, table, id_key)


def _rekeyed(task: Json, table: str, id_key: str) -> Iterator[Fault]:
    """Give each row one id: its own, or its key where its products name that."""
    rows: Json = task["environment"].get(table) or {}
    renamed: Json = {}
    for key, row in rows.items():
        own = row.get(id_key, key)
        products = row.get("products") or ()
        chosen = key if any(product.get(id_key) == key for product in products) else own
        if own != key:
            what = f"stands under {key}, but its own id is {own}; both are {chosen} now"
            yield Fault(FaultCode.D1, task["id"], f"environment.{table}.{key}.{id_key}", what, True)
        for product in products:
            named = product.get(id_key, own)
            if named != own and table in provider_tables():
                where = f"environment.{table}.{key}.products.{product.get('product_id')}.{id_key}"
                what = f"names {named}, but is sold by {own}; it names {chosen} now"
                yield Fault(FaultCode.D2, task["id"], where, what, True)
                product[id_key] = chosen
        row[id_key] = chosen
        renamed[chosen] = row
    if rows:
        task["environment"][table] = renamed


def _coordinates(task: Json) -> Iterator[Fault]:
    """Entries of the world keep the coordinates that they state: which of them is right cannot be told."""
    first: dict[str, tuple[Any, Any]] = {}
    for where, place in _places(task["environment"], "environment"):
        here = (place["longitude"], place["latitude"])
        known = first.setdefault(place["address"], here)
        if known != here:
            what = f"{place['address']!r} is at {known} elsewhere and at {here} here; the first is what a look-up finds"
            yield Fault(FaultCode.D3, task["id"], where, what, False)
    for where, place in _places(task["evaluation_criteria"].get("expected_states", []), "evaluation_criteria"):
        known = first.setdefault(place["address"], (place["longitude"], place["latitude"]))
        if known != (place["longitude"], place["latitude"]):
            what = f"{place['address']!r} is at {known} in the world; it is there now"
            yield Fault(FaultCode.D3, task["id"], where, what, True)
            place["longitude"], place["latitude"] = known


def _places(value: Any, where: str) -> Iterator[tuple[str, Json]]:
    if isinstance(value, dict):
        if {"address", "longitude", "latitude"} <= value.keys():
            yield where, value
        for key, inner in value.items():
            yield from _places(inner, f"{where}.{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _places(inner, f"{where}.{index}")


def _labels(task: Json) -> Iterator[Fault]:
    for table, rows in task["environment"].items():
        if not isinstance(rows, dict) or table == "user_historical_behaviors":
            continue
        for key, row in rows.items():
            names = sorted(set(_without_labels(row)))
            if names:
                what = f"{', '.join(names)} taken out of it and of what it sells"
                yield Fault(FaultCode.D7, task["id"], f"environment.{table}.{key}", what, True)


def _without_labels(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key in [k for k, v in value.items() if k in LABELS or (isinstance(v, str) and v in _AIMED_AT)]:
            del value[key]
            yield key
        for inner in value.values():
            yield from _without_labels(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _without_labels(inner)
