"""What there is to see in a sentence of an agent's message: the features from which its dialogue acts are told.

Its own features are words, how they follow one another, and what the expressions of ``ear`` find in it; others are its
place in the message, what the rules make of it, and what its neighbours show. The clauses of a sentence have features
too. Words in a row are tuples; ``act_weights`` says what each feature speaks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, repeat
from typing import NamedTuple

from vitagym.dialogue.acts import AgentActKind
from vitagym.users.ear import Sentence, Sign

Feature = str | tuple[str, ...]
ITEM_MARK = "•"
"""What an item of a list begins with."""
ANY = "_"
"""Stands for any word."""
ALWAYS = "ANY"
"""What every sentence shows."""
_HEADING, _ASKED, _STATED = "H", "Q", "T"
_BEFORE, _NEXT = "P", "N"
_CLAUSE, _FIRST_CLAUSE, _MIDDLE_CLAUSE, _LAST_CLAUSE = "CL", "CLF", "CLM", "CLL"
_CUTS = {
    True: (
        re.compile(
            r"[,;:]\s| - | but | so (?=[a-z])"
            r"| and (?=(?:i|you|we|they|it|he|she|shall|should|would|could|do|is|what|which|how|when|where|the)\b)"
        ).split,
        ", ",
        3,
    ),
    False: (re.compile(r"[,;:]").split, ",", 4),
}
"""Whether words are set apart by blanks -> where sentences are cut, what joins clauses, their least length."""
_TOKENS = re.compile(r"[a-z]+(?:'[a-z]+)?|[\u3400-\u9fff]|\d+(?:[.:,]\d+)*|[^\w\s]").findall
_LONG = 4
"""So many words make the step from one class of length to the next."""
_LONGEST = 6
_MOST = 300
"""Of a longer sentence only so many words are looked at."""
_SIGNS = (
    Sign.REQUEST, Sign.WH, Sign.ALTERNATIVE, Sign.RHETORICAL, Sign.ASK_MORE, Sign.ASK_OPEN, Sign.CONFIRM, Sign.DISSUADE,
    Sign.OFFER, Sign.PRICED, Sign.UNPRICED, Sign.CHOICE, Sign.ANNOUNCE, Sign.CLAIM, Sign.CLAIM_NOT, Sign.IMPOSSIBLE,
    Sign.IMPOSSIBLE_NOT, Sign.TROUBLE, Sign.FAREWELL, Sign.RECAP, Sign.ASSENT, Sign.TICK,
)  # fmt: skip
"""The signs that are features."""


Group = tuple[Feature, ...]
"""Features that come together, so that what they add up to can be remembered."""


class Around(NamedTuple):
    """The features of a sentence that depend on what is around it.

    Attributes:
        rules: What the rules make of it; its clauses do not have these.
        place: Where it stands, and what its neighbours show.
    """

    rules: Group
    place: list[Group]


def own(sentence: Sentence) -> Iterator[Feature]:
    """Yield the features of a sentence that depend on nothing but its words."""
    words = _words(sentence)
    end = "?" if sentence.asks else "$"
    framed = ["^", *words, end]
    second, third = framed[1:], framed[2:]
    rows: list[Iterable[Feature]] = [zip(framed, second, strict=False), zip(framed, second, third, strict=False)]
    if sentence.spaced:
        rows.append(zip(framed, repeat(ANY), third, strict=False))
    else:
        rows.append(zip(framed, second, third, framed[3:], strict=False))
    rows.append(zip(repeat(_ASKED if sentence.asks else _STATED), words))
    return chain(words, *rows, _findings(sentence, len(words)))


def clauses(sentence: Sentence) -> list[Sentence]:
    """Return the clauses of a sentence that has several; only the last asks if the sentence does."""
    if sentence.clauses is None:
        texts = _cut(sentence)
        last = len(texts) - 1
        sentence.clauses = [sentence.clause(text, asks=sentence.asks and at == last) for at, text in enumerate(texts)]
    return sentence.clauses


def own_of_clause(sentence: Sentence, at: int) -> Iterator[Feature]:
    """Yield the features of a clause of a sentence, by its position, that depend on nothing but the sentence."""
    parts = clauses(sentence)
    place = _FIRST_CLAUSE if at == 0 else _LAST_CLAUSE if at == len(parts) - 1 else _MIDDLE_CLAUSE
    return chain(own(parts[at]), (_CLAUSE, place))


def around(read: Sequence[tuple[Sentence, tuple[AgentActKind, ...]]]) -> Iterator[Around]:
    """Yield, for the sentences of a message, the features that depend on what is around them.

    Args:
        read: The sentences, each with the kinds of acts that the rules found in it.
    """
    heading: Sentence | None = None
    after: Group = ()
    last = len(read) - 1
    for at, (sentence, kinds) in enumerate(read):
        place: list[Group] = []
        if sentence.text.startswith(ITEM_MARK):
            if heading is not None:
                place.append(_heading(heading))
        else:
            if after:
                place.append(after)
            heading = sentence
        if at:
            before, kinds_before = read[at - 1]
            place += _shown(before)[0], _rules(kinds_before).before
        else:
            place.append(_AT_FIRST)
        if at < last:
            following, kinds_next = read[at + 1]
            place += _shown(following)[1], _rules(kinds_next).next
        else:
            place.append(_AT_LAST)
        after = _AFTER_QUESTION if sentence.asks else _AFTER_STATEMENT
        rules = _rules(kinds)
        yield Around(rules.asked if sentence.asks else rules.stated, place)


_AT_FIRST: Group = ("FIRST", _BEFORE)
_AT_LAST: Group = ("LAST", _NEXT)
_AFTER_QUESTION: Group = ("AFTER+",)
_AFTER_STATEMENT: Group = ("AFTER-",)


class _Rules(NamedTuple):
    """What the rules find, as features: of a question, of a statement, and of the sentence before or after another."""

    asked: Group
    stated: Group
    before: Group
    next: Group


@lru_cache(maxsize=1024)
def _rules(kinds: tuple[AgentActKind, ...]) -> _Rules:
    names = ["R" + kind.value for kind in dict.fromkeys(kinds)]
    return _Rules(
        asked=tuple(name + mark for name in names for mark in ("", "?")),
        stated=tuple(name + mark for name in names for mark in ("", "$")),
        before=tuple(_BEFORE + name for name in names),
        next=tuple(_NEXT + name for name in names),
    )


@lru_cache(maxsize=1024)
def _heading(sentence: Sentence) -> Group:
    """Return what the items below a sentence have of it."""
    return tuple(zip(repeat(_HEADING), _words(sentence)))


def _shown(sentence: Sentence) -> tuple[Group, Group]:
    """Return what a sentence shows the one after it, and what it shows the one before it."""
    if sentence.shown is None:
        names = _found_signs(sentence) + _form(sentence)
        sentence.shown = tuple(_BEFORE + name for name in names), tuple(_NEXT + name for name in names)
    return sentence.shown


def _cut(sentence: Sentence) -> list[str]:
    """Return the texts of the clauses of a sentence, none where it is a single one; short ones stay together."""
    cut, joint, shortest = _CUTS[sentence.spaced]
    texts: list[str] = []
    lengths: list[int] = []
    for text in map(str.strip, cut(sentence.text)):
        length = len(text.split()) if sentence.spaced else len(text)
        if texts and (length < shortest or lengths[-1] < shortest):
            texts[-1] += joint + text
            lengths[-1] += length
        else:
            texts.append(text)
            lengths.append(length)
    return texts if len(texts) > 1 else []


def _words(sentence: Sentence) -> list[str]:
    """Return the words and marks of a sentence; a number is the same as any other."""
    return [word if not word[0].isdigit() else "0:0" if ":" in word else "0" for word in _TOKENS(sentence.text)[:_MOST]]


def _findings(sentence: Sentence, length: int) -> list[str]:
    """Return what the expressions find, apart for questions and statements, and what its length and its end show."""
    names = _found_signs(sentence)
    end = "?" if sentence.asks else "$"
    names += [name + end for name in names]
    return [*names, ALWAYS, f"LENGTH{min(_LONGEST, length // _LONG)}", *_form(sentence)]


def _found_signs(sentence: Sentence) -> list[str]:
    signs = sentence.signs
    names = [f"S{sign}" for sign in _SIGNS if signs >> sign & 1]
    names.append(f"SLOTS{min(2, len(sentence.slots))}")
    if sentence.cue is not None:
        names.append("CUE")
    return names


def _form(sentence: Sentence) -> list[str]:
    shown = (
        ("ASKS", sentence.asks),
        ("ITEM", sentence.text.startswith(ITEM_MARK)),
        ("COLON", sentence.text.endswith(":")),
    )
    return [name for name, holds in shown if holds]
