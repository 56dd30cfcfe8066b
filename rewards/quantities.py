"""Numbers, dates, times of day, money and measures in what is said, in the usual written forms of both languages.

``vitagym.rewards.reading`` finds them. ``Quantity.covers(wanted)`` says whether one that was said tells another that
had to be told: 12:30 PM, 中午12点半 and 12:30 are one time; ¥1200, 1,200 yuan and 1200元 one sum; July 27, 7月27日 and
2025-07-27 one date.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Measure(StrEnum):
    """What a number is of."""

    COUNT = "count"
    YUAN = "yuan"
    MINUTES = "minutes"
    METRES = "metres"
    PERCENT = "percent"
    CELSIUS = "celsius"


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of something.

    Attributes:
        value: In yuan, minutes, metres, per cent or °C; as written for a plain count.
        written: The number as written, before any conversion.
        step: For distances: how far apart two numbers written so finely are, in metres.
    """

    measure: Measure
    value: float
    written: float
    step: float = 0.0

    def covers(self, wanted: Quantity) -> bool:
        """Return whether saying this says what was wanted; a bare number may stand for money, and any for a count."""
        if not isinstance(wanted, Amount):
            return False
        if wanted.measure is Measure.COUNT:
            return abs(self.written - wanted.value) < 1e-6
        if self.measure is Measure.COUNT:
            return wanted.measure is Measure.YUAN and abs(self.value - wanted.value) < 1e-6
        return self.measure is wanted.measure and abs(self.value - wanted.value) <= max(1e-6, self.step / 2)


@dataclass(frozen=True, slots=True)
class Day:
    """A date; year and month are None where they were not said."""

    year: int | None
    month: int | None
    day: int

    def covers(self, wanted: Quantity) -> bool:
        """Return whether the two agree in all that both say."""
        return (
            isinstance(wanted, Day)
            and self.day == wanted.day
            and (None in (self.month, wanted.month) or self.month == wanted.month)
            and (None in (self.year, wanted.year) or self.year == wanted.year)
        )


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day, in minutes after midnight; two of them where "7:30" may be morning or evening."""

    minutes: frozenset[int]

    def covers(self, wanted: Quantity) -> bool:
        """Return whether they may be the same time."""
        return isinstance(wanted, Clock) and bool(self.minutes & wanted.minutes)


Quantity = Amount | Day | Clock
