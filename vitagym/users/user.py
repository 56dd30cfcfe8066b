"""The protocol of a simulated user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, Self

from vitagym.dialogue.acts import UserAct
from vitagym.frozen import quickly_made
from vitagym.llm.asking import Asking


@quickly_made
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
    """A simulated user of one episode.

    One that asks a model also has ``opening() -> Asking[Reply]`` and ``replying(message) -> Asking[Reply]``, which do
    the same as ``open`` and ``reply`` and let others ask meanwhile.
    """

    def open(self) -> Reply:
        """Return the first utterance."""

    def reply(self, message: str) -> Reply:
        """Return the answer to what the agent said."""

    def fork(self) -> Self:
        """Return a user that goes on from here by itself, and would say the same."""


def speaking(user: User, message: str | None) -> Asking[Reply]:
    """Let a user speak.

    Args:
        user: Who speaks.
        message: What the agent said; None: nothing so far, the user begins.
    """
    asks = getattr(user, "replying", None)
    if asks is None:
        return user.open() if message is None else user.reply(message)
    reply: Reply = yield from (user.opening() if message is None else asks(message))  # type: ignore[attr-defined]
    return reply
