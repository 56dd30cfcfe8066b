"""How people say times, dates, amounts and counts, in both languages at once (words: ``assets/text/speech.toml``)."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import lru_cache

from vitagym.generation.terms import Term, phrase

_PARTS = ((5, "night"), (9, "early"), (12, "morning"), (13, "midday"), (18, "afternoon"), (24, "evening"))


@lru_cache(maxsize=2048)
def clock(time: datetime) -> Term:
    """Return a time of day as people say it: ``12:30 PM`` / ``中午12点半``."""
    if time.minute == 0 and time.hour in (0, 12):
        return phrase("speech", "midnight" if time.hour == 0 else "noon")
    half = "am" if time.hour < 12 else "pm"
    form = {0: "hour", 30: "half"}.get(time.minute, "minute")
    return phrase("speech", f"{form}_{half}").fill(
        hour=(time.hour + 11) % 12 + 1,
        clock_hour=time.hour if time.hour <= 12 else time.hour - 12,
        minute=f"{time.minute:02d}",
        part=day_part(time),
    )


def day_part(time: datetime) -> Term:
    """Return the part of the day that a time lies in."""
    return phrase("speech", next(name for end, name in _PARTS if time.hour < end))


@lru_cache(maxsize=4096)
def day(when: date | datetime, now: date | datetime) -> Term:
    """Return a day as people say it at some time: today, tomorrow, this Saturday, next Friday, June 3."""
    when, now = _date(when), _date(now)
    away = (when - now).days
    if away in (0, 1, 2):
        return phrase("speech", ("today", "tomorrow", "after_tomorrow")[away])
    week = (when - (now - timedelta(days=now.weekday()))).days // 7
    if away > 0 and week in (0, 1):
        return phrase("speech", "this_weekday" if week == 0 else "next_weekday").fill(weekday=weekday(when))
    return calendar_day(when)


@lru_cache(maxsize=4096)
def calendar_day(when: date) -> Term:
    """Return a date as month and day."""
    return phrase("speech", "date").fill(month=phrase("speech", f"month_{when.month}"), number=when.month, day=when.day)


def weekday(when: date) -> Term:
    """Return the day of the week."""
    return phrase("speech", f"weekday_{when.weekday()}")


def day_time(when: datetime, now: datetime) -> Term:
    """Return day and time of day together: ``tomorrow at 6 PM`` / ``明天晚上6点``."""
    return phrase("speech", "day_time").fill(day=day(when, now), time=clock(when))


@lru_cache(maxsize=2048)
def money(yuan: float) -> Term:
    """Return an amount of money."""
    return phrase("speech", "money").fill(value=f"{yuan:g}")


@lru_cache(maxsize=512)
def metres(distance: int) -> Term:
    """Return a distance: metres below one kilometre, kilometres from there."""
    if distance < 1000:
        return phrase("speech", "metres").fill(value=distance)
    return phrase("speech", "kilometres").fill(value=f"{distance / 1000:g}")


def number(count: int) -> Term:
    """Return a small number as a word (Chinese: before a measure word), a greater one in digits."""
    return phrase("speech", f"number_{count}") if 1 <= count <= 10 else Term.same(str(count))


def stamp(time: datetime) -> str:
    """Return a time as tools write it, ``YYYY-MM-DD HH:MM:SS``."""
    return time.strftime("%Y-%m-%d %H:%M:%S")


def _date(when: date | datetime) -> date:
    return when.date() if isinstance(when, datetime) else when
