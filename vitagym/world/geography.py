"""Which place, and which city, a text means: fuzzy matching as the public benchmark recorded it, for known cities only.

Scores and thresholds are the recorded ones. They alone would find London in Kunming, so a text must also share
something distinctive with what it is matched to: a city's name, or most of a known address.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from rapidfuzz import fuzz
from rapidfuzz.utils import default_process

from vitagym.world.catalogue import Catalogue
from vitagym.world.entities import Place, WeatherDay

_PLACE_PARTIAL = 30
_PLACE_RATIO = 20
_CITY_PARTIAL = 50
_SAME_CITY = 85
_SAME_PLACE = 75
_REMEMBERED = 1024
_CITY_WORD = re.compile(r"\s+(city|shi)$|市$", re.IGNORECASE)
_WIDE = re.compile(r"[\u2e80-\u9fff]")


class Geography:
    """The places and cities of one world.

    Args:
        places: Every place that the world knows, in stored order.
        weather: Its weather, whose cities are known too.
    """

    def __init__(self, places: Sequence[Place], weather: Sequence[WeatherDay]) -> None:
        self._places = tuple({place.address: place for place in reversed(places)}.values())[::-1]
        self._texts = tuple(default_process(place.address) for place in self._places)
        self._weather = tuple(weather)
        self._cities = tuple(dict.fromkeys(row.city for row in weather))
        self._names = tuple(dict.fromkeys(name for city in self._cities if (name := city_name(city))))
        self._found: dict[str, Place | None] = {}
        self._found_city: dict[str, str | None] = {}

    def place(self, address: str) -> Place | None:
        """Return the known place that an address means, or None where it means none."""
        if address not in self._found:
            _forget_when_full(self._found)
            self._found[address] = self._best_place(address)
        return self._found[address]

    def city(self, address: str) -> str | None:
        """Return the city with weather that an address or a city's name means, or None where it means none."""
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
        if scores[best] < _SAME_PLACE and not any(names_city(query, name) for name in self._names):
            return None
        return self._places[best]

    def _best_city(self, address: str) -> str | None:
        query = default_process(address)
        if not query or not self._cities:
            return None
        scores = [fuzz.partial_ratio(query, default_process(city)) for city in self._cities]
        best = max(range(len(scores)), key=scores.__getitem__)
        if round(scores[best]) >= _CITY_PARTIAL and names_city(query, city_name(self._cities[best])):
            return self._cities[best]
        place = self._best_place(address)
        if place is None:
            return None
        text = default_process(place.address)
        return next((city for city in self._cities if names_city(text, city_name(city))), self._only_city())

    def _only_city(self) -> str | None:
        return self._cities[0] if len(self._cities) == 1 else None


def geography(catalogue: Catalogue) -> Geography:
    """Return the places and cities of a catalogue, made once."""
    return catalogue.built("geography", lambda c: Geography(c.all_places, c.weather))


def city_name(city: str) -> str:
    """Return the distinctive part of a city's name, ready for matching: ``"Kunming City"`` gives ``"kunming"``."""
    return default_process(_CITY_WORD.sub("", city.strip()))


def names_city(text: str, name: str) -> bool:
    """Return whether a processed text names a city: its words (in Chinese: its characters) occur, but for a slip."""
    if not name:
        return False
    if _WIDE.search(name):
        return name in text
    words, size = text.split(), len(name.split())
    runs: Iterable[str] = (" ".join(words[i : i + size]) for i in range(len(words) - size + 1))
    return any(fuzz.ratio(name, run) >= _SAME_CITY for run in runs)


def _forget_when_full(memory: dict[str, Place | None] | dict[str, str | None]) -> None:
    if len(memory) >= _REMEMBERED:
        memory.clear()
