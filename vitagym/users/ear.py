"""How a user hears a sentence: the signs in it, by the expressions of ``assets/text/user_heard.toml``.

There are some thousands of expressions in each language. A look at the words of a sentence rules out nearly all of
them (see ``anchors``); only the others are searched for.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import IntEnum
from functools import cache
from operator import add

from vitagym.dialogue.acts import Slot
from vitagym.language import Language, texts
from vitagym.users.anchors import Anchor, alternatives, anchors

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

    __slots__ = ("_ear", "_may", "_shown", "_slots", "asks", "text")

    def __init__(self, text: str, asks: bool, language: Language) -> None:
        self.text, self._ear = text, ear(language)
        self.asks = asks or (language is Language.ZH and text.endswith(_PARTICLES))
        self._may = self._ear.may_match(text)
        self._slots: list[Slot] | None = None
        self._shown: dict[Sign, bool] = {}

    def shows(self, sign: Sign) -> bool:
        """Return whether the sentence shows a sign."""
        candidates = self._may & self._ear.signs[sign]
        if not candidates:
            return False
        shown = self._shown.get(sign)
        if shown is None:
            shown = self._shown[sign] = self._ear.matches(self.text, candidates)
        return shown

    def place(self, sign: Sign) -> re.Match[str] | None:
        """Return where the sentence first shows a sign; None where it does not."""
        candidates = self._may & self._ear.signs[sign]
        return self._ear.find(self.text, candidates) if candidates else None

    @property
    def spaced(self) -> bool:
        """Whether its language puts blanks between words."""
        return self._ear.spaced

    @property
    def slots(self) -> list[Slot]:
        """The slots that it asks about, if it asks: one for each of its parts."""
        if self._slots is None:
            self._slots = self._find_slots()
        return self._slots

    def _find_slots(self) -> list[Slot]:
        lead, _, listed = self.text.partition(":")
        parts = [part.strip() for part in self._ear.parts(listed if listed.strip() else lead)]
        asking = [part for part in parts if part and _ASIDE.match(part) is None] or parts
        found = [self._slot(part, self._ear.slots, self._ear.may_match(part)) for part in asking]
        return list(dict.fromkeys(slot for slot in found if slot is not None))

    @property
    def cue(self) -> Slot | None:
        """The slot that single words in it point to, where it asks about none in so many words."""
        return self._slot(self.text, self._ear.cues, self._may)

    def _slot(self, part: str, slots: list[tuple[Slot, int]], may: int) -> Slot | None:
        """Return what a part is about.

        That is what its expressions say that reach beyond "which" or "what" and the noun that goes with it; else what
        that noun says; else the first that fits.
        """
        find = self._ear.find
        likely = [(slot, both) for slot, mask in slots if (both := may & mask)]
        if not likely:
            return None
        head = find(part, may & self._ear.signs[Sign.HEAD])
        if head is None:
            return next((slot for slot, mask in likely if self._ear.matches(part, mask)), None)
        matches = [(match, slot) for slot, mask in likely if (match := find(part, mask))]
        for match, slot in matches:
            covers = match.start() <= head.start() and match.end() >= head.end()
            if covers and match.span() != head.span():
                return slot
        nouns = [(match.end(), slot) for slot, mask in likely if (match := find(head[0], mask))]
        if nouns:
            return max(nouns, key=lambda noun: noun[0])[1]
        return matches[0][1] if matches else None

    def part(self, start: int, end: int) -> Sentence:
        """Return a part of it, as a statement."""
        other = Sentence.__new__(Sentence)
        other.text, other.asks, other._ear, other._may = self.text[start:end], False, self._ear, self._may
        other._slots, other._shown = None, {}
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
    """The expressions of one language, compiled, one bit each, and the words by which to tell which are worth trying.

    Attributes:
        meanings: Meaning -> the bits of its expressions.
        signs: The bits of each sign.
        slots: The bits of each slot, the slot that is preferred first.
        cues: The bits of the single words that point to each slot.
        parts: Splits a sentence into its parts.
    """

    __slots__ = (
        "_always",
        "_by_start",
        "_by_word",
        "_known",
        "_searches",
        "cues",
        "meanings",
        "parts",
        "signs",
        "slots",
        "spaced",
    )

    def __init__(self, language: Language) -> None:
        self.spaced = language is Language.EN
        self._searches: list[Search] = []
        self._always = 0
        self._by_word: dict[str, int] = {}
        self._by_start: dict[str, int] = {}
        self._known: dict[str, int] = {}
        table = texts("user_heard")
        self.meanings = {meaning: self._learn(entry[language.value]) for meaning, entry in table.items()}
        self.signs = [self.meanings[sign.name.lower()] for sign in Sign]
        self.slots = self._slots("slot_")
        self.cues = self._slots("cue_")
        self.parts = _PARTS[language].split

    def find(self, text: str, candidates: int) -> re.Match[str] | None:
        """Return the first match in a text of the expressions with these bits."""
        first = None
        while candidates:
            lowest = candidates & -candidates
            candidates ^= lowest
            match = self._searches[lowest.bit_length() - 1](text)
            if match is not None and (first is None or match.start() < first.start()):
                first = match
        return first

    def matches(self, text: str, candidates: int) -> bool:
        """Return whether one of the expressions with these bits matches in a text."""
        searches = self._searches
        while candidates:
            lowest = candidates & -candidates
            if searches[lowest.bit_length() - 1](text) is not None:
                return True
            candidates ^= lowest
        return False

    def may_match(self, text: str) -> int:
        """Return the bits of the expressions that may match a text, by its words; the others do not."""
        may = self._always if _SIGNS(text) else 0
        if not self.spaced:
            for key in self._by_start.keys() & {*text, *map(add, text, text[1:])}:
                may |= self._by_start[key]
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

    def _slots(self, prefix: str) -> list[tuple[Slot, int]]:
        return [(Slot(name[len(prefix) :]), bits) for name, bits in self.meanings.items() if name.startswith(prefix)]

    def _learn(self, expressions: list[str]) -> int:
        """Compile the expressions of a meaning; return their bits."""
        bits = 0
        for expression in (part for written in expressions for part in alternatives(written)):
            bit = 1 << len(self._searches)
            self._searches.append(re.compile(expression).search)
            self._index(bit, anchors(expression, spaced=self.spaced))
            bits |= bit
        return bits

    def _index(self, bit: int, found: frozenset[Anchor] | None) -> None:
        """Note the words with which an expression is worth trying."""
        if found is None:
            self._always |= bit
            return
        for anchor in found:
            letters, apostrophe, _ = anchor.text.partition("'")
            whole = self.spaced and (anchor.whole or bool(apostrophe))
            start = letters[: _START if self.spaced else _PAIR]
            index, key = (self._by_word, letters) if whole else (self._by_start, start)
            index[key] = index.get(key, 0) | bit


_MOST_KNOWN = 20_000
"""So many words are remembered with their bits."""
_START = 10
"""So many letters of a word's beginning are looked up."""
_PAIR = 2
"""In Chinese, so many characters."""
_SIGNS = re.compile(r"[\d¥$€⭐✔✅✓☑']").search
"""What expressions without a telling word all need."""
_WORDS = re.compile(r"[a-zé]+").findall


@cache
def ear(language: Language) -> Ear:
    """Return the expressions of a language."""
    return Ear(language)
