"""Trains and flights as they are drawn: numbers, times that fit the distance, seats and fares; what is asked of them.

Facts of a train or flight: ``type`` (``G``, ``D``, ``K``; ``flight``), ``km``, ``leaves``, ``arrives``.
Facts of a seat: ``seat`` (a key of the word list), ``date``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, ClassVar, Literal

from vitagym.dialogue.acts import Slot
from vitagym.envs.ota.scenarios.travel import Travel, date_of, hhmm, spread, word_of
from vitagym.generation.geography import City, Terminal, rail_km
from vitagym.generation.pools import CannotBuild, Pool, draw_pool
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.sketches import Offer, ProductSketch, ProviderSketch
from vitagym.generation.terms import Term, words
from vitagym.randomness import Stream
from vitagym.tasks.constraints import Sense

TrainType = Literal["G", "D", "K"]
_KM_PER_HOUR = {"G": 245, "D": 160, "K": 88}
_SEATS = {
    "G": ("second", "first", "business"),
    "D": ("second", "first"),
    "K": ("hard_seat", "hard_sleeper", "soft_sleeper"),
    "flight": ("economy", "premium", "club"),
}
_YUAN_PER_KM = {
    "second": 0.46,
    "first": 0.74,
    "business": 1.42,
    "hard_seat": 0.13,
    "hard_sleeper": 0.24,
    "soft_sleeper": 0.36,
}
_FLIGHT_SHARE = {"economy": 1.0, "premium": 1.45, "club": 2.7}
_D_SHARE = 0.78
_LATEST = 23 * 60 + 55


@dataclass
class Rides:
    """Draws the trains or flights from one city to another, each with one seat type on sale on one day.

    Attributes:
        days: The days that seats are drawn for.
        types: The types drawn, more often the earlier; ``flight`` for flights.
        seats: The seat types drawn; empty: all that its type has.
        after, before: The times of day between which it leaves, as far as nothing else moves it.
        terminals: For flights: where they may leave and land; empty: any airport of the city.
    """

    origin: City
    target: City
    days: Sequence[date]
    types: Sequence[str] = ("G", "G", "D")
    seats: Sequence[str] = ()
    after: int = 6 * 60
    before: int = 20 * 60
    used: set[str] = field(default_factory=set)

    def __call__(self, stream: Stream) -> Offer:
        """Draw one."""
        ride = self.ride(stream, stream.choice(self.types))
        seats = [s for s in _SEATS[ride.facts["type"]] if not self.seats or s in self.seats]
        offer = Offer(ride, self.seat(ride, stream.choice(seats), stream.choice(self.days), stream))
        return offer

    def ride(self, stream: Stream, kind: str) -> ProviderSketch:
        """Draw a train or flight of a type, with no seats yet."""
        km = self.kilometres(kind)
        start, end = self._terminal(self.origin, kind, stream), self._terminal(self.target, kind, stream)
        minutes = _minutes(kind, km, stream)
        leaves = stream.between(self.after, max(self.after, min(self.before, _LATEST - minutes)))
        sketch = ProviderSketch(
            kind="flight" if kind == "flight" else "train",
            name=Term.same(self._number(kind, stream)),
            at=(start.spot.longitude, start.spot.latitude),
            spot=start.spot,
            facts={"type": kind, "km": km, "leaves": leaves, "arrives": leaves + minutes},
            fields={"start": start, "end": end, "origin": self.origin, "target": self.target},
        )
        sketch.traits.update(_traits(kind, stream))
        return sketch

    def seat(self, ride: ProviderSketch, seat: str, when: date, stream: Stream) -> ProductSketch:
        """Draw the seats of one type on one day."""
        product = ProductSketch(
            name=word_of(_section(ride), "seats", seat),
            price=fare(ride, seat, stream),
            facts={"seat": seat, "date": date_of(when), "left": stream.between(6, 60)},
        )
        return product

    def kilometres(self, kind: str) -> float:
        """Return how far it is, by rail or as the crow flies."""
        if kind == "flight":
            return self.origin.km_to(self.target)
        km = rail_km(self.origin, self.target)
        if km is None:
            raise CannotBuild(f"no railway from {self.origin.key} to {self.target.key}")
        return km

    def _terminal(self, city: City, kind: str, stream: Stream) -> Terminal:
        if kind != "flight":
            return city.stations[0] if kind == "G" else stream.choice(city.stations)
        if not city.airports:
            raise CannotBuild(f"{city.key} has no airport")
        return stream.choice(city.airports)

    def _number(self, kind: str, stream: Stream) -> str:
        while True:
            prefix = stream.choice(words("travel")["flights"]["codes"]) if kind == "flight" else kind
            number = f"{prefix}{stream.between(1001, 8999) if kind == 'flight' else stream.between(11, 3998)}"
            if number not in self.used:
                self.used.add(number)
                return number


def with_all_seats(rides: Sequence[ProviderSketch], when: date, stream: Stream) -> None:
    """Sell the other seat types of trains and flights too, on one day; ``spread`` then sells them on the others."""
    for ride in rides:
        known = {product.facts["seat"] for product in ride.products}
        for seat in _SEATS[ride.facts["type"]]:
            if seat not in known:
                name = word_of(_section(ride), "seats", seat)
                facts = {"seat": seat, "date": date_of(when), "left": stream.between(4, 40)}
                ride.products.append(ProductSketch(name=name, price=fare(ride, seat, stream), facts=facts))


def fare(ride: ProviderSketch, seat: str, stream: Stream) -> float:
    """Draw the price of a seat: by kilometre and class, a little up and down; flights have a price for each day."""
    km = ride.facts["km"]
    if ride.facts["type"] == "flight":
        base = (190 + 0.62 * km) * _FLIGHT_SHARE[seat] * (0.75 + 0.5 * stream.random())
        return float(10 * round(base / 10))
    share = _D_SHARE if ride.facts["type"] == "D" else 1.0
    return float(round(max(9.0, km * _YUAN_PER_KM[seat] * share * (0.96 + 0.08 * stream.random()))))


@dataclass
class SeatIs(Travel):
    """The seat is of a class; what misses it is of another class of the same train or flight."""

    seat: str
    kind: str = "seat_is"
    slot: Slot = Slot.SEAT
    thinking: bool = False

    def values(self) -> dict[str, object]:
        """Return what the class is called on a ticket."""
        section = "flights" if self.seat in _SEATS["flight"] else "trains"
        return {"seat": word_of(section, "seats", self.seat)}

    def conveys(self) -> Mapping[str, Any]:
        """Say what the class is called."""
        return {"sense": Sense.SHOWS.value, "level": self.level, "words": [self.values()["seat"]]}

    def met_by(self, offer: Offer) -> bool:
        """Compare the class."""
        return bool(offer.product.facts["seat"] == self.seat)

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Make it a seat of the class, at its fare."""
        self._make(offer, self.seat, stream)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Make it a seat of another class, at its fare."""
        self._make(offer, stream.choice([s for s in _SEATS[offer.provider.facts["type"]] if s != self.seat]), stream)

    def _make(self, offer: Offer, seat: str, stream: Stream) -> None:
        if seat not in _SEATS[offer.provider.facts["type"]]:
            return
        offer.product.facts["seat"] = seat
        offer.product.name = word_of(_section(offer.provider), "seats", seat)
        offer.product.price = fare(offer.provider, seat, stream)


@dataclass
class TrainIs(Travel):
    """The train is of a type (``G``: high-speed); what misses it is an EMU train, which has the same classes."""

    type: TrainType = "G"
    kind: str = "train_is"
    level = "provider"
    slot: Slot = Slot.PRODUCT
    thinking: bool = False

    def values(self) -> dict[str, object]:
        """Return what the type is called."""
        return {"type": word_of("trains", "kinds", self.type)}

    def conveys(self) -> Mapping[str, Any]:
        """Say what the type is called."""
        return {"sense": Sense.SHOWS.value, "level": self.level, "words": [word_of("trains", "kinds", self.type)]}

    def met_by(self, offer: Offer) -> bool:
        """Compare the type."""
        return bool(offer.provider.facts["type"] == self.type)

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Make it of the type, its times as they fit."""
        retype(offer, self.type, stream)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Make it of the next slower type."""
        retype(offer, "D" if self.type == "G" else "G", stream)


@dataclass
class EndsAt(Travel):
    """It arrives at one of the city's stations or airports, not at another."""

    terminal: Terminal
    others: Sequence[Terminal]
    kind: str = "ends_at"
    level = "provider"
    slot: Slot = Slot.DESTINATION

    def values(self) -> dict[str, object]:
        """Return its name."""
        return {"terminal": self.terminal.name}

    def conveys(self) -> Mapping[str, Any]:
        """Say where it arrives."""
        return {"sense": Sense.MENTIONS.value, "level": self.level, "words": [self.terminal.name]}

    def met_by(self, offer: Offer) -> bool:
        """Compare where it arrives."""
        return bool(offer.provider.fields["end"] == self.terminal)

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Let it arrive there."""
        offer.provider.fields["end"] = self.terminal

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Let it arrive elsewhere in the city."""
        offer.provider.fields["end"] = stream.choice(self.others)


@dataclass
class RideHas(Travel):
    """It has a tag (a meal, checked baggage, a quiet coach); what misses it has the rival in its place, or nothing."""

    trait: str
    rival: str | None = None
    kind: str = "ride_has"
    level = "provider"
    late: ClassVar[bool] = True
    slot: Slot = Slot.FACILITY

    @property
    def name(self) -> str:
        """Its name within a goal."""
        return f"has_{self.trait}"

    def values(self) -> dict[str, object]:
        """Return the tag."""
        section = "trains" if self.trait in words("travel")["trains"]["tags"] else "flights"
        return {"trait": word_of(section, "tags", self.trait)}

    def conveys(self) -> Mapping[str, Any]:
        """Say what the tag is."""
        return {"sense": Sense.SHOWS.value, "level": self.level, "words": [self.values()["trait"]]}

    def met_by(self, offer: Offer) -> bool:
        """Look for the tag."""
        return offer.provider.has(self.trait)

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Give it the tag."""
        if self.rival is not None:
            offer.provider.traits.discard(self.rival)
        offer.provider.traits.add(self.trait)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Take the tag away."""
        offer.provider.traits.discard(self.trait)
        if self.rival is not None:
            offer.provider.traits.add(self.rival)


@dataclass
class Route(Travel):
    """It goes from one city to another; what misses it goes the other way."""

    origin: City
    target: City
    kind: str = "route"
    level = "provider"
    slot: Slot = Slot.DESTINATION
    thinking: bool = False

    def values(self) -> dict[str, object]:
        """Return the names of the cities."""
        return {"origin": self.origin.name, "target": self.target.name}

    def conveys(self) -> Mapping[str, Any]:
        """Say from where to where."""
        return {"sense": Sense.ROUTE.value, "level": self.level, "words": [self.origin.name, self.target.name]}

    def met_by(self, offer: Offer) -> bool:
        """Compare both ends."""
        return (offer.provider.fields["origin"], offer.provider.fields["target"]) == (self.origin, self.target)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Turn it round."""
        fields = offer.provider.fields
        fields |= {
            "origin": fields["target"],
            "target": fields["origin"],
            "start": fields["end"],
            "end": fields["start"],
        }
        offer.provider.spot = fields["start"].spot
        offer.provider.at = (fields["start"].spot.longitude, fields["start"].spot.latitude)


def ride_pool(
    stream: Stream, rides: Rides, wanted: Sequence[OfferRequirement], days: Sequence[date], *, valid: int, noise: int
) -> Pool:
    """Draw a pool of trains or flights that sell every class on every one of the days, the first as it was drawn."""
    pool = draw_pool(stream, rides, wanted, valid=valid, noise=noise)
    with_all_seats(pool.providers, days[0], stream)
    spread(pool.providers, days, stream)
    return pool


def on_another_day(offer: Offer, when: date) -> Offer:
    """Return the same class of the same train or flight on another day that it sells."""
    products = offer.provider.products
    name, day = offer.product.name, date_of(when)
    return Offer(offer.provider, next(p for p in products if p.facts["date"] == day and p.name == name))


def retype(offer: Offer, kind: str, stream: Stream) -> None:
    """Make a train one of another type: number, duration and fare follow; it leaves when it did."""
    ride, product = offer.provider, offer.product
    if product.facts["seat"] not in _SEATS[kind] or ride.facts["type"] == kind:
        return
    ride.facts["type"] = kind
    ride.name = Term.same(f"{kind}{ride.name.en[1:]}")
    ride.facts["arrives"] = ride.facts["leaves"] + _minutes(kind, ride.facts["km"], stream)
    product.price = fare(ride, product.facts["seat"], stream)


def shown_times(ride: ProviderSketch) -> tuple[str, str]:
    """Return departure and arrival as a provider shows them."""
    return hhmm(ride.facts["leaves"]), hhmm(ride.facts["arrives"])


def _minutes(kind: str, km: float, stream: Stream) -> int:
    if kind == "flight":
        return round(km / 700 * 60 + 45) + stream.between(-5, 15)
    return max(18, round(km / _KM_PER_HOUR[kind] * 60 * (0.94 + 0.2 * stream.random())))


def _traits(kind: str, stream: Stream) -> list[str]:
    if kind == "flight":
        return [stream.choice(("meal", "no_meal")), stream.choice(("bag", "no_bag"))]
    return [
        trait for trait, chance in (("quiet", 0.3), ("dining", 0.5), ("wheelchair", 0.25)) if stream.random() < chance
    ]


def _section(ride: ProviderSketch) -> str:
    return "flights" if ride.facts["type"] == "flight" else "trains"
