"""Points cut from an instruction, clause by clause, for tasks that have none."""

from __future__ import annotations

import re
from functools import lru_cache

from vitagym.dialogue.acts import Slot
from vitagym.language import Language
from vitagym.tasks.task import Point, Release

_SENTENCE = re.compile(r"(?<=[.!?。！？])\s*(?=\S)")


@lru_cache(maxsize=1024)
def points_of(instruction: str, language: Language) -> tuple[Point, ...]:  # noqa: ARG001
    """Return the points of an instruction, in its order."""
    sentences = [part.strip() for part in _SENTENCE.split(instruction) if part.strip()]
    return tuple(
        Point(
            id=f"clause{index}",
            slot=Slot.NEED,
            wordings=(sentence,),
            release=Release.OPENING if index < 1 else Release.VOLUNTEERED,
        )
        for index, sentence in enumerate(sentences, 1)
    )
