"""How the symbolic ids are made: the text environment of the same arguments, seen through the symbolic view."""

from __future__ import annotations

from typing import Any

from vitagym.env.environment import VitaEnv
from vitagym.rl.vector import SymbolicVector
from vitagym.rl.view import CANDIDATES, SymbolicView


def symbolic(*, candidates: int = CANDIDATES, **arguments: Any) -> SymbolicView:
    """Return a symbolic view of an environment made with these arguments."""
    return SymbolicView(VitaEnv(**arguments), candidates)


def symbolic_vector(num_envs: int = 1, *, candidates: int = CANDIDATES, **arguments: Any) -> SymbolicVector:
    """Return so many of them as one vector."""
    return SymbolicVector([symbolic(candidates=candidates, **arguments) for _ in range(num_envs)])
