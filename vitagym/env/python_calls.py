"""Tool calls in Python's notation, ``name(key=literal)``, alone on their lines, of tools on offer."""

from __future__ import annotations

import ast
import math
import re
import warnings
from collections.abc import Container
from typing import Any

import orjson

PythonCall = tuple[str, Any, str | None]
"""Name, arguments, and the code of the refusal where they are no literals by name."""

_START = re.compile(r"^[ \t]*(\[?)[ \t]*([A-Za-z_]\w*)[ \t]*\(", re.MULTILINE)
_MAX_TRIES = 64
_MAX_CHARS = 20_000
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_JSON_NAMES = {"true": True, "false": False, "null": None}


def find_python_calls(text: str, tools: Container[str]) -> tuple[str, list[PythonCall]]:
    """Return what stands around such calls, and the calls in order."""
    if "(" not in text:
        return text, []
    around: list[str] = []
    calls: list[PythonCall] = []
    done = tried = 0
    for match in _START.finditer(text):
        if match[2] not in tools or match.start() < done or tried >= _MAX_TRIES:
            continue
        tried += 1
        start = match.start(1) if match[1] else match.start(2)
        end = _closing(text, match.start(1) if match[1] else match.end() - 1)
        line_end = text.find("\n", end)
        if end < 0 or text[end : line_end if line_end >= 0 else len(text)].strip(" \t\r;"):
            continue
        found = _read(text[start:end], tools)
        if found:
            around.append(text[done : match.start()])
            calls += found
            done = end
    around.append(text[done:])
    if not calls:
        return text, []
    return "\n".join(part.strip() for part in around if part.strip(" \t\r\n;")), calls


def _closing(text: str, start: int) -> int:
    """Return where the bracket that opens at ``start`` has been closed, or -1."""
    expected: list[str] = []
    quote = ""
    skip = False
    for i in range(start, min(len(text), start + _MAX_CHARS)):
        char = text[i]
        if skip:
            skip = False
        elif quote:
            skip = char == "\\"
            if char == quote:
                quote = ""
        elif char in "\"'":
            quote = char
        elif char in _PAIRS:
            expected.append(_PAIRS[char])
        elif char in ")]}":
            if char != expected.pop():
                return -1
            if not expected:
                return i + 1
    return -1


def _read(source: str, tools: Container[str]) -> list[PythonCall]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    nodes = tree.elts if isinstance(tree, ast.List) else [tree]
    if not all(isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in tools for n in nodes):
        return []
    return [
        _call(node, node.func.id, source)
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]


def _call(node: ast.Call, name: str, source: str) -> PythonCall:
    try:
        if node.args:
            raise ValueError("arguments without names")
        arguments = {_key(keyword): _literal(keyword.value) for keyword in node.keywords}
        orjson.dumps(arguments)
    except (ValueError, TypeError, RecursionError):
        return name, source, "broken_arguments"
    return name, arguments, None


def _key(keyword: ast.keyword) -> str:
    if keyword.arg is None:
        raise ValueError("arguments without names")
    return keyword.arg


def _literal(node: ast.expr) -> Any:
    """Return the value of a literal that JSON can say; raises ValueError for anything else."""
    match node:
        case ast.Constant(value=str() | int() | None as value):
            return value
        case ast.Constant(value=float(value)) if math.isfinite(value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value) | float(value))):
            return -value
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return [_literal(element) for element in elements]
        case ast.Dict(keys=keys, values=values):
            return {_text_key(key): _literal(value) for key, value in zip(keys, values, strict=True)}
        case ast.Name(id=name) if name in _JSON_NAMES:
            return _JSON_NAMES[name]
    raise ValueError("not a literal")


def _text_key(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ValueError("not a literal")
