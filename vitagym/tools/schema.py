"""JSON schemas of tools in OpenAI format, in both languages, read off the signatures and ``assets/text``."""

from __future__ import annotations

from typing import Any, get_args, get_origin

from vitagym.language import Language, text, texts
from vitagym.tools.conditions import Needs
from vitagym.tools.tool import Parameter, Tool

_JSON_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}


def json_type(kind: Any) -> dict[str, Any]:
    """Return the JSON schema of a plain parameter type."""
    if get_origin(kind) is list:
        return {"type": "array", "items": json_type(get_args(kind)[0])}
    if type(None) in get_args(kind):
        return json_type(next(x for x in get_args(kind) if x is not type(None)))
    return {"type": _JSON_TYPES[kind]}


def tool_schema(tool: Tool, language: Language) -> dict[str, Any]:
    """Return the schema of a tool in OpenAI format."""
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": _description(tool, language),
            "parameters": {
                "type": "object",
                "properties": {p.name: _parameter(tool, p, language) for p in tool.parameters},
                "required": [p.name for p in tool.parameters if p.required],
                "additionalProperties": False,
            },
        },
    }


def _parameter(tool: Tool, parameter: Parameter, language: Language) -> dict[str, Any]:
    out = json_type(parameter.type)
    if parameter.one_of is not None:
        out["enum"] = [str(value) for value in parameter.one_of.values]
    if not parameter.required:
        out["default"] = parameter.default
    own = f"{tool.name}.{parameter.name}"
    out["description"] = text("parameters", own if own in texts("parameters") else parameter.name, language)
    return out


def _description(tool: Tool, language: Language) -> str:
    what = text("tools", tool.name, language)
    needs = [_needed(p, p.needs, language) for p in tool.parameters if p.needs is not None]
    given = [text("facts", g.fact.name, language) for g in tool.gives.given]
    changes = [] if tool.gives.changes is None else [text("effects", tool.gives.changes, language)]
    join = text("feedback", "list_separator", language)
    nothing = text("feedback", "nothing", language)
    return text("feedback", "description", language).format(
        what=what,
        pre=join.join(dict.fromkeys(needs)) or nothing,
        post=join.join(dict.fromkeys(changes + given)) or nothing,
    )


def _needed(parameter: Parameter, needs: Needs, language: Language) -> str:
    what = text("facts", needs.fact.name, language)
    if needs.statuses is not None:
        names = "/".join(text("statuses", status, language) for status in sorted(needs.statuses))
        what = text("feedback", "in_status", language).format(fact=what, statuses=names)
    return what if parameter.required else text("feedback", "if_given", language).format(fact=what)
