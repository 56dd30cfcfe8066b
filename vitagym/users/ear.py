"""How a user hears a sentence: the signs in it, by the expressions of ``assets/text/user_heard.toml``.

There are some thousands of expressions in each language. A look at the words of a sentence rules out nearly all of
them (see ``anchors``); only the others are searched for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import IntEnum
from functools import cache
from operator import add

from vitagym.dialogue.acts import Slot
from vitagym.language import Language, texts
from vitagym.users.anchors import Anchor, alternatives, anchor_pair

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
        signs: The signs that it shows, a bit each.
        told: What the weights of its own features add up to; None until that is known.
        clauses: Its clauses, where it has several; None until it was cut.
        shown: What it shows the sentence after it, and the one before it, as features; None until that is known.
    """

    __slots__ = (
        "_cue",
        "_ear",
        "_may",
        "_parts",
        "_places",
        "_slots",
        "asks",
        "clauses",
        "shown",
        "signs",
        "text",
        "told",
    )

    def __init__(self, text: str, asks: bool, language: Language) -> None:
        self.text, self._ear = text, ear(language)
        self.asks = asks or (language is Language.ZH and text.endswith(_PARTICLES))
        self._may = self._ear.may_match(text)
        self.signs = self._ear.signs_in(text, self._may)
        self._slots: tuple[Slot, ...] | None = None
        self._cue: tuple[Slot | None] | None = None
        self._places: dict[Sign, re.Match[str] | None] = {}
        self._parts: dict[tuple[int, int], Sentence] = {}
        self.told: int | None = None
        self.clauses: list[Sentence] | None = None
        self.shown: tuple[tuple[str, ...], tuple[str, ...]] | None = None

    def shows(self, sign: Sign) -> bool:
        """Return whether the sentence shows a sign."""
        return self.signs >> sign & 1 == 1

    def place(self, sign: Sign) -> re.Match[str] | None:
        """Return where the sentence first shows a sign; None where it does not."""
        if not self.signs >> sign & 1:
            return None
        if sign not in self._places:
            self._places[sign] = self._ear.find(self.text, self._may & self._ear.signs[sign])
        return self._places[sign]

    @property
    def spaced(self) -> bool:
        """Whether its language puts blanks between words."""
        return self._ear.spaced

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slots that it asks about, if it asks: one for each of its parts."""
        if self._slots is None:
            self._slots = self._find_slots() if self._may & self._ear.any_slot else ()
        return self._slots

    def _find_slots(self) -> tuple[Slot, ...]:
        lead, _, listed = self.text.partition(":")
        parts = [part.strip() for part in self._ear.parts(listed if listed.strip() else lead)]
        asking = [part for part in parts if part and _ASIDE.match(part) is None] or parts
        found = [self._slot(part, self._may & self._ear.any_slot) for part in asking]
        return tuple(dict.fromkeys(slot for slot in found if slot is not None))

    @property
    def cue(self) -> Slot | None:
        """The slot that single words in it point to, where it asks about none in so many words."""
        if self._cue is None:
            self._cue = (self._slot(self.text, self._may & self._ear.any_cue),)
        return self._cue[0]

    def _slot(self, part: str, candidates: int) -> Slot | None:
        """Return what a part is about, going by the expressions with these bits.

        That is what its expressions say that reach beyond "which" or "what" and the noun that goes with it; else what
        that noun says; else the first that fits.
        """
        find = self._ear.find
        likely = list(self._ear.owned(candidates))
        if not likely:
            return None
        head = find(part, self._may & self._ear.signs[Sign.HEAD])
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
        part = self._parts.get((start, end))
        if part is None:
            part = self._parts[start, end] = self._part(self.text[start:end])
        return part

    def clause(self, text: str, *, asks: bool) -> Sentence:
        """Return words of it as a sentence of their own, which may ask."""
        clause = self._part(text)
        clause.asks = asks or (not self.spaced and text.endswith(_PARTICLES))
        return clause

    def _part(self, text: str) -> Sentence:
        part = Sentence.__new__(Sentence)
        part.text, part.asks, part._ear, part._may = text, False, self._ear, self._may
        part.signs = self._ear.signs_in(text, self._may)
        part._slots = part._cue = part.told = part.clauses = part.shown = None
        part._places, part._parts = {}, {}
        return part


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
        any_slot: The bits of all slots, the slot that is preferred first.
        any_cue: The bits of the single words that point to a slot.
        parts: Splits a sentence into its parts.
    """

    __slots__ = (
        "_always",
        "_any_sign",
        "_by_start",
        "_by_word",
        "_known",
        "_meaning_of",
        "_searches",
        "_sign_of",
        "_slot_of",
        "any_cue",
        "any_slot",
        "meanings",
        "parts",
        "signs",
        "spaced",
    )

    def __init__(self, language: Language) -> None:
        self.spaced = language is Language.EN
        self._searches: list[Search] = []
        self._meaning_of: list[str] = []
        self._always = [0, 0]
        self._by_word: dict[str, list[int]] = {}
        self._by_start: dict[str, list[int]] = {}
        self._known: dict[str, list[int]] = {}
        table = texts("user_heard")
        self.meanings = {meaning: self._learn(meaning, entry[language.value]) for meaning, entry in table.items()}
        self.signs = [self.meanings[sign.name.lower()] for sign in Sign]
        self._sign_of = {sign.name.lower(): (1 << sign, ~self.signs[sign]) for sign in Sign}
        self._slot_of = {
            name: Slot(name.partition("_")[2]) for name in self.meanings if name.startswith(("slot_", "cue_"))
        }
        self._any_sign = sum(self.signs)
        self.any_slot = sum(bits for name, bits in self.meanings.items() if name.startswith("slot_"))
        self.any_cue = sum(bits for name, bits in self.meanings.items() if name.startswith("cue_"))
        self.parts = _PARTS[language].split

    def signs_in(self, text: str, candidates: int) -> int:
        """Return the signs, a bit each, that a text shows by the expressions with these bits."""
        found = 0
        candidates &= self._any_sign
        while candidates:
            lowest = candidates & -candidates
            at = lowest.bit_length() - 1
            if self._searches[at](text) is None:
                candidates ^= lowest
            else:
                sign, others = self._sign_of[self._meaning_of[at]]
                found |= sign
                candidates &= others
        return found

    def owned(self, candidates: int) -> Iterator[tuple[Slot, int]]:
        """Yield the slots to which expressions with these bits belong, each with the bits that do, preferred first."""
        while candidates:
            meaning = self._meaning_of[(candidates & -candidates).bit_length() - 1]
            bits = candidates & self.meanings[meaning]
            candidates ^= bits
            yield self._slot_of[meaning], bits

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
        may, also = self._always if _SIGNS(text) else (0, self._always[1])
        if self.spaced:
            known = self._known
            for word in set(_WORDS(text)):
                bits, more = known[word] if word in known else self._look_up(word)
                may |= bits
                also |= more
        else:
            for key in self._by_start.keys() & {*text, *map(add, text, text[1:])}:
                bits, more = self._by_start[key]
                may |= bits
                also |= more
        return may & also

    def _look_up(self, word: str) -> list[int]:
        found = [self._by_word.get(word), *(self._by_start.get(word[:end]) for end in range(1, _START + 1))]
        may, also = 0, 0
        for bits in found:
            if bits is not None:
                may |= bits[0]
                also |= bits[1]
        if len(self._known) < _MOST_KNOWN:
            self._known[word] = [may, also]
        return [may, also]

    def _learn(self, meaning: str, expressions: list[str]) -> int:
        """Compile the expressions of a meaning; return their bits."""
        bits = 0
        for expression in (part for written in expressions for part in alternatives(written)):
            bit = 1 << len(self._searches)
            self._searches.append(re.compile(expression).search)
            self._meaning_of.append(meaning)
            for which, found in enumerate(anchor_pair(expression, spaced=self.spaced)):
                self._index(bit, which, found)
            bits |= bit
        return bits

    def _index(self, bit: int, which: int, found: frozenset[Anchor] | None) -> None:
        """Note the words with which an expression is worth trying; ``which``: whether these are its further ones."""
        if found is None:
            self._always[which] |= bit
            return
        for anchor in found:
            letters, apostrophe, _ = anchor.text.partition("'")
            whole = self.spaced and (anchor.whole or bool(apostrophe))
            start = letters[: _START if self.spaced else _PAIR]
            index, key = (self._by_word, letters) if whole else (self._by_start, start)
            index.setdefault(key, [0, 0])[which] |= bit


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
