"""Transcripts as people read them: as text, and in colour as they happen."""

from __future__ import annotations

from collections.abc import Iterable

from vitagym.dialogue.transcript import Role, Transcript, Turn
from vitagym.env.episode import EndReason

_STYLES = {Role.USER: "bold cyan", Role.ASSISTANT: "bold green", Role.TOOL: "dim", Role.SYSTEM: "bold yellow"}
_MAX_SHOWN = 600


def as_text(transcript: Transcript) -> str:
    """Return the transcript, a paragraph a message."""
    return "\n".join(f"[{turn.index}] {turn.role.value}: {_said(turn)}" for turn in transcript.turns)


def show(turns: Iterable[Turn], end: EndReason | None) -> None:
    """Print turns to the terminal in colour, long results cut short, and why the episode ended, if it has."""
    from rich.console import Console
    from rich.text import Text

    console = Console()
    for turn in turns:
        said = _said(turn)
        line = Text(f"{turn.index:>3} {turn.role.value:<9} ", style=_STYLES[turn.role])
        line.append(said if len(said) <= _MAX_SHOWN else said[:_MAX_SHOWN] + " …", style=_style(turn))
        console.print(line)
    if end is not None:
        console.print(Text(f"    {end.value}", style="bold magenta"))


def _said(turn: Turn) -> str:
    if turn.call is not None:
        return f"{turn.call.name} → {turn.text}"
    calls = "\n".join(f"{call.name}({call.raw})" for call in turn.calls)
    return f"{turn.text}\n{calls}".strip()


def _style(turn: Turn) -> str:
    if turn.result is not None:
        return "dim" if turn.result.ok else "red"
    return "green" if turn.calls else ""
