"""How well a record, made or only thought of, meets what was heard of its goal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from vitagym.rl.belief import Belief
from vitagym.rl.classes import CLASSES
from vitagym.rl.clauses import Clause, judged
from vitagym.rl.goals import Goal
from vitagym.rl.judging import MET, MISSED, OPEN
from vitagym.rl.kinds import Fit
from vitagym.rl.sightings import SeenRecord, Thing
from vitagym.tasks.constraints import Constraint, Sense


@dataclass(frozen=True, slots=True)
class Line:
    """A product in an order: what it is (None: it was never shown), how many, and for which part of the goal."""

    product: Thing | None
    count: int
    part: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
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
    return summed(goal.classes, tuple([_verdict(belief, goal, clause, plan) for clause in goal.clauses]))


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


def _verdict(belief: Belief, goal: Goal, clause: Clause, plan: Plan) -> int:
    if clause.on_record:
        return _of_record(belief, goal, clause.constraint, plan)
    if clause.dated and plan.date:
        return MET if plan.date == clause.constraint.text else MISSED
    if not clause.of_product or not plan.lines:
        return judged(belief, clause, plan.provider, None)
    part = clause.constraint.part
    verdicts = [clause.verdict(belief, line.product) for line in plan.lines if part in ("", line.part)]
    return min(verdicts, default=MISSED) if part or len(verdicts) == 1 else max(verdicts, default=MISSED)


def _of_record(belief: Belief, goal: Goal, constraint: Constraint, plan: Plan) -> int:
    sense, number = constraint.sense, constraint.number or 0
    if sense is Sense.TO:
        address = belief.address(constraint)
        return OPEN if not address else _told(address == plan.address)
    if sense is Sense.BETWEEN:
        return OPEN if not plan.time else _told(within(plan.time, constraint))
    if sense is Sense.PEOPLE:
        return _told(plan.people == number)
    if sense is Sense.PIECES:
        return _told(sum(line.count for line in plan.lines if constraint.part in ("", line.part)) == number)
    if sense is Sense.NOTE:
        return _told(constraint.text in plan.note)
    if sense is Sense.TOTAL:
        spent = plan.total + (belief.spent(goal.key) if constraint.text else 0)
        return _told(spent <= number)
    if sense is Sense.EXISTING:
        return _told(plan.id == constraint.text)
    return _told(plan.cancelled)


def within(time: str, constraint: Constraint) -> bool:
    """Return whether a time lies in a constraint's window; times of the tools' format compare as text."""
    return constraint.earliest <= time and (not constraint.latest or time <= constraint.latest)


def _told(holds: bool) -> int:
    return MET if holds else MISSED
