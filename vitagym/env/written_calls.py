"""Tool calls that an agent writes as text, told from words about tools.

Read are, in this order, whichever comes first in force:

- the whole text as JSON: a call, a list of calls, ``{"tool_calls": […]}``, ``{"function": {…}}``;
- ``<tool_call>…</tool_call>`` tags, one or many;
- fenced code that holds calls;
- JSON calls that stand alone on their lines;
- ``name(key=literal)`` alone on its lines, where ``name`` is a tool on offer;
- a whole text that can only have been meant as a call (an unknown name with named arguments, JSON that broke off).

What stands around them is kept as text. Work is linear in the text's length, or bounded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from vitagym.env.python_calls import find_python_calls

_OPEN, _CLOSE, _FENCE = "<tool_call>", "</tool_call>", "```"
_MAX_TRIES = 64
_LINE_OF_JSON = re.compile(r"^[ \t]*(?=[{\[])", re.MULTILINE)
_NAME = re.compile(r'"name"\s*:\s*"([A-Za-z0-9_.-]{1,64})"')
_CALL_KEY = re.compile(r"""\{\s*(["'])(?:name|function|tool|tool_calls)\1\s*:""")
_CALL_START = re.compile(r"([A-Za-z_]\w*)\(")
_FENCE_LANGUAGE = re.compile(r"[A-Za-z_]*\r?\n")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Written:
    """A tool call as the agent wrote it.

    Attributes:
        name: Name of the tool.
        arguments: Its arguments, not yet checked: an object, JSON text, or whatever stood there.
        id: The id that the agent gave it, if any.
        fault: Code of the refusal where a call was meant and cannot be read.
    """

    name: str
    arguments: Any
    id: object = None
    fault: str | None = None


Found = tuple[str, list[Written]]


def find_calls(text: str, tools: Container[str]) -> Found:
    """Return what stands around the calls in a text, and the calls; no calls: the text is words."""
    if "{" not in text and "(" not in text and _OPEN not in text and _FENCE not in text:
        return text, []
    body = text.strip()
    if body[:1] in ("{", "[") and (calls := calls_in_data(_json(body), tools)):
        return "", calls
    if _OPEN in text:
        around, calls = _in_tags(text, tools)
        if calls:
            return around, calls
    if _FENCE in text:
        around, calls = _in_fences(text, tools)
        if calls:
            return around, calls
    if "{" in text and ('"name"' in text or '"function"' in text or '"tool_calls"' in text):
        around, calls = _on_lines(text, tools)
        if calls:
            return around, calls
        if _looks_like_call(body):
            return "", [_broken(body)]
    around, python_calls = find_python_calls(text, tools)
    if python_calls:
        return around, [Written(name, arguments, fault=fault) for name, arguments, fault in python_calls]
    meant = _meant_as_call(body, tools)
    return (text, []) if meant is None else ("", [meant])


def _meant_as_call(body: str, tools: Container[str]) -> Written | None:
    """Return the call that a whole text was meant as, though its name is unknown or it broke off; None for words."""
    if _CALL_KEY.match(body) and _json(body) is None:
        return _broken(body)
    start = _CALL_START.match(body)
    if start is None:
        return None
    known = find_python_calls(body, (start[1],))[1] if body.endswith(")") else []
    if len(known) == 1 and isinstance(known[0][1], dict) and known[0][1]:
        return Written(*known[0][:2])
    broke_off = start[1] in tools and "\n" not in body and ")" not in body
    return Written(start[1], body, fault="broken_call") if broke_off else None


def calls_in_data(data: object, tools: Container[str]) -> list[Written]:
    """Return the calls that parsed JSON stands for; none where it is something else."""
    if isinstance(data, list):
        found = [calls_in_data(item, tools) for item in data]
        return [call for calls in found for call in calls] if all(found) else []
    if not isinstance(data, dict):
        return []
    several = data.get("tool_calls")
    if isinstance(several, list):
        return calls_in_data(several, tools)
    function = data.get("function")
    if isinstance(function, dict):
        return [_with_id(call, data.get("id")) for call in calls_in_data(function, tools)[:1]]
    name = function if isinstance(function, str) else data.get("name")
    if not isinstance(name, str):
        return []
    given = "arguments" if "arguments" in data else "parameters"
    if given not in data and name not in tools:
        return []
    return [Written(name, data.get(given), data.get("id"))]


def _with_id(call: Written, call_id: object) -> Written:
    return Written(call.name, call.arguments, call_id if call_id is not None else call.id, call.fault)


def _json(text: str) -> object:
    try:
        return orjson.loads(text)
    except ValueError:
        return None


def _looks_like_call(text: str) -> bool:
    """Return whether a text that is not JSON was meant as a call."""
    return text[:1] in ("{", "[") and '"name"' in text and ('"arguments"' in text or '"parameters"' in text)


def _broken(text: str) -> Written:
    found = _NAME.search(text)
    return Written(found[1] if found else "unreadable_call", text, fault="broken_call")


def _in_tags(text: str, tools: Container[str]) -> Found:
    around: list[str] = []
    calls: list[Written] = []
    rest = text
    while True:
        before, opening, rest = rest.partition(_OPEN)
        around.append(before)
        if not opening:
            break
        inside, closing, after = rest.partition(_CLOSE)
        body = inside.strip()
        if not closing and body[:1] not in ("{", "["):
            around.append(opening)
            continue
        calls += calls_in_data(_json(body), tools) or _in_one_tag(body, tools)
        rest = after
    return _joined(around), calls


def _in_one_tag(body: str, tools: Container[str]) -> list[Written]:
    """Return the calls of a tag that is not one piece of JSON."""
    for find in (_in_fences, _on_lines):
        around, calls = find(body, tools)
        if calls and not around:
            return calls
    around, python_calls = find_python_calls(body, tools)
    if python_calls and not around:
        return [Written(name, arguments, fault=fault) for name, arguments, fault in python_calls]
    return [_broken(body)]


def _in_fences(text: str, tools: Container[str]) -> Found:
    parts = text.split(_FENCE)
    around = [parts[0]]
    calls: list[Written] = []
    for i in range(1, len(parts), 2):
        closed = i + 1 < len(parts)
        found = _in_one_fence(parts[i], tools) if closed else []
        calls += found
        if not found:
            around.append(_FENCE + parts[i] + (_FENCE if closed else ""))
        if closed:
            around.append(parts[i + 1])
    return _joined(around, ""), calls


def _in_one_fence(inside: str, tools: Container[str]) -> list[Written]:
    language = _FENCE_LANGUAGE.match(inside)
    body = (inside[language.end() :] if language else inside).strip()
    if body[:1] in ("{", "["):
        if calls := calls_in_data(_json(body), tools):
            return calls
        around, calls = _on_lines(body, tools)
        if calls and not around:
            return calls
        if _json(body) is None and _looks_like_call(body):
            return [_broken(body)]
    around, python_calls = find_python_calls(body, tools)
    if python_calls and not around:
        return [Written(name, arguments, fault=fault) for name, arguments, fault in python_calls]
    return []


def _on_lines(text: str, tools: Container[str]) -> Found:
    around: list[str] = []
    calls: list[Written] = []
    done = 0
    for start, end in _json_lines(text):
        if start < done:
            continue
        found = calls_in_data(_json(text[start:end]), tools)
        if found:
            around.append(text[done:start])
            calls += found
            done = end
    around.append(text[done:])
    return _joined(around), calls


def _json_lines(text: str) -> Iterator[tuple[int, int]]:
    """Yield where JSON values begin at the start of a line and end at the end of one."""
    end = 0
    for tried, match in enumerate(_LINE_OF_JSON.finditer(text)):
        if tried >= _MAX_TRIES:
            return
        start = match.end()
        if start < end:
            continue
        try:
            end = _DECODER.raw_decode(text, start)[1]
        except (ValueError, RecursionError):
            continue
        line_end = text.find("\n", end)
        if not text[end : line_end if line_end >= 0 else len(text)].strip(" \t\r,;"):
            yield start, end


def _joined(parts: list[str], between: str = "\n") -> str:
    return between.join(part.strip() if between else part for part in parts if part.strip(" \t\r\n,;")).strip()
