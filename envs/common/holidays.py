"""General tools on holidays: which one a day is, and when a named feast or solar term falls."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from vitagym.envs.common.conditions import DATE, DateText
from vitagym.language import Language, text
from vitagym.tools.conditions import Reads, gives
from vitagym.tools.results import Refused
from vitagym.tools.tool import Kind, tool
from vitagym.world.calendar_cn import FIRST_YEAR, LAST_YEAR, Feast, feasts_of, feasts_on, has_year, public_holiday
from vitagym.world.feast_names import feasts_named
from vitagym.world.world import World


def _year_text(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Year = Annotated[str, Reads(_year_text)]
HolidayOfDay = Annotated[dict[str, Any], gives()]
DayOfHoliday = Annotated[dict[str, Any], gives(DATE)]


@tool(Kind.GENERAL)
def get_date_holiday_info(_: World, date: DateText) -> HolidayOfDay:
    """The public holiday on a day (None where it is none), and the feasts and solar terms on it, in both languages."""
    day = _date(date)
    holiday = {language.value: public_holiday(day, language) for language in Language}
    return {
        "date": date,
        "holiday": holiday if all(holiday.values()) else None,
        "festivals": [_names(key) for key in feasts_on(day)],
    }


@tool(Kind.GENERAL)
def get_holiday_date(world: World, year: Year, holiday_name: str) -> DayOfHoliday:
    """The day of a named feast or solar term; ``also`` lists others where a name or a year has several of them."""
    number = _year(year)
    found = [feast for key in feasts_named(holiday_name) for feast in feasts_of(number, key)]
    if not found:
        message = text("feedback", "unknown_feast", world.catalogue.language)
        return {"year": number, "holiday": None, "date": None, "message": message}
    first, *others = (_shown(feast) for feast in found)
    return {"year": number, **first, **({"also": others} if others else {})}


def _date(words: str) -> date:
    day = date.fromisoformat(words)
    if not has_year(day.year):
        raise Refused("year_not_covered", parameter="date", value=day.year, first=FIRST_YEAR, last=LAST_YEAR)
    return day


def _year(words: str) -> int:
    if not (words.isascii() and words.isdigit() and len(words) == 4):
        raise Refused("not_year", parameter="year", value=words)
    if not has_year(int(words)):
        raise Refused("year_not_covered", parameter="year", value=words, first=FIRST_YEAR, last=LAST_YEAR)
    return int(words)


def _shown(feast: Feast) -> dict[str, Any]:
    return {"holiday": _names(feast.key), "date": feast.date.isoformat()}


def _names(key: str) -> dict[str, str]:
    return {language.value: text("feasts", key, language) for language in Language}
