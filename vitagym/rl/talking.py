"""What the agent may say: questions, reports of what it did, that there is none, and goodbye."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from vitagym.dialogue.acts import Slot
from vitagym.env.actions import STOP
from vitagym.language import text
from vitagym.rl.belief import Belief, Goal
from vitagym.rl.kinds import Candidate, Talk
from vitagym.rl.sightings import SeenRecord
from vitagym.tasks.constraints import Sense
from vitagym.world.times import parse_time

_NEVER_ASKED = frozenset({Slot.IDENTITY, Slot.CONTACT, Slot.AGE, Slot.GENDER, Slot.RESIDENCE, Slot.OCCUPATION})
"""What the platform knows, or nobody needs."""
ASKED = tuple(slot for slot in Slot if slot not in _NEVER_ASKED)


def talk(belief: Belief) -> Iterator[Candidate]:
    """Yield what may be said now."""
    for slot in ASKED:
        yield _say(belief, Talk.ASK_SLOT, f"ask_{slot.value}", slot=slot)
    for kind in (Talk.ASK_OPEN, Talk.ASK_MORE, Talk.CONFIRM):
        yield _say(belief, kind, kind.value)
    yield from _reports(belief)
    for goal in belief.goals.values():
        yield from _none_of(belief, goal)
    yield Candidate(Talk.STOP, STOP, STOP)


def _say(belief: Belief, kind: Talk, key: str, slot: Slot | None = None) -> Candidate:
    said = text("reference_agent", key, belief.language)
    return Candidate(kind, said, said, slot=slot)


def _reports(belief: Belief) -> Iterator[Candidate]:
    touched = [r for r in belief.records.values() if r.id in belief.own or r.id in belief.touched]
    more = text("symbolic", "more_to_do", belief.language)
    goals = {made: goal for goal in belief.goals.values() for made in goal.made}
    for record in touched:
        said = report(belief, record)
        goal = goals.get(record.id)
        yield Candidate(
            Talk.REPORT,
            f"{said} {more}",
            said,
            record=record.kind,
            goal=goal.key if goal else "",
            target=record.id,
            price=record.total,
        )
    standing = [r for r in touched if r.status != "cancelled" or r.id not in belief.own]
    ending = text("symbolic", "that_is_all", belief.language)
    said = " ".join([*(report(belief, record) for record in standing), ending])
    yield Candidate(Talk.REPORT_ALL, said, said)


def report(belief: Belief, record: SeenRecord) -> str:
    """Return how it is said what was done with a record."""
    provider = belief.provider(record.provider)
    known = provider.name if provider else ""
    what = _text(belief, "record_at").format(provider=known) if known else _text(belief, "record").format(id=record.id)
    if record.status == "cancelled":
        return _text(belief, "report_cancelled").format(what=what)
    if record.id not in belief.own:
        return _text(belief, "report_changed").format(what=what)
    item = _text(belief, "item")
    counts = [count for _, count in record.lines or ()]
    items = ", ".join(item.format(count=n, product=name) for n, name in zip(counts, record.names, strict=False))
    return _text(belief, f"report_{record.kind}").format(
        items=items,
        provider=known,
        total=_text(belief, "yuan").format(amount=f"{record.total:g}"),
        address=record.address,
        time=_when(record.time),
        dates=", ".join(record.dates),
        people=record.people,
    )


def _when(time: str) -> str:
    at: datetime | None = parse_time(time)
    return "" if at is None else f"{at:%Y-%m-%d %H:%M}"


def _none_of(belief: Belief, goal: Goal) -> Iterator[Candidate]:
    """Yield that there is nothing that would do for a goal, by what the user called it."""
    called_so = [_text(belief, f"kind_{goal.record}"), *(c.called for c in goal.heard if c.called)]
    for called in list(dict.fromkeys(called_so))[:3]:
        said = _text(belief, "none").format(what=called)
        more = _text(belief, "more_to_do")
        yield Candidate(Talk.NONE, f"{said} {more}", said, record=goal.record, goal=goal.key)


def _text(belief: Belief, key: str) -> str:
    return text("symbolic", key, belief.language)


def wanted_reports(belief: Belief) -> int:
    """Return how many goals have a record that stands."""
    return sum(bool(belief.alive(goal)) or goal.of(Sense.EXISTING) is not None for goal in belief.goals.values())
