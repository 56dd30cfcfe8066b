"""What tools that change nothing have answered in a task's world, so that the same answer is worked out once.

A state of the ledger is known by the calls that led to it, so that nothing in here depends on which episode asked.
"""

from __future__ import annotations

from itertools import count

_REMEMBERED = 64
"""So many answers, and steps from state to state, are remembered a task; then they are forgotten together."""
_LONGEST = 32_768
"""Longer answers are not remembered."""
Asked = tuple[int, str, str]
"""State of the ledger, name of the tool, and its arguments as they were written."""


class Readings:
    """Answers of a task's tools, shared by its worlds."""

    __slots__ = ("_answers", "_numbers", "_states")

    def __init__(self) -> None:
        self._answers: dict[Asked, str] = {}
        self._states: dict[Asked, int] = {}
        self._numbers = count(1)

    def answer(self, asked: Asked) -> str | None:
        """Return the text of an accepted result; None where it is not remembered."""
        return self._answers.get(asked)

    def keep(self, asked: Asked, answer: str) -> None:
        """Remember the text of an accepted result."""
        if len(answer) <= _LONGEST:
            if len(self._answers) >= _REMEMBERED:
                self._answers.clear()
            self._answers[asked] = answer

    def after(self, asked: Asked) -> int:
        """Return the state that a call which may change something leads to; no other state ever has that number."""
        state = self._states.get(asked)
        if state is None:
            if len(self._states) >= _REMEMBERED:
                self._states.clear()
            # Drawn and set at one stroke, so that worlds in several threads cannot give one number to two states.
            state = self._states.setdefault(asked, next(self._numbers))
        return state
