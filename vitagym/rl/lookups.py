"""Calls that look something up, grounded in what is known: words, cities, dates, addresses, ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from vitagym.rl.belief import Belief, Goal
from vitagym.rl.composing import call
from vitagym.rl.fitting import summed
from vitagym.rl.judging import OPEN, judged
from vitagym.rl.kinds import Candidate, Fit
from vitagym.rl.naming import cities, feasts
from vitagym.rl.sightings import Thing
from vitagym.rl.toolroles import Deed, Role, maker, record_kinds
from vitagym.tasks.constraints import Constraint, Sense

_LOOKED_AT, _DETAILS, _DAYS, _RANGE = 10, 6, 13, 3000


def lookups(belief: Belief, roles_: Mapping[str, Role]) -> Iterator[Candidate]:
    """Yield the calls that can be made with what is known; those of no use to any goal are left out."""
    for role in roles_.values():
        ground = _GROUND.get(role.deed)
        if ground is not None:
            yield from ground(belief, role)


def _profile(belief: Belief, role: Role) -> Iterator[Candidate]:
    yield _look_up(belief, role, {})


def _searches(belief: Belief, role: Role) -> Iterator[Candidate]:
    """Search for what each goal wants, in the cities and on the dates that it may be about."""
    for goal in belief.goals.values():
        if goal.record not in record_kinds() or maker(goal.record).provider != role.provider:
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
    if len([p for p in role.tool.parameters if p.needs and p.needs.fact.name == f"{role.provider}_id"]) != 1:
        return
    name = next(p.name for p in role.tool.parameters if p.needs)
    yield from _looks_back(belief, role, name)
    for goal in belief.goals.values():
        if goal.record not in record_kinds() or maker(goal.record).provider != role.provider:
            continue
        if goal.of(Sense.EXISTING):
            continue
        for provider, found in _fitting(belief, goal, role.provider)[:_LOOKED_AT]:
            yield _look_up(
                belief, role, {name: provider.id}, record=goal.record, goal=goal.key, fit=found, called=provider.name
            )


def _looks_back(belief: Belief, role: Role, name: str) -> Iterator[Candidate]:
    """Look at the providers of old records that the user speaks of."""
    for goal in belief.goals.values():
        record = belief.records.get(existing.text) if (existing := goal.of(Sense.EXISTING)) else None
        if record is None or maker(record.kind).provider != role.provider:
            continue
        known = belief.things.get((role.provider, record.provider))
        if known is None or known.products is None:
            yield _look_up(belief, role, {name: record.provider}, record=record.kind, goal=goal.key, target=record.id)


def _fitting(belief: Belief, goal: Goal, kind: str) -> list[tuple[Thing, Fit]]:
    """Return the providers of a kind whose products were not shown, with how well they fit, the best first."""
    found: list[tuple[Thing, Fit]] = []
    for thing in belief.providers(kind):
        if thing.products is None:
            sold = [belief.things[kind, one] for one in belief.of_provider.get((kind, thing.id), ())]
            verdicts = [_verdict(belief, c, thing, sold) for c in goal.heard]
            found.append((thing, summed(goal.classes, verdicts)))
    found.sort(key=lambda pair: -pair[1].score)
    return found


def _verdict(belief: Belief, constraint: Constraint, thing: Thing, sold: Sequence[Thing]) -> int:
    if constraint.level != "product":
        return judged(belief, constraint, thing, None) if constraint.level == "provider" else OPEN
    return max([judged(belief, constraint, thing, one) for one in sold], default=OPEN)


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
    state = ("look-up", role.tool.name, raw, called, *rest.items())
    return belief.remembered(state, partial(_written, role, arguments, (action, raw, called), rest))


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
        arguments=arguments,
        **rest,
    )


_GROUND = {
    Deed.PROFILE: _profile,
    Deed.SEARCH: _searches,
    Deed.LOOK: _looks,
    Deed.LIST: _lists,
    Deed.DETAIL: _details,
    Deed.LOCATE: _places,
    Deed.NEARBY: _nearby,
    Deed.WEATHER: _weather,
    Deed.CALENDAR: _calendar,
}
