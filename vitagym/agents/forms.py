"""How a conversation is written for a language model that plays the agent, and how its answer is read.

- ``tools``: function calling of the OpenAI protocol
- ``text``: tools in the prompt, calls in tags, for models without function calling
- ``react``: a thought, then one action or words (ReAct)

Whatever the form, the answer becomes an assistant message in OpenAI format, which the environment takes as an action.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any, Protocol

from vitagym.dialogue.thinking import without_thinking
from vitagym.errors import UnknownName
from vitagym.language import Language, text
from vitagym.llm.completion import Completion

Message = Mapping[str, Any]
Tools = Sequence[Mapping[str, Any]]
_NAME = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_NAME = 64


class Thoughts(StrEnum):
    """Which of its earlier thoughts a model is shown again, in the field ``reasoning_content``."""

    NONE = "none"
    """None: most endpoints want them left out, some refuse them."""
    TURN = "turn"
    """Those since the user spoke last: what models want that think between their calls."""
    ALL = "all"
    """All of them."""


class Form(Protocol):
    """A way to write a conversation, and to read an answer."""

    @property
    def offers_tools(self) -> bool:
        """Whether the tools stand in the request, as schemas; else they stand in the prompt."""

    def prompt(self, rules: str, tools: Tools, language: Language) -> str:
        """Return the system prompt."""

    def written(self, message: Message, language: Language) -> dict[str, Any]:
        """Return one message of the conversation as the model is sent it."""

    def read(self, completion: Completion) -> dict[str, Any] | None:
        """Return the message that an answer is; None where it is not in this form."""


def form_named(name: str) -> Form:
    """Return a form by name; raises UnknownName for any other."""
    if name not in FORMS:
        raise UnknownName("protocol", name, FORMS)
    return FORMS[name]


def conversation(form: Form, messages: Sequence[Message], thoughts: Thoughts, language: Language) -> list[Message]:
    """Return a conversation as the model is sent it, without the system prompt; neighbours of one side are joined."""
    users = [n for n, message in enumerate(messages) if message["role"] == "user"]
    shown_from = {Thoughts.NONE: len(messages), Thoughts.TURN: users[-1] if users else 0, Thoughts.ALL: 0}[thoughts]
    out: list[Message] = []
    for n, message in enumerate(messages):
        sent = form.written(message, language)
        if form.offers_tools and n >= shown_from and message.get("reasoning_content"):
            sent["reasoning_content"] = message["reasoning_content"]
        if out and sent["role"] == out[-1]["role"] == "user":
            out[-1] = {"role": "user", "content": f"{out[-1]['content']}\n{sent['content']}"}
        else:
            out.append(sent)
    return out


class ToolForm:
    """Function calling of the OpenAI protocol."""

    offers_tools = True

    def prompt(self, rules: str, tools: Tools, language: Language) -> str:
        """Return the rules as they are."""
        return rules

    def written(self, message: Message, language: Language) -> dict[str, Any]:
        """Return the message in the form that endpoints accept, whatever the model had written."""
        role, content = message["role"], message.get("content")
        if role == "tool":
            return {"role": role, "tool_call_id": message["tool_call_id"], "content": content}
        if role == "system":
            return _notice(message, language)
        if role == "assistant" and message.get("tool_calls"):
            return {"role": role, "content": content, "tool_calls": [_sendable(c) for c in message["tool_calls"]]}
        return {"role": role, "content": content or text("agent_llm", "silent", language)}

    def read(self, completion: Completion) -> dict[str, Any] | None:
        """Return words and calls as they came."""
        message: dict[str, Any] = {"role": "assistant", "content": completion.text or None}
        if completion.calls:
            message["tool_calls"] = [dict(call) for call in completion.calls]
        return message


class TextForm:
    """Tools in the prompt, calls in tags."""

    offers_tools = False

    def prompt(self, rules: str, tools: Tools, language: Language) -> str:
        """Return the rules, the tools, and how they are called."""
        return f"{rules}\n\n{_filled('text', language, tools=listed(tools))}"

    def written(self, message: Message, language: Language) -> dict[str, Any]:
        """Return words with calls and results in tags."""
        role, content = message["role"], message.get("content") or ""
        if role == "tool":
            response = f'<tool_response name="{_paired(message["name"])}">\n{content}\n</tool_response>'
            return {"role": "user", "content": response}
        if role == "system":
            return _notice(message, language)
        calls = [f"<tool_call>{_as_json(call)}</tool_call>" for call in message.get("tool_calls") or ()]
        words = "\n".join([content, *calls] if content else calls)
        return {"role": role, "content": words or text("agent_llm", "silent", language)}

    def read(self, completion: Completion) -> dict[str, Any] | None:
        """Return the words; the environment finds the calls in them."""
        return ToolForm().read(completion)


class ReactForm:
    """A thought, then one action or words."""

    offers_tools = False
    _PART = re.compile(
        r"^[ \t*]*(Thought|Action|Say|Observation|User)[ \t*]*[:：][ \t*]*", re.MULTILINE | re.IGNORECASE
    )

    def prompt(self, rules: str, tools: Tools, language: Language) -> str:
        """Return the rules, the tools, and the form."""
        return f"{rules}\n\n{_filled('react', language, tools=listed(tools))}"

    def written(self, message: Message, language: Language) -> dict[str, Any]:
        """Return the message under its name."""
        role, content = message["role"], message.get("content") or ""
        if role == "user":
            return {"role": "user", "content": f"User: {content}"}
        if role != "assistant":
            return {"role": "user", "content": f"Observation: {content}"}
        thought = message.get("reasoning_content", "")
        calls = message.get("tool_calls") or ()
        done = [f"Action: {_as_json(call)}" for call in calls] or [f"Say: {content}"]
        return {"role": role, "content": "\n".join([f"Thought: {thought}", *done])}

    def read(self, completion: Completion) -> dict[str, Any] | None:
        """Return the first action, or words, after the thought."""
        words = without_thinking(completion.text)
        marks = list(self._PART.finditer(words))
        ends = [mark.start() for mark in marks[1:]] + [len(words)]
        thought = ""
        for mark, end in zip(marks, ends, strict=False):
            part = words[mark.end() : end].strip()
            kind = mark[1].lower()
            if kind == "thought":
                thought = part
            elif kind in ("action", "say") and part:
                said = part if kind == "say" else f"<tool_call>{_unfenced(part)}</tool_call>"
                message = {"role": "assistant", "content": said}
                return {**message, "reasoning_content": thought} if thought else message
        return None


FORMS: dict[str, Form] = {"tools": ToolForm(), "text": TextForm(), "react": ReactForm()}
"""The forms by name."""


def listed(tools: Tools) -> str:
    """Return tools for a prompt, one JSON object a line."""
    return "\n".join(json.dumps(tool["function"], ensure_ascii=False) for tool in tools)


def plan_prompt(rules: str, tools: Tools, language: Language) -> str:
    """Return the system prompt of a model that plans for an agent."""
    return _filled("plan", language, rules=rules, tools=listed(tools))


def _filled(name: str, language: Language, **places: str) -> str:
    """Return a prompt with its places filled; what is filled in is not looked at again."""
    return re.sub(r"\{(tools|rules)\}", lambda place: places[place[1]], _template(name, language))


@cache
def _template(name: str, language: Language) -> str:
    source = resources.files("vitagym.assets").joinpath("prompts", f"agent_{name}_{language.value}.md")
    return source.read_text(encoding="utf-8").strip()


def _notice(message: Message, language: Language) -> dict[str, Any]:
    """Return what the environment says as a user's message: many endpoints take no second system message."""
    return {"role": "user", "content": text("agent_llm", "notice", language).format(notice=message["content"])}


def _sendable(call: Mapping[str, Any]) -> dict[str, Any]:
    """Return a call that endpoints accept: some refuse names and arguments that models have made up."""
    function = call["function"]
    name = _NAME.sub("_", function["name"])[:_LONGEST_NAME] or "_"
    raw = function["arguments"]
    arguments = raw if _object(raw) is not None else json.dumps({"unreadable": raw}, ensure_ascii=False)
    return {"id": call["id"], "type": "function", "function": {"name": name, "arguments": arguments}}


def _as_json(call: Mapping[str, Any]) -> str:
    function = call["function"]
    arguments = _object(function["arguments"])
    given = function["arguments"] if arguments is None else arguments
    try:
        written = json.dumps({"name": function["name"], "arguments": given}, ensure_ascii=False)
    except RecursionError:
        written = json.dumps({"name": function["name"], "arguments": function["arguments"]}, ensure_ascii=False)
    return _paired(written)


def _paired(words: str) -> str:
    """Return words that UTF-8 can say: escapes in a call's JSON can be of half a character."""
    return words if words.isascii() else words.encode("utf-8", "replace").decode("utf-8")


def _object(raw: str) -> dict[str, Any] | None:
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _unfenced(part: str) -> str:
    return re.sub(r"^```[a-zA-Z]*\n?|\n?```$", "", part.strip()).strip()
