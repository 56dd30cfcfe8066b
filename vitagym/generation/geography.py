"""Where things are: cities of China with their districts, stations, airports and ports, and the railway between them.

The facts stand in ``assets/words/cities.toml``. Distances by rail follow the main lines, so that a train from one
peninsula to another goes round the bay, and an island has no train to the mainland.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from vitagym.errors import UnknownName
from vitagym.generation.spots import Spot
from vitagym.generation.terms import Term, word, words
from vitagym.world.times import distance_m

RAIL_DETOUR = 1.1
"""How much longer a line is than the great circle between two neighbouring cities."""


class TerminalKind(StrEnum):
    """What leaves from a terminal."""

    STATION = "station"
    AIRPORT = "airport"
    PORT = "port"


@dataclass(frozen=True, slots=True)
class District:
    """A district of a city and a point in its built-up part."""

    name: Term
    longitude: float
    latitude: float


@dataclass(frozen=True, slots=True)
class Terminal:
    """A railway station, airport or passenger port.

    Attributes:
        name: What people call it, e.g. ``Hangzhou East Railway Station``.
        spot: Its address, which contains the name, and where it is.
    """

    kind: TerminalKind
    name: Term
    spot: Spot


@dataclass(frozen=True, slots=True, eq=False)
class City:
    """A city. There is one object of each, so that comparing them is quick.

    Attributes:
        key: Its key in the word list.
        name: What people call it, and how its services write it: ``Hangzhou`` / ``杭州``.
        formal: How addresses and the weather write it: ``Hangzhou`` / ``杭州市``.
        stations: Its main railway stations, the busiest first.
        airports: Its airports; empty where it has none.
        port: Its port for passengers, or None.
        outskirts: Districts further out that one of these lies in.
    """

    key: str
    name: Term
    formal: Term
    province: Term
    longitude: float
    latitude: float
    districts: tuple[District, ...]
    stations: tuple[Terminal, ...]
    airports: tuple[Terminal, ...]
    port: Terminal | None
    outskirts: tuple[District, ...]

    @property
    def station(self) -> Terminal:
        """Its main railway station."""
        return self.stations[0]

    def district_at(self, longitude: float, latitude: float) -> District:
        """Return the district whose centre is nearest to a point."""
        narrow = math.cos(math.radians(latitude)) ** 2
        every = (*self.districts, *self.outskirts)
        # Within a city the ground is flat enough to tell which is nearest.
        return min(every, key=lambda d: narrow * (d.longitude - longitude) ** 2 + (d.latitude - latitude) ** 2)

    def km_to(self, other: City) -> float:
        """Return the great-circle distance between the centres, in kilometres."""
        return distance_m(self.longitude, self.latitude, other.longitude, other.latitude) / 1000


@cache
def cities() -> Mapping[str, City]:
    """Return every city by key, in the order of the word list."""
    return {key: _city(key, row) for key, row in words("cities")["cities"].items()}


def city(key: str) -> City:
    """Return the city of that key; raises UnknownName for any other."""
    known = cities()
    if key not in known:
        raise UnknownName("city", key, known)
    return known[key]


def rail_km(start: City, end: City) -> float | None:
    """Return how far it is from one city to another along the main lines, in kilometres; None where no line leads."""
    return _rail_from(start.key).get(end.key)


@cache
def _rail_from(start: str) -> Mapping[str, float]:
    far: dict[str, float] = {}
    ahead = [(0.0, start)]
    while ahead:
        km, here = heapq.heappop(ahead)
        if here in far:
            continue
        far[here] = km
        for neighbour in _neighbours()[here]:
            step = city(here).km_to(city(neighbour)) * RAIL_DETOUR
            heapq.heappush(ahead, (km + step, neighbour))
    return far


@cache
def _neighbours() -> Mapping[str, tuple[str, ...]]:
    joined: dict[str, list[str]] = {key: [] for key in cities()}
    for a, b in words("cities")["rail"]:
        joined[a].append(b)
        joined[b].append(a)
    return {key: tuple(others) for key, others in joined.items()}


def _city(key: str, row: Mapping[str, Any]) -> City:
    name = Term(*row["name"])
    formal = Term(name.en, f"{name.zh}市")
    port = row.get("port")
    terminals = [*row["stations"], *row["airports"], *([] if port is None else [port])]
    inner = {en for en, *_ in row["districts"]}
    return City(
        key=key,
        name=name,
        formal=formal,
        province=Term(*row["province"]),
        longitude=row["centre"][0],
        latitude=row["centre"][1],
        districts=tuple(District(Term(en, zh), lon, lat) for en, zh, lon, lat in row["districts"]),
        stations=tuple(_terminal(TerminalKind.STATION, formal, r) for r in row["stations"]),
        airports=tuple(_terminal(TerminalKind.AIRPORT, formal, r) for r in row["airports"]),
        port=None if port is None else _terminal(TerminalKind.PORT, formal, port),
        outskirts=tuple(District(Term(r[4], r[5]), r[2], r[3]) for r in terminals if r[4] not in inner),
    )


def _terminal(kind: TerminalKind, in_city: Term, row: Sequence[Any]) -> Terminal:
    name, district = Term(row[0], row[1]), Term(row[4], row[5])
    address = word(words("addresses")["form"]["terminal"]).fill(name=name, district=district, city=in_city)
    return Terminal(kind, name, Spot(address, row[2], row[3]))
