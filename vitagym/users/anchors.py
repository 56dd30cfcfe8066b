"""Which words must stand in a sentence for a regular expression to match: a quick look before a slow search.

An anchor is the beginning of a word, or a whole word; in Chinese, which has no spaces, characters in a row. ``anchors``
reads the small part of the syntax of expressions that ``assets/text/user_heard.toml`` uses; where it cannot tell, it
says None, and the expression is always tried. Where an expression needs several words, two of them are told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple


class Anchor(NamedTuple):
    """A word that a match contains: all of it, or its beginning."""

    text: str
    whole: bool


_COMMON = """a about all an and any are as at be can could did do does for from had has have how i if in is it it's like
may me more my need no not of on one or our please shall should some that the there they this to want was we were what
when which who will with would you your you're"""
_FREQUENT = frozenset(_COMMON.split())
_TOKEN = re.compile(
    r"(?P<boundary>\\b|\^|\$)|(?P<look>\(\?<?[!=])|(?P<open>\((?:\?:)?)|(?P<close>\))|(?P<bar>\|)"
    r"|(?P<klass>\[(?:\\.|[^\]])*\]|\\[dwsS]|\.)|(?P<optional>[?*]|\{0,\d+\})|(?P<repeat>\+|\{\d+(?:,\d*)?\})"
    r"|\\x(?P<code>[0-9a-fA-F]{2})|\\(?P<escaped>.)|(?P<letter>.)",
    re.DOTALL,
)


@dataclass(slots=True)
class _Item:
    """One element of a sequence: a literal, a group with its own anchors, a boundary, or something unknown.

    Attributes:
        further: Of a group without alternatives: anchors that it needs besides.
        opens: Whether a word may only begin, not go on, after it.
    """

    letter: str = ""
    group: frozenset[Anchor] | None = None
    further: frozenset[Anchor] | None = None
    opens: bool = False
    optional: bool = False


def anchors(expression: str, *, spaced: bool = True) -> frozenset[Anchor] | None:
    """Return anchors one of which every match contains; None where there are none.

    Args:
        expression: A regular expression.
        spaced: Whether it is for a language with spaces between words.
    """
    return _Reader(expression, spaced=spaced).alternatives(starts_word=False).group


def anchor_pair(expression: str, *, spaced: bool = True) -> tuple[frozenset[Anchor] | None, frozenset[Anchor] | None]:
    """Return what ``anchors`` returns, and further anchors one of which every match contains too.

    The further ones are None where there are none, also for an expression of several alternatives.
    """
    item = _Reader(expression, spaced=spaced).alternatives(starts_word=False)
    return item.group, item.further


def alternatives(expression: str) -> list[str]:
    """Return the alternatives of an expression that stand in no group."""
    cuts, depth = [-1], 0
    for token in _TOKEN.finditer(expression):
        depth += bool(token["open"] or token["look"]) - bool(token["close"])
        if token["bar"] and depth == 0:
            cuts.append(token.start())
    return [expression[start + 1 : end] for start, end in pairwise([*cuts, len(expression)])]


class _Reader:
    def __init__(self, expression: str, *, spaced: bool) -> None:
        self._spaced = spaced
        self._tokens = list(_TOKEN.finditer(expression))
        self._at = 0

    def alternatives(self, *, starts_word: bool) -> _Item:
        """Read up to the closing bracket or the end, as one element."""
        sequences: list[list[_Item]] = [[]]
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            self._at += 1
            if token["close"]:
                break
            if token["bar"]:
                sequences.append([])
            else:
                self._read(token, sequences[-1], starts_word=starts_word)
        found = [_best(items, starts_word=starts_word, spaced=self._spaced) for items in sequences]
        known = [best[0] for best in found if best]
        return _Item(
            group=frozenset().union(*known) if len(known) == len(found) else None,
            further=found[0][1] if len(found) == 1 and len(found[0]) > 1 else None,
            opens=all(bool(items) and _opens_word(items, starts_word=starts_word) for items in sequences),
        )

    def _read(self, token: re.Match[str], items: list[_Item], *, starts_word: bool) -> None:
        if token["look"]:
            self.alternatives(starts_word=False)
        elif token["open"]:
            items.append(self.alternatives(starts_word=_opens_word(items, starts_word=starts_word)))
        elif token["boundary"]:
            items.append(_Item(opens=True))
        elif token["optional"]:
            items[-1].optional = True
        elif token["klass"] or token["repeat"]:
            items.append(_Item())
        else:
            letter = token["escaped"] or token["letter"] or chr(int(token["code"], 16))
            items.append(_Item(letter=letter, opens=letter == " "))


def _opens_word(items: list[_Item], *, starts_word: bool) -> bool:
    """Return whether a word may only begin, not go on, after a sequence."""
    opens = starts_word
    for item in items:
        opens = item.opens and (opens or not item.optional)
    return opens


def _best(items: list[_Item], *, starts_word: bool, spaced: bool) -> list[frozenset[Anchor]]:
    """Return the anchors of a sequence that are rarest, and the next rarest ones, as far as that can be told."""
    needed = [item for item in items if not item.optional]
    candidates = [group for item in needed for group in (item.group, item.further) if group]
    candidates += [frozenset({anchor}) for anchor in _words(items, starts_word=starts_word, spaced=spaced)]
    return sorted(dict.fromkeys(candidates), key=_rarity, reverse=True)[:2]


def _rarity(candidate: frozenset[Anchor]) -> tuple[float, int]:
    """Return how rare the commonest anchor seems: the longer the rarer, but for words that are everywhere."""
    rarities = [len(anchor.text) / (100 if anchor.text in _FREQUENT else 1) for anchor in candidate]
    return min(rarities), -len(candidate)


def _words(items: list[_Item], *, starts_word: bool, spaced: bool) -> list[Anchor]:
    """Return the words, or beginnings of words, that the literals of a sequence spell."""
    out: list[Anchor] = []
    word, begins, opens = "", starts_word, starts_word
    for item in [*items, _Item(optional=True)]:
        if not item.optional and item.letter and (item.letter.isalpha() or item.letter == "'"):
            begins = begins if word else opens
            word += item.letter
            opens = False
            continue
        if word and (begins or not spaced):
            out.append(Anchor(word, whole=item.opens and not item.optional))
        word = ""
        opens = item.opens and (opens or not item.optional)
    return out
