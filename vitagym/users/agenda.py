"""The user's agenda: which points it can convey, which of them may come out now, and in what order.

What the user was told never changes (``Brief``, shared by all users of a task); what it has said and noticed does
(``Agenda``, owned by one user).

A point whose event never comes would keep the conversation open for ever. So an event is taken to have happened at
the latest when everything else has been said and the agent reports that it is finished: then the point comes out,
instead of goodbye.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from vitagym.dialogue.acts import AgentActKind, Slot
from vitagym.randomness import Stream
from vitagym.tasks.task import Event, EventKind, Point, Release, Task
from vitagym.users.clauses import points_of
from vitagym.users.understanding import Heard, normalised

_EVENT_ACTS = {EventKind.REPORTED: AgentActKind.REPORT_DONE, EventKind.OFFERED: AgentActKind.OFFER}


@dataclass(frozen=True, slots=True)
class Brief:
    """What the user was told, ready for use.

    Attributes:
        points: The points, in the order of telling.
        instructed: Ids of the points that have to be said: all but those that only answer a question.
        needs: How many things there are to report: needs and changes of them, at least one.
        in_order: Whether the points refer to one another, so that no persona may change their order.
    """

    points: tuple[Point, ...]
    instructed: frozenset[str]
    needs: int
    in_order: bool


def brief_of(task: Task) -> Brief:
    """Return what a task tells its user; without points they are cut from the instruction."""
    points = task.points or points_of(task.instruction, task.language)
    told = [point for point in points if point.release is not Release.ASKED]
    needs = sum(point.slot is Slot.NEED or point.replaces is not None for point in told)
    return Brief(
        points=points,
        instructed=frozenset(point.id for point in told),
        needs=max(1, needs, len(task.domains)),
        in_order=not task.points or task.split == "public",
    )


class Agenda:
    """What one user has said and noticed so far.

    Attributes:
        said: Ids of the points said.
        noticed: Ids of the points whose event has happened.
    """

    __slots__ = ("brief", "noticed", "said")

    def __init__(self, brief: Brief, said: frozenset[str] = frozenset(), noticed: frozenset[str] = frozenset()) -> None:
        self.brief, self.said, self.noticed = brief, said, noticed

    def fork(self) -> Agenda:
        """Return an agenda that goes on from here by itself."""
        return Agenda(self.brief, self.said, self.noticed)

    @property
    def all_said(self) -> bool:
        """Whether every point that has to be said was said."""
        return self.brief.instructed <= self.said

    @property
    def only_events_left(self) -> bool:
        """Whether all that is unsaid waits for events that have not happened."""
        return all(p.release is Release.EVENT and p.id not in self.noticed for p in self._unsaid())

    def say(self, point: Point) -> None:
        """Note that a point has been said."""
        self.said |= {point.id}

    def notice(self, heard: Heard) -> None:
        """Note the events that a message of the agent brings about."""
        happened = [p.id for p in self.brief.points if p.event and p.id not in self.noticed and happens(p.event, heard)]
        if happened:
            self.noticed |= set(happened)

    def notice_the_end(self) -> None:
        """Take all remaining events to have happened (see the module)."""
        self.noticed |= {point.id for point in self.brief.points if point.event}

    def may_say(self, point: Point) -> bool:
        """Return whether a point may come out when asked for."""
        if point.replaces is not None and point.replaces not in self.said:
            return False
        return point.release is not Release.EVENT or point.id in self.noticed

    def opening(self, count: int) -> list[Point]:
        """Return the points to begin with: those meant for it, in order; one alone is a need, where there is one."""
        unsaid = [p for p in self._unsaid() if self.may_say(p)]
        meant = [p for p in unsaid if p.release is Release.OPENING] or unsaid[:1]
        if count == 1:
            meant.sort(key=lambda point: point.slot is not Slot.NEED)
        return meant[:count]

    def next_points(self, count: int, reach: int, stream: Stream) -> list[Point]:
        """Return the points to volunteer now: at most ``count``, those first whose event has just happened."""
        events: list[Point] = []
        others: list[Point] = []
        for point in self._unsaid():
            if self.may_say(point):
                (events if point.release is Release.EVENT else others).append(point)
        chosen = events[:count]
        reach = 1 if self.brief.in_order else reach
        while others and len(chosen) < count:
            chosen.append(others.pop(stream.below(min(reach, len(others)))))
        return chosen

    def unsaid_about(self, slot: Slot) -> list[Point]:
        """Return the points about a slot that may come out and have not."""
        return [p for p in self._about(slot) if p.id not in self.said and self.may_say(p)]

    def said_about(self, slot: Slot) -> list[Point]:
        """Return the points about a slot that have been said and still hold."""
        replaced = {p.replaces for p in self.brief.points if p.id in self.said}
        return [p for p in self._about(slot) if p.id in self.said and p.id not in replaced]

    def _about(self, slot: Slot) -> list[Point]:
        return [p for p in self.brief.points if p.slot is slot or slot in p.also]

    def _unsaid(self) -> list[Point]:
        return [p for p in self.brief.points if p.id in self.brief.instructed and p.id not in self.said]


def happens(event: Event, heard: Heard) -> bool:
    """Return whether a message of the agent brings an event about."""
    act = _EVENT_ACTS.get(event.kind)
    if act is not None and not heard.has(act):
        return False
    return not event.mention or any(_stands_in(heard.words, mention) for mention in event.mention)


def _stands_in(words: str, mention: str) -> bool:
    """Return whether a mention stands in the agent's words; a number only as a whole number."""
    needle = _needle(mention)
    start = words.find(needle) if needle else -1
    while start >= 0:
        end = start + len(needle)
        cuts_start = needle[0].isdigit() and start > 0 and words[start - 1].isdigit()
        cuts_end = needle[-1].isdigit() and end < len(words) and words[end].isdigit()
        if not cuts_start and not cuts_end:
            return True
        start = words.find(needle, start + 1)
    return False


@lru_cache(maxsize=4096)
def _needle(mention: str) -> str:
    return " ".join(normalised(mention).split())
