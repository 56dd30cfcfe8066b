"""The commands of ``vitagym --help``, in the order in which a reader meets them, under what they are for."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

SECTIONS = {
    "Play": ("rollout", "play", "list"),
    "Evaluate": ("eval", "metrics", "report", "view", "replay", "diff", "convert", "judge"),
    "Train": ("train", "evaluate", "collect"),
    "Tasks, tools and users": ("stats", "tools", "lint", "gallery", "users"),
    "Is it right?": ("prove", "judge-lab", "audit", "reach", "build-pack"),
}
"""Title -> names of commands. Every command stands in one of them."""
_WHOLE = 1000
"""As many characters as no first sentence has: none is cut short."""


class Sectioned(TyperGroup):
    """A group of commands whose help is in sections, each command with the whole first sentence of its own help."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands in the order of the sections."""
        del ctx
        return [name for names in SECTIONS.values() for name in names]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the sections."""
        del ctx
        for title, names in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, self.commands[name].get_short_help_str(_WHOLE)) for name in names])
