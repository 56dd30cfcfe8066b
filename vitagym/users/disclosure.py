"""What a user that speaks freely has disclosed so far, told by comparing its words with its points.

A point counts as said once its numbers and most of its telling words have come up, over any number of utterances.
Words that every point shares tell nothing. The scripted user knows what it said; this is for the others.
"""

from __future__ import annotations

import re
import unicodedata

from vitagym.language import Language
from vitagym.tasks.task import Point
from vitagym.users.agenda import Brief

SAID_SHARE = 0.6
"""A point counts as said when this share of its telling words has come up, and all of its numbers."""
_NUMBER = re.compile(r"\d+(?:[.:]\d+)*")
_WORD = re.compile(r"[a-z]{3,}")
_HAN = re.compile(r"[\u3400-\u9fff]")
_IDLE_WORDS = """the and for you your that this with have has want need would like should please will can could from are
was not but also must there they its one"""
_IDLE_CHARACTERS = "的是我你他她它们一在有要请想了吧呢吗个这那就也都和跟能可以会不得到去来给把让被上下里为对还再好点些"
_IDLE = frozenset(_IDLE_WORDS.split()) | frozenset(_IDLE_CHARACTERS)


class Disclosure:
    """The points of one user, and which of them have been said.

    Attributes:
        said: Ids of the points said.
    """

    __slots__ = ("_brief", "_heard", "_language", "said")

    def __init__(self, brief: Brief, language: Language) -> None:
        self._brief, self._language = brief, language
        self._heard: frozenset[str] = frozenset()
        self.said: frozenset[str] = frozenset()

    def fork(self) -> Disclosure:
        """Return a copy that goes on by itself."""
        other = Disclosure(self._brief, self._language)
        other._heard, other.said = self._heard, self.said
        return other

    @property
    def unsaid(self) -> list[Point]:
        """The points that have to be said and were not."""
        return [p for p in self._brief.points if p.id in self._brief.instructed and p.id not in self.said]

    def hear(self, utterance: str) -> list[Point]:
        """Note an utterance of the user; returns the points that it completed."""
        self._heard |= _telling(utterance)
        new = [p for p in self._brief.points if p.id not in self.said and self._was_said(p)]
        self.said |= {point.id for point in new}
        return new

    def _was_said(self, point: Point) -> bool:
        return any(self._covers(_telling(words)) for words in (*point.wordings, *point.answers))

    def _covers(self, words: frozenset[str]) -> bool:
        if not words:
            return False
        numbers = {word for word in words if word[0].isdigit()}
        others = words - numbers
        share = len(others & self._heard) / len(others) if others else 1.0
        return numbers <= self._heard and share >= SAID_SHARE


def _telling(text: str) -> frozenset[str]:
    """Return the numbers, the words and, in Chinese, the characters that tell what a text says."""
    plain = unicodedata.normalize("NFKC", text).lower()
    words = {word for word in _WORD.findall(plain) if word not in _IDLE}
    return frozenset(_NUMBER.findall(plain)) | {_stem(word) for word in words} | (set(_HAN.findall(plain)) - _IDLE)


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
