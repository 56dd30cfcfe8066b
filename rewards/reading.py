"""Finding quantities in what is said: one rule a written form, tried in order, what is read once not read again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from functools import cache, cached_property

from vitagym.language import texts
from vitagym.rewards.quantities import Amount, Clock, Day, Measure, Quantity

_BLANK = "\0"

Match = re.Match[str]
Reader = Callable[[Match], Quantity | None]
Rule = tuple[str, Reader, bool]
"""A pattern, what it means, and whether its text may be read again by a later rule (where it is no sure sign)."""
Rules = tuple[tuple[re.Pattern[str], Reader, bool], ...]


class Reading:
    """A text read for quantities, no further than is asked: dates first, then times of day, then amounts.

    Args:
        text: Normalised text with its number words in digits (``vitagym.rewards.numerals.in_digits``).
        today: The day on which it is said, so that "tomorrow" and "Friday" are dates; None: they are nothing.
    """

    def __init__(self, text: str, today: date | None = None) -> None:
        self._text, self._today = text, today

    @cached_property
    def days(self) -> tuple[Quantity, ...]:
        """The dates."""
        relative = () if self._today is None else _relative_days(self._text, self._today)
        return (*self._without_days[0], *relative)

    @property
    def clocks(self) -> tuple[Quantity, ...]:
        """The times of day."""
        return self._without_clocks[0]

    @property
    def amounts(self) -> tuple[Quantity, ...]:
        """The numbers, money and measures."""
        return self._without_amounts[0]

    @property
    def rest(self) -> str:
        """The text with everything blanked out that was read."""
        return self._without_amounts[1]

    def covers(self, wanted: Quantity) -> bool:
        """Return whether something in it says what was wanted."""
        if not _may_say(self._text, wanted):
            return False
        found = self.days if isinstance(wanted, Day) else self.clocks if isinstance(wanted, Clock) else self.amounts
        return any(said.covers(wanted) for said in found)

    @cached_property
    def _without_days(self) -> tuple[tuple[Quantity, ...], str]:
        return _read(self._text, _day_rules())

    @cached_property
    def _without_clocks(self) -> tuple[tuple[Quantity, ...], str]:
        return _read(self._without_days[1], _clock_rules())

    @cached_property
    def _without_amounts(self) -> tuple[tuple[Quantity, ...], str]:
        return _read(self._without_clocks[1], _amount_rules())


def only_quantities(text: str) -> tuple[Quantity, ...]:
    """Return the quantities of a text that is nothing else; none where words are left over.

    A time of day that may be morning or evening is taken as it stands, on the 24-hour clock.
    """
    reading = Reading(text)
    if reading.rest.strip(_BLANK + " ,.;()"):
        return ()
    clocks = (Clock(frozenset({min(c.minutes)})) for c in reading.clocks if isinstance(c, Clock))
    return (*reading.days, *clocks, *reading.amounts)


def _may_say(text: str, wanted: Quantity) -> bool:
    """Return whether a text may say a quantity: a quick look that spares most texts the reading."""
    if isinstance(wanted, Day):
        return str(wanted.day) in text or _relative().search(text) is not None
    if isinstance(wanted, Clock):
        # "A quarter to eight" names the hour after.
        hours = {(m // 60 + later) % of for m in wanted.minutes for later in (0, 1) for of in (12, 24)}
        return any(str(hour or 12) in text or str(hour) in text for hour in hours) or bool(_named_clock().search(text))
    if wanted.measure in (Measure.COUNT, Measure.YUAN) and 1 <= abs(wanted.value) < 10_000:
        return str(int(abs(wanted.value))) in text.replace(",", "") or bool(_large().search(text))
    return True


@cache
def _named_clock() -> re.Pattern[str]:
    return re.compile(_words("noon", "midnight"))


@cache
def _large() -> re.Pattern[str]:
    return re.compile(_words("ten_thousand"))


def _read(text: str, rules: Rules) -> tuple[tuple[Quantity, ...], str]:
    """Return the quantities that some rules find, and the text with everything blanked out that was read."""
    found: list[Quantity] = []
    for pattern, reader, keeps in rules:
        out, last = "", 0
        for match in pattern.finditer(text):
            quantity = reader(match)
            if quantity is None:
                continue
            found.append(quantity)
            if not keeps:
                out += text[last : match.start()] + _BLANK * (match.end() - match.start())
                last = match.end()
        text = out + text[last:]
    return tuple(found), text


@cache
def _day_rules() -> Rules:
    return _compiled(_dates())


@cache
def _clock_rules() -> Rules:
    return _compiled(_clocks())


@cache
def _amount_rules() -> Rules:
    return _compiled((*_money(), *_durations(), *_measures()))


def _compiled(rules: Iterable[Rule]) -> Rules:
    return tuple((re.compile(pattern, re.ASCII), reader, keeps) for pattern, reader, keeps in rules)


# Every rule begins with a digit or a word, so that the search skips whatever cannot begin it; hence a digit's "no digit
# before it" comes after it. (The names of months are the exception.)
_FREE = r"\d(?<![\d.,]\d)"
_HOUR = rf"(?P<hour>{_FREE}\d?)"
_MINUTE = r"(?P<minute>\d\d)"


def _dates() -> Iterator[Rule]:
    month = rf"(?P<m>{_FREE}\d?)"
    day = rf"(?P<d>{_FREE}\d?)"
    year = r"(?:,? (?P<y>(?:19|20)\d\d)\b)?"
    named = f"(?P<name>{_words('month')})"
    suffix = "(?:st|nd|rd|th)"
    yield rf"(?P<y>{_FREE}\d{{3}}) ?[-/.年] ?(?P<m>\d\d?) ?[-/.月] ?(?P<d>\d\d?)(?!\d)(?: ?[日号])?", _day, False
    yield rf"{month} ?月 ?(?P<d>\d\d?)(?!\d)(?: ?[日号])?", _day, False
    yield rf"\b{named} (?P<d>\d\d?){suffix}?(?![\d:]){year}", _day, False
    yield rf"{day}{suffix}? (?:of )?{named}(?![a-z]){year}", _day, False
    yield r"(?P<m>\d(?<![\d./-]\d)\d?)/(?P<d>\d\d?)(?![\d/])", _day, True
    yield rf"(?P<d>\d(?<![\d.,月]\d)\d?)(?:{suffix}\b| ?[日号])", _day, True


def _clocks() -> Iterator[Rule]:
    before = f"(?P<before>{_words('morning', 'afternoon', 'midday', only='zh')}) ?"
    after = f"(?P<after>{_words('morning', 'afternoon', 'midday', only='en')})"
    spoken = r"(?:(?P<half>半)|(?P<quarter>[13]) ?刻|(?P<minute>\d\d?)(?! ?(?:公里|千米|米|\d|\.)) ?分?)?"
    yield rf"(?P<part>half|quarter) (?P<side>past|to) (?P<hour>\d\d?)(?!\d)(?: ?{after})?", _spoken_clock, False
    yield rf"{_HOUR}(?::{_MINUTE})?(?= ?(?:[-–~]|to) ?\d\d?(?::\d\d)? ?{after})", _clock, False
    for start in (rf"{before}(?P<hour>\d\d?)", _HOUR):
        yield rf"{start}:{_MINUTE}(?::\d\d)?(?!\d)(?: ?{after})?", _clock, False
        yield rf"{start} ?[点时](?![间候段])[钟整]?{spoken}", _clock, False
    yield rf"{_HOUR} ?(?:{_words('o_clock')})(?: {after})?", _clock, False
    yield rf"{_HOUR}(?:\.{_MINUTE})? ?{after}", _clock, False
    yield rf"(?:{_words('noon')})", _fixed(Clock(frozenset({720}))), False
    yield rf"(?:{_words('midnight')})", _fixed(Clock(frozenset({0}))), False
    yield r"at (?P<hour>\d\d?)(?= ?(?:$|[.,;!?](?!\d)|on\b|for\b|and\b|tomorrow\b|today\b))", _clock, True


def _money() -> Iterator[Rule]:
    yuan = _words("yuan")
    yield r"(?P<number>\d+)块(?P<tenths>\d)(?!\d)", _amount(Measure.YUAN), False
    yield rf"(?:{_words('yuan_sign')}) ?{_number()}(?: ?(?:{yuan})(?![a-z]))?", _amount(Measure.YUAN), False
    yield rf"{_number()} ?(?:{yuan})(?![a-z])", _amount(Measure.YUAN), False


def _durations() -> Iterator[Rule]:
    hour, minute = _words("hour"), _words("minute")
    rest = rf" ?(?:and )?(?P<rest>\d\d?) ?(?:{minute}|m)(?![a-z])"
    in_hours = _amount(Measure.MINUTES, 60)
    yield rf"(?P<number>\d+) ?(?:{_words('and_a_half_hours')})", _amount(Measure.MINUTES, 60, plus=30), False
    yield rf"(?:{_words('hour_and_a_half')})", _fixed(Amount(Measure.MINUTES, 90, 1.5)), False
    yield rf"(?:{_words('half_hour')})", _fixed(Amount(Measure.MINUTES, 30, 0.5)), False
    yield rf"{_number()} ?(?:{hour})(?:{rest}|(?![a-z]))", in_hours, False
    yield rf"(?:{_words('an_hour')})", _fixed(Amount(Measure.MINUTES, 60, 1)), False
    yield rf"{_number()} ?(?:{minute})(?![a-z])", _amount(Measure.MINUTES), False
    yield rf"{_number()} ?(?:{_words('day')})(?![a-z])", _amount(Measure.MINUTES, 1440), False


def _measures() -> Iterator[Rule]:
    celsius = rf"{_number()} ?(?:{_words('celsius')})(?![a-z])"
    yield rf"{_number()} ?(?:{_words('kilometre')})(?![a-z])", _amount(Measure.METRES, 1000), False
    yield rf"{_number()} ?(?:{_words('metre')})(?![a-z])", _amount(Measure.METRES), False
    yield rf"{_number()} ?(?:{_words('percent')})", _amount(Measure.PERCENT), False
    yield rf"(?P<minus>-(?<!\S-)|{_words('below_zero')}){celsius}", _amount(Measure.CELSIUS), False
    yield celsius, _amount(Measure.CELSIUS), False
    yield rf"{_number()}(?![a-wyz])", _amount(Measure.COUNT), False


def _number() -> str:
    digits = r"\d(?<![a-z\d_.]\d)(?:\d{0,2}(?:,\d{3})+|\d*)(?:\.\d+)?"
    return rf"(?P<number>{digits})(?!\d)(?: ?(?P<big>{_words('ten_thousand')}))?"


def _words(*keys: str, only: str | None = None) -> str:
    """Return the words of some keys as alternatives, in both languages or one."""
    languages = ("en", "zh") if only is None else (only,)
    return "|".join(word for key in keys for language in languages for word in texts("quantities")[key][language])


def _fixed(quantity: Quantity) -> Reader:
    return lambda _match: quantity


def _day(match: Match) -> Day | None:
    part = match.groupdict()
    year = int(part["y"]) if part.get("y") else None
    month = _month(part["name"]) if part.get("name") else int(part["m"]) if part.get("m") else None
    try:
        # A leap year, and a month of 31 days, let every day through that some year and month has.
        date(year or 2024, month or 1, int(part["d"]))
    except ValueError:
        return None
    return Day(year, month, int(part["d"]))


def _month(name: str) -> int:
    return next(i for i, one in enumerate(texts("quantities")["month"]["en"], 1) if re.fullmatch(one, name))


def _clock(match: Match) -> Clock | None:
    part = match.groupdict()
    hour, minute = int(part["hour"]), int(part.get("minute") or 0)
    if part.get("half"):
        minute = 30
    elif part.get("quarter"):
        minute = 15 * int(part["quarter"])
    if hour > 24 or minute > 59:
        return None
    hours = _hours(hour, part["hour"], part.get("before"), part.get("after"))
    return Clock(frozenset(h * 60 + minute for h in hours))


def _spoken_clock(match: Match) -> Clock | None:
    hour = int(match["hour"])
    if not 1 <= hour <= 12:
        return None
    shift = 30 if match["part"] == "half" else 15
    shift = shift if match["side"] == "past" else -shift
    return Clock(frozenset((h * 60 + shift) % 1440 for h in _hours(hour, match["hour"], None, match["after"])))


def _hours(hour: int, written: str, before: str | None, after: str | None) -> set[int]:
    """Return the hours of the day that an hour may mean, given the words around it."""
    mark = before or after
    if mark is None or not 1 <= hour <= 12:
        either = 1 <= hour < 12 and not written.startswith("0")
        return {hour, hour + 12} if either else {hour % 24}
    if re.fullmatch(_words("morning"), mark):
        return {hour} if hour < 12 else {0} if after else {0, 12}
    if re.fullmatch(_words("midday"), mark):
        return {hour if hour >= 10 else hour + 12}
    if hour == 12:
        return {0} if re.fullmatch(_words("late"), mark) else {12}
    return {hour + 12}


def _amount(measure: Measure, unit: float = 1, plus: float = 0) -> Reader:
    """Return a reader of numbers of that measure: so many units each, and something on top."""

    def read(match: Match) -> Amount:
        part = match.groupdict()
        number = part["number"].replace(",", "")
        written = float(number) * (10_000 if part.get("big") else 1) + float(part.get("tenths") or 0) / 10
        written = -written if part.get("minus") else written
        decimals = len(number.partition(".")[2])
        step = unit / 10**decimals if measure is Measure.METRES and decimals else 0.0
        return Amount(measure, written * unit + plus + float(part.get("rest") or 0), written, step)

    return read


@cache
def _relative() -> re.Pattern[str]:
    words = texts("quantities")
    weekdays = words["weekday"]
    which = f"(?:(?:(?P<next>{_words('next_week')})|(?:{_words('this_week')})) ?)?"
    days = "|".join(rf"(?P<w{i}>\b{weekdays['en'][i]}\b|{weekdays['zh'][i]})" for i in range(7))
    near = (("day_after_tomorrow", 2), ("tomorrow", 1), ("today", 0))
    return re.compile("|".join(f"(?P<n{n}>{_words(key)})" for key, n in near) + f"|{which}(?:{days})")


def _relative_days(text: str, today: date) -> Iterator[Day]:
    """Find "tomorrow" and the like; a bare weekday is the next one, today included."""
    for match in _relative().finditer(text):
        part = match.groupdict()
        days = next((n for n in range(3) if part[f"n{n}"]), None)
        if days is None:
            weekday = next(i for i in range(7) if part[f"w{i}"])
            days = (weekday - today.weekday()) % 7
            if part["next"]:
                days = 7 - today.weekday() + weekday
        day = today + timedelta(days)
        yield Day(day.year, day.month, day.day)
