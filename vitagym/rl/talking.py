"""What the agent may say: questions, reports of what it did, that there is none, and goodbye."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache, partial

from vitagym.dialogue.acts import Slot
from vitagym.env.actions import STOP
from vitagym.language import Language, text
from vitagym.rl.belief import Belief
from vitagym.rl.goals import Goal
from vitagym.rl.kinds import Candidate, Talk
from vitagym.rl.sightings import SeenRecord, Thing
from vitagym.world.times import parse_time

_NEVER_ASKED = frozenset({Slot.IDENTITY, Slot.CONTACT, Slot.AGE, Slot.GENDER, Slot.RESIDENCE, Slot.OCCUPATION})
"""What the platform knows, or nobody needs."""
ASKED = tuple(slot for slot in Slot if slot not in _NEVER_ASKED)


def talk(belief: Belief) -> tuple[Candidate, ...]:
    """Return what may be said at any time."""
    return _always(belief.language)


@cache
def _always(language: Language) -> tuple[Candidate, ...]:
    asks = [(Talk.ASK_SLOT, f"ask_{slot.value}", slot) for slot in ASKED]
    rest = [(kind, kind.value, None) for kind in (Talk.ASK_OPEN, Talk.ASK_MORE, Talk.CONFIRM)]
    said = [(kind, text("reference_agent", key, language), slot) for kind, key, slot in (*asks, *rest)]
    return (*(Candidate(kind, words, words, slot=slot) for kind, words, slot in said), Candidate(Talk.STOP, STOP, STOP))


def reports(belief: Belief) -> list[Candidate]:
    """Return what may be said of what was done, and that there is none of something."""
    touched = [belief.records[one] for one in (*belief.own, *belief.touched)]
    goals = {made: goal.key for goal in belief.goals.values() for made in goal.made}
    out = [_reported(belief, record, goals.get(record.id, "")) for record in touched]
    standing = [r for r in touched if r.status != "cancelled" or r.id not in belief.own]
    said = tuple([_state(belief, record) for record in standing])
    out.append(belief.memory.remembered(("report all", said), lambda: _all_reported(belief, standing)))
    for goal in belief.goals.values():
        called = tuple(dict.fromkeys([c.called for c in goal.heard if c.called]))
        out.extend(belief.memory.remembered(("none", goal.key, called), partial(_none_of, belief, goal, called)))
    return out


def recommended(belief: Belief, best: Candidate) -> Candidate:
    """Return that what a call would order or book is recommended."""
    return belief.memory.remembered(
        ("recommend", best.goal, best.name, best.fit, best.price), lambda: _recommendation(belief, best)
    )


def _recommendation(belief: Belief, best: Candidate) -> Candidate:
    said = _text(belief, "recommend").format(what=best.name)
    return Candidate(Talk.RECOMMEND, said, said, record=best.record, goal=best.goal, fit=best.fit, price=best.price)


def _reported(belief: Belief, record: SeenRecord, goal: str) -> Candidate:
    return belief.memory.remembered(("report", _state(belief, record), goal), lambda: _report_of(belief, record, goal))


def _state(belief: Belief, record: SeenRecord) -> tuple[int, Thing | None]:
    """Return what decides how it is said what was done with a record."""
    return belief.number_of(record), belief.shelf.provider(record.provider)


def _report_of(belief: Belief, record: SeenRecord, goal: str) -> Candidate:
    said = report(belief, record)
    action = f"{said} {_text(belief, 'more_to_do')}"
    return Candidate(Talk.REPORT, action, said, record=record.kind, goal=goal, target=record.id, price=record.total)


def _all_reported(belief: Belief, standing: Sequence[SeenRecord]) -> Candidate:
    said = " ".join([*(report(belief, record) for record in standing), _text(belief, "that_is_all")])
    return Candidate(Talk.REPORT_ALL, said, said)


def report(belief: Belief, record: SeenRecord) -> str:
    """Return how it is said what was done with a record."""
    provider = belief.shelf.provider(record.provider)
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


def _none_of(belief: Belief, goal: Goal, called: tuple[str, ...]) -> list[Candidate]:
    """Return that there is nothing that would do for a goal, by what the user called it."""
    more = _text(belief, "more_to_do")
    names = dict.fromkeys([_text(belief, f"kind_{goal.record}"), *called])
    said = [_text(belief, "none").format(what=name) for name in list(names)[:3]]
    return [Candidate(Talk.NONE, f"{one} {more}", one, record=goal.record, goal=goal.key) for one in said]


def _text(belief: Belief, key: str) -> str:
    return text("symbolic", key, belief.language)
