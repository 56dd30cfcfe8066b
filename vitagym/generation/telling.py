"""How what the user knows becomes one instruction: sentences, short ones joined in pairs as a person would.

It sees texts only, and joins both languages alike; nothing is drawn, so that an instruction follows from its parts.
"""

from __future__ import annotations

from collections.abc import Sequence

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
        "Your",
        "Yours",
    )
)
_BUSY = (";", ":", '"', ", and ", ", so ", ", but ", "?")
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
    if len(one.en) + len(other.en) > _LONGEST or other.en.split()[0] not in _OPENERS:
        return False
    return all(_simple(part.en, part.zh) for part in (one, other))


def _simple(english: str, chinese: str) -> bool:
    """Return whether a text is a single plain sentence in both languages."""
    single = english.count(". ") == 0 and english.endswith(".") and chinese.find("。") == len(chinese) - 1
    return single and english.count(",") < 2 and not any(sign in english for sign in _BUSY)


def _joined(one: Term, other: Term) -> Term:
    english = other.en[0].lower() + other.en[1:]
    chinese = other.zh
    if one.zh.startswith("你") and chinese.startswith(_OWN):
        chinese = chinese[1:]
    return Term(f"{one.en[:-1]}, and {english}", f"{one.zh[:-1]}，{chinese}")
