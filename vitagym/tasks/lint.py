"""Finds every known fault of public task data, one by one."""

from __future__ import annotations

from pathlib import Path

from vitagym.tasks.faults import Fault, FaultCode
from vitagym.tasks.public import read_entries
from vitagym.tasks.repair import repaired

__all__ = ["Fault", "FaultCode", "lint"]


def lint(path: str | Path) -> list[Fault]:
    """Return every fault of a public VitaBench file, task by task; raises CallerError as ``load_public``."""
    return [fault for raw in read_entries(path) for fault in repaired(raw)[1]]
