"""How a user hears a sentence: the signs in it, by the expressions of ``assets/text/user_heard.toml``."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import IntEnum
from functools import cache

from vitagym.dialogue.acts import Slot
from vitagym.language import Language, texts
from vitagym.users.anchors import anchors

Search = Callable[[str], re.Match[str] | None]


class Sign(IntEnum):
    """What a sentence can show; the names are those of the asset."""

    REQUEST = 0
    WH = 1
    ALTERNATIVE = 2
    RHETORICAL = 3
    ASK_MORE = 4
    ASK_OPEN = 5
    CONFIRM = 6
    DISSUADE = 7
    OFFER = 8
    CHOICE = 9
    ANNOUNCE = 10
    CLAIM = 11
    CLAIM_NOT = 12
    EVERYTHING = 13
    IMPOSSIBLE = 14
    IMPOSSIBLE_NOT = 15
    TROUBLE = 16
    FAREWELL = 17
    AGREED = 18
    EXTRA = 19
    WHOLE_ADDRESS = 20
    HOME = 21
    WORK = 22


class Sentence:
    """A sentence, in lower case, and what it shows.

    Attributes:
        text: Its words.
        asks: Whether it ends in a question mark.
    """

    __slots__ = ("_ear", "_may", "asks", "text")

    def __init__(self, text: str, asks: bool, language: Language) -> None:
        self.text, self.asks, self._ear = text, asks, ear(language)
        self._may = self._ear.may_show(text)

    def shows(self, sign: Sign) -> re.Match[str] | None:
        """Return where the sentence shows a sign; None where it does not."""
        return self._ear.searches[sign](self.text) if self._may >> sign & 1 else None

    @property
    def slots(self) -> list[Slot]:
        """The slots that it asks about, if it asks."""
        may = self._may >> len(Sign)
        return [slot for slot, bit, search in self._ear.slots if may >> bit & 1 and search(self.text)]

    def part(self, start: int, end: int) -> Sentence:
        """Return a part of it, as a statement."""
        other = Sentence.__new__(Sentence)
        other.text, other.asks, other._ear, other._may = self.text[start:end], False, self._ear, self._may
        return other


class Ear:
    """The expressions of one language, compiled, and the words by which to tell which of them are worth trying."""

    __slots__ = ("_always", "_by_start", "_by_word", "_known", "searches", "slots")

    def __init__(self, language: Language) -> None:
        table = texts("user_heard")
        asked = [slot for slot in Slot if f"slot_{slot.value}" in table]
        meanings = [sign.name.lower() for sign in Sign] + [f"slot_{slot.value}" for slot in asked]
        searches: list[Search] = [re.compile("|".join(table[meaning][language.value])).search for meaning in meanings]
        self.searches = searches[: len(Sign)]
        self.slots = [(slot, bit, searches[len(Sign) + bit]) for bit, slot in enumerate(asked)]
        self._always = (1 << len(meanings)) - 1 if language is Language.ZH else 0
        self._by_word: dict[str, int] = {}
        self._by_start: dict[str, int] = {}
        self._known: dict[str, int] = {}
        if language is Language.EN:
            for bit, meaning in enumerate(meanings):
                self._index(1 << bit, table[meaning][language.value])

    def _index(self, bit: int, expressions: list[str]) -> None:
        found = [anchors(expression) for expression in expressions]
        if None in found:
            self._always |= bit
            return
        for anchor in frozenset().union(*(f for f in found if f is not None)):
            letters, apostrophe, _ = anchor.text.partition("'")
            whole = anchor.whole or bool(apostrophe)
            index, key = (self._by_word, letters) if whole else (self._by_start, letters[:_START])
            index[key] = index.get(key, 0) | bit

    def may_show(self, text: str) -> int:
        """Return a bit for each meaning that a sentence may have, by its words; the others it has not."""
        may = self._always
        if not self._by_word:
            return may
        known = self._known
        for word in _WORDS(text):
            may |= known[word] if word in known else self._look_up(word)
        return may

    def _look_up(self, word: str) -> int:
        may = self._by_word.get(word, 0)
        for end in range(1, _START + 1):
            may |= self._by_start.get(word[:end], 0)
        if len(self._known) < _MOST_KNOWN:
            self._known[word] = may
        return may


_MOST_KNOWN = 20_000
"""So many words are remembered with their bits."""
_START = 4
"""So many letters of a word's beginning are looked up."""
_WORDS = re.compile(r"[a-zé]+").findall


@cache
def ear(language: Language) -> Ear:
    """Return the expressions of a language."""
    return Ear(language)
