"""Finding wordings in what was said, whatever the letter case, character width and spacing.

A wording that is a number, date, time, duration, distance or sum of money is found in every usual written form of both
languages (see ``vitagym.rewards.quantities``); any other is found as words.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, cached_property

from vitagym.language import texts

Groups = tuple[tuple[str, ...], ...]
_SPACES = re.compile(r"\s+")
_SENTENCE_ENDS = re.compile(r"(?<=[。！？!?；;\n])|(?<=\.)\s+")


def normalised(text: str) -> str:
    """Return the text in one width and letter case, its spaces single."""
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def missing_group(groups: Groups, text: str) -> tuple[str, ...] | None:
    """Return the first group of which no wording stands in the text; None where every group has one."""
    return Said(text).missing(groups)


class Said:
    """Something said or written, read once for all checks.

    Args:
        text: The words.
        turn: The turn of it; -1 where it is no turn.
        acted: Whether the agent had changed any record before it.
    """

    def __init__(self, text: str, turn: int = -1, acted: bool = False) -> None:
        self.text, self.turn, self.acted = text, turn, acted
        self.words = normalised(text)

    def says(self, wording: str) -> bool:
        """Return whether a wording stands in it."""
        return normalised(wording) in self.words

    def missing(self, groups: Groups) -> tuple[str, ...] | None:
        """Return the first group of which no wording stands in it; None where every group has one."""
        for group in groups:
            if not any(self.says(wording) for wording in group):
                return group
        return None

    @cached_property
    def sentences(self) -> tuple[Said, ...]:
        """Its sentences."""
        return tuple(Said(s, self.turn, self.acted) for s in _SENTENCE_ENDS.split(self.text) if s.strip())

    @property
    def denies(self) -> bool:
        """Whether it says that there is none of something, or that it cannot be had."""
        return _pattern("denial").search(self.words) is not None

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return _pattern("question").search(self.words) is not None


@cache
def _pattern(key: str) -> re.Pattern[str]:
    entry = texts("phrases")[key]
    return re.compile("|".join((*entry["en"], *entry["zh"])))
