"""Which record of an episode is the attempt at which of the things that the person wanted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from vitagym.analysis.failures.reading import Made, Reading
from vitagym.domains import home_of
from vitagym.rewards.checks import Existing, Includes, Provided, RecordCheck, RecordKind
from vitagym.rewards.laboratory.structure import MAKES
from vitagym.rewards.rubrics import RubricStatus
from vitagym.tasks.task import Rubric, Task
from vitagym.world.records import Record

_PROVIDER_KEYS = ("store_id", "shop_id")
_VISITS = (RecordKind.BOOK, RecordKind.RESERVATION)


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that the person wanted, and what the agent made for it.

    Attributes:
        goal: Its key.
        kind: The kind of record that it takes.
        is_old: Whether it is about a record from before the episode.
        record: What the agent made or changed for it; None: nothing.
        names: Names of providers and products that would do, by which an agent can speak of it; those of records that
            were made for something else are left out.
    """

    goal: str
    kind: RecordKind
    is_old: bool
    record: Made | None
    names: tuple[str, ...]

    def is_done_by(self, tool: str) -> bool:
        """Return whether a tool does what is missing: makes such a record, or changes the one that there is."""
        makes = tool in MAKES
        if makes or (self.record is None and not self.is_old):
            return makes and self.record is None and not self.is_old and MAKES[tool] is self.kind
        if self.kind is RecordKind.INSTORE:
            return "instore" in tool and not any(visit.value in tool for visit in _VISITS)
        return self.kind.value in tool

    def is_served_by(self, domain: str) -> bool:
        """Return whether tools of a domain make records of this kind."""
        return domain == _HOMES[self.kind]


_HOMES = {kind: home_of(tool) for tool, kind in MAKES.items()}


def deeds_of(reading: Reading, task: Task) -> dict[str, Deed]:
    """Return each goal with the record that fits it best; a record is given to one goal, met ones first."""
    goals: dict[str, list[Rubric]] = {}
    for rubric in task.rubrics:
        if rubric.goal is not None and not rubric.prohibition and isinstance(rubric.check, RecordCheck):
            goals.setdefault(rubric.goal, []).append(rubric)
    states = reading.row["rubrics"]
    met = {goal: sum(states[r.id]["status"] == RubricStatus.MET for r in found) for goal, found in goals.items()}
    taken: dict[str, Made] = {}
    for goal in sorted(goals, key=lambda goal: -met[goal]):
        kind = _kind(goals[goal])
        free = [one for one in reading.made_of(kind.value) if one.id not in {made.id for made in taken.values()}]
        if free:
            taken[goal] = max(free, key=lambda one: _fit(goals[goal], one))
    return {goal: _deed(goal, found, taken, task) for goal, found in goals.items()}


def spare_records(reading: Reading, deeds: Iterable[Deed]) -> list[Made]:
    """Return the new records that stand and are no goal's."""
    used = {deed.record.id for deed in deeds if deed.record is not None}
    return [one for one in reading.made if one.is_new and one.stands and one.id not in used]


def _deed(goal: str, rubrics: list[Rubric], taken: Mapping[str, Made], task: Task) -> Deed:
    others = {name for key, one in taken.items() if key != goal for name in _names(_ids_in(one.last), task)}
    wanted = {i for r in rubrics if isinstance(r.check, Provided | Includes) for i in r.check.ids}
    wanted |= {i for r in rubrics if isinstance(r.check, Existing) for i in _ids_of_old(r.check.id, task)}
    names = tuple(sorted(name for name in _names(wanted, task) if name not in others))
    return Deed(goal, _kind(rubrics), any(isinstance(r.check, Existing) for r in rubrics), taken.get(goal), names)


def _kind(rubrics: list[Rubric]) -> RecordKind:
    return next(RecordKind(r.check.record) for r in rubrics if isinstance(r.check, RecordCheck))


def _fit(rubrics: list[Rubric], record: Made) -> int:
    ids = _ids_in(record.last)
    return sum(bool(ids & set(r.check.ids)) for r in rubrics if isinstance(r.check, Provided | Includes))


def _ids_in(record: Mapping[str, Any]) -> set[str]:
    lines = record.get("products") or ()
    return {str(record[key]) for key in _PROVIDER_KEYS if key in record} | {line["product_id"] for line in lines}


def _ids_of_old(record_id: str, task: Task) -> set[str]:
    """Return the provider and products of a record from before the episode."""
    world = task.catalogue
    records: dict[str, Record] = {**world.orders, **world.bookings, **world.reservations}
    found = records.get(record_id)
    return set() if found is None else _ids_in(found.data())


def _names(ids: Iterable[str], task: Task) -> set[str]:
    wanted = set(ids)
    found = set()
    for provider in task.catalogue.providers.values():
        if provider.id in wanted:
            found.add(provider.name)
        found |= {product.name for product in provider.products if product.id in wanted}
    return found
