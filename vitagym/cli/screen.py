"""Transcripts and tables in the terminal. Messages of people and tools are never read as markup."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

_STYLES = {"user": "bold cyan", "assistant": "bold green", "tool": "dim", "system": "magenta"}
_NAMES = {"user": "user", "assistant": "agent", "tool": "tool", "system": "system"}
_MOST_OF_A_RESULT = 240
_WIDTH_WITHOUT_TERMINAL = 120


def print_json(document: Any) -> None:
    """Print one JSON document on standard output."""
    sys.stdout.buffer.write(orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    sys.stdout.flush()


def screen(*, stderr: bool = False) -> Console:
    """Return the console; where there is no terminal, lines are wide enough for any table."""
    console = Console(stderr=stderr)
    if not console.is_terminal:
        console.width = _WIDTH_WITHOUT_TERMINAL
    return console


def progress_bar(console: Console, *, hidden: bool) -> Progress:
    """Return a progress bar, which is not shown where it is hidden or there is no terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True, disable=hidden or not console.is_terminal)


def show_messages(console: Console, messages: Iterable[Mapping[str, Any]], *, whole: bool = False) -> None:
    """Print messages in OpenAI format, each on its own lines.

    Args:
        console: Where.
        messages: The messages.
        whole: Show tool results and the system prompt in full, too.
    """
    for message in messages:
        role = message["role"]
        if role == "system" and not whole and len(message["content"]) > _MOST_OF_A_RESULT:
            continue
        style = _STYLES[role]
        content = message.get("content") or ""
        if role == "tool" and not whole:
            content = content if len(content) <= _MOST_OF_A_RESULT else content[:_MOST_OF_A_RESULT] + " …"
        for call in message.get("tool_calls", ()):
            function = call["function"]
            written = f"{function['name']}({function['arguments']})"
            content = f"{content}\n{written}" if content else written
        label = f"{_NAMES[role]:>6}  "
        console.print(Text(label, style=style) + Text(content.replace("\n", "\n" + " " * len(label))), soft_wrap=True)


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Return a table that fits 80 columns where its cells do; columns of numbers stand at the right."""
    made = Table(title=title or None, title_justify="left", box=None, pad_edge=False)
    listed = [[str(cell) for cell in row] for row in rows]
    for index, column in enumerate(columns):
        numbers = all(row[index][:1].isdigit() for row in listed)
        last = index == len(columns) - 1
        made.add_column(column, justify="right" if numbers else "left", overflow="fold", no_wrap=numbers or not last)
    for row in listed:
        made.add_row(*map(Text, row))
    return made
