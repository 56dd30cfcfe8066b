"""Calls that look something up, grounded in what is known: words, cities, dates, addresses, ids."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import cache, lru_cache, partial
from itertools import groupby
from typing import Any

from vitagym.rl.belief import Belief
from vitagym.rl.clauses import Clause
from vitagym.rl.composing import call
from vitagym.rl.fitting import summed
from vitagym.rl.goals import Goal
from vitagym.rl.judging import OPEN
from vitagym.rl.kinds import Candidate, Fit
from vitagym.rl.naming import cities, feasts
from vitagym.rl.sightings import Thing
from vitagym.rl.toolroles import Deed, Role, provider_of
from vitagym.rl.toolroles import roles as all_roles
from vitagym.tasks.constraints import Sense

_LOOKED_AT, _DETAILS, _DAYS, _RANGE = 10, 6, 13, 3000


def lookups(belief: Belief, offered: Iterable[str]) -> list[Candidate]:
    """Return the calls that can be made with what is known; those of no use to any goal are left out.

    Args:
        belief: What was observed.
        offered: The names of the tools on offer.
    """
    found: list[Candidate] = []
    for names, roles in _grounded(tuple(offered)):
        decisive = _GROUND[roles[0].deed][1]
        state = ("look-ups", names, decisive(belief, roles[0].provider))
        found += belief.memory.remembered(state, partial(_all, belief, roles))
    return found


def _all(belief: Belief, roles: Sequence[Role]) -> tuple[Candidate, ...]:
    return tuple([one for role in roles for one in _GROUND[role.deed][0](belief, role)])


@lru_cache(maxsize=256)
def _grounded(offered: tuple[str, ...]) -> list[tuple[tuple[str, ...], tuple[Role, ...]]]:
    """Return the tools that look something up, those together of which the same decides: their names and roles."""
    every = [role for name in offered if (role := all_roles()[name]).deed in _GROUND]
    together = [tuple(some) for _, some in groupby(every, _decided_by)]
    return [(tuple(role.tool.name for role in some), some) for some in together]


def _decided_by(role: Role) -> tuple[_Decisive, str]:
    decisive = _GROUND[role.deed][1]
    return decisive, role.provider if decisive is _by_goals else ""


def _profile(belief: Belief, role: Role) -> Iterator[Candidate]:
    yield _look_up(belief, role, {})


def _searches(belief: Belief, role: Role) -> Iterator[Candidate]:
    """Search for what each goal wants, in the cities and on the dates that it may be about."""
    for goal in belief.goals.values():
        if provider_of(goal.record) != role.provider:
            continue
        for arguments in _search_arguments(belief, role, goal):
            yield _look_up(belief, role, arguments, record=goal.record, goal=goal.key)


def _search_arguments(belief: Belief, role: Role, goal: Goal) -> Iterator[dict[str, Any]]:
    names = [p.name for p in role.tool.parameters]
    words = list(dict.fromkeys(c.called for c in goal.heard if c.called)) or [""]
    route = next((c for c in goal.heard if c.sense is Sense.ROUTE), None)
    if "departure" in names:
        if route is None:
            return
        dates = _dates(belief, goal) if "date" in names else [""]
        for date in dates:
            dated = {"date": date} if "date" in names else {}
            yield {"departure": route.words[0], "destination": route.words[1], **dated}
    elif "city_name" in names:
        for city in _cities(belief):
            yield {"city_name": city, "key_words": [words[0]] if words[0] else []}
    else:
        for word in words[:3]:
            yield {"keywords": [word] if word else []}


def _dates(belief: Belief, goal: Goal) -> list[str]:
    """Return the dates that a goal may be about: its own, else those of the others."""
    own = [c.text for c in goal.heard if c.sense is Sense.ON_DATE]
    others = [c.text for g in belief.goals.values() for c in g.heard if c.sense is Sense.ON_DATE]
    return list(dict.fromkeys(own or others))[:3]


def _cities(belief: Belief) -> list[str]:
    """Return the cities that the user named, the latest first, and where the user lives."""
    known = cities(belief.language)
    home = str(belief.profile.get("residence", ""))
    named = [name for name in reversed(belief.named) if name in known and name != home]
    return (named + [home] * bool(home))[:4]


def _looks(belief: Belief, role: Role) -> Iterator[Candidate]:
    """Look at the providers that fit best and whose products were not seen."""
    name = _provider_parameter(role)
    if not name:
        return
    yield from _looks_back(belief, role, name)
    for goal in belief.goals.values():
        if provider_of(goal.record) == role.provider and not goal.of(Sense.EXISTING):
            state = ("looks", role.tool.name, belief.goal_state(goal))
            yield from belief.memory.remembered(state, partial(_looks_for, belief, role, name, goal))


@cache
def _provider_parameter(role: Role) -> str:
    """Return the name of the parameter that says which provider to look at; empty where there is not one."""
    about = [p for p in role.tool.parameters if p.needs and p.needs.fact.name == f"{role.provider}_id"]
    return next(p.name for p in role.tool.parameters if p.needs) if len(about) == 1 else ""


def _looks_for(belief: Belief, role: Role, name: str, goal: Goal) -> tuple[Candidate, ...]:
    found: list[Candidate] = []
    for about in _fitting(belief, goal, role.provider)[:_LOOKED_AT]:
        state = ("look at", role.tool.name, goal.key, *about)
        found.append(belief.memory.remembered(state, partial(_look_at, role, name, goal, about)))
    return tuple(found)


def _look_at(role: Role, name: str, goal: Goal, about: tuple[Thing, Fit]) -> Candidate:
    thing, found = about
    arguments = {name: thing.id}
    said = (*call(role.tool.name, arguments), thing.name)
    return _written(role, arguments, said, {"record": goal.record, "goal": goal.key, "fit": found})


def _looks_back(belief: Belief, role: Role, name: str) -> Iterator[Candidate]:
    """Look at the providers of old records that the user speaks of."""
    for goal in belief.goals.values():
        record = belief.records.get(existing.text) if (existing := goal.of(Sense.EXISTING)) else None
        if record is None or provider_of(record.kind) != role.provider:
            continue
        known = belief.shelf.thing(role.provider, record.provider)
        if known is None or known.products is None:
            yield _look_up(belief, role, {name: record.provider}, record=record.kind, goal=goal.key, target=record.id)


def _fitting(belief: Belief, goal: Goal, kind: str) -> list[tuple[Thing, Fit]]:
    """Return the providers of a kind whose products were not shown, with how well they fit, the best first."""
    things = [one for one in belief.shelf.providers(kind) if one.products is None]
    sold = [belief.shelf.sold_by(one) for one in things]
    rows = list(zip(*[_column(belief, clause, things, sold) for clause in goal.clauses], strict=True))
    fits = {row: summed(goal.classes, row) for row in set(rows)}
    worse = {row: -found.score for row, found in fits.items()}
    ranked = sorted(zip(rows, things, strict=True), key=lambda pair: worse[pair[0]])
    return [(thing, fits[row]) for row, thing in ranked]


def _column(belief: Belief, clause: Clause, things: Sequence[Thing], sold: Sequence[Sequence[Thing]]) -> Sequence[int]:
    """Return what a constraint says of each provider; of one on products, what it says of the best that was seen."""
    if clause.of_product:
        return [max(clause.verdicts(belief, some)) if some else OPEN for some in sold]
    if clause.constraint.level == "provider" and not clause.dated:
        return clause.verdicts(belief, things)
    return [OPEN] * len(things)


def _lists(belief: Belief, role: Role) -> Iterator[Candidate]:
    """List the user's records, where one of the goals is about old ones or they are of its kind."""
    if not belief.user_id:
        return
    name = next(p.name for p in role.tool.parameters if p.needs)
    statuses = next((p.one_of.values for p in role.tool.parameters if p.one_of), None)
    if statuses is None:
        yield _look_up(belief, role, {name: belief.user_id}, record=role.record)
        return
    status = next(p.name for p in role.tool.parameters if p.one_of)
    for value in ("unpaid", "paid"):
        yield _look_up(belief, role, {name: belief.user_id, status: value}, record=role.record)


def _details(belief: Belief, role: Role) -> Iterator[Candidate]:
    """Look at records of which a list left something out."""
    name = next(p.name for p in role.tool.parameters if p.needs)
    unknown = [r for r in belief.records.values() if r.kind == role.record and r.lines is None]
    for record in unknown[:_DETAILS] if role.products else ():
        yield _look_up(belief, role, {name: record.id}, record=role.record, target=record.id)


def _places(belief: Belief, role: Role) -> Iterator[Candidate]:
    """Look up where the places are that were spoken of, and the user's own."""
    name = role.tool.parameters[0].name
    own = [str(belief.profile.get(key, "")) for key in ("home address", "work address")]
    said = [(belief.address(c), g) for g in belief.goals.values() for c in g.heard if c.sense in (Sense.TO, Sense.NEAR)]
    wanted = dict.fromkeys(address for address, _ in said)
    for address in dict.fromkeys((*wanted, *own)):
        if address and address not in belief.places:
            goal = next((g for said_address, g in said if said_address == address), None)
            yield _look_up(
                belief,
                role,
                {name: address},
                called=address,
                goal=goal.key if goal else "",
                record=goal.record if goal else "",
                complete=address in wanted,
            )


def _nearby(belief: Belief, role: Role) -> Iterator[Candidate]:
    for address, (longitude, latitude) in list(belief.places.items())[:3]:
        yield _look_up(belief, role, {"longitude": longitude, "latitude": latitude, "range": _RANGE}, called=address)


def _weather(belief: Belief, role: Role) -> Iterator[Candidate]:
    """Look at the forecast of each city in question, for as far ahead as people plan."""
    last = belief.now + timedelta(days=_DAYS)
    city, start, end = (p.name for p in role.tool.parameters)
    for name in _cities(belief):
        yield _look_up(belief, role, {city: name, start: str(belief.now.date()), end: str(last.date())}, called=name)


def _calendar(belief: Belief, role: Role) -> Iterator[Candidate]:
    """Look up the feasts that the user named, this year and the next."""
    names = [p.name for p in role.tool.parameters]
    if len(names) != 2:
        return
    known = feasts(belief.language)
    for feast in belief.named:
        if feast in known:
            for year in (belief.now.year, belief.now.year + 1):
                yield _look_up(belief, role, dict(zip(names, (str(year), feast), strict=True)), called=feast)


def _look_up(belief: Belief, role: Role, arguments: Mapping[str, Any], *, called: str = "", **rest: Any) -> Candidate:
    action, raw = call(role.tool.name, arguments)
    state = ("look-up", role.tool.name, raw, called, *rest.values())
    return belief.memory.remembered(state, partial(_written, role, arguments, (action, raw, called), rest))


def _written(
    role: Role, arguments: Mapping[str, Any], said: tuple[str, str, str], rest: Mapping[str, Any]
) -> Candidate:
    action, raw, called = said
    shown = called or ", ".join(str(value) for value in arguments.values())
    return Candidate(
        kind=role.deed,
        action=action,
        raw=raw,
        name=f"{role.tool.name} {shown}".strip(),
        tool=role.tool.name,
        **rest,
    )


def _nothing(belief: Belief, provider: str) -> Hashable:
    del belief, provider
    return None


def _by_goals(belief: Belief, provider: str) -> Hashable:
    states: list[Hashable] = [belief.shelf.state(provider)]
    for goal in belief.goals.values():
        if provider_of(goal.record) == provider:
            states.append(belief.goal_state(goal))
        existing = goal.of(Sense.EXISTING)
        if existing is not None:
            record = belief.records.get(existing.text)
            states.append((goal.key, -1 if record is None else belief.number_of(record)))
    return tuple(states)


def _by_places(belief: Belief, provider: str) -> Hashable:
    del provider
    return (belief.user_id, *belief.places, *map(belief.goal_state, belief.goals.values()))


def _by_what_was_said(belief: Belief, provider: str) -> Hashable:
    del provider
    return (belief.user_id, belief.named, *[goal.numbers for goal in belief.goals.values()])


_Ground = Callable[[Belief, Role], Iterator[Candidate]]
_Decisive = Callable[[Belief, str], Hashable]
"""Returns what decides the outcome, for tools about a kind of providers."""
_GROUND: Mapping[Deed, tuple[_Ground, _Decisive]] = {
    Deed.PROFILE: (_profile, _nothing),
    Deed.SEARCH: (_searches, _by_what_was_said),
    Deed.LOOK: (_looks, _by_goals),
    Deed.LIST: (_lists, lambda belief, _: belief.user_id),
    Deed.DETAIL: (_details, lambda belief, _: belief.records_state),
    Deed.LOCATE: (_places, _by_places),
    Deed.NEARBY: (_nearby, lambda belief, _: tuple(belief.places)),
    Deed.WEATHER: (_weather, lambda belief, _: (belief.user_id, belief.named)),
    Deed.CALENDAR: (_calendar, lambda belief, _: belief.named),
}
"""How a tool is grounded, and what decides the outcome."""
