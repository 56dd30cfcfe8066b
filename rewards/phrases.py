"""Finding wordings in what was said, whatever the letter case, character width and spacing.

A wording that is nothing but a number, date, time, duration, distance or sum of money is found in every usual written
form of both languages (see ``vitagym.rewards.quantities``); any other is found as whole words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from datetime import date
from functools import cache, cached_property, lru_cache

from vitagym.dialogue.transcript import Role, Turn
from vitagym.language import texts
from vitagym.rewards.numerals import in_digits
from vitagym.rewards.quantities import Amount, Measure, Quantity
from vitagym.rewards.reading import Reading, only_quantities

Groups = tuple[tuple[str, ...], ...]
"""Things to be said, each with its wordings: one wording of every group."""

_SENTENCE_ENDS = re.compile(r"(?<=[。！？!?；;\n])|(?<=\.)\s+")
# Full-width commas and stops end a number; their half-width forms, which normalisation makes of them, do not.
_STOPS = str.maketrans({"，": ", ", "。": ". ", "、": ", "})


def normalised(text: str) -> str:
    """Return the text in one width and letter case, its spaces single."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_STOPS))
    return " ".join(text.casefold().split())


def missing_group(groups: Groups, text: str) -> tuple[str, ...] | None:
    """Return the first group of which no wording stands in the text; None where every group has one."""
    return Said(text).missing(groups)


class Said:
    """Something said or written, read once for all checks.

    Args:
        text: The words.
        turn: The turn of it; -1 where it is no turn.
        acted: Whether the agent had changed any record before it.
        today: The day on which it is said; None where "tomorrow" is no date.
        before: The turns before it.
    """

    def __init__(
        self,
        text: str,
        turn: int = -1,
        acted: bool = False,
        today: date | None = None,
        before: Sequence[Turn] = (),
    ) -> None:
        self.text, self.turn, self.acted, self.today, self.before = text, turn, acted, today, before
        self.words = normalised(text)

    @cached_property
    def reading(self) -> Reading:
        """The numbers, dates, times, money and measures in it."""
        return Reading(in_digits(self.words), self.today)

    def says(self, wording: str) -> bool:
        """Return whether a wording stands in it."""
        words, wanted = _wording(wording)
        if wanted:
            return all(self.reading.covers(one) for one in wanted)
        return words in self.words and _whole_words(words).search(self.words) is not None

    def missing(self, groups: Groups) -> tuple[str, ...] | None:
        """Return the first group of which no wording stands in it; None where every group has one."""
        for group in groups:
            if not any(self.says(wording) for wording in group):
                return group
        return None

    def was_known(self, wording: str) -> bool:
        """Return whether, before it, a wording stood in a result or in the user's words.

        What the agent wrote into a call itself (a note, say) and got back in the result does not count.
        """
        return self._stood_before(lambda said: said.says(wording))

    def was_told(self, fact: Quantity) -> bool:
        """Return the same of a number, date, time or sum of money."""
        return self._stood_before(lambda said: said.reading.covers(fact))

    @property
    def facts(self) -> tuple[Quantity, ...]:
        """The dates, times of day and sums of money in it, each once."""
        money = (a for a in self.reading.amounts if isinstance(a, Amount) and a.measure is Measure.YUAN)
        return tuple(dict.fromkeys((*self.reading.days, *self.reading.clocks, *money)))

    def _stood_before(self, stands: Callable[[Said], bool]) -> bool:
        for turn in self.before:
            if turn.role is Role.USER or (turn.result is not None and turn.result.ok):
                written = turn.call is not None and stands(Said(turn.call.raw, today=self.today))
                if not written and stands(Said(turn.text, today=self.today)):
                    return True
        return False

    @cached_property
    def sentences(self) -> tuple[Said, ...]:
        """Its sentences."""
        found = _SENTENCE_ENDS.split(self.text)
        return tuple(Said(s, self.turn, self.acted, self.today, self.before) for s in found if s.strip())

    @property
    def denies(self) -> bool:
        """Whether it says that there is none of something, or that it cannot be had."""
        return _pattern("denial").search(_pattern("no_denial").sub(" ", self.words)) is not None

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return _pattern("question").search(self.words) is not None


@lru_cache(maxsize=8192)
def _wording(wording: str) -> tuple[str, tuple[Quantity, ...]]:
    """Return the words of a wording, and what it says where it is nothing but quantities."""
    words = normalised(wording)
    return words, only_quantities(in_digits(words))


@lru_cache(maxsize=8192)
def _whole_words(words: str) -> re.Pattern[str]:
    """Return a pattern of words that begin and end inside no other word or number; a plural will do."""
    begin = r"(?<![a-z0-9])(?<!\d[.,])" if words[:1].isascii() and words[:1].isalnum() else ""
    end = r"(?:e?s)?(?![a-z0-9])(?![.,]\d)" if words[-1:].isascii() and words[-1:].isalnum() else ""
    return re.compile(begin + re.escape(words) + end)


@cache
def _pattern(key: str) -> re.Pattern[str]:
    entry = texts("phrases")[key]
    return re.compile("|".join((*entry["en"], *entry["zh"])))
