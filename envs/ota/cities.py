"""Which hotels, attractions, flights and trains belong to a city: the recorded fuzzy filter, less what lies elsewhere.

The filter alone (score ≥ 40) lets other cities in. So an entry whose city can be told is kept only where that is the
city asked for, and a city that the world does not know is refused.
"""

from __future__ import annotations

import re
from itertools import pairwise

from rapidfuzz import fuzz
from rapidfuzz.utils import default_process

from vitagym.envs.common.conditions import CITY
from vitagym.envs.ota.entities import Journey
from vitagym.tools.results import Refused
from vitagym.world.catalogue import Catalogue
from vitagym.world.entities import Provider
from vitagym.world.geography import city_name, geography, names_city
from vitagym.world.world import World

_SCORE = 40
_SAME_CITY = 85
_LONGEST = 500
_REMEMBERED = 256
_ASIDE = re.compile(r"[(（][^)）]*[)）]")
_SPLIT = re.compile(r"[,，;；]")
_PROVINCE = re.compile(r"\b(?:province|autonomous region)$", re.IGNORECASE)
_NO_CITY = re.compile(
    r"\d|\b(?:road|street|avenue|lane|district|county|branch|store|hotel|station|airport|plaza|building|floor|square|town|"
    r"village|center|centre|mall|park|garden|exit)\b",
    re.IGNORECASE,
)
_WIDE = re.compile(r"[\u4e00-\u9fff]")
_CITY_ZH = re.compile(r"(?:^|省|自治区|[，,（(\s])([^省区市\W]{2,8}?)市")


class Cities:
    """The cities that a world knows, which of them a text means, and what lies there.

    Args:
        catalogue: The world's catalogue.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._geography = geography(catalogue)
        providers = tuple(catalogue.providers.values())
        places = [place for one in providers if not isinstance(one, Journey) for place in one.places]
        self._city_of = {place.address: city_in(place.address) for place in places}
        names = [city_name(day.city) for day in catalogue.weather]
        for one in providers:
            if isinstance(one, Journey):
                names += (city_name(one.departure_city), city_name(one.arrival_city))
        names += [city for city in self._city_of.values() if city is not None]
        self._names = tuple(dict.fromkeys(name for name in names if name))
        self._meant: dict[str, frozenset[str]] = {}
        self._in: dict[str, frozenset[str]] = {}

    def meant(self, text: str) -> frozenset[str]:
        """Return the cities that a text (a city's name, or an address in it) means; empty where it means none."""
        if len(text) > _LONGEST:
            return frozenset()
        if text not in self._meant:
            _forget_when_full(self._meant)
            self._meant[text] = self._named(text) or self._around(text)
        return self._meant[text]

    def addresses_in(self, text: str) -> frozenset[str]:
        """Return the addresses of hotels and attractions that belong to the city that a text means."""
        if text not in self._in:
            _forget_when_full(self._in)
            meant = self.meant(text)
            self._in[text] = frozenset(
                address
                for address, city in self._city_of.items()
                if (city is None or city in meant) and fuzz.partial_ratio(text, address) >= _SCORE
            )
        return self._in[text]

    def _named(self, text: str) -> frozenset[str]:
        query, name = default_process(text), city_name(text)
        return frozenset(
            known
            for known in self._names
            if names_city(query, known) or names_city(known, name) or fuzz.ratio(known, name) >= _SAME_CITY
        )

    def _around(self, text: str) -> frozenset[str]:
        place = self._geography.place(text)
        city = None if place is None else city_in(place.address)
        return frozenset() if city is None else frozenset({city})


def cities(world: World) -> Cities:
    """Return the cities of a world, made once a task."""
    return world.catalogue.built("ota_cities", Cities)


def known_city(world: World, text: str) -> None:
    """Refuse a city that the world does not know."""
    if not cities(world).meant(text):
        raise Refused("no_such_city", fact=CITY.name, value=text)


def serves(world: World, journey: Provider, departure: str, destination: str) -> bool:
    """Return whether a flight or train goes from one city to another."""
    if not isinstance(journey, Journey):
        return False
    ends = ((departure, journey.departure_city), (destination, journey.arrival_city))
    meant = cities(world).meant
    return all(city_name(city) in meant(text) and fuzz.partial_ratio(text, city) >= _SCORE for text, city in ends)


def city_in(address: str) -> str | None:
    """Return the city that an address lies in, ready for matching; None where it cannot be told."""
    if _WIDE.search(address):
        found = _CITY_ZH.search(address)
        return None if found is None else default_process(found[1])
    parts = [part.strip() for part in _SPLIT.split(_ASIDE.sub("", address)) if part.strip()]
    for before, part in pairwise(parts):
        if _PROVINCE.search(part):
            return city_name(before)
    return city_name(parts[-1]) if len(parts) > 1 and not _NO_CITY.search(parts[-1]) else None


def _forget_when_full(memory: dict[str, frozenset[str]]) -> None:
    if len(memory) >= _REMEMBERED:
        memory.clear()
