"""Points cut from an instruction, clause by clause, in its order, for tasks that have none.

A clause is put into the first person and given the slots that its words speak of, so that a question about one of
them is answered with the clause that answers it. Nothing is added and nothing left out.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from vitagym.dialogue.acts import Slot
from vitagym.language import Language, texts
from vitagym.tasks.task import Event, EventKind, Point, Release
from vitagym.users.first_person import first_person

_SENTENCE = re.compile(r"(?<=[.!?。！？])(?<![ap]\.m\.)(?<!\bNo\.)(?<!\bSt\.)\s*(?=[A-Z\u3400-\u9fff\"“(])")
_BRACKETS = re.compile(r"\s*[(（]([^()（）]*)[)）]")
_FIRST = 2
"""So many clauses are the background and the need with which the user begins."""
_SHORTEST = {Language.EN: 4, Language.ZH: 6}
"""A clause has at least so many words, in Chinese characters; a shorter one stays with its neighbour."""


@lru_cache(maxsize=1024)
def points_of(instruction: str, language: Language) -> tuple[Point, ...]:
    """Return the points of an instruction; the first ones are for the first words.

    What is not to be revealed only comes out when asked for.

    A clause in which the user suddenly remembers something, and the change that follows from it, wait until something
    has been reported done.
    """
    points: list[Point] = []
    shifts = False
    for clause, secret in _clauses(instruction, language):
        slots = _slots(clause, language)
        late = any(_search(sign, language).search(clause) for sign in (("shift", "adjusts") if shifts else ("shift",)))
        shifts = late and len(points) >= _FIRST and not secret
        points.append(
            Point(
                id=f"clause{len(points) + 1}",
                slot=slots[0],
                also=tuple(slots[1:]),
                wordings=(first_person(clause, language),),
                release=_release(at=len(points), secret=secret, shifts=shifts),
                event=Event(kind=EventKind.REPORTED) if shifts else None,
            )
        )
    return tuple(points)


def _release(*, at: int, secret: bool, shifts: bool) -> Release:
    if secret:
        return Release.ASKED
    if at < _FIRST:
        return Release.OPENING
    return Release.EVENT if shifts else Release.VOLUNTEERED


def _clauses(instruction: str, language: Language) -> list[tuple[str, bool]]:
    """Return the clauses, each with whether it must not be told unasked."""
    text = " ".join(instruction.split())
    secrets: list[str] = []

    def hide(match: re.Match[str]) -> str:
        found = _search("secret", language).search(match[1])
        if found is None:
            return match[0]
        secrets.append(match[1][: found.start()])
        return ""

    text = _BRACKETS.sub(hide, text)
    clauses = [clause for sentence in _SENTENCE.split(text) for clause in _cut(sentence.strip(), language)]
    return [(clause, False) for clause in clauses] + [(clause, True) for clause in secrets]


def _cut(sentence: str, language: Language) -> list[str]:
    """Cut a sentence where what follows stands alone, unless what comes before does not."""
    if not sentence:
        return []
    out, start = [], 0
    shift = _search("shift", language)
    for match in _search("cut", language).finditer(sentence):
        before, after = sentence[start : match.start()], sentence[match.end() :]
        if min(_length(before, language), _length(after, language)) < _SHORTEST[language]:
            continue
        turns = shift.match(after) is not None
        if shift.search(before) or (_hangs(before, match[0], language) and not turns):
            continue
        out.append(before)
        start = match.end() if sentence[match.start()] in ";；" or match[0].strip(", -") == "" else match.start() + 1
    out.append(sentence[start:])
    return [_search("linked", language).sub("", clause.strip(" ,;；，-")) for clause in out]


def _hangs(before: str, mark: str, language: Language) -> bool:
    """Return whether what stands before a cut needs what comes after it."""
    if _search("dependent", language).search(before) or before.count("(") != before.count(")"):
        return True
    return not mark.strip(" ,，-") and bool(_search("trailing", language).search(before))


def _length(text: str, language: Language) -> int:
    return len(text.split()) if language is Language.EN else len(text)


def _slots(clause: str, language: Language) -> list[Slot]:
    """Return what a clause is about, the most telling first."""
    lowered = clause.lower()
    found = [slot for slot, told in _told(language) if told.search(lowered)]
    return found or [Slot.OTHER]


@cache
def _told(language: Language) -> tuple[tuple[Slot, re.Pattern[str]], ...]:
    table = texts("user_told")
    return tuple((slot, _search(f"slot_{slot.value}", language)) for slot in Slot if f"slot_{slot.value}" in table)


@cache
def _search(meaning: str, language: Language) -> re.Pattern[str]:
    return re.compile("|".join(texts("user_told")[meaning][language.value]), re.IGNORECASE)
