"""Calls that make records: for each goal, the best of what is on offer, with every argument filled in.

Arguments come from what was heard (how many, for whom, where to, when, what note) and seen (ids, dates, places). When
a delivery has to go out follows from the window of arrival and the way, by the same formulas as the general tools.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache
from itertools import product as every
from typing import Any, NamedTuple

import orjson

from vitagym.rl.belief import Belief
from vitagym.rl.classes import CLASSES
from vitagym.rl.clauses import points
from vitagym.rl.fitting import Line, Plan, fits
from vitagym.rl.goals import Goal
from vitagym.rl.judging import MET, MISSED
from vitagym.rl.kinds import Candidate, Fit, call_text
from vitagym.rl.sightings import Point, Thing
from vitagym.rl.toolroles import Deed, Role, maker, record_kinds, roles, takes
from vitagym.tasks.constraints import Constraint, Sense
from vitagym.world.times import distance_m, format_time, parse_time

_PROVIDERS, _PRODUCTS, _PER_PART, _PER_GOAL = 24, 4, 2, 16
_NUMBER = CLASSES.index("number")
_FAR_AHEAD = timedelta(minutes=5)
_Lines = tuple[Line, ...]
_Scored = tuple[int, _Lines]
"""Lines of an order, and how well they fit."""


def call(name: str, arguments: Mapping[str, Any]) -> tuple[str, str]:
    """Return a tool call as the text environment takes it, and its arguments alone as the transcript keeps them."""
    raw = orjson.dumps(arguments).decode()
    return call_text(name, raw), raw


def makes(belief: Belief, goal: Goal) -> list[Candidate]:
    """Return the calls that would make a record for a goal, best first; none while the user's id is not known."""
    if not belief.user_id or goal.record not in record_kinds() or goal.of(Sense.EXISTING) or _refers_back(goal):
        return []
    role = maker(goal.record)
    plans = list(_plans(belief, goal, role, _offers(belief, goal, role)))
    records = [made.plan for made in plans]
    fitting = _best_marked(goal, records, fits(belief, goal, records))
    ranked = sorted(zip(fitting, plans, strict=True), key=lambda pair: -pair[0].score)
    return [_candidate(belief, goal, made, (n, found)) for n, (found, made) in enumerate(ranked[:_PER_GOAL])]


def _refers_back(goal: Goal) -> bool:
    """Return whether it is about an old record, although which one was not found yet."""
    return goal.of(Sense.CANCELLED) is not None


def _offers(belief: Belief, goal: Goal, role: Role) -> list[tuple[Thing, _Lines]]:
    """Return providers, each with the lines of an order, those that fit best first."""
    clauses = [one for one in goal.clauses if one.constraint.level == "provider" and not one.dated]
    serving = belief.shelf.providers(role.provider)
    for one in (goal, *belief.tied(goal)):
        takes_them = f"enable_{one.record}"
        serving = [provider for provider in serving if provider.numbers.get(takes_them, 1.0)]
    scored = list(zip(points(belief, clauses, serving), serving, strict=True))
    scored.sort(key=lambda pair: -pair[0])
    offers = [
        (score + more, provider, lines)
        for score, provider in scored[:_PROVIDERS]
        for more, lines in (_orders(belief, goal, provider) if role.products else [(0, ())])
    ]
    offers.sort(key=lambda offer: -offer[0])
    return [(provider, lines) for _, provider, lines in offers[:_PER_GOAL]]


def _orders(belief: Belief, goal: Goal, provider: Thing) -> list[_Scored]:
    """Return the best orders of what a provider sells."""
    sold = belief.shelf.sold_by(provider)
    if not sold:
        return []
    if not all(one.by_itself for one in goal.clauses if one.of_product):
        return _ordered(belief, goal, sold)
    return belief.memory.remembered(("orders", goal.numbers, sold), lambda: _ordered(belief, goal, sold))


def _ordered(belief: Belief, goal: Goal, sold: tuple[Thing, ...]) -> list[_Scored]:
    choices = [_lines(belief, goal, part, sold) for part in goal.parts]
    found: list[_Scored] = []
    for chosen in every(*choices):
        lines = tuple([line for _, line in chosen])
        if len({line.product.id for line in lines if line.product}) == len(lines):
            found.append((sum([score for score, _ in chosen]), lines))
    found.sort(key=lambda pair: -pair[0])
    return found[:_PER_GOAL]


def _lines(belief: Belief, goal: Goal, part: str, sold: tuple[Thing, ...]) -> list[tuple[int, Line]]:
    """Return the products that fit a part best, each as a line of so many as were asked for."""
    pieces = goal.of_part(Sense.PIECES, part) or goal.of_part(Sense.PIECES, "")
    count = int(pieces.number or 1) if pieces else 1
    wanted = [one for one in goal.clauses if one.of_product and one.constraint.part in ("", part)]
    scored = sorted(zip(points(belief, wanted, sold), sold, strict=True), key=lambda pair: -pair[0])
    most = _PRODUCTS if len(goal.parts) == 1 else _PER_PART
    return [(score, Line(product, count, part)) for score, product in scored[:most]]


class _Way(NamedTuple):
    """A way from a provider.

    Attributes:
        sent: The time to write into a call.
        time: The time that the record is then for; empty where that is not known.
        minutes: On the way; None where that is not known.
        metres: To the place that was spoken of; None where that is not known.
    """

    sent: str
    time: str
    minutes: float | None
    metres: float | None


class _Made(NamedTuple):
    """A record that could be made."""

    plan: Plan
    way: _Way


def _plans(belief: Belief, goal: Goal, role: Role, offers: list[tuple[Thing, _Lines]]) -> Iterator[_Made]:
    addresses = _addresses(belief, goal) if takes(role, "address") else [""]
    note, people = goal.of(Sense.NOTE), goal.of(Sense.PEOPLE)
    said, count = note.text if note else "", int(people.number or 1) if people else 1
    timed = takes(role, "time")
    ways: dict[tuple[Thing, str], _Way] = {}
    for provider, lines in offers:
        cost = sum([line.product.numbers.get("price", 0.0) * line.pieces for line in lines if line.product])
        if not role.products:
            cost = provider.numbers.get("book_price", 0.0) if goal.record == "book" else 0.0
        date = lines[0].product.date if len(lines) == 1 and lines[0].product else ""
        for address in addresses:
            way = ways.get((provider, address))
            if way is None:
                way = ways[provider, address] = _way(belief, goal, provider, address)
            if way.sent or not timed:
                yield _Made(Plan(provider, lines, way.time, address, said, count, cost, date), way)


def _candidate(belief: Belief, goal: Goal, made: _Made, ranked: tuple[int, Fit]) -> Candidate:
    role, (plan, way) = maker(goal.record), made
    state = ("call", role.tool.name, plan, way.sent, belief.user_id)
    action, raw, name = belief.memory.remembered(state, lambda: _written(belief, role, made))
    return Candidate(
        kind=Deed.MAKE,
        action=action,
        raw=raw,
        name=name,
        tool=role.tool.name,
        record=goal.record,
        goal=goal.key,
        fit=ranked[1],
        price=plan.total,
        metres=way.metres,
        minutes=way.minutes,
        complete=way.minutes is not None or not plan.address,
        rank=ranked[0],
    )


def _written(belief: Belief, role: Role, made: _Made) -> tuple[str, str, str]:
    plan = made.plan
    things = [f"{line.pieces} × {line.product.name}" for line in plan.lines if line.product]
    things += [plan.provider.name] if plan.provider else []
    name = ", ".join(things)
    return (*call(role.tool.name, _arguments(belief, role, plan, made.way.sent)), name)


def _arguments(belief: Belief, role: Role, plan: Plan, sent: str) -> dict[str, Any]:
    """Return the arguments of a call, in the order of the tool's parameters."""
    ids = [line.product.id for line in plan.lines if line.product]
    counts = [line.pieces for line in plan.lines]
    by_fact = {
        "user_id": belief.user_id,
        f"{role.provider}_id": plan.provider.id if plan.provider else "",
        "time": sent,
        "date": plan.date,
        "address": plan.address,
    }
    by_name: dict[str, Any] = {"product_cnts": counts, "customer_count": plan.people, "quantity": sum(counts) or 1}
    if plan.note:
        by_name["note"] = plan.note
    products = f"{role.provider}_product_id"
    out: dict[str, Any] = {}
    for name, fact, single in _parameters(role):
        if fact == products:
            out[name] = ids[0] if single and len(ids) == 1 else ids
        elif fact in by_fact:
            out[name] = by_fact[fact]
        elif name in by_name:
            out[name] = by_name[name]
    return out


@cache
def _parameters(role: Role) -> tuple[tuple[str, str, bool], ...]:
    """Return name and fact of each parameter of a role's tool, and whether it takes a single text."""
    return tuple((p.name, p.needs.fact.name if p.needs else "", p.type is str) for p in role.tool.parameters)


def _addresses(belief: Belief, goal: Goal) -> list[str]:
    """Return where it may go: where the user said, else the user's own addresses."""
    to = goal.of(Sense.TO)
    if to is not None:
        address = belief.address(to)
        return [address] if address else []
    own = [str(belief.profile.get(key, "")) for key in ("home address", "work address")]
    return [address for address in dict.fromkeys(own) if address]


def _way(belief: Belief, goal: Goal, provider: Thing, address: str) -> _Way:
    """Return the way to an address; an empty one: nothing is delivered."""
    window, near = goal.of(Sense.BETWEEN), goal.of(Sense.NEAR)
    there = _metres(provider, _place(belief, goal, address))
    metres = _metres(provider, belief.where(near)) if near else there
    if not address:
        time = window.latest or window.earliest if window else ""
        return _Way(time, time, None, metres)
    if there is None:
        return _Way(format_time(belief.now), "", None, metres)
    minutes = way_minutes(there)
    sent = max(belief.now, _aim(window, belief.now) - timedelta(minutes=minutes)) if window else belief.now
    return _Way(format_time(sent), format_time(sent + timedelta(minutes=minutes)), minutes, metres)


def _aim(window: Constraint, now: datetime) -> datetime:
    """Return when something should arrive: in the middle of its window, or as soon as it can."""
    earliest, latest = parse_time(window.earliest), parse_time(window.latest)
    if earliest is None:
        return now
    return earliest + _FAR_AHEAD if latest is None else (earliest + (latest - earliest) / 2).replace(second=0)


def _place(belief: Belief, goal: Goal, address: str) -> Point | None:
    to = goal.of(Sense.TO)
    if to is not None and (found := belief.where(to)) is not None:
        return found
    return belief.places.get(address)


def _metres(provider: Thing, place: Point | None) -> float | None:
    return None if place is None or provider.at is None else distance_m(*provider.at, *place)


@cache
def _minutes_tool() -> Role:
    return next(
        role
        for role in roles().values()
        if role.deed is Deed.MEASURE and any(p.needs and p.needs.fact.name == "distance" for p in role.tool.parameters)
    )


def way_minutes(metres: float) -> int:
    """Return how many minutes a delivery over so many metres takes, by the tool's formula."""
    return int(_minutes_tool().tool.function(None, metres)["minutes"])


def _best_marked(goal: Goal, plans: list[Plan], fits: list[Fit]) -> list[Fit]:
    """Judge "the best of those that meet everything else", which takes all of them together."""
    best = goal.of(Sense.BEST)
    if best is None:
        return fits
    values = [plan.provider.numbers.get(best.field, 0.0) if plan.provider else 0.0 for plan in plans]
    top = max([value for value, found in zip(values, fits, strict=True) if not found.missed], default=0.0)
    marks = [MET if value >= top > 0 else MISSED for value in values]
    return [_with(found, mark) for found, mark in zip(fits, marks, strict=True)]


def _with(before: Fit, verdict: int) -> Fit:
    """Return a fit in which the open verdict on the best is decided."""
    by_class = list(before.by_class)
    by_class[_NUMBER] = verdict
    return Fit(before.met + (verdict == MET), before.missed + (verdict == MISSED), before.unknown - 1, tuple(by_class))
