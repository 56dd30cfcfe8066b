"""Runs recorded public calls on our worlds and compares: accepted or refused, ids and their order, values, final state.

A *case* is one recorded call with what ours gives. Where they differ, a rule must name the public fault that explains
it. A record that exists or stands differently because of a fault carries the code on: later calls on a record that ours
does not have fall away, and in lists its part is left out of the comparison.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vitagym.tools.results import Result
from vitagym.world.world import World

ACCEPTED = "return"
RECORD_KEYS = ("order_id", "book_id", "reservation_id")
PRODUCT_PARAMETERS = ("product_id", "room_id", "ticket_id", "seat_id")
ID_KEY = re.compile(r"(order|book|reservation|product|store|shop|hotel|attraction|flight|train)_id")
VALUE_KEYS = {
    "longitude_latitude_to_distance": ("distance",),
    "delivery_distance_to_time": ("minutes",),
    "get_delivery_order_status": ("status",),
    "address_to_longitude_latitude": ("longitude", "latitude"),
}


@dataclass
class Case:
    """One recorded call and what ours gives; ids of new records are written as the recording's placeholders."""

    task_id: str
    world: World
    call: dict[str, Any]
    result: Result
    ids: list[str]
    recorded_ids: list[str]
    inherited: set[str] = field(default_factory=set)
    """Codes of records, in this call's lists, that exist or stand differently since an earlier call."""

    @property
    def tool(self) -> str:
        return str(self.call["tool"])

    @property
    def label(self) -> str:
        return str(self.call.get("label", ""))

    @property
    def arguments(self) -> dict[str, Any]:
        return dict(self.call["arguments"])

    @property
    def recorded_ok(self) -> bool:
        return bool(self.call["outcome"] == ACCEPTED)

    @property
    def same_acceptance(self) -> bool:
        return self.result.ok == self.recorded_ok

    @property
    def same(self) -> bool:
        """Whether ours agrees with the recording."""
        if not self.same_acceptance or not self.result.ok:
            return self.same_acceptance
        return self.ids == self.recorded_ids and self._same_value()

    def _same_value(self) -> bool:
        if "value" not in self.call:
            return True
        ours = [self.result.data[key] for key in VALUE_KEYS[self.tool]]
        return ours == _read_value(self.call["value"])


@dataclass(frozen=True)
class Rule:
    """Says which differing calls a public fault explains."""

    code: str
    applies: Callable[[Case], bool]


@dataclass
class Tally:
    """Counts of a whole comparison."""

    calls: int = 0
    equal: int = 0
    fallen: Counter[str] = field(default_factory=Counter)
    differing: Counter[str] = field(default_factory=Counter)
    left_over: list[str] = field(default_factory=list)

    def table(self, title: str) -> str:
        """Return the counts as a few lines of text."""
        rows = [f"{title}: {self.calls} calls, {self.equal} equal"]
        rows += [f"  differing, {code}: {count}" for code, count in sorted(self.differing.items())]
        rows += [f"  fallen away with a record, {code}: {count}" for code, count in sorted(self.fallen.items())]
        rows.append(f"  left over: {len(self.left_over)}")
        return "\n".join(rows)


class Replay:
    """Runs the recorded calls of one task on a world.

    Args:
        rules: Rules that explain differing calls, first match first.
        tally: Counts of the whole comparison, added to.
    """

    def __init__(self, task_id: str, world: World, rules: Sequence[Rule], tally: Tally) -> None:
        self.task_id, self.world, self.rules, self.tally = task_id, world, rules, tally
        self.known = known_ids(world)
        self.bound: dict[str, str] = {}
        """Placeholder of a new record -> its id here."""
        self.ordered: set[str] = set()
        """Products that were ordered there."""
        self.odd: dict[str, str] = {}
        """Placeholder or id of a record that is missing or stands differently here -> code of the fault."""

    def run(self, calls: Sequence[dict[str, Any]]) -> None:
        """Run the calls in order."""
        for call in calls:
            self._run(call)

    def named(self, record_id: str) -> str:
        """Return the recording's name of a record of ours."""
        return next((name for name, ours in self.bound.items() if ours == record_id), record_id)

    def _run(self, call: dict[str, Any]) -> None:
        self.tally.calls += 1
        missing = next((v for v in _strings(call["arguments"]) if v.startswith("$") and v not in self.bound), None)
        if missing is not None:
            self.tally.fallen[self.odd[missing]] += 1
            return
        arguments = _replaced(call["arguments"], self.bound)
        if call["tool"].startswith("create_") and call["outcome"] == ACCEPTED:
            self.ordered |= {value for key, value in arguments.items() if key in PRODUCT_PARAMETERS}
        result = self.world.call(call["tool"], arguments)
        for name, ours in zip(call.get("new_ids", ()), _new_ids(result), strict=False):
            self.bound[name] = ours
        back = {ours: name for name, ours in self.bound.items()}
        ids = [back.get(one, one) for one in flat_ids(result.data) if one in self.known or one in back]
        case = Case(self.task_id, self.world, {**call, "arguments": arguments}, result, ids, call["ids"])
        self._judge(self._without_odd(case))

    def _judge(self, case: Case) -> None:
        if case.same:
            self.tally.equal += not case.inherited
            self.tally.differing.update(sorted(case.inherited)[:1])
            return
        code = next((rule.code for rule in self.rules if rule.applies(case)), None)
        if code is None:
            ours = case.ids if case.result.ok else case.result.text
            self.tally.left_over.append(f"{self.task_id} {json.dumps(case.call)[:600]}\n    ours: {ours}")
            return
        self.tally.differing[code] += 1
        if not case.same_acceptance:
            for name in (*case.call.get("new_ids", ()), *(self.named(v) for v in _record_ids(case.arguments))):
                self.odd.setdefault(name, code)

    def _without_odd(self, case: Case) -> Case:
        """Leave the parts of odd records out of both lists; where that changes the comparison, it is inherited."""
        records = {*self.bound, *self.odd, *self.world.catalogue.orders}
        ours, recorded = _parts(case.ids, records), _parts(case.recorded_ids, records)
        if ours == recorded or not case.result.ok:
            return case
        case.inherited = {self.odd[p[0]] for p in (*ours, *recorded) if p[0] in self.odd}
        case.ids = [one for part in ours if part[0] not in self.odd for one in part]
        case.recorded_ids = [one for part in recorded if part[0] not in self.odd for one in part]
        return case


@dataclass(frozen=True)
class FieldDifference:
    """A field of a final record, or a final stock, that is not as recorded."""

    task_id: str
    name: str
    field: str
    ours: Any
    recorded: Any


def final_differences(replay: Replay, final_state: dict[str, Any]) -> list[FieldDifference]:
    """Compare the records and stock at the end with the recorded ones; records that are odd here are left out."""
    found = []
    records = {**final_state["orders"], **final_state.get("books", {}), **final_state.get("reservations", {})}
    for name, recorded in records.items():
        if name in replay.odd:
            continue
        ours = _final_record(replay.world, replay.bound.get(name, name))
        for key, value in recorded.items():
            mine = None if ours is None else ours.get(key)
            if key == "products":
                mine, value = _lines(mine), _lines(value)  # noqa: PLW2901
            if key not in RECORD_KEYS and not _alike(mine, value):
                found.append(FieldDifference(replay.task_id, name, key, mine, value))
    for provider_id, rows in final_state["inventory"].items():
        found += _stock_differences(replay, provider_id, rows)
    return found


def _alike(ours: Any, recorded: Any) -> bool:
    """Whether two values of a field are the same; there, prices carry rounding errors, and unknown is empty."""
    if isinstance(ours, float) and isinstance(recorded, int | float):
        return abs(ours - recorded) < 0.005
    return bool((ours or None) == (recorded or None))


def _final_record(world: World, record_id: str) -> dict[str, Any] | None:
    for table in (world.ledger.orders, world.ledger.bookings, world.ledger.reservations):
        if record_id in table:
            return table[record_id].data()
    return None


def _lines(rows: Any) -> list[tuple[Any, ...]]:
    return [(row["product_id"], row["price"], row["quantity"], row.get("date")) for row in rows or ()]


def _stock_differences(replay: Replay, provider_id: str, rows: list[list[Any]]) -> Iterator[FieldDifference]:
    world = replay.world
    provider = world.catalogue.providers.get(provider_id)
    products = () if provider is None else provider.products
    for product, (product_id, recorded) in zip(products, rows, strict=False):
        ours = world.ledger.stock(product)
        if ours is not None and (product.id, ours) != (product_id, recorded):
            yield FieldDifference(replay.task_id, provider_id, product_id, ours, recorded)


def known_ids(world: World) -> set[str]:
    """Return the ids of everything in a world at the start: the recordings leave others out."""
    catalogue = world.catalogue
    products = {product.id for provider in catalogue.providers.values() for product in provider.products}
    return {*catalogue.providers, *products, *catalogue.orders, *catalogue.bookings, *catalogue.reservations}


def load(folder: Path, name: str) -> Any:
    """Return a gzipped JSON file of the public data."""
    return json.loads(gzip.decompress((folder / name).read_bytes()))


def flat_ids(data: Any) -> list[str]:
    """Return the ids of entities and records in a result, in order."""
    return list(_ids(data))


def _ids(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        for key, value in data.items():
            if isinstance(value, str):
                if ID_KEY.fullmatch(key):
                    yield value
            else:
                yield from _ids(value)
    elif isinstance(data, list):
        for value in data:
            yield from _ids(value)


def _parts(ids: Sequence[str], records: set[str]) -> list[list[str]]:
    """Split ids where a record begins."""
    parts: list[list[str]] = []
    for one in ids:
        if not parts or one in records:
            parts.append([])
        parts[-1].append(one)
    return parts


def _new_ids(result: Result) -> list[str]:
    return [result.data[key] for key in RECORD_KEYS if key in result.data] if result.ok else []


def _record_ids(arguments: dict[str, Any]) -> list[str]:
    return [value for key, value in arguments.items() if key in RECORD_KEYS and isinstance(value, str)]


def _strings(arguments: dict[str, Any]) -> Iterator[str]:
    return (value for value in arguments.values() if isinstance(value, str))


def _replaced(arguments: dict[str, Any], bound: dict[str, str]) -> dict[str, Any]:
    return {k: bound.get(v, v) if isinstance(v, str) else v for k, v in arguments.items()}


def _read_value(recorded: str) -> list[Any]:
    """Return what a recorded value says: there, numbers are strings (T12)."""
    try:
        plain = json.loads(recorded)
    except ValueError:
        return [recorded]
    return [float(one) for one in (plain if isinstance(plain, list) else [plain])]
