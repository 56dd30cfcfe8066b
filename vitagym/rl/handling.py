"""Calls on records that there are: paying, cancelling and changing them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

from vitagym.rl.belief import Belief
from vitagym.rl.composing import call
from vitagym.rl.fitting import fit, plan_of
from vitagym.rl.goals import Goal
from vitagym.rl.kinds import Candidate, Fit
from vitagym.rl.sightings import SeenRecord
from vitagym.rl.toolroles import Deed, Role, provider_of, roles
from vitagym.tasks.constraints import Sense

_OLD = 8
"""So many records from before the episode are offered for cancelling, those that the user speaks of first."""


def handles(belief: Belief) -> Iterator[Candidate]:
    """Yield the calls that pay, cancel or change a record that is in the right state for it."""
    goals = _goals(belief)
    old = [r for r in belief.records.values() if r.id not in belief.own]
    old.sort(key=lambda record: record.id not in goals)
    for record in (*map(belief.records.__getitem__, belief.own), *old[:_OLD]):
        goal = goals.get(record.id)
        about = (belief.goal_state(goal), belief.shelf.state(provider_of(record.kind))) if goal else ()
        state = ("handles", belief.number_of(record), belief.user_id, about)
        yield from belief.memory.remembered(state, partial(_of_record, belief, record, goal))


def _of_record(belief: Belief, record: SeenRecord, goal: Goal | None) -> list[Candidate]:
    found = fit(belief, goal, plan_of(belief, goal, record)) if goal else Fit()
    fitting = [r for r in _of_kind(record.kind) if r.statuses is None or record.status in r.statuses]
    return [one for role in fitting for one in _calls(belief, role, record, goal, found)]


def _goals(belief: Belief) -> dict[str, Goal]:
    """Return record id -> the goal that it was made for, or that is about it."""
    out: dict[str, Goal] = {}
    for goal in belief.goals.values():
        existing = goal.of(Sense.EXISTING)
        out |= dict.fromkeys(goal.made, goal)
        if existing is not None and existing.text in belief.records:
            out[existing.text] = goal
    return out


@cache
def _of_kind(record: str) -> tuple[Role, ...]:
    deeds = (Deed.PAY, Deed.CANCEL, Deed.CHANGE)
    return tuple(role for role in roles().values() if role.record == record and role.deed in deeds)


def _calls(belief: Belief, role: Role, record: SeenRecord, goal: Goal | None, found: Fit) -> Iterator[Candidate]:
    if role.deed is Deed.PAY and record.status == "paid" and not record.due:
        return
    if role.deed is Deed.CHANGE:
        if goal is None:
            return
        for changes in _changes(role, record, goal):
            yield _candidate(belief.user_id, role, record, (goal.key, found), changes)
        return
    yield _candidate(belief.user_id, role, record, (goal.key if goal else "", found), {})


def _changes(role: Role, record: SeenRecord, goal: Goal) -> Iterator[dict[str, Any]]:
    """Yield what a record could be changed to, as the user said it."""
    names = {p.name: p.needs.fact.name if p.needs else "" for p in role.tool.parameters}
    note, window, people = goal.of(Sense.NOTE), goal.of(Sense.BETWEEN), goal.of(Sense.PEOPLE)
    date = goal.of(Sense.ON_DATE)
    if "note" in names and note is not None and note.text not in record.note:
        yield {"note": note.text}
    if "time" in names:
        time = (window.latest or window.earliest) if window else record.time
        count = {"customer_count": int(people.number or 1)} if people else {}
        if time and (time != record.time or (people and people.number != record.people)):
            yield {"time": time, **count}
    moved = next((name for name, fact in names.items() if fact == "date"), None)
    if moved and date is not None and date.text not in record.dates:
        yield {moved: date.text}


def _candidate(
    user_id: str, role: Role, record: SeenRecord, about: tuple[str, Fit], changes: dict[str, Any]
) -> Candidate:
    arguments: dict[str, Any] = {}
    for parameter in role.tool.parameters:
        fact = parameter.needs.fact.name if parameter.needs else ""
        if parameter.name in changes:
            arguments[parameter.name] = changes[parameter.name]
        elif fact == "user_id":
            arguments[parameter.name] = user_id
        elif fact.endswith("_id"):
            arguments[parameter.name] = record.id
    action, raw = call(role.tool.name, arguments)
    return Candidate(
        kind=role.deed,
        action=action,
        raw=raw,
        name=f"{role.deed.value} {record.kind} {', '.join(record.names)}".strip(),
        tool=role.tool.name,
        record=record.kind,
        goal=about[0],
        target=record.id,
        fit=about[1],
        price=record.total,
    )
