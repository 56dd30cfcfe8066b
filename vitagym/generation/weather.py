"""The weather of a city on a day: what a person plans by, with temperatures of the place and season."""

from __future__ import annotations

import math
from datetime import date
from enum import StrEnum
from functools import cache
from typing import Any

from vitagym.generation.geography import City
from vitagym.generation.terms import Term, word, words
from vitagym.randomness import Stream


class Sky(StrEnum):
    """What a person plans by."""

    DRY = "dry"
    RAIN = "rain"
    SNOW = "snow"


_HUMIDITY = {Sky.DRY: (30, 65), Sky.RAIN: (70, 96), Sky.SNOW: (60, 90)}


def weather_day(stream: Stream, city: City, day: date, sky: Sky) -> dict[str, Any]:
    """Return one row of weather in the public JSON shape, its city and category still terms.

    Temperatures follow latitude and season: in °C, whole, the low below the high.
    """
    low, high = _temperatures(city, day)
    low, high = low + stream.between(-2, 2), high + stream.between(-2, 2)
    if sky is Sky.RAIN:
        low, high = max(low, 2), max(high - 3, 5)
    if sky is Sky.SNOW:
        low, high = min(low, -3), min(high, 1)
    return {
        "city": city.formal,
        "category": stream.choice(skies(sky)),
        "datetime": day.isoformat(),
        "temperature": [low, max(high, low + 3)],
        "humidity": stream.between(*_HUMIDITY[sky]),
    }


@cache
def skies(sky: Sky) -> tuple[Term, ...]:
    """Return the categories that count as this."""
    return tuple(word(entry) for entry in words("weather")[sky.value])


def _temperatures(city: City, day: date) -> tuple[int, int]:
    """Return the usual low and high: a yearly mean that falls with latitude, and a swing that grows with it."""
    mean = 26.2 - 0.78 * (city.latitude - 18)
    swing = 3.5 + 0.61 * (city.latitude - 18)
    season = -math.cos(2 * math.pi * (day.timetuple().tm_yday - 20) / 365.25)
    middle = mean + swing * season
    return round(middle - 4.5), round(middle + 4.5)
