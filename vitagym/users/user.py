"""The protocol of a simulated user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, Self

from vitagym.dialogue.acts import UserAct


@dataclass(frozen=True, slots=True)
class Reply:
    """What a user says.

    Attributes:
        text: One line; never empty.
        acts: What it does, where known.
        done: Whether the user ends the conversation with it.
    """

    text: str
    acts: tuple[UserAct, ...] = ()
    done: bool = False


class User(Protocol):
    """A simulated user of one episode."""

    def open(self) -> Reply:
        """Return the first utterance."""

    def reply(self, message: str) -> Reply:
        """Return the answer to what the agent said."""

    def fork(self) -> Self:
        """Return a user that goes on from here by itself, and would say the same."""
