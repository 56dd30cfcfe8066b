"""Which place, and which city, a text means: fuzzy matching as the public benchmark recorded it, for known cities only.

Scores and thresholds are the recorded ones. They alone would find London in Kunming, so a text must also share
something distinctive with what it is matched to: a city's name, or most of a known address.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from rapidfuzz import fuzz
from rapidfuzz.utils import default_process

from vitagym.world.catalogue import Catalogue
from vitagym.world.entities import Place, WeatherDay
from vitagym.world.times import distance_m

_PLACE_PARTIAL = 30
_PLACE_RATIO = 20
_CITY_PARTIAL = 50
_SAME_WORD = 88
_SHARED = 0.7
_CITY_WIDTH_M = 60_000
_LONGEST = 1000
_REMEMBERED = 1024
_CITY_WORD = re.compile(r"\s+(city|shi)$|市$", re.IGNORECASE)
_WIDE = re.compile(r"[\u2e80-\u9fff]")
_ROAD = re.compile(r"((east|west|north|south|middle) )?(road|rd|street|avenue|lane|boulevard)\b")
_WIDE_ROAD = re.compile(r"[东西南北中]?[路街道巷]")


class Geography:
    """The places and cities of one world.

    Args:
        places: Every place that the world knows, in stored order.
        weather: Its weather, whose cities are known too.
    """

    def __init__(self, places: Sequence[Place], weather: Sequence[WeatherDay]) -> None:
        by_address: dict[str, Place] = {}
        for place in places:
            by_address.setdefault(place.address, place)
        self._places = tuple(by_address.values())
        self._texts = tuple(default_process(place.address) for place in self._places)
        self._weather = tuple(weather)
        self._cities = tuple(dict.fromkeys(row.city for row in weather))
        self._names = tuple(city_name(city) for city in self._cities)
        self._found: dict[str, Place | None] = {}
        self._found_city: dict[str, str | None] = {}

    def place(self, address: str) -> Place | None:
        """Return the known place that an address means, or None where it means none."""
        if len(address) > _LONGEST:
            return None
        if address not in self._found:
            _forget_when_full(self._found)
            self._found[address] = self._best_place(address)
        return self._found[address]

    def city(self, address: str) -> str | None:
        """Return the city with weather that an address or a city's name means, or None where it means none."""
        if len(address) > _LONGEST:
            return None
        if address not in self._found_city:
            _forget_when_full(self._found_city)
            self._found_city[address] = self._best_city(address)
        return self._found_city[address]

    @cached_property
    def weather_of(self) -> dict[str, tuple[WeatherDay, ...]]:
        """City -> its weather, by date."""
        rows: dict[str, list[WeatherDay]] = {city: [] for city in self._cities}
        for row in self._weather:
            rows[row.city].append(row)
        return {city: tuple(sorted(days, key=lambda day: day.date)) for city, days in rows.items()}

    def _best_place(self, address: str) -> Place | None:
        query = default_process(address)
        if not query or not self._places:
            return None
        scores = [fuzz.partial_ratio(query, text) for text in self._texts]
        best = max(range(len(scores)), key=scores.__getitem__)
        text = self._texts[best]
        if round(scores[best]) < _PLACE_PARTIAL or fuzz.ratio(query, text) < _PLACE_RATIO:
            return None
        if _shared(query, text) < _SHARED and not any(names_city(query, name) for name in self._names):
            return None
        return self._places[best]

    def _best_city(self, address: str) -> str | None:
        query = default_process(address)
        if not query or not self._cities:
            return None
        scores = [fuzz.partial_ratio(query, default_process(city)) for city in self._cities]
        best = max(range(len(scores)), key=scores.__getitem__)
        if round(scores[best]) >= _CITY_PARTIAL and names_city(query, self._names[best]):
            return self._cities[best]
        place = self._best_place(address)
        return None if place is None else self._city_of(place)

    def _city_of(self, place: Place) -> str | None:
        """Return the city that a place's address names, or else the one that the nearest address naming one names."""
        named = self._city_named_by.get(place.address)
        if named is not None:
            return named
        far = [
            (distance_m(place.longitude, place.latitude, other.longitude, other.latitude), city)
            for other in self._places
            if (city := self._city_named_by.get(other.address)) is not None
        ]
        metres, city = min(far, default=(_CITY_WIDTH_M, None), key=lambda one: one[0])
        return city if metres < _CITY_WIDTH_M else None

    @cached_property
    def _city_named_by(self) -> dict[str, str]:
        """Address -> the city with weather that it names, for those that name one."""
        found: dict[str, str] = {}
        for place, text in zip(self._places, self._texts, strict=True):
            for city, name in zip(self._cities, self._names, strict=True):
                if names_city(text, name):
                    found.setdefault(place.address, city)
        return found


def geography(catalogue: Catalogue) -> Geography:
    """Return the places and cities of a catalogue, made once."""
    return catalogue.built("geography", lambda c: Geography(c.all_places, c.weather))


def city_name(city: str) -> str:
    """Return the distinctive part of a city's name, ready for matching: ``"Kunming City"`` gives ``"kunming"``."""
    return default_process(_CITY_WORD.sub("", city.strip()))


def names_city(text: str, name: str) -> bool:
    """Return whether a processed text names a city: its words (in Chinese: its characters) occur, but for a slip.

    A road that is called after a city does not name it.
    """
    if not name:
        return False
    if _WIDE.search(name):
        return any(not _WIDE_ROAD.match(text, found.end()) for found in re.finditer(re.escape(name), text))
    words, size = text.split(), len(name.split())
    for start in range(len(words) - size + 1):
        end = start + size
        if _same_word(name, " ".join(words[start:end])) and not _ROAD.match(" ".join(words[end : end + 2])):
            return True
    return False


def _same_word(word: str, other: str) -> bool:
    return word == other or fuzz.ratio(word, other) >= _SAME_WORD


def _shared(query: str, text: str) -> float:
    """Return which share of a processed query (by length) occurs in a text: whole words, or pairs in Chinese."""
    if _WIDE.search(query):
        parts: Sequence[str] = [query[i : i + 2] for i in range(len(query) - 1)]
        return sum(part in text for part in parts) / max(1, len(parts))
    known = text.split()
    words = query.split()
    shared = sum(len(w) for w in words if any(k.startswith(w) or _same_word(w, k) for k in known))
    return shared / max(1, sum(map(len, words)))


def _forget_when_full(memory: dict[str, Place | None] | dict[str, str | None]) -> None:
    if len(memory) >= _REMEMBERED:
        memory.clear()
