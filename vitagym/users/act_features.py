"""What there is to see in a sentence of an agent's message: the features from which its dialogue acts are told.

Its own features are words, how they follow one another, and what the expressions of ``ear`` find in it; others are its
place in the message and what the rules make of it. Words in a row are tuples; ``act_weights`` says what each feature
speaks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat

from vitagym.dialogue.acts import AgentAct
from vitagym.users.ear import Sentence, Sign

Feature = str | tuple[str, ...]
ITEM_MARK = "•"
"""What an item of a list begins with."""
ANY = "_"
"""Stands for any word."""
ALWAYS = "ANY"
"""What every sentence shows."""
_HEADING, _ASKED, _STATED = "H", "Q", "T"
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


@dataclass(slots=True)
class Reading:
    """Where in a message one is.

    Attributes:
        heading: The last sentence that was no item of a list.
        after: Whether the sentence before was a question; None at the start.
    """

    heading: Sentence | None = None
    after: bool | None = None


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


def around(sentence: Sentence, found: Iterable[AgentAct], reading: Reading, *, last: bool) -> list[Feature]:
    """Return the features of a sentence that depend on what is around it, and read on.

    Args:
        sentence: The sentence.
        found: The acts that the rules found in it.
        reading: Where in the message it stands; moved on to the next sentence.
        last: Whether no other follows.
    """
    end = "?" if sentence.asks else "$"
    names: list[Feature] = []
    for act in found:
        name = f"R{act.kind.value}"
        if name not in names:
            names += name, name + end
    if sentence.text.startswith(ITEM_MARK):
        if reading.heading is not None:
            names += zip(repeat(_HEADING), _words(reading.heading))
    else:
        if reading.after is not None:
            names.append("AFTER+" if reading.after else "AFTER-")
        reading.heading = sentence
    if reading.after is None:
        names.append("FIRST")
    if last:
        names.append("LAST")
    reading.after = sentence.asks
    return names


def _words(sentence: Sentence) -> list[str]:
    """Return the words and marks of a sentence; a number is the same as any other."""
    return [word if not word[0].isdigit() else "0:0" if ":" in word else "0" for word in _TOKENS(sentence.text)[:_MOST]]


def _findings(sentence: Sentence, length: int) -> list[str]:
    """Return what the expressions find, apart for questions and statements, and what its length and its end show."""
    signs = sentence.signs
    names = [f"S{sign}" for sign in _SIGNS if signs >> sign & 1]
    names.append(f"SLOTS{min(2, len(sentence.slots))}")
    if sentence.cue is not None:
        names.append("CUE")
    end = "?" if sentence.asks else "$"
    names += [name + end for name in names]
    names += ALWAYS, f"LENGTH{min(_LONGEST, length // _LONG)}"
    if sentence.asks:
        names.append("ASKS")
    if sentence.text.startswith(ITEM_MARK):
        names.append("ITEM")
    if sentence.text.endswith(":"):
        names.append("COLON")
    return names
