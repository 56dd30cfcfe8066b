"""How well a record, made or only thought of, meets what was heard of its goal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from vitagym.rl.belief import Belief
from vitagym.rl.classes import CLASSES
from vitagym.rl.clauses import Clause
from vitagym.rl.goals import Goal
from vitagym.rl.judging import MET, MISSED, OPEN
from vitagym.rl.kinds import Fit
from vitagym.rl.sightings import SeenRecord, Thing
from vitagym.tasks.constraints import Constraint, Sense


class Line(NamedTuple):
    """A product in an order: what it is (None: it was never shown), how many, and for which part of the goal."""

    product: Thing | None
    pieces: int
    part: str = ""


class Plan(NamedTuple):
    """A record as it is, or as it would be.

    Attributes:
        time: When it arrives, or what time it is for; empty where that is not known.
        address: Where it goes to; empty where nothing is delivered.
    """

    provider: Thing | None
    lines: tuple[Line, ...] = ()
    time: str = ""
    address: str = ""
    note: str = ""
    people: int = 0
    total: float = 0.0
    date: str = ""
    cancelled: bool = False
    id: str = ""


def fit(belief: Belief, goal: Goal, plan: Plan) -> Fit:
    """Return how well a record meets what was heard of a goal."""
    return fits(belief, goal, [plan])[0]


def fits(belief: Belief, goal: Goal, plans: Sequence[Plan]) -> list[Fit]:
    """Return how well each of some records meets what was heard of a goal."""
    if not goal.clauses:
        return [summed((), ())] * len(plans)
    columns = [_verdicts(belief, goal, clause, plans) for clause in goal.clauses]
    return [summed(goal.classes, row) for row in zip(*columns, strict=True)]


@lru_cache(maxsize=16_384)
def summed(classes: tuple[int, ...], verdicts: tuple[int, ...]) -> Fit:
    """Return the fit of some verdicts on constraints of some classes."""
    by_class = [0] * len(CLASSES)
    opened: list[int] = []
    for number, verdict in zip(classes, verdicts, strict=True):
        if verdict == OPEN:
            opened.append(number)
        elif by_class[number] != MISSED:
            by_class[number] = verdict
    for number in opened:
        if by_class[number] == MET:
            by_class[number] = OPEN
    missed = verdicts.count(MISSED)
    met = verdicts.count(MET)
    return Fit(met, missed, len(verdicts) - met - missed, tuple(by_class))


def plan_of(belief: Belief, goal: Goal, record: SeenRecord) -> Plan:
    """Return a record that was seen as a plan, each of its lines given to the part that it fits best."""
    provider = belief.shelf.provider(record.provider)
    kind = provider.kind if provider else ""
    lines = tuple(_line(belief, goal, kind, *line) for line in record.lines or ())
    return Plan(
        provider,
        lines,
        record.time,
        record.address,
        record.note,
        record.people,
        record.total,
        record.dates[0] if record.dates else "",
        record.status == "cancelled",
        record.id,
    )


def _line(belief: Belief, goal: Goal, kind: str, product_id: str, count: int) -> Line:
    product = belief.shelf.thing(kind, product_id)
    if product is None or len(goal.parts) == 1:
        return Line(product, count, goal.parts[0])
    scores = [(_part_score(belief, goal, part, product), -n, part) for n, part in enumerate(goal.parts)]
    return Line(product, count, max(scores)[2])


def _part_score(belief: Belief, goal: Goal, part: str, product: Thing) -> int:
    own = [one for one in goal.clauses if one.of_product and one.constraint.part == part]
    return sum([one.verdict(belief, product) for one in own])


def _verdicts(belief: Belief, goal: Goal, clause: Clause, plans: Sequence[Plan]) -> Sequence[int]:
    """Return what a constraint says of each record."""
    if clause.on_record:
        return _of_records(belief, goal, clause.constraint, plans)
    if clause.dated:
        text = clause.constraint.text
        return [_told(p.date == text) if p.date else _of_lines(belief, clause, p.lines) for p in plans]
    if not clause.of_product:
        return clause.verdicts(belief, [plan.provider for plan in plans])
    return [_of_lines(belief, clause, plan.lines) for plan in plans]


def _of_lines(belief: Belief, clause: Clause, lines: tuple[Line, ...]) -> int:
    if not lines or not clause.of_product:
        return OPEN
    part = clause.constraint.part
    verdicts = [clause.verdict(belief, line.product) for line in lines if part in ("", line.part)]
    if len(verdicts) < 2:
        return verdicts[0] if verdicts else MISSED
    return min(verdicts) if part else max(verdicts)


def _of_records(belief: Belief, goal: Goal, constraint: Constraint, plans: Sequence[Plan]) -> Sequence[int]:
    sense, number, text = constraint.sense, constraint.number or 0, constraint.text
    if sense is Sense.TO:
        address = belief.address(constraint)
        return [_told(address == plan.address) if address else OPEN for plan in plans]
    if sense is Sense.BETWEEN:
        return [_told(within(plan.time, constraint)) if plan.time else OPEN for plan in plans]
    if sense is Sense.PEOPLE:
        return [_told(plan.people == number) for plan in plans]
    if sense is Sense.PIECES:
        return [_told(_pieces(plan, constraint.part) == number) for plan in plans]
    if sense is Sense.NOTE:
        return [_told(text in plan.note) for plan in plans]
    if sense is Sense.TOTAL:
        spent = belief.spent(goal.key) if text else 0
        return [_told(plan.total + spent <= number) for plan in plans]
    if sense is Sense.EXISTING:
        return [_told(plan.id == text) for plan in plans]
    return [_told(plan.cancelled) for plan in plans]


def _pieces(plan: Plan, part: str) -> int:
    return sum([line.pieces for line in plan.lines if part in ("", line.part)])


def within(time: str, constraint: Constraint) -> bool:
    """Return whether a time lies in a constraint's window; times of the tools' format compare as text."""
    return constraint.earliest <= time and (not constraint.latest or time <= constraint.latest)


def _told(holds: bool) -> int:
    return MET if holds else MISSED
