"""The shape of every list that a tool gives: one named list, and a sentence where it is empty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vitagym.language import text
from vitagym.world.world import World


def listing(world: World, **lists: Sequence[Any]) -> dict[str, Any]:
    """Return the lists by name; where all of them are empty, also a ``message`` that says so."""
    out: dict[str, Any] = dict(lists)
    if not any(lists.values()):
        out["message"] = text("feedback", "nothing_found", world.catalogue.language)
    return out
