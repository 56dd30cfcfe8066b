"""Opening hours by weekday: shops that take a day off every week, or shut early on one, and who must be open then.

Facts of a shop: ``closed_on`` and ``early_on``, each the name of a weekday, or missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, ClassVar

from vitagym.dialogue.acts import Slot
from vitagym.generation.offer_requirements import tags_of
from vitagym.generation.requirement import Level, OfferRequirement
from vitagym.generation.sketches import Offer
from vitagym.generation.speech import clock, weekday
from vitagym.generation.terms import Term
from vitagym.randomness import Stream
from vitagym.tasks.constraints import Sense

_EVENING = 18
"""The hour at which shops shut that do so early on a weekday."""
_WEEK = tuple(date(2024, 1, day) for day in range(1, 8))
Shops = Callable[[Stream], Offer]


@dataclass
class OpenThen(OfferRequirement):
    """The shop is open at the time of a visit; what misses it is shut all that weekday, or from early in the evening.

    Shops keep other hours on other weekdays, and those say nothing about the visit.
    """

    when: datetime
    kind: str = "open_then"
    level: Level = "provider"
    slot: Slot = Slot.TIME
    late: ClassVar[bool] = True

    def values(self) -> dict[str, object]:
        """Return the weekday, and the time of day as people say it."""
        return {"weekday": weekday(self.when), "time": clock(self.when)}

    def conveys(self) -> Mapping[str, Any]:
        """Say what shows that a shop is shut then."""
        words = [tag for fact in self._shutting() for tag in tags_of(fact, [weekday(self.when)])]
        return {"sense": Sense.SHOWS_NOT.value, "level": self.level, "words": words}

    def met_by(self, offer: Offer) -> bool:
        """Return whether the shop is not shut then."""
        return all(offer.provider.facts.get(fact) != weekday(self.when) for fact in self._shutting())

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Let it keep its short days, if it has any, on other weekdays."""
        for fact in self._shutting():
            if offer.provider.facts.get(fact) == weekday(self.when):
                offer.provider.facts[fact] = self._another(stream)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Let it be shut then."""
        offer.provider.facts[stream.choice(self._shutting())] = weekday(self.when)

    def _shutting(self) -> tuple[str, ...]:
        return ("closed_on", "early_on") if self.when.hour >= _EVENING else ("closed_on",)

    def _another(self, stream: Stream) -> Term:
        return weekday(stream.choice([day for day in _WEEK if day.weekday() != self.when.weekday()]))


def with_short_days(shops: Shops) -> Shops:
    """Return what draws the same shops, most of them closed on a weekday or shutting early on one."""

    def sketch(stream: Stream) -> Offer:
        offer = shops(stream)
        for fact, chance in (("closed_on", 0.5), ("early_on", 0.3)):
            if stream.random() < chance:
                offer.provider.facts[fact] = weekday(stream.choice(_WEEK))
        return offer

    return sketch
