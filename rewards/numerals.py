"""Numbers written as words, in digits: "twenty-five" and 二十五 become 25.

A lone "one", and Chinese numerals before no measure word, are left: they are mostly no numbers (一起, 十分).
"""

from __future__ import annotations

import re
from functools import cache

from vitagym.language import texts

_ONES = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
_TENS = {
    **{"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50},
    **{"sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90},
}
_BELOW_100 = rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_ONES[1:10])}))?|{'|'.join(reversed(_ONES))})"
_BELOW_1000 = rf"(?:{_BELOW_100}(?: hundred(?:(?: and)? {_BELOW_100})?)?)"
_ENGLISH = re.compile(rf"\b{_BELOW_1000}(?: thousand(?:(?: and)? {_BELOW_1000})?)?\b", re.ASCII)
_NUMBER_WORDS = (*_ONES[:13], "fifteen", *_TENS)  # The other teens contain one of these.
_MEASURED = r"(?= (?:people|persons?|guests?|adults?|child(?:ren)?|hours?|minutes?|days?|nights?|yuan|rooms?|o))"
_ONE_ALONE = re.compile(rf"one\b{_MEASURED}")

_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_PLACES = {"十": 10, "百": 100, "千": 1000}
_ZH_DIGIT = "[零〇一二两三四五六七八九]"


def in_digits(text: str) -> str:
    """Return lower-case text with its number words, English and Chinese, in digits."""
    if any(word in text for word in _NUMBER_WORDS):
        text = _ENGLISH.sub(_english, text)
    return text if text.isascii() else _chinese_pattern().sub(_chinese, text)


def _english(match: re.Match[str]) -> str:
    words = match[0]
    if words == "one" and not _ONE_ALONE.match(match.string, match.start()):
        return words
    total = part = 0
    for word in re.split(r"[ -]", words):
        if word == "hundred":
            part *= 100
        elif word == "thousand":
            total, part = part * 1000, 0
        elif word != "and":
            part += _TENS[word] if word in _TENS else _ONES.index(word)
    return str(total + part)


@cache
def _chinese_pattern() -> re.Pattern[str]:
    measures = texts("quantities")["measure_word"]["zh"]
    # 七点五分 is a time, not 7.5 of anything: before 分 and 刻, what follows 点 is no decimal part.
    decimal = rf"(?:点({_ZH_DIGIT}+)(?!\s?[分时刻]))?"
    number = rf"(?:{_ZH_DIGIT}|十)(?:{_ZH_DIGIT}|[十百千万])*"
    return re.compile(rf"({number}){decimal}(?=\s?(?:{'|'.join(measures)}))")


def _chinese(match: re.Match[str]) -> str:
    whole, decimals = match[1], match[2]
    value = _chinese_integer(whole)
    return str(value) if decimals is None else f"{value}.{''.join(str(_DIGITS[c]) for c in decimals)}"


def _chinese_integer(numeral: str) -> int:
    if all(c in _DIGITS for c in numeral) and len(numeral) > 1:
        return int("".join(str(_DIGITS[c]) for c in numeral))
    total = part = digit = 0
    for c in numeral:
        if c in _DIGITS:
            digit = _DIGITS[c]
        elif c == "万":
            total, part, digit = (part + digit) * 10_000, 0, 0
        else:
            part, digit = part + (digit or 1) * _PLACES[c], 0
    return total + part + digit
