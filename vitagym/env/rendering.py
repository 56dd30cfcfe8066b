"""Transcripts as people read them: as text, and in colour as they happen."""

from __future__ import annotations

from collections.abc import Iterable

from vitagym.dialogue.transcript import Role, Transcript, Turn
from vitagym.env.ends import EndReason

_STYLES = {Role.USER: "bold cyan", Role.ASSISTANT: "bold green", Role.TOOL: "dim", Role.SYSTEM: "bold yellow"}
_MAX_SHOWN = 600


def as_text(transcript: Transcript) -> str:
    """Return the transcript, a paragraph a message."""
    return "\n".join(f"[{turn.index}] {turn.role.value}: {_said(turn)}" for turn in transcript.turns)


def show(turns: Iterable[Turn], end: EndReason | None) -> None:
    """Print turns to the terminal in colour, long results cut short, and why the episode ended, if it has."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=3, justify="right")
    grid.add_column(width=9)
    grid.add_column(overflow="fold")
    for turn in turns:
        said = _said(turn)
        shown = said if len(said) <= _MAX_SHOWN else said[:_MAX_SHOWN] + " …"
        grid.add_row(str(turn.index), Text(turn.role.value, style=_STYLES[turn.role]), Text(shown, style=_style(turn)))
    if end is not None:
        grid.add_row("", Text("end", style="bold magenta"), Text(end.value, style="bold magenta"))
    Console().print(grid)


def _said(turn: Turn) -> str:
    if turn.call is not None:
        return f"{turn.call.name} → {turn.text}"
    calls = "\n".join(f"{call.name}({call.raw})" for call in turn.calls)
    return f"{turn.text}\n{calls}".strip()


def _style(turn: Turn) -> str:
    if turn.result is not None:
        return "dim" if turn.result.ok else "red"
    return "green" if turn.calls else ""
