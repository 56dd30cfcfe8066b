"""The fields of an episode's log as a table, made from the docstring of ``EpisodeLog``: they cannot disagree."""

from __future__ import annotations

import inspect
import re

from vitagym.evaluation.log import EpisodeLog

_FIELD = re.compile(r"^    (\w+): (.*)$")
_ADDED = {
    "schema": "Which schema the line is in.",
    "key": "What the episode is called in a run: environment, agent, user, judge, task and trial, between bars.",
}


def field_table() -> str:
    """Return a Markdown table of every key of a line, and what it means."""
    rows = [f"| `{name}` | {meaning.replace('``', '`')} |" for name, meaning in field_meanings().items()]
    return "\n".join(("| field | meaning |", "|---|---|", *rows))


def field_meanings() -> dict[str, str]:
    """Return every key of a line -> what it means, in a sentence."""
    documented = inspect.cleandoc(EpisodeLog.__doc__ or "").partition("Attributes:\n")[2]
    meanings = dict(_ADDED)
    name = ""
    for line in documented.splitlines():
        if (found := _FIELD.match(line)) is not None:
            name, meanings[found[1]] = found[1], found[2]
        elif line.strip():
            meanings[name] += f" {line.strip()}"
    return meanings
