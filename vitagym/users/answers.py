"""What the user answers when it is asked: points, facts of its profile, that it does not know, or not again."""

from __future__ import annotations

from dataclasses import dataclass, field

from vitagym.dialogue.acts import AgentActKind, Slot
from vitagym.tasks.task import Point, Release
from vitagym.users.agenda import Agenda
from vitagym.users.facts import Fact, Facts
from vitagym.users.understanding import Heard

REFUSED_AT = 3
"""A question that was answered is not answered again when it comes this many times."""
_MOST = 3
"""A question is answered with at most this many points at once."""
_OFFERED = frozenset({Slot.PRODUCT, Slot.PROVIDER})
"""Asked to choose among these, the user only says what it has not said yet; the choice is the agent's."""
_NEAR = {Slot.TIME: Slot.DATE, Slot.DATE: Slot.TIME, Slot.PRODUCT: Slot.NEED, Slot.PROVIDER: Slot.NEED}
"""Where no point is about a slot, one about its neighbour may answer, if it has not been said."""


@dataclass(slots=True)
class Answer:
    """What there is to answer to the questions of one message.

    Attributes:
        points: Points that answer them, those said before included; each once.
        again: Points that answer a question which was answered before.
        facts: Facts of the profile, each with the slot asked about.
        unknown: Slots about which the user knows nothing.
        refused: Slots about which it will not say the same again.
    """

    points: list[Point] = field(default_factory=list)
    again: list[Point] = field(default_factory=list)
    facts: list[tuple[Slot, Fact]] = field(default_factory=list)
    unknown: list[Slot] = field(default_factory=list)
    refused: list[Slot] = field(default_factory=list)

    def add(self, points: list[Point], where: list[Point]) -> None:
        """Add points to one of the lists, each once."""
        where.extend(p for p in points if p not in self.points and p not in self.again)


def find_answer(heard: Heard, agenda: Agenda, facts: Facts, asked: dict[Slot, int]) -> Answer:
    """Return what there is to answer to a message, and count its questions in ``asked`` (slot -> times in a row)."""
    search = _Search(heard, agenda, facts, Answer())
    if heard.has(AgentActKind.ASK_OPEN):
        search.answer.add(agenda.unsaid_about(Slot.NEED)[:1], search.answer.points)
    for slot in heard.asked:
        asked[slot] = min(search.about(slot, asked.get(slot, 0) + 1), REFUSED_AT)
    return search.answer


@dataclass(frozen=True, slots=True)
class _Search:
    heard: Heard
    agenda: Agenda
    facts: Facts
    answer: Answer

    def about(self, slot: Slot, times: int) -> int:
        """Add what answers a question that comes so many times; return how many times it then counts."""
        fresh = self.agenda.unsaid_about(slot)[:_MOST]
        known = self.agenda.said_about(slot)[:_MOST]
        if not fresh and not known and slot in _NEAR:
            fresh = self.agenda.unsaid_about(_NEAR[slot])[:1]
        if self.heard.chooses and slot in _OFFERED and not fresh:
            return times
        if fresh:
            self.answer.add(fresh, self.answer.points)
            if slot is Slot.DIET and not any(point.release is Release.ASKED for point in fresh):
                self.answer.facts += [(slot, fact) for fact in self.facts.about(slot, self.heard, "")]
            return 1
        if times >= REFUSED_AT:
            self.answer.refused.append(slot)
        elif found := self._facts_about(slot, times, known):
            self.answer.facts += [(slot, fact) for fact in found]
        elif known:
            self.answer.add(known, self.answer.again if times > 1 else self.answer.points)
        else:
            self.answer.unknown.append(slot)
        return times

    def _facts_about(self, slot: Slot, times: int, known: list[Point]) -> list[Fact]:
        """Return facts where they answer better than points said before: an address in full does.

        So it does where the points only spoke of it by the way ("… delivered to my home").
        """
        in_full = self.heard.whole_address or self.heard.home != self.heard.work or times > 1
        by_the_way = not any(point.slot is slot for point in known)
        if known and not (slot is Slot.ADDRESS and (in_full or by_the_way)):
            return []
        told = " ".join(words for point in known for words in point.wordings) if slot is Slot.ADDRESS else ""
        return self.facts.about(slot, self.heard, told.lower())
