"""One action of an agent, read into words and tool calls. Nothing that an agent sends raises.

An action may be

- plain text: an utterance to the user, or tool calls written as text (see ``vitagym.env.written_calls``);
- an assistant message in OpenAI format: ``{"role": "assistant", "content": …, "tool_calls": […]}``;
- one call as a dict, ``{"name": …, "arguments": {…}}`` or ``{"function": {…}}``, or a list of such dicts.

Beside these, an assistant message may say ``reasoning_content`` (or ``reasoning``), and how its model fared: ``usage``
and ``error`` (see ``vitagym.env.reported``).

``###STOP###``, alone or at the end of the words, ends the episode. ``<think>…</think>`` is nobody's business but the
agent's. An action that is none of these has a fault, which the environment turns into an observation.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import orjson

from vitagym.dialogue.thinking import thinking_in, without_thinking
from vitagym.dialogue.transcript import ToolCall
from vitagym.env.reported import Failed, read_failure, read_usage
from vitagym.env.written_calls import Written, calls_in_data, find_calls
from vitagym.frozen import quickly_made
from vitagym.llm.usage import Used

STOP = "###STOP###"
MAX_ACTION_CHARS = 65_536
"""Longer actions are refused: no message of a conversation is that long, and a transcript is copied at every fork."""

_MAX_NAME_CHARS = 200
_ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_SURROGATE = re.compile("[\ud800-\udfff]")


class WrittenCall(str):
    """A tool call as the text of an action that has its parts at hand, so that it need not be read.

    Args:
        text: The text: ``{"name": …, "arguments": …}``.
        name: Name of a tool.
        arguments: Its arguments. They are not copied, and must not change.
        raw: The arguments as JSON, as short as can be.
    """

    __slots__ = ("arguments", "name", "raw")

    def __new__(cls, text: str, name: str, arguments: Mapping[str, Any], raw: str) -> Self:
        """Return the text with its parts."""
        made = super().__new__(cls, text)
        made.name, made.arguments, made.raw = name, arguments, raw
        return made

    name: str
    arguments: Mapping[str, Any]
    raw: str


class CallIds:
    """Gives each tool call of an episode an id of its own: the agent's, where it is usable and new."""

    __slots__ = ("_used",)

    def __init__(self) -> None:
        self._used: set[str] = set()

    def take(self, wanted: object = None) -> str:
        """Return an id that was not taken before."""
        new = wanted if isinstance(wanted, str) and _ID.fullmatch(wanted) else ""
        number = len(self._used)
        while not new or new in self._used:
            number += 1
            new = f"call_{number}"
        self._used.add(new)
        return new

    def fork(self) -> CallIds:
        """Return a copy that goes on by itself."""
        other = CallIds()
        other._used = set(self._used)
        return other


@quickly_made
@dataclass(frozen=True, slots=True)
class ParsedAction:
    """What an action is.

    Attributes:
        text: The agent's words without its thinking; what stood around the calls where there are calls; empty where
            the action cannot be used.
        calls: Its tool calls, in order.
        stop: Whether it ends the episode.
        fault: Code of the refusal where the action as a whole cannot be used; None otherwise.
        reasoning: What the agent's model thought.
        used: What the agent's model used for it; None where nobody said.
        failed: Why there is no action: the agent's model gave none; None otherwise.
    """

    text: str
    calls: tuple[ToolCall, ...] = ()
    stop: bool = False
    fault: str | None = None
    reasoning: str = ""
    used: Used | None = None
    failed: Failed | None = None


def parse_action(action: object, tools: Container[str], ids: CallIds) -> ParsedAction:
    """Read one action; never raises.

    Args:
        action: What the agent sent.
        tools: Names of the tools on offer; they tell a call such as ``weather(address="…")`` from prose.
        ids: Source of the calls' ids.
    """
    if isinstance(action, WrittenCall) and len(action) <= MAX_ACTION_CHARS:
        return ParsedAction("", (ToolCall(ids.take(), action.name, action.arguments, action.raw),))
    if isinstance(action, str):
        return _parse_text(action, tools, ids)
    if isinstance(action, dict | list | tuple):
        return _parse_data(action, tools, ids)
    return ParsedAction("", fault="not_an_action")


def clean(text: str) -> str:
    """Return the text with every lone surrogate replaced, so that it can be written as UTF-8."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _parse_text(text: str, tools: Container[str], ids: CallIds) -> ParsedAction:
    if len(text) > MAX_ACTION_CHARS:
        return ParsedAction("", fault="action_too_long")
    if clean(text) != text:
        return ParsedAction("", fault="bad_text")
    spoken = without_thinking(text)
    reasoning = "" if spoken is text else thinking_in(text)
    stop = spoken.rstrip().endswith(STOP)
    around, written = find_calls(spoken.rstrip().removesuffix(STOP) if stop else spoken, tools)
    if not written:
        fault = None if spoken.strip() else "empty_action"
        return ParsedAction("" if fault else spoken, stop=stop, fault=fault, reasoning=reasoning)
    words = f"{around} {STOP}".strip() if stop else around
    return ParsedAction(words, tuple(_tool_call(call, ids) for call in written), stop, reasoning=reasoning)


def _parse_data(
    action: dict[Any, Any] | list[Any] | tuple[Any, ...], tools: Container[str], ids: CallIds
) -> ParsedAction:
    try:
        data = orjson.loads(orjson.dumps(action))
    except (TypeError, ValueError, RecursionError) as error:
        return ParsedAction("", fault="bad_text" if "surrogates" in str(error) else "not_an_action")
    if not _is_message(data):
        return _parse_calls(data, tools, ids)
    if data.get("role", "assistant") != "assistant":
        return ParsedAction("", fault="not_an_action")
    try:
        used, failed = read_usage(data.pop("usage", None)), read_failure(data.pop("error", None))
    except ValueError:
        return ParsedAction("", fault="not_an_action")
    thoughts = [data.pop(name, None) for name in ("reasoning_content", "reasoning")]
    thought = next((t for t in thoughts if isinstance(t, str) and t), "")
    parsed = ParsedAction("", failed=failed) if failed is not None else _parse_message(data, tools, ids)
    reasoning = "\n".join(part for part in (thought, parsed.reasoning) if part)
    return replace(parsed, reasoning=reasoning, used=used)


def _parse_calls(data: Any, tools: Container[str], ids: CallIds) -> ParsedAction:
    if _too_long(data):
        return ParsedAction("", fault="action_too_long")
    written = calls_in_data(data, tools)
    if not written:
        return ParsedAction("", fault="not_an_action")
    return ParsedAction("", tuple(_tool_call(call, ids) for call in written))


def _parse_message(data: dict[str, Any], tools: Container[str], ids: CallIds) -> ParsedAction:
    if _too_long(data):
        return ParsedAction("", fault="action_too_long")
    words = _content(data.get("content"))
    calls = data.get("tool_calls")
    if words is None or not (calls is None or isinstance(calls, list)):
        return ParsedAction("", fault="not_an_action")
    if not calls:
        return _parse_text(words, tools, ids)
    spoken = without_thinking(words)
    reasoning = "" if spoken is words else thinking_in(words)
    written = [found for call in calls for found in calls_in_data(call, tools) or [_unreadable(call)]]
    ends = spoken.rstrip().endswith(STOP)
    return ParsedAction(spoken, tuple(_tool_call(call, ids) for call in written), ends, reasoning=reasoning)


def _too_long(data: Any) -> bool:
    return len(orjson.dumps(data)) > MAX_ACTION_CHARS


def _unreadable(call: object) -> Written:
    return Written("unreadable_call", orjson.dumps(call).decode(), fault="broken_call")


def _is_message(data: object) -> bool:
    return isinstance(data, dict) and not data.keys().isdisjoint(("role", "content", "tool_calls"))


def _content(content: object) -> str | None:
    """Return the words of a message's content (text, parts of text, or nothing); None where it is something else."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    parts = [part.get("text") if isinstance(part, dict) else None for part in content]
    words = [part for part in parts if isinstance(part, str)]
    return "".join(words) if len(words) == len(parts) else None


def _tool_call(written: Written, ids: CallIds) -> ToolCall:
    """Return the call with its arguments read: an object, JSON text of one (OpenAI's form), or nothing."""
    call_id = ids.take(written.id)
    name = written.name[:_MAX_NAME_CHARS]
    arguments = written.arguments
    if written.fault is not None:
        return ToolCall(call_id, name, None, str(arguments), written.fault)
    if arguments is None or arguments == "":
        return ToolCall(call_id, name, {}, "{}")
    if isinstance(arguments, str):
        raw = arguments
        try:
            arguments = orjson.loads(raw)
        except ValueError:
            return ToolCall(call_id, name, None, raw, "broken_arguments")
    else:
        try:
            raw = orjson.dumps(arguments).decode()
        except TypeError:  # nested deeper than can be written
            return ToolCall(call_id, name, None, "", "broken_arguments")
    if not isinstance(arguments, dict):
        return ToolCall(call_id, name, None, raw, "arguments_not_object")
    return ToolCall(call_id, name, arguments, raw)
