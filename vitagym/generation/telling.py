"""How what the user knows becomes one instruction: sentences, short ones joined in pairs as a person would.

It sees texts only, and joins both languages alike; nothing is drawn, so that an instruction follows from its parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from vitagym.generation.terms import Term, sentences

_LONGEST = 150
_OPENERS = frozenset(
    (
        "A",
        "After",
        "An",
        "Anything",
        "At",
        "Both",
        "Everybody",
        "For",
        "From",
        "In",
        "Nobody",
        "Nothing",
        "On",
        "The",
        "There",
        "To",
        "With",
        "Without",
        "You",
    )
)
_BUSY = (";", ":", '"', ", and ", ", so ", ", but ", "?")
_MODALS = (" should ", " must ", " has to ", " may ")
_NEW = "You also "
"""How something begins that has nothing to do with what was told before."""
_WITHIN = "里上中内的"
_OWN = ("你想", "你要", "你打算", "你最多", "你只", "你不", "你觉得", "你愿意")


def instruction(told: Sequence[Term]) -> Term:
    """Return the told parts as one text; two short sentences in a row become one, never three."""
    out: list[Term] = []
    free = False
    for number, part in enumerate(told):
        if free and number > 1 and _joinable(out[-1], part):
            out[-1] = _joined(out[-1], part)
            free = False
        else:
            out.append(part)
            free = True
    return sentences(out)


def _joinable(one: Term, other: Term) -> bool:
    if len(one.en) + len(other.en) > _LONGEST or other.en.split()[0] not in _OPENERS or other.en.startswith(_NEW):
        return False
    return all(_simple(part.en, part.zh) for part in (one, other))


def _simple(english: str, chinese: str) -> bool:
    """Return whether a text is a single plain sentence in both languages."""
    single = english.count(". ") == 0 and english.endswith(".") and chinese.find("。") == len(chinese) - 1
    return single and english.count(",") < 2 and not any(sign in english for sign in _BUSY)


def _joined(one: Term, other: Term) -> Term:
    """Return two sentences as one, in which what both are about is named once."""
    english, chinese = other.en[0].lower() + other.en[1:], other.zh
    subject = _subject(one.en)
    if subject and subject == _subject(other.en):
        english = ("they" if subject.endswith("s") else "it") + other.en[len(subject) :]
        chinese = _without_common(one.zh, chinese)
    elif one.zh.startswith("你") and chinese.startswith(_OWN):
        chinese = chinese[1:]
    return Term(f"{one.en[:-1]}, and {english}", f"{one.zh[:-1]}，{chinese}")


def _without_common(one: str, other: str) -> str:
    """Return a Chinese text without the words with which the one before begins as well."""
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return other if common < 2 or other[common] in _WITHIN else other[common:]


def _subject(english: str) -> str:
    """Return what a sentence says that something should be (``The hotel``); empty: it says something else."""
    ends = [english.find(modal) for modal in _MODALS if modal in english]
    subject = english[: min(ends)] if ends else ""
    return subject if subject.startswith("The ") and len(subject.split()) < 4 else ""
