"""What there is to see in a sentence of an agent's message: the features from which its dialogue acts are told.

Words and how they follow one another, its place in the message, and what the expressions of ``ear`` find in it.
Features are strings; ``act_weights`` says what each of them speaks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from vitagym.dialogue.acts import AgentAct
from vitagym.users.ear import Sentence, Sign

ITEM_MARK = "•"
"""What an item of a list begins with."""
_WORDS = re.compile(r"[a-z]+(?:'[a-z]+)?|[\u3400-\u9fff]|\d+(?:[.:,]\d+)*|[^\w\s]").findall
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
        heading: Words of the last sentence that was no item of a list.
        after: Whether the sentence before was a question; None at the start.
    """

    heading: list[str]
    after: bool | None = None


def features(sentence: Sentence, found: Iterable[AgentAct], reading: Reading, *, last: bool) -> list[str]:
    """Return the features of a sentence, each once, and read on.

    Args:
        sentence: The sentence.
        found: The acts that the rules found in it.
        reading: Where in the message it stands; moved on to the next sentence.
        last: Whether no other follows.
    """
    words = ["0:0" if ":" in word else "0" if word[0].isdigit() else word for word in _WORDS(sentence.text)[:_MOST]]
    item = sentence.text.startswith(ITEM_MARK)
    seen = dict.fromkeys(words)
    framed = ["^", *words, "?" if sentence.asks else "$"]
    seen.update(dict.fromkeys([f"{a} {b}" for a, b in pairwise(framed)]))
    seen.update(dict.fromkeys([f"{a} {b} {c}" for a, b, c in zip(framed, framed[1:], framed[2:], strict=False)]))
    if sentence.spaced:
        seen.update(dict.fromkeys([f"{a}_{b}" for a, b in zip(framed, framed[2:], strict=False)]))
    else:
        fours = zip(framed, framed[1:], framed[2:], framed[3:], strict=False)
        seen.update(dict.fromkeys(["".join(four) for four in fours]))
    seen.update(dict.fromkeys(_circumstances(sentence, reading, len(words), item=item, last=last)))
    seen.update(dict.fromkeys(_findings(sentence, found)))
    if item:
        seen.update(dict.fromkeys([f"H:{word}" for word in reading.heading]))
    else:
        reading.heading = words
    reading.after = sentence.asks
    return list(seen)


def _circumstances(sentence: Sentence, reading: Reading, length: int, *, item: bool, last: bool) -> list[str]:
    """Return what the place, the length and the end of a sentence show."""
    shown = ["ANY", f"LENGTH{min(_LONGEST, length // _LONG)}"]
    if sentence.asks:
        shown.append("ASKS")
    if item:
        shown.append("ITEM")
    elif reading.after is not None:
        shown.append("AFTER+" if reading.after else "AFTER-")
    if reading.after is None:
        shown.append("FIRST")
    if last:
        shown.append("LAST")
    if sentence.text.endswith(":"):
        shown.append("COLON")
    return shown


def _findings(sentence: Sentence, found: Iterable[AgentAct]) -> list[str]:
    """Return what the expressions and the rules find, apart for questions and statements."""
    end = "?" if sentence.asks else "$"
    names = [f"S{sign.value}" for sign in _SIGNS if sentence.shows(sign)]
    names += dict.fromkeys(f"R{act.kind.value}" for act in found)
    names.append(f"SLOTS{min(2, len(sentence.slots))}")
    if sentence.cue is not None:
        names.append("CUE")
    return names + [name + end for name in names]
