"""Sights as they are drawn: indoor and outdoor ones, opening hours, closed weekdays, tickets by visitor and day.

Facts of a sight: ``sort`` (a key of the word list), ``indoor``, ``opens`` and ``closes`` (minutes since midnight),
``closed`` (weekday from Monday = 0, or None). Facts of a ticket: ``visitor`` (``adult``, ``child`` …), ``date``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, ClassVar

from vitagym.dialogue.acts import Slot
from vitagym.envs.ota.scenarios.travel import TEXTS, Travel, TravelFact, clock_at, date_of, hhmm, word_of
from vitagym.generation.addresses import Addresses
from vitagym.generation.offer_requirements import RatedAtLeast
from vitagym.generation.pools import CannotBuild
from vitagym.generation.sketches import Offer, ProductSketch, ProviderSketch
from vitagym.generation.speech import weekday
from vitagym.generation.terms import Saying, Term, joined, saying, word, words
from vitagym.randomness import Stream
from vitagym.tasks.constraints import Sense

INDOOR = tuple(words("travel")["sights"]["indoor"])
OUTDOOR = tuple(words("travel")["sights"]["outdoor"])
FEATURES = tuple(words("travel")["sights"]["features"])
VISITORS = ("adult", "child", "senior", "student")
_SHARE = {"adult": 1.0, "child": 0.5, "senior": 0.5, "student": 0.6}
_FEATURES_OF = {
    True: ("step_free", "guide", "workshop", "pushchairs"),
    False: ("step_free", "boats", "pets", "lights", "pushchairs", "guide", "workshop"),
}


@dataclass
class Sights:
    """Draws sights of a city, each with one ticket on sale for one day.

    Attributes:
        days: The days that tickets are drawn for.
        sorts: The sorts drawn; empty: any.
        visitors: The visitors that tickets are drawn for.
    """

    addresses: Addresses
    days: Sequence[date]
    sorts: Sequence[str] = ()
    visitors: Sequence[str] = ("adult",)
    used: set[str] = field(default_factory=set)

    def __call__(self, stream: Stream) -> Offer:
        """Draw one."""
        sort = stream.choice(self.sorts or (*INDOOR, *OUTDOOR))
        sight = ProviderSketch(
            kind="attraction",
            name=self._name(sort, stream),
            at=self.addresses.somewhere(),
            score=round(4.0 + 0.1 * stream.between(0, 9), 1),
            facts={
                "sort": sort,
                "indoor": sort in INDOOR,
                "opens": 60 * stream.between(8, 9) + 30 * stream.below(2),
                "closes": 60 * stream.between(17, 20) + 30 * stream.below(2),
                "closed": None,
                "base": 10 * stream.between(2, 16),
            },
        )
        sight.traits.update(stream.sample(_FEATURES_OF[sort in INDOOR], stream.between(1, 2)))
        return Offer(sight, ticket(sight, stream.choice(self.visitors), stream.choice(self.days)))

    def _name(self, sort: str, stream: Stream) -> Term:
        names = words("travel")["sights"]["first"]
        if len(self.used) == len(names):
            raise CannotBuild("no name is left for a sight")
        while True:
            first = word(stream.choice(names))
            if first.en not in self.used:
                self.used.add(first.en)
                second = _sort(sort)
                return Term(f"{first.en} {second.en}", f"{first.zh}{second.zh}")


def closed_some_day(sights: Sights) -> Callable[[Stream], Offer]:
    """Return what draws the same sights, most of them closed on a weekday, some open every day."""

    def sketch(stream: Stream) -> Offer:
        offer = sights(stream)
        offer.provider.facts["closed"] = stream.choice((None, 0, 1, 2, 3))
        return offer

    return sketch


def ticket(sight: ProviderSketch, visitor: str, when: date) -> ProductSketch:
    """Return a sight's ticket for one visitor on one day."""
    price = _price(sight, visitor)
    facts = {"visitor": visitor, "date": date_of(when), "left": 40}
    return ProductSketch(name=word_of("sights", "tickets", visitor), price=price, facts=facts)


def with_all_tickets(
    sights: Sequence[ProviderSketch], days: Sequence[date], visitors: Sequence[str] = VISITORS
) -> None:
    """Sell tickets for every visitor on every one of the days at some sights."""
    dates = [(when, date_of(when)) for when in days]
    for sight in sights:
        for product in sight.products:
            product.price = _price(sight, product.facts["visitor"])
        known = {(p.facts["visitor"], p.facts["date"]) for p in sight.products}
        for when, iso in dates:
            for visitor in visitors:
                if (visitor, iso) not in known:
                    sight.products.append(ticket(sight, visitor, when))


def description(sight: ProviderSketch) -> Term:
    """Return what is written about a sight: what is there, its features, when it is closed."""
    parts = words("travel")["sights"]
    about = word(_entry(sight.facts["sort"])["about"])
    features = [word(parts["features"][name]) for name in FEATURES if sight.has(name)]
    closed = sight.facts["closed"]
    rest = (
        word(parts["closed"]["none"])
        if closed is None
        else word(parts["closed"]["on"]).fill(weekday=weekday(date(2024, 1, 1 + closed)))
    )
    return joined([about, *features, rest], " ", "")


@dataclass
class SortIs(TravelFact):
    """The sight is indoor, or outdoor, or of one sort; it is renamed with it."""

    @property
    def name(self) -> str:
        """Its name within a goal."""
        return self.kind

    def conveys(self) -> Mapping[str, Any]:
        """Say what the names of such sights end with."""
        words = [_sort(sort) for sort in self.good]
        return {"sense": Sense.MENTIONS.value, "level": self.level, "words": words, "called": words[0]}

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Make it of a sort that does."""
        _make(offer.provider, stream.choice(self.good), stream)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Make it of a sort that does not."""
        _make(offer.provider, stream.choice(self.bad), stream)


def indoors() -> SortIs:
    """Return the requirement that the sight is indoors."""
    return SortIs("indoors", "sort", lambda s: s in INDOOR, INDOOR, OUTDOOR, {}, level="provider", slot=Slot.WEATHER)


def outdoors() -> SortIs:
    """Return the requirement that the sight is in the open air."""
    return SortIs("outdoors", "sort", lambda s: s in OUTDOOR, OUTDOOR, INDOOR, {}, level="provider", slot=Slot.WEATHER)


def sort_is(sort: str) -> SortIs:
    """Return the requirement that the sight is of one sort; what misses it is of another of the same side."""
    others = [s for s in (INDOOR if sort in INDOOR else OUTDOOR) if s != sort]
    return SortIs(
        "sort_is",
        "sort",
        lambda s: s == sort,
        (sort,),
        others,
        {"sort": _sort(sort)},
        level="provider",
        slot=Slot.PROVIDER,
    )


@dataclass
class OpenUntil(TravelFact):
    """The sight stays open until a time."""

    late: ClassVar[bool] = True

    def conveys(self) -> Mapping[str, Any]:
        """Say the time, in minutes since midnight."""
        least = float(min(self.good))
        return {"sense": Sense.AT_LEAST.value, "level": self.level, "field": "closes", "number": least}


@dataclass
class OpenOn(TravelFact):
    """The sight is not closed on a weekday; one that is open every day is not."""

    late: ClassVar[bool] = True

    def met_by(self, offer: Offer) -> bool:
        """Compare the weekday, if there is one."""
        return self.does(offer.provider.facts["closed"])

    def conveys(self) -> Mapping[str, Any]:
        """Say what would be written about it."""
        closed = [word(words("travel")["sights"]["closed"]["on"]).fill(weekday=self.shown["weekday"])]
        return {"sense": Sense.MENTIONS_NOT.value, "level": self.level, "words": closed}


def open_until(minutes: int) -> TravelFact:
    """Return the requirement that the sight stays open until a time at least."""
    return OpenUntil(
        "open_until",
        "closes",
        lambda value: value >= minutes,
        tuple(range(minutes, minutes + 91, 30)),
        tuple(range(minutes - 120, minutes, 30)),
        {"time": clock_at(minutes), "hhmm": hhmm(minutes)},
        level="provider",
        slot=Slot.TIME,
    )


def open_on(when: date) -> TravelFact:
    """Return the requirement that the sight is not closed on the weekday of a day."""
    day = when.weekday()
    return OpenOn(
        "open_on",
        "closed",
        lambda value: value != day,
        (None, *(d for d in (0, 1, 2, 3) if d != day)),
        (day,),
        {"weekday": weekday(when)},
        level="provider",
        slot=Slot.DATE,
    )


@dataclass
class VisitorIs(Travel):
    """The ticket is for a sort of visitor; what misses it is for another."""

    visitor: str
    when: date
    others: Sequence[str] = VISITORS
    kind: str = "visitor_is"
    slot: Slot = Slot.TICKET

    def values(self) -> dict[str, object]:
        """Return what the ticket is called."""
        return {"ticket": word_of("sights", "tickets", self.visitor)}

    def conveys(self) -> Mapping[str, Any]:
        """Say what the ticket is called."""
        return {"sense": Sense.SHOWS.value, "level": self.level, "words": [word_of("sights", "tickets", self.visitor)]}

    def met_by(self, offer: Offer) -> bool:
        """Compare the visitor."""
        return bool(offer.product.facts["visitor"] == self.visitor)

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Make it a ticket for them."""
        self._make(offer, self.visitor)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Make it a ticket for others."""
        self._make(offer, stream.choice([v for v in self.others if v != self.visitor]))

    def _make(self, offer: Offer, visitor: str) -> None:
        offer.product.facts["visitor"] = visitor
        offer.product.name = word_of("sights", "tickets", visitor)
        offer.product.price = _price(offer.provider, visitor)


@dataclass
class SightHas(Travel):
    """The sight has a feature; what misses it does not mention it."""

    trait: str
    kind: str = "sight_has"
    level = "provider"
    late: ClassVar[bool] = True
    slot: Slot = Slot.FACILITY

    @property
    def name(self) -> str:
        """Its name within a goal."""
        return f"has_{self.trait}"

    def values(self) -> dict[str, object]:
        """Return how a person asks for it."""
        entry: Any = words("travel")["sights"]["features"][self.trait]
        return {"said": word(entry["said"])}

    def conveys(self) -> Mapping[str, Any]:
        """Say what is written about it."""
        words, called = [word_of("sights", "features", self.trait)], self.values()["said"]
        return {"sense": Sense.MENTIONS.value, "level": self.level, "words": words, "called": called}

    def met_by(self, offer: Offer) -> bool:
        """Look for the feature."""
        return offer.provider.has(self.trait)

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Give it the feature."""
        offer.provider.traits.add(self.trait)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Take the feature away."""
        offer.provider.traits.discard(self.trait)


@dataclass
class SightRated(RatedAtLeast):
    """The sight is rated so high at least."""

    kind: str = "sight_rated"

    @property
    def saying(self) -> Saying:
        """How it is said, told and put in a rubric."""
        return saying(TEXTS, self.kind)


def _price(sight: ProviderSketch, visitor: str) -> float:
    return float(round(sight.facts["base"] * _SHARE[visitor]))


def _make(sight: ProviderSketch, sort: str, stream: Stream) -> None:
    before, after = _sort(sight.facts["sort"]), _sort(sort)
    sight.name = Term(
        sight.name.en.removesuffix(before.en) + after.en, sight.name.zh.removesuffix(before.zh) + after.zh
    )
    sight.facts |= {"sort": sort, "indoor": sort in INDOOR}
    allowed = _FEATURES_OF[sort in INDOOR]
    sight.traits.intersection_update(allowed)
    if not sight.traits:
        sight.traits.add(stream.choice(allowed))


def _sort(sort: str) -> Term:
    return word(_entry(sort))


def _entry(sort: str) -> Any:
    return words("travel")["sights"]["indoor" if sort in INDOOR else "outdoor"][sort]
