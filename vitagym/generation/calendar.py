"""Days on which stories happen: drawn over several years, weekdays and holidays kept apart."""

from __future__ import annotations

from datetime import date, timedelta

from vitagym.randomness import Stream

_FIRST = date(2023, 3, 1)
_DAYS = 1200


def a_day(stream: Stream) -> date:
    """Draw any day of the years that stories happen in."""
    return _FIRST + timedelta(days=stream.below(_DAYS))


def a_workday(stream: Stream) -> date:
    """Draw a day from Monday to Friday, outside the long holidays."""
    while True:
        day = a_day(stream)
        if day.weekday() < 5 and not _in_long_holiday(day):
            return day


def _in_long_holiday(day: date) -> bool:
    """Return whether it may lie in a holiday week of any year (Spring Festival, Labour Day, National Day)."""
    return (
        (day.month == 10 and day.day <= 8)
        or (day.month == 5 and day.day <= 5)
        or (day.month == 1 and day.day >= 20)
        or (day.month == 2 and day.day <= 20)
    )
