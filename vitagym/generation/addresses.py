"""Addresses in a city: homes, offices, shops in malls, houses in streets; each a spot at a plausible place.

No street, community, tower or mall of a city is used twice in one world, so that an address means one place only and
the geocoder's fuzzy match finds the right one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from vitagym.generation.geography import City, District
from vitagym.generation.spots import Spot, moved
from vitagym.generation.terms import Term, word, words
from vitagym.randomness import Stream

_IN_DISTRICT_M = (200, 2_200)


class Addresses:
    """Makes the addresses of one world in one city.

    Args:
        stream: Where its draws come from.
        city: The city.
    """

    def __init__(self, stream: Stream, city: City) -> None:
        self.city = city
        self._stream = stream
        self._streets = _drawn(stream, _streets())
        self._names = {part: _drawn(stream, _names(part)) for part in ("communities", "towers", "malls")}

    def home(self, at: tuple[float, float] | None = None) -> Spot:
        """Return a flat in a housing estate."""
        draw = self._stream
        return self._spot(
            "home",
            at or self.somewhere(),
            community=next(self._names["communities"]),
            building=draw.between(1, 18),
            unit=draw.between(1, 4),
            room=draw.between(2, 18) * 100 + draw.between(1, 4),
        )

    def office(self, at: tuple[float, float] | None = None) -> Spot:
        """Return a floor of an office building."""
        return self._spot(
            "office", at or self.somewhere(), tower=next(self._names["towers"]), floor=self._stream.between(2, 28)
        )

    def shop(self, at: tuple[float, float] | None = None) -> Spot:
        """Return a shop in a mall; once every mall of the city has one, a house in a street."""
        mall = next(self._names["malls"], None)
        if mall is None:
            return self.house(at)
        number = f"{self._stream.between(1, 5)}-{self._stream.between(1, 40):02d}"
        return self._spot("shop", at or self.somewhere(), mall=mall, shop=number)

    def house(self, at: tuple[float, float] | None = None) -> Spot:
        """Return a house number in a street."""
        return self._spot("street", at or self.somewhere())

    def place(self, name: Term, at: tuple[float, float] | None = None) -> Spot:
        """Return the address of a named place (a park, a hospital), which contains its name."""
        return self._spot("place", at or self.somewhere(), place=name)

    def somewhere(self, district: District | None = None) -> tuple[float, float]:
        """Draw a point in a district of the city (None: in any)."""
        chosen = district or self._stream.choice(self.city.districts)
        low, high = _IN_DISTRICT_M
        metres = low + (high - low) * self._stream.random()
        return moved(chosen.longitude, chosen.latitude, metres, 360 * self._stream.random())

    def _spot(self, form: str, at: tuple[float, float], **parts: object) -> Spot:
        address = word(words("addresses")["form"][form]).fill(
            street=next(self._streets),
            number=self._stream.between(6, 398),
            district=self.city.district_at(*at).name,
            city=self.city.formal,
            **parts,
        )
        return Spot(address, *at)


def _drawn(stream: Stream, terms: Sequence[Term]) -> Iterator[Term]:
    """Yield each term once, in a drawn order, drawn as far as it is used; runs out like any iterator."""
    left = list(terms)
    fork = Stream(stream.below(1 << 30), "terms")
    while left:
        chosen = fork.below(len(left))
        left[chosen], left[-1] = left[-1], left[chosen]
        yield left.pop()


@cache
def _streets() -> tuple[Term, ...]:
    table = words("addresses")
    sides = [word(side) for side in table["sides"].values()]
    return tuple(side.fill(base=word(base)) for base in table["streets"]["bases"] for side in sides)


@cache
def _names(part: str) -> tuple[Term, ...]:
    table = words("addresses")[part]
    pairs = [(word(first), word(second)) for first in table["first"] for second in table["second"]]
    return tuple(Term(f"{first.en} {second.en}", f"{first.zh}{second.zh}") for first, second in pairs)
