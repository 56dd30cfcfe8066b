"""The Chinese calendar of any year from 1970 to 2100: public holidays, feasts and solar terms.

A feast of the lunar calendar counts to the Gregorian year in which it falls. Everything is computed once a year and
then remembered. It depends on no clock and no locale. Names stand in ``assets/text/feasts.toml``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING

from vitagym.language import Language

if TYPE_CHECKING:
    from lunar_python import Solar

FIRST_YEAR, LAST_YEAR = 1970, 2100
_LIBRARY_LANGUAGE = {Language.EN: "en_US", Language.ZH: "zh_CN"}

_FIXED = {
    "new_year": (1, 1),
    "valentine": (2, 14),
    "women": (3, 8),
    "arbor": (3, 12),
    "white": (3, 14),
    "consumer": (3, 15),
    "april_fools": (4, 1),
    "earth": (4, 22),
    "labor": (5, 1),
    "youth": (5, 4),
    "nurses": (5, 12),
    "online_valentine": (5, 20),
    "children": (6, 1),
    "party": (7, 1),
    "army": (8, 1),
    "teachers": (9, 10),
    "national": (10, 1),
    "halloween": (10, 31),
    "all_saints": (11, 1),
    "singles": (11, 11),
    "double_twelve": (12, 12),
    "christmas_eve": (12, 24),
    "christmas": (12, 25),
    "new_years_eve": (12, 31),
}
"""Feasts on a fixed day: month, day."""

_SUNDAY, _THURSDAY = 6, 3
_FLOATING = {"mother": (5, 2, _SUNDAY), "father": (6, 3, _SUNDAY), "thanksgiving": (11, 4, _THURSDAY)}
"""Feasts on the n-th weekday of a month: month, n, weekday."""

_LUNAR = {
    "spring_festival": (1, 1),
    "break_five": (1, 5),
    "lantern": (1, 15),
    "dragon_head": (2, 2),
    "shangsi": (3, 3),
    "dragon_boat": (5, 5),
    "qixi": (7, 7),
    "ghost": (7, 15),
    "mid_autumn": (8, 15),
    "double_ninth": (9, 9),
    "winter_clothes": (10, 1),
    "xiayuan": (10, 15),
    "laba": (12, 8),
    "little_new_year_north": (12, 23),
    "little_new_year_south": (12, 24),
}
"""Feasts of the lunar calendar: month, day."""

_TERMS = {
    "slight_cold": "小寒",
    "great_cold": "大寒",
    "start_of_spring": "立春",
    "rain_water": "雨水",
    "awakening_of_insects": "惊蛰",
    "spring_equinox": "春分",
    "qingming": "清明",
    "grain_rain": "谷雨",
    "start_of_summer": "立夏",
    "grain_buds": "小满",
    "grain_in_ear": "芒种",
    "summer_solstice": "夏至",
    "slight_heat": "小暑",
    "great_heat": "大暑",
    "start_of_autumn": "立秋",
    "end_of_heat": "处暑",
    "white_dew": "白露",
    "autumn_equinox": "秋分",
    "cold_dew": "寒露",
    "frost_descent": "霜降",
    "start_of_winter": "立冬",
    "slight_snow": "小雪",
    "great_snow": "大雪",
    "winter_solstice": "DONG_ZHI",
}
"""Solar terms: their keys in the library's table of a year, which begins with the winter solstice before it."""


@dataclass(frozen=True, slots=True)
class Feast:
    """A feast or solar term on its day; ``key`` names it in ``assets/text/feasts.toml``."""

    key: str
    date: date


@dataclass(frozen=True, slots=True)
class _Year:
    public: Mapping[Language, Mapping[date, str]]
    by_key: Mapping[str, tuple[date, ...]]
    by_date: Mapping[date, tuple[str, ...]]


def has_year(year: int) -> bool:
    """Return whether the calendar covers a year."""
    return FIRST_YEAR <= year <= LAST_YEAR


def public_holiday(day: date, language: Language) -> str | None:
    """Return the name of the public holiday (or the day off in lieu) in China on a day, or None where it is none."""
    return _year(day.year).public[language].get(day)


def feasts_on(day: date) -> tuple[str, ...]:
    """Return the keys of the feasts and solar terms that fall on a day."""
    return _year(day.year).by_date.get(day, ())


def feasts_of(year: int, key: str) -> tuple[Feast, ...]:
    """Return when a feast falls in a year.

    Twelfth-month feasts of the lunar calendar can fall twice in one Gregorian year, and then miss the next: where there
    is none, the one of the Chinese year of that number is given.
    """
    return tuple(Feast(key, day) for day in _year(year).by_key[key])


def feast_keys() -> tuple[str, ...]:
    """Return the keys of all feasts and solar terms."""
    return tuple(_year(FIRST_YEAR).by_key)


@cache
def _year(year: int) -> _Year:
    from holidays import country_holidays

    by_key = dict(_feasts(year))
    by_date: dict[date, tuple[str, ...]] = {}
    for key, days in by_key.items():
        for day in days:
            if day.year == year:
                by_date[day] = (*by_date.get(day, ()), key)
    public = {
        language: {
            day: str(name)
            for day, name in country_holidays("CN", years=year, language=code).items()
            if day.year == year
        }
        for language, code in _LIBRARY_LANGUAGE.items()
    }
    return _Year(public, by_key, by_date)


def _feasts(year: int) -> Iterator[tuple[str, tuple[date, ...]]]:
    for key, (month, day) in _FIXED.items():
        yield key, (date(year, month, day),)
    for key, (month, nth, weekday) in _FLOATING.items():
        yield key, (_nth_weekday(year, month, nth, weekday),)
    yield "black_friday", (_nth_weekday(year, 11, 4, _THURSDAY) + timedelta(days=1),)
    months = [_lunar_months(y) for y in (year - 1, year)]
    for key, (month, day) in _LUNAR.items():
        yield key, _in_year(year, tuple(first[month] + timedelta(days=day - 1) for first in months))
    yield "lunar_new_years_eve", (months[1][1] - timedelta(days=1),)
    terms = _solar_terms(year)
    yield from ((key, (day,)) for key, day in terms.items())
    yield "cold_food", (terms["qingming"] - timedelta(days=1),)


def _nth_weekday(year: int, month: int, nth: int, weekday: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))


def _in_year(year: int, days: tuple[date, ...]) -> tuple[date, ...]:
    return tuple(day for day in days if day.year == year) or days[-1:]


def _lunar_months(year: int) -> dict[int, date]:
    """Return the first days of the twelve months of a Chinese year, leap month left out."""
    from lunar_python import LunarYear, Solar

    table = LunarYear.fromYear(year)
    return {month: _date(Solar.fromJulianDay(table.getMonth(month).getFirstJulianDay())) for month in range(1, 13)}


def _solar_terms(year: int) -> dict[str, date]:
    from lunar_python import Solar

    table = Solar.fromYmd(year, 6, 1).getLunar().getJieQiTable()
    return {key: _date(table[name]) for key, name in _TERMS.items()}


def _date(solar: Solar) -> date:
    return date(solar.getYear(), solar.getMonth(), solar.getDay())
