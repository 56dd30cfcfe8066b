"""Hotels as they are drawn: stars, rooms by view and bed, amenities; and what is asked of them.

Facts of a hotel: ``star``. Facts of a room: ``view``, ``bed``, ``breakfast``, ``date`` (the night). A room is called by
its facts, so that whatever changes one of them renames it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from typing import Any, ClassVar

from vitagym.dialogue.acts import Slot
from vitagym.envs.ota.scenarios.travel import Travel, TravelFact, date_of, word_of
from vitagym.generation.addresses import Addresses
from vitagym.generation.geography import City
from vitagym.generation.sketches import Offer, ProductSketch, ProviderSketch
from vitagym.generation.spots import Spot, around
from vitagym.generation.terms import Term, word, words
from vitagym.randomness import Stream
from vitagym.tasks.constraints import Sense

AMENITIES = tuple(words("travel")["hotels"]["amenities"])
BEDS = tuple(words("travel")["hotels"]["beds"])
_INLAND_VIEWS = ("lake", "river", "city", "garden", "mountain", "courtyard")
_PRICES = {2: (150, 230), 3: (240, 360), 4: (390, 640), 5: (760, 1380)}
_BED_SHARE = {"king": 1.0, "twin": 1.0, "triple": 1.25, "family": 1.4, "suite": 1.9}
_VIEW_SHARE = {"sea": 1.25, "lake": 1.15, "river": 1.15, "mountain": 1.1, "garden": 1.05, "city": 1.0, "courtyard": 0.9}


@dataclass
class Hotels:
    """Draws hotels of a city, each with one room on sale for one night.

    Attributes:
        centre: Where they lie around.
        reach: How far away at most, in metres.
        nights: The nights that rooms are drawn for.
        beds: The beds drawn.
    """

    addresses: Addresses
    centre: Spot
    nights: Sequence[date]
    beds: Sequence[str] = BEDS
    reach: int = 6_000
    used: set[str] = field(default_factory=set)

    def __call__(self, stream: Stream) -> Offer:
        """Draw one."""
        star = stream.choice((3, 4, 4, 5, 2))
        hotel = ProviderSketch(
            kind="hotel",
            name=self._name(stream),
            at=around(stream, self.centre, 150, self.reach),
            score=round(3.9 + 0.1 * stream.between(0, 10), 1),
            facts={"star": star},
        )
        hotel.traits.update(stream.sample(AMENITIES, stream.between(3, 5)))
        room = ProductSketch(
            name=Term("", ""),
            price=0,
            facts={
                "view": stream.choice(views(self.addresses.city)),
                "bed": stream.choice(self.beds),
                "breakfast": stream.random() < 0.5,
                "date": date_of(stream.choice(self.nights)),
                "left": stream.between(3, 9),
            },
        )
        offer = Offer(hotel, room)
        rename(room)
        reprice(offer, stream)
        return offer

    def _name(self, stream: Stream) -> Term:
        parts = words("travel")["hotels"]
        while True:
            first, second = word(stream.choice(parts["first"])), word(stream.choice(parts["second"]))
            if first.en not in self.used:
                self.used.add(first.en)
                return Term(f"{first.en} {second.en}", f"{first.zh}{second.zh}")


def views(city: City) -> tuple[str, ...]:
    """Return the views that rooms of a city can have."""
    by_the_sea = city.key in words("travel")["hotels"]["sea_cities"]
    return ("sea", *_INLAND_VIEWS[2:]) if by_the_sea else _INLAND_VIEWS


def rename(room: ProductSketch) -> None:
    """Call a room by its facts."""
    form = "rooms_with_breakfast" if room.facts["breakfast"] else "rooms_without_breakfast"
    room.name = _room_name(form, room.facts["view"], room.facts["bed"])


@cache
def _room_name(form: str, view: str, bed: str) -> Term:
    seen, slept_in = word_of("hotels", "views", view), word_of("hotels", "beds", bed)
    return word_of("hotels", form).fill(view=seen, bed=slept_in)


def reprice(offer: Offer, stream: Stream) -> None:
    """Draw the price of a room by the hotel's stars, the bed and the view."""
    low, high = _PRICES[offer.provider.facts["star"]]
    share = _BED_SHARE[offer.product.facts["bed"]] * _VIEW_SHARE[offer.product.facts["view"]]
    share *= 1.08 if offer.product.facts["breakfast"] else 1.0
    offer.product.price = float(round((low + (high - low) * stream.random()) * share))


def fill_up(hotels: Sequence[ProviderSketch], city: City, stream: Stream, rooms: int = 3) -> None:
    """Give hotels further rooms, each unlike what they have in one fact at least, on the night of their first room."""
    for hotel in hotels:
        like = hotel.products[0]
        for _ in range(40):
            if len(hotel.products) >= rooms:
                break
            other = like.copy()
            other.facts |= {"view": stream.choice(views(city)), "bed": stream.choice(BEDS)}
            other.facts |= {"breakfast": stream.random() < 0.5, "left": stream.between(3, 9)}
            rename(other)
            if all(other.name != room.name for room in hotel.products):
                reprice(Offer(hotel, other), stream)
                hotel.products.append(other)


@dataclass
class RoomIs(TravelFact):
    """One of the facts of the room is right; the room is renamed with it."""

    slot: Slot = Slot.ROOM

    @property
    def name(self) -> str:
        """Its name within a goal."""
        return f"room_{self.fact}"

    def conveys(self) -> Mapping[str, Any]:
        """Say what the names of such rooms contain."""
        if self.fact == "breakfast":
            words = [word_of("hotels", "rooms_with_breakfast").fill(view="", bed="").stripped()]
        else:
            words = [word_of("hotels", f"{self.fact}s", value) for value in self.good]
        return {"sense": Sense.MENTIONS.value, "level": self.level, "words": words}

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Set a value that does."""
        super().grant(offer, stream)
        rename(offer.product)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Set a value that does not."""
        super().deny(offer, stream)
        rename(offer.product)


def room_view(view: str, city: City) -> RoomIs:
    """Return the requirement that the room has a view."""
    return _room("view", view, [v for v in views(city) if v != view], "said_views")


def room_bed(bed: str, others: Sequence[str] = BEDS) -> RoomIs:
    """Return the requirement that the room has a sort of bed (or is a suite)."""
    return _room("bed", bed, [b for b in others if b != bed], "said_beds")


def breakfast_included() -> RoomIs:
    """Return the requirement that breakfast is included."""
    return RoomIs("room_breakfast", "breakfast", bool, (True,), (False,), {})


@dataclass
class Stars(TravelFact):
    """The hotel has so many stars at least."""

    late: ClassVar[bool] = True

    def conveys(self) -> Mapping[str, Any]:
        """Say how many."""
        least = float(min(self.good))
        return {"sense": Sense.AT_LEAST.value, "level": self.level, "field": "star_rating", "number": least}


def stars_at_least(star: int) -> TravelFact:
    """Return the requirement that the hotel has so many stars at least."""
    return Stars(
        "stars_at_least",
        "star",
        lambda value: value >= star,
        tuple(range(star, 6)),
        tuple(range(max(2, star - 1), star)),
        {"star": star},
        level="provider",
        slot=Slot.RATING,
    )


@dataclass
class Amenity(Travel):
    """The hotel has an amenity; what misses it lacks the tag."""

    trait: str
    kind: str = "amenity"
    level = "provider"
    late: ClassVar[bool] = True
    slot: Slot = Slot.FACILITY

    @property
    def name(self) -> str:
        """Its name within a goal."""
        return f"has_{self.trait}"

    def values(self) -> dict[str, object]:
        """Return how a person asks for it, and the tag."""
        entry: Any = words("travel")["hotels"]["amenities"][self.trait]
        return {"said": word(entry["said"]), "trait": word(entry)}

    def conveys(self) -> Mapping[str, Any]:
        """Say what the tag is."""
        words = [word_of("hotels", "amenities", self.trait)]
        return {"sense": Sense.SHOWS.value, "level": self.level, "words": words}

    def met_by(self, offer: Offer) -> bool:
        """Look for the tag."""
        return offer.provider.has(self.trait)

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Give it the tag."""
        offer.provider.traits.add(self.trait)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Take the tag away."""
        offer.provider.traits.discard(self.trait)


@dataclass
class FreeThroughout(Travel):
    """The hotel has the room free on all nights of the stay; what misses it is booked up for the last one."""

    nights: Sequence[date]
    kind: str = "free_throughout"
    level = "provider"
    slot: Slot = Slot.DURATION

    def values(self) -> dict[str, object]:
        """Return how many nights."""
        return {"count": len(self.nights)}

    def conveys(self) -> Mapping[str, Any]:
        """Say on which nights."""
        return {"sense": Sense.FREE_ON.value, "level": self.level, "words": [date_of(night) for night in self.nights]}

    def met_by(self, offer: Offer) -> bool:
        """Look whether it is booked up at the end."""
        return not offer.provider.has("booked_up")

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Keep rooms free."""
        offer.provider.traits.discard("booked_up")

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Book up the last night."""
        offer.provider.traits.add("booked_up")


def book_up(hotels: Sequence[ProviderSketch], night: date) -> None:
    """Take what hotels that are booked up sell for a night off the shelves."""
    for hotel in hotels:
        if hotel.has("booked_up"):
            for room in hotel.products:
                if room.facts["date"] == date_of(night):
                    room.facts["left"] = 0


def _room(fact: str, value: str, others: Sequence[str], said: str) -> RoomIs:
    shown = {"value": word_of("hotels", said, value)}
    return RoomIs(f"room_{fact}", fact, lambda v: v == value, (value,), tuple(others), shown)
