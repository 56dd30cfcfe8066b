"""What hotels, sights, trains and flights have in common: dated products, times of day, and requirements on them.

Facts of a product: ``date`` (an ISO date). Facts of a train or flight: ``leaves`` and ``arrives``, in minutes since
midnight of the day it leaves. The texts of the requirements stand in ``assets/text/travel.toml``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Any, ClassVar

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import diet_profile
from vitagym.generation.addresses import Addresses
from vitagym.generation.calendar import a_day
from vitagym.generation.geography import City, cities, rail_km
from vitagym.generation.offer_requirements import Fact
from vitagym.generation.people import NO_DIET, draw_person
from vitagym.generation.pools import CannotBuild, Pool
from vitagym.generation.requirement import OfferRequirement, Purpose
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer, ProductSketch, ProviderSketch
from vitagym.generation.speech import calendar_day, clock, day
from vitagym.generation.terms import Saying, Term, saying, word, words
from vitagym.randomness import Stream
from vitagym.rewards.checks import ProductDate
from vitagym.tasks.checks import Check
from vitagym.tasks.constraints import Sense

TEXTS = "travel"
FIRST_DEPARTURE = 5 * 60 + 40
"""Minutes since midnight before which no train or flight leaves."""
Change = Callable[[ProductSketch, ProviderSketch], None]


@cache
def word_of(*path: str) -> Term:
    """Return a word of ``assets/words/travel.toml`` by the path of its table."""
    table: Any = words("travel")
    for part in path:
        table = table[part]
    return word(table)


def hhmm(minutes: int) -> str:
    """Return a time of day as providers show it; past midnight it starts again from 00:00."""
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def clock_at(minutes: int) -> Term:
    """Return a time of day as people say it."""
    return clock(datetime.combine(date(2000, 1, 1), time(minutes // 60 % 24, minutes % 60)))


def date_of(when: date | datetime) -> str:
    """Return a date as tools write it."""
    return when.isoformat()[:10]


class Travel(OfferRequirement):
    """A requirement whose texts stand with those of travel."""

    @property
    def saying(self) -> Saying:
        """How it is said, told and put in a rubric."""
        return saying(TEXTS, self.kind)


@dataclass
class TravelFact(Fact):
    """A right fact, whose texts stand with those of travel."""

    @property
    def saying(self) -> Saying:
        """How it is said, told and put in a rubric."""
        return saying(TEXTS, self.kind)


@dataclass
class OnDate(Travel):
    """The room, ticket or seat is for a certain day.

    Attributes:
        others: Days that what misses it is for.
        now: When the person speaks.
    """

    when: date
    others: Sequence[date]
    now: datetime
    kind: str = "on_date"
    slot: Slot = Slot.DATE

    def __post_init__(self) -> None:
        self._date = date_of(self.when)

    def values(self) -> dict[str, object]:
        """Return the day as people say it, as a calendar day, and as tools write it."""
        return {"day": day(self.when, self.now), "calendar": calendar_day(self.when), "date": date_of(self.when)}

    def conveys(self) -> Mapping[str, Any]:
        """Say the date."""
        return {"sense": Sense.ON_DATE.value, "level": self.level, "text": self._date}

    def met_by(self, offer: Offer) -> bool:
        """Compare the day."""
        return bool(offer.product.facts["date"] == self._date)

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Put it on the day."""
        offer.product.facts["date"] = self._date

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Put it on another day."""
        offer.product.facts["date"] = date_of(stream.choice(self.others))

    def check(self, purpose: Purpose) -> Check:
        """Check the day of everything in the order."""
        return ProductDate(record=purpose.record, dates=(date_of(self.when),))


@dataclass
class _AtTime(Travel):
    """One of its times is right; what misses it does so by up to an hour and a half."""

    limit: int
    level = "provider"

    def values(self) -> dict[str, object]:
        """Return the time as people say it, and as it is shown."""
        return {"time": clock_at(self.limit), "hhmm": hhmm(self.limit)}


@dataclass
class ArrivesBy(_AtTime):
    """It arrives at a time of day at the latest, on the day it leaves."""

    kind: str = "arrives_by"
    slot: Slot = Slot.TIME
    late: ClassVar[bool] = True

    def conveys(self) -> Mapping[str, Any]:
        """Say the time, in minutes since midnight of the day it leaves."""
        return {"sense": Sense.AT_MOST.value, "level": self.level, "field": "arrives", "number": float(self.limit)}

    def met_by(self, offer: Offer) -> bool:
        """Compare the arrival."""
        return bool(offer.provider.facts["arrives"] <= self.limit)

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Let it arrive in time, not much too early."""
        arrive_at(offer.provider, self.limit - stream.between(4, 95))

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Let it arrive a little late."""
        arrive_at(offer.provider, self.limit + stream.between(7, 80))


@dataclass
class ArrivesFrom(_AtTime):
    """It arrives at a time of day at the earliest."""

    kind: str = "arrives_from"
    slot: Slot = Slot.TIME

    def conveys(self) -> Mapping[str, Any]:
        """Say the time, in minutes since midnight of the day it leaves."""
        return {"sense": Sense.AT_LEAST.value, "level": self.level, "field": "arrives", "number": float(self.limit)}

    def met_by(self, offer: Offer) -> bool:
        """Compare the arrival."""
        return bool(offer.provider.facts["arrives"] >= self.limit)

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Let it arrive late enough."""
        arrive_at(offer.provider, self.limit + stream.between(4, 80))

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Let it arrive a little too early."""
        arrive_at(offer.provider, self.limit - stream.between(7, 60))


@dataclass
class LeavesFrom(_AtTime):
    """It leaves at a time of day at the earliest."""

    kind: str = "leaves_from"
    slot: Slot = Slot.TIME

    def conveys(self) -> Mapping[str, Any]:
        """Say the time, in minutes since midnight of the day it leaves."""
        return {"sense": Sense.AT_LEAST.value, "level": self.level, "field": "leaves", "number": float(self.limit)}

    def met_by(self, offer: Offer) -> bool:
        """Compare the departure."""
        return bool(offer.provider.facts["leaves"] >= self.limit)

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Let it leave late enough."""
        leave_at(offer.provider, self.limit + stream.between(4, 95))

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Let it leave a little too early."""
        leave_at(offer.provider, self.limit - stream.between(7, 80))


def leave_at(provider: ProviderSketch, minutes: int) -> None:
    """Move a train or flight so that it leaves at that time, or with the first; it takes as long as before."""
    minutes = max(minutes, FIRST_DEPARTURE)
    provider.facts["arrives"] += minutes - provider.facts["leaves"]
    provider.facts["leaves"] = minutes


def arrive_at(provider: ProviderSketch, minutes: int) -> None:
    """Move a train or flight so that it arrives at that time; it takes as long as before."""
    leave_at(provider, provider.facts["leaves"] + minutes - provider.facts["arrives"])


def spread(providers: Sequence[ProviderSketch], days: Sequence[date], stream: Stream, drift: float = 0.06) -> None:
    """Sell every product of some providers on some days, at a price of its own on each other day.

    Rooms, tickets and seats are sold day by day: what is on offer on one day only would point at itself.
    """
    dates = [date_of(day) for day in days]
    for provider in providers:
        known = {(p.name.en, p.facts["date"]) for p in provider.products}
        for product in list(provider.products):
            for when in dates:
                if (product.name.en, when) not in known:
                    known.add((product.name.en, when))
                    other = product.copy()
                    other.facts["date"] = when
                    other.price = float(round(product.price * (1 + drift * (2 * stream.random() - 1))))
                    provider.products.append(other)


def with_all_products(pool: Pool, providers: Sequence[ProviderSketch] = ()) -> Pool:
    """Count everything that the pool's providers (or those given) sell among its offers: as valid ones, or as noise."""
    known = {id(offer.product) for offer in pool.offers}
    of_provider = [requirement for requirement in pool.requirements if requirement.level == "provider"]
    of_product = [requirement for requirement in pool.requirements if requirement.level == "product"]
    for provider in providers or pool.providers:
        offers = [Offer(provider, product) for product in provider.products if id(product) not in known]
        right = bool(offers) and all(requirement.met_by(offers[0]) for requirement in of_provider)
        for offer in offers:
            valid = right and all(requirement.met_by(offer) for requirement in of_product)
            (pool.valid if valid else pool.noise).append(offer)
    return pool


def share(*pools: Pool) -> None:
    """Count what each of some pools' providers sell among the offers of all of them: as valid ones, or as noise."""
    every = [provider for pool in pools for provider in pool.providers]
    for pool in pools:
        with_all_products(pool, every)


def sibling_pool(pool: Pool, requirements: Sequence[OfferRequirement], preferred: ProviderSketch | None = None) -> Pool:
    """Return the pool of another goal over the same providers (the second night, the child's ticket).

    Everything that they sell is sorted by what it misses of these requirements. The reference solution takes what the
    ``preferred`` provider has; None: that of what it took before.
    """
    other = Pool(requirements)
    for provider in pool.providers:
        for product in provider.products:
            offer = Offer(provider, product)
            misses = other.misses(offer)
            if not misses:
                other.valid.append(offer)
            elif len(misses) == 1 and misses[0] not in other.near:
                other.near[misses[0]] = offer
            else:
                other.noise.append(offer)
    taken = preferred or pool.chosen.provider
    first = next((o for o in other.valid if o.provider is taken), None)
    if first is not None:
        other.valid.remove(first)
        other.valid.insert(0, first)
    return other


def on_day(when: date, now: datetime) -> Term:
    """Return a day as it stands in a sentence: ``on June 3``, ``this Saturday``, ``tomorrow``."""
    said = day(when, now)
    return Term(f"on {said.en}", said.zh) if said == calendar_day(when) else said


def another_city(stream: Stream, city: City, *, low: float, high: float, flies: bool = False) -> City:
    """Draw another city so many kilometres away: by rail, or with ``flies`` as the crow flies between airports.

    Raises:
        CannotBuild: There is none.
    """
    found = [
        other
        for other in cities().values()
        if other != city and low <= (_air_km(city, other) if flies else rail_km(city, other) or 0) <= high
    ]
    if not found:
        raise CannotBuild(f"no city {low:g} to {high:g} km from {city.key}")
    return stream.choice(found)


def _air_km(city: City, other: City) -> float:
    return city.km_to(other) if city.airports and other.airports else 0


@dataclass
class Trip:
    """A trip from the person's city to another.

    Attributes:
        there: The city.
        addresses: Its addresses.
        first: The day of the trip, or its first.
    """

    there: City
    addresses: Addresses
    first: date

    def days(self, before: int = 1, after: int = 1) -> list[date]:
        """Return the day with some before and after it: what is on sale is on sale on all of them."""
        return days_from(self.first - timedelta(days=before), before + 1 + after)


def plan_trip(
    scene: Scene,
    *,
    km: tuple[float, float],
    flies: bool = False,
    families: Sequence[str] = (),
    desk: bool = False,
    avoided: str | None = None,
) -> Trip:
    """Set the scene for a trip: city, person (with a diet, where one is named), clock, where and when they travel."""
    draw = scene.stream
    scene.in_city()
    scene.person = draw_person(
        draw,
        scene.addresses,
        persona=scene.persona,
        families=families,
        desk=desk,
        diet=diet_profile(avoided) if avoided else NO_DIET,
    )
    scene.places.append(scene.person.home)
    there = another_city(draw, scene.city, low=km[0], high=km[1], flies=flies)
    today = a_day(draw)
    scene.now = datetime.combine(today, time(draw.between(9, 20), draw.below(60)))
    return Trip(
        there, Addresses(Stream(draw.below(1 << 30), "there"), there), today + timedelta(days=draw.between(3, 12))
    )


def days_from(first: date, count: int) -> list[date]:
    """Return so many days in a row."""
    return [first + timedelta(days=i) for i in range(count)]
