"""Facts in an utterance that the user was not told: numbers, times, ids and names that stand nowhere in its task.

A number may be written otherwise than in the task ("six", "6"; "六", "6"); one may be said of anything, and is no fact.
"""

from __future__ import annotations

import re

from vitagym.language import Language
from vitagym.tasks.task import Task

_DIGITS = re.compile(r"\d+")
_COUNTED = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty"""
_ENGLISH = {word: number for number, word in enumerate(_COUNTED.split())}
_ENGLISH |= {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "half": 30}
_WORD = re.compile(r"[a-z]+")
_CHINESE = dict(zip("零一二两三四五六七八九", (0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))
_NUMERAL = re.compile(r"[零一二两三四五六七八九十百]+")
_NAME = re.compile(r"(?<![.!?…:;\"“] )(?<!^)\b[A-Z][a-z]+(?:'s)?\b")
_SAID_OF_ANYTHING = frozenset({"0", "1"})


def told(task: Task) -> str:
    """Return everything that the user of a task was told, as one text."""
    points = [words for point in task.points for words in (*point.wordings, *point.answers)]
    profile = [task.profile.user_id, *task.profile.public.values(), *task.profile.hidden.values()]
    return " ".join([*points, task.instruction, *profile])


def untraced(utterance: str, task: Task) -> frozenset[str]:
    """Return the numbers and, in English, the names in an utterance that stand nowhere in what the user was told."""
    known, lowered = task.built("what the user was told", _known_of)
    numbers = _numbers(utterance) - known
    if task.language is not Language.EN:
        return numbers
    names = {name.removesuffix("'s") for name in _NAME.findall(utterance)}
    return numbers | {name for name in names if name.lower() not in lowered and name not in _NO_NAMES}


def _known_of(task: Task) -> tuple[frozenset[str], str]:
    """Return the numbers that a user may say, and all it was told in lower case."""
    words = told(task)
    return _numbers(words) | _SAID_OF_ANYTHING, words.lower()


_NO_NAMES = frozenset(
    ["Please", "Thanks", "Thank", "Oh", "Okay", "Yes", "No", "Hi", "Hello", "Well", "Sorry", "And", "But"]
)


def _numbers(text: str) -> frozenset[str]:
    """Return the numbers of a text in digits, without zeros before them."""
    found = {str(int(digits)) for digits in _DIGITS.findall(text)}
    found |= {str(_ENGLISH[word]) for word in _WORD.findall(text.lower()) if word in _ENGLISH}
    found |= {str(value) for run in _NUMERAL.findall(text) for value in (_value(run),) if value is not None}
    return frozenset(found | ({"30"} if "半" in text else set()))


def _value(numeral: str) -> int | None:
    """Return the value of a Chinese numeral below a thousand; None for characters that make no number."""
    total, digit = 0, None
    for character in numeral:
        if character in _CHINESE:
            if digit is not None:
                return None
            digit = _CHINESE[character]
        else:
            total += (1 if digit is None else digit) * (10 if character == "十" else 100)
            digit = None
    return total + (digit or 0)
