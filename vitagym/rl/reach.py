"""How much is in reach of the candidates: plays tasks with the expert, and says which do not succeed, and where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from vitagym.rl.expert import expert_choice
from vitagym.rl.making import symbolic
from vitagym.rl.view import SymbolicView
from vitagym.tasks.task import Task

_MOST_STEPS = 150


@dataclass(frozen=True, slots=True)
class Reached:
    """How the expert fared on one task.

    Attributes:
        stuck: What was to be done when no candidate led on; empty where one always did.
        unmet: Ids of the rubrics that were not met.
    """

    task_id: str
    family: str
    success: bool
    steps: int
    stuck: str = ""
    unmet: tuple[str, ...] = ()


def reach(domain: str, tasks: Iterable[Task], *, candidates: int = 128, seed: int = 0) -> Iterator[Reached]:
    """Play tasks of a domain with the expert, one after another."""
    for task in tasks:
        view = symbolic(domain=domain, tasks=[task], candidates=candidates)
        yield play(view, task, seed)


def play(view: SymbolicView, task: Task, seed: int = 0) -> Reached:
    """Play one task."""
    view.reset(seed=seed, options={"task_id": task.id})
    over, steps, stuck, info = False, 0, "", {"is_success": None}
    while not over and steps < _MOST_STEPS:
        choice = expert_choice(view)
        if choice is None:
            stuck = f"turn {len(view.vita.transcript)}: nothing leads on"
            break
        _, _, terminated, truncated, info = view.step(choice)
        over, steps = terminated or truncated, steps + 1
    unmet = tuple(key for key, state in view.vita.rubrics.items() if state.status.value != "met")
    return Reached(task.id, task.family, bool(info["is_success"]) and over, steps, stuck, unmet)
