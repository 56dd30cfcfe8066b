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
    PRICED = 9
    UNPRICED = 10
    CHOICE = 11
    ANNOUNCE = 12
    CLAIM = 13
    CLAIM_NOT = 14
    EVERYTHING = 15
    IMPOSSIBLE = 16
    IMPOSSIBLE_NOT = 17
    TROUBLE = 18
    FAREWELL = 19
    AGREED = 20
    EXTRA = 21
    RECAP = 22
    WHOLE_ADDRESS = 23
    HOME = 24
    WORK = 25
    HEAD = 26
    ASSENT = 27
    TICK = 28


class Sentence:
    """A sentence, in lower case, and what it shows.

    Attributes:
        text: Its words.
        asks: Whether it is a question by its end.
    """

    __slots__ = ("_ear", "_may", "asks", "text")

    def __init__(self, text: str, asks: bool, language: Language) -> None:
        self.text, self._ear = text, ear(language)
        self.asks = asks or (language is Language.ZH and text.endswith(_PARTICLES))
        self._may = self._ear.may_show(text)

    def shows(self, sign: Sign) -> re.Match[str] | None:
        """Return where the sentence shows a sign; None where it does not."""
        return self._ear.searches[sign](self.text) if self._may >> sign & 1 else None

    @property
    def slots(self) -> list[Slot]:
        """The slots that it asks about, if it asks: one for each of its parts."""
        lead, _, listed = self.text.partition(":")
        parts = [part.strip() for part in self._ear.parts(listed if listed.strip() else lead)]
        asking = [part for part in parts if part and _ASIDE.match(part) is None] or parts
        found = [self._slot(part, self._ear.slots, self._ear.may_show(part)) for part in asking]
        return list(dict.fromkeys(slot for slot in found if slot is not None))

    @property
    def cue(self) -> Slot | None:
        """The slot that single words in it point to, where it asks about none in so many words."""
        return self._slot(self.text, self._ear.cues, self._may)

    def _slot(self, part: str, slots: list[tuple[Slot, int, Search]], may: int) -> Slot | None:
        """Return what a part is about.

        That is what its expressions say that reach beyond "which" or "what" and the noun that goes with it; else what
        that noun says; else the first that fits.
        """
        searches = [(slot, search) for slot, bit, search in slots if may >> bit & 1]
        if not searches:
            return None
        head = self._ear.searches[Sign.HEAD](part)
        if head is None:
            return next((slot for slot, search in searches if search(part)), None)
        matches = [(match, slot) for slot, search in searches if (match := search(part))]
        for match, slot in matches:
            covers = match.start() <= head.start() and match.end() >= head.end()
            if covers and match.span() != head.span():
                return slot
        nouns = [(match.end(), slot) for slot, search in searches if (match := search(head[0]))]
        if nouns:
            return max(nouns, key=lambda noun: noun[0])[1]
        return matches[0][1] if matches else None

    def part(self, start: int, end: int) -> Sentence:
        """Return a part of it, as a statement."""
        other = Sentence.__new__(Sentence)
        other.text, other.asks, other._ear, other._may = self.text[start:end], False, self._ear, self._may
        return other


_ASIDE = re.compile(
    r"(?:when you say|if you don't mind|before (?:i|the)|so that|since|as soon|because|without|once|first|second|third"
    r"|last|finally|sure|lovely|great|of course|and|for (?:the|a|your) [a-z]+(?: [a-z]+)?$)"
)
_PARTICLES = ("吗", "么", "嘛", "呢", "捏", "不")
_PARTS = {
    Language.EN: re.compile(r"[,;:()/]| and | plus | - |[–—]"),
    Language.ZH: re.compile(r"[,、;:()/]|以及|还有|及(?=[^时格])|和(?=[^谁])"),
}


class Ear:
    """The expressions of one language, compiled, and the words by which to tell which of them are worth trying."""

    __slots__ = (
        "_always",
        "_by_start",
        "_by_word",
        "_known",
        "_spaced",
        "cues",
        "meanings",
        "parts",
        "searches",
        "slots",
    )

    def __init__(self, language: Language) -> None:
        table = texts("user_heard")
        self.parts = _PARTS[language].split
        meanings = [sign.name.lower() for sign in Sign]
        meanings += [meaning for meaning in table if meaning not in meanings]
        searches: list[Search] = [re.compile("|".join(table[meaning][language.value])).search for meaning in meanings]
        self.searches = searches[: len(Sign)]
        self.meanings = meanings
        numbered = list(enumerate(meanings))
        self.slots = [(Slot(name[5:]), bit, searches[bit]) for bit, name in numbered if name.startswith("slot_")]
        self.cues = [(Slot(name[4:]), bit, searches[bit]) for bit, name in numbered if name.startswith("cue_")]
        self._spaced = language is Language.EN
        self._always = 0
        self._by_word: dict[str, int] = {}
        self._by_start: dict[str, int] = {}
        self._known: dict[str, int] = {}
        for bit, meaning in enumerate(meanings):
            self._index(1 << bit, table[meaning][language.value])

    def _index(self, bit: int, expressions: list[str]) -> None:
        found = [anchors(expression, spaced=self._spaced) for expression in expressions]
        if None in found:
            self._always |= bit
            return
        for anchor in frozenset().union(*(f for f in found if f is not None)):
            letters, apostrophe, _ = anchor.text.partition("'")
            whole = self._spaced and (anchor.whole or bool(apostrophe))
            start = letters[: _START if self._spaced else _PAIR]
            index, key = (self._by_word, letters) if whole else (self._by_start, start)
            index[key] = index.get(key, 0) | bit

    def may_show(self, text: str) -> int:
        """Return a bit for each meaning that a sentence may have, by its words; the others it has not."""
        may = self._always
        if not self._spaced:
            by_start = self._by_start.get
            for at, character in enumerate(text):
                may |= by_start(character, 0) | by_start(text[at : at + _PAIR], 0)
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
_PAIR = 2
"""In Chinese, so many characters."""
_WORDS = re.compile(r"[a-zé]+").findall


@cache
def ear(language: Language) -> Ear:
    """Return the expressions of a language."""
    return Ear(language)
