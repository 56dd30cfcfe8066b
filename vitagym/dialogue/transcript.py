"""The transcript of an episode: its turns (one message each), oldest first, and the same in OpenAI format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from vitagym.dialogue.acts import UserAct
from vitagym.frozen import quickly_made
from vitagym.tools.results import Result


class Role(StrEnum):
    """Who a turn is from."""

    ASSISTANT = "assistant"
    USER = "user"
    TOOL = "tool"
    SYSTEM = "system"
    """The environment itself: why an action could not be used. The user hears nothing of it."""


_NAMES = {role: role.value for role in Role}


@quickly_made
@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool call of the agent.

    Attributes:
        id: Id of the call, unique in the episode.
        name: Name of the tool, as the agent wrote it.
        arguments: Parsed arguments; None where they are no JSON object.
        raw: The arguments as the agent wrote them (JSON text where that could be read).
        fault: Code of the refusal where the call could not be read; None otherwise.
    """

    id: str
    name: str
    arguments: Mapping[str, Any] | None
    raw: str
    fault: str | None = None

    def message(self) -> dict[str, Any]:
        """Return the call in OpenAI format."""
        return {"id": self.id, "type": "function", "function": {"name": self.name, "arguments": self.raw}}


@quickly_made
@dataclass(frozen=True, slots=True)
class Turn:
    """One message.

    Attributes:
        index: Its place in the episode, from 0.
        text: Words of agent or user; what an agent sees of a tool's result.
        calls: The agent's tool calls.
        call: For a tool's turn: the call that it answers.
        result: For a tool's turn: the result.
        acts: For a user's turn: what the utterance does, where known.
        reasoning: For the agent's turn: what its model thought, where it said so; nobody else sees it.
    """

    index: int
    role: Role
    text: str
    calls: tuple[ToolCall, ...] = ()
    call: ToolCall | None = None
    result: Result | None = None
    acts: tuple[UserAct, ...] = ()
    reasoning: str = ""

    def message(self) -> dict[str, Any]:
        """Return the turn as an OpenAI-format message."""
        if self.role is Role.TOOL:
            assert self.call is not None
            return {"role": "tool", "tool_call_id": self.call.id, "name": self.call.name, "content": self.text}
        message: dict[str, Any] = {"role": _NAMES[self.role], "content": self.text}
        if self.calls:
            message["content"] = self.text or None
            message["tool_calls"] = [call.message() for call in self.calls]
        if self.reasoning:
            message["reasoning_content"] = self.reasoning
        return message


class Transcript:
    """The turns of an episode so far."""

    __slots__ = ("turns",)

    def __init__(self, turns: list[Turn] | None = None) -> None:
        self.turns: list[Turn] = [] if turns is None else turns

    def __len__(self) -> int:
        return len(self.turns)

    def add(
        self,
        role: Role,
        text: str,
        *,
        calls: tuple[ToolCall, ...] = (),
        call: ToolCall | None = None,
        result: Result | None = None,
        acts: tuple[UserAct, ...] = (),
        reasoning: str = "",
    ) -> Turn:
        """Append a turn and return it."""
        turn = Turn(len(self.turns), role, text, calls, call, result, acts, reasoning)
        self.turns.append(turn)
        return turn

    def messages(self, start: int = 0) -> list[dict[str, Any]]:
        """Return the turns from ``start`` on as OpenAI-format messages."""
        return [turn.message() for turn in self.turns[start:]]

    def utterances(self, start: int = 0) -> list[Turn]:
        """Return the agent's turns from ``start`` on that the user heard: those without tool calls."""
        return [t for t in self.turns[start:] if t.role is Role.ASSISTANT and not t.calls]

    def fork(self) -> Transcript:
        """Return a copy; turns are frozen, so only the list is copied."""
        return Transcript(list(self.turns))
