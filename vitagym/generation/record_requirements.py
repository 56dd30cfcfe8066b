"""Requirements on the record that an agent makes: where to, when, for how many, how many, what note, what status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from vitagym.dialogue.acts import Slot
from vitagym.generation.requirement import Purpose, Requirement
from vitagym.generation.sketches import ProviderSketch
from vitagym.generation.speech import clock, day, money, number, stamp
from vitagym.generation.spots import Spot
from vitagym.generation.terms import Term
from vitagym.rewards.checks import (
    DeliveredBetween,
    DeliveredTo,
    Existing,
    HasStatus,
    Includes,
    Meaning,
    NoteSays,
    People,
    Provided,
    ToldNone,
    TotalAtMost,
    Untouched,
    VisitBetween,
)
from vitagym.tasks.checks import Check
from vitagym.tasks.constraints import Sense


@dataclass
class DeliverTo(Requirement):
    """It is delivered to a place; ``place`` says what the person calls it (home, the office)."""

    spot: Spot
    place: Term
    kind: str = "deliver_to"
    slot: Slot = Slot.ADDRESS

    def values(self) -> dict[str, object]:
        """Return the place and its address."""
        return {"place": self.place, "address": self.spot.address}

    def conveys(self) -> Mapping[str, Any]:
        """Say where to."""
        return {"sense": Sense.TO.value, "spot": self.spot, "place": self.place}

    def check(self, purpose: Purpose) -> Check:
        """Check where it is delivered to."""
        del purpose
        return DeliveredTo(longitude=self.spot.longitude, latitude=self.spot.latitude)


@dataclass
class _Window(Requirement):
    earliest: datetime | None
    latest: datetime | None
    now: datetime
    said: datetime | None = None

    def values(self) -> dict[str, object]:
        """Return the times as people say them, and to the second."""
        out: dict[str, object] = {}
        for key, time in (("earliest", self.earliest), ("latest", self.latest), ("time", self.said)):
            if time is not None:
                out |= {key: clock(time), f"{key}_day": day(time, self.now), f"{key}_stamp": stamp(time)[:16]}
        return out

    def conveys(self) -> Mapping[str, Any]:
        """Say from when to when."""
        return {"sense": Sense.BETWEEN.value, **{key: end or "" for key, end in self._ends().items()}}

    def _ends(self) -> dict[str, Any]:
        return {
            "earliest": None if self.earliest is None else stamp(self.earliest),
            "latest": None if self.latest is None else stamp(self.latest),
        }


@dataclass
class Arrives(_Window):
    """It arrives in a window of time, the way there counted in.

    Attributes:
        said: For ``arrives_around``: the time that the person names.
    """

    kind: str = "arrives_between"
    slot: Slot = Slot.TIME

    def check(self, purpose: Purpose) -> Check:
        """Check when it arrives."""
        del purpose
        return DeliveredBetween(**self._ends())


@dataclass
class Visits(_Window):
    """The booking or reservation is for a time, or a time in a window."""

    kind: str = "visits_at"
    slot: Slot = Slot.TIME

    def check(self, purpose: Purpose) -> Check:
        """Check what time it is for."""
        return VisitBetween(record=purpose.record, **self._ends())

    @property
    def stamped(self) -> str:
        """The time as tools write it (the end of the window)."""
        return "" if self.latest is None else stamp(self.latest)


@dataclass
class ForPeople(Requirement):
    """The booking or reservation is for so many people."""

    count: int
    kind: str = "for_people"
    slot: Slot = Slot.PEOPLE
    thinking: bool = False

    def values(self) -> dict[str, object]:
        """Return the head count."""
        return {"count": number(self.count), "digits": self.count}

    def conveys(self) -> Mapping[str, Any]:
        """Say the head count."""
        return {"sense": Sense.PEOPLE.value, "number": float(self.count)}

    def check(self, purpose: Purpose) -> Check:
        """Check the head count."""
        return People(record=purpose.record, count=self.count)


@dataclass
class Pieces(Requirement):
    """So many of the product are ordered."""

    count: int
    unit: Term
    kind: str = "pieces"
    slot: Slot = Slot.QUANTITY
    thinking: bool = False

    def values(self) -> dict[str, object]:
        """Return how many."""
        return {"count": number(self.count), "digits": self.count, "unit": self.unit}

    def conveys(self) -> Mapping[str, Any]:
        """Say how many."""
        return {"sense": Sense.PIECES.value, "number": float(self.count)}

    def check(self, purpose: Purpose) -> Check:
        """Count what the goal chooses among."""
        ids = tuple(dict.fromkeys(offer.product.id for offer in purpose.offers))
        return Includes(record=purpose.record, ids=ids, quantity=self.count)


@dataclass
class Note(Requirement):
    """The note says something; every group lists the words of both languages that say one part of it."""

    content: Term
    groups: Sequence[Sequence[str]]
    kind: str = "note"
    slot: Slot = Slot.NOTE
    thinking: bool = False

    def values(self) -> dict[str, object]:
        """Return what the note should say."""
        return {"note": self.content}

    def conveys(self) -> Mapping[str, Any]:
        """Say what the note should say."""
        return {"sense": Sense.NOTE.value, "text": self.content}

    def check(self, purpose: Purpose) -> Check:
        """Look for it in the note."""
        del purpose
        return NoteSays(groups=tuple(tuple(group) for group in self.groups))


@dataclass
class TotalWithin(Requirement):
    """The whole record costs at most so many yuan."""

    yuan: float
    kind: str = "total_at_most"
    slot: Slot = Slot.BUDGET

    def values(self) -> dict[str, object]:
        """Return the limit."""
        return {"price": money(self.yuan)}

    def conveys(self) -> Mapping[str, Any]:
        """Say the limit."""
        return {"sense": Sense.TOTAL.value, "number": self.yuan}

    def check(self, purpose: Purpose) -> Check:
        """Compare the total."""
        return TotalAtMost(record=purpose.record, yuan=self.yuan)


@dataclass
class InStatus(Requirement):
    """The record stands, is paid, or is cancelled."""

    meaning: Meaning
    kind: str = "paid"
    slot: Slot = Slot.OTHER
    thinking: bool = False

    def conveys(self) -> Mapping[str, Any] | None:
        """Say that it is to be cancelled; that it is paid goes without saying."""
        return {"sense": Sense.CANCELLED.value} if self.meaning is Meaning.CANCELLED else None

    def check(self, purpose: Purpose) -> Check:
        """Check what its status means."""
        return HasStatus(record=purpose.record, meaning=self.meaning)


@dataclass
class TheExisting(Requirement):
    """It is a certain record from before; ``what`` says which, as the person would."""

    id: str
    what: Term
    kind: str = "the_existing"
    slot: Slot = Slot.HISTORY

    def values(self) -> dict[str, object]:
        """Return its id and what the person calls it."""
        return {"id": self.id, "what": self.what}

    def conveys(self) -> Mapping[str, Any]:
        """Say which, as far as it has been looked up."""
        return {"sense": Sense.EXISTING.value, "text": self.id, "shown_by": [self.id]}

    def check(self, purpose: Purpose) -> Check:
        """Compare the id."""
        return Existing(record=purpose.record, id=self.id)


@dataclass
class StaysAsItIs(Requirement):
    """A certain record from before is not touched; ``what`` says which."""

    id: str
    what: Term
    kind: str = "untouched"
    slot: Slot = Slot.HISTORY
    thinking: bool = False

    def values(self) -> dict[str, object]:
        """Return its id and what it is."""
        return {"id": self.id, "what": self.what}

    def check(self, purpose: Purpose) -> Check:
        """Check that it was not changed."""
        del purpose
        return Untouched(id=self.id)


@dataclass
class WithProvider(Requirement):
    """The record is with a certain provider, the one that another goal has chosen."""

    provider: ProviderSketch
    kind: str = "at_provider"
    slot: Slot = Slot.PROVIDER
    thinking: bool = False

    def values(self) -> dict[str, object]:
        """Return the name of the provider."""
        return {"provider": self.provider.name}

    def conveys(self) -> Mapping[str, Any]:
        """Say that it is the same provider."""
        return {"sense": Sense.SOLD_BY.value, "level": "provider", "provider": self.provider}

    def check(self, purpose: Purpose) -> Check:
        """Compare the provider."""
        return Provided(record=purpose.record, ids=(self.provider.id,))


@dataclass
class SaysThereIsNone(Requirement):
    """The user hears that there is none; every group lists the words of both languages for what there is none of."""

    what: Term
    groups: Sequence[Sequence[str]]
    kind: str = "told_none"

    def values(self) -> dict[str, object]:
        """Return what there is none of."""
        return {"what": self.what}

    def check(self, purpose: Purpose) -> Check:
        """Look for it in what the user hears."""
        del purpose
        return ToldNone(groups=tuple(tuple(group) for group in self.groups))
