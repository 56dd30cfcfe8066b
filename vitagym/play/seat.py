"""Where an episode, which runs in a thread of its own, waits for what a person does on the page."""

from __future__ import annotations

import threading
from enum import StrEnum


class Turn(StrEnum):
    """Whose turn it is."""

    PERSON = "person"
    OTHERS = "others"
    """The world, the other side, or a model is at it."""
    ENDED = "ended"


class Left(Exception):
    """The person is gone; raised in the episode's thread."""


class Seat:
    """A seat for one person in one episode."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._begun = threading.Event()
        self._turn = Turn.OTHERS
        self._given: str | None = None
        self._left = False

    @property
    def turn(self) -> Turn:
        """Whose turn it is."""
        return self._turn

    def ask(self) -> str:
        """Wait for what the person does; raises Left when there is nobody any more. For the episode's thread."""
        with self._changed:
            self._now(Turn.PERSON)
            self._changed.wait_for(lambda: self._left or self._given is not None)
            if self._left or self._given is None:
                raise Left
            given, self._given = self._given, None
            return given

    def end(self) -> None:
        """Say that the episode is over. For the episode's thread."""
        with self._changed:
            self._now(Turn.ENDED)

    def give(self, action: str) -> bool:
        """Take what the person does; returns whether it was the person's turn."""
        with self._changed:
            if self._turn is not Turn.PERSON:
                return False
            self._given = action
            self._now(Turn.OTHERS)
            return True

    def leave(self) -> None:
        """Let the person go; the episode then stops where it is."""
        with self._changed:
            self._left = True
            self._changed.notify_all()

    def wait_begun(self) -> None:
        """Wait until it has been the person's turn for the first time, or the episode is over."""
        self._begun.wait()

    def settle(self, seconds: float) -> None:
        """Wait until it is the person's turn or the episode is over, so many seconds at most."""
        with self._changed:
            self._changed.wait_for(lambda: self._turn is not Turn.OTHERS, timeout=seconds)

    def _now(self, turn: Turn) -> None:
        self._turn = turn
        if turn is not Turn.OTHERS:
            self._begun.set()
        self._changed.notify_all()
