"""A reference solution of a public task, derived from the records that its data expects."""

from __future__ import annotations

from typing import Any

from vitagym.domains import domains, toolset
from vitagym.rewards.expectation import Goal, goals_of
from vitagym.rewards.ledger_judge import compare
from vitagym.tasks.task import CallStep, Release, Task
from vitagym.world.catalogue import Catalogue
from vitagym.world.records import Record
from vitagym.world.world import World


def reference_solution(task: Task) -> tuple[CallStep, ...]:
    """Return the calls that bring about what a task expects, cancellations first; empty where it expects nothing.

    The first call waits until the user has said everything that they will say by themselves.
    """
    goals = [goal for goal in task.built("expected records", goals_of) if not goal.optional]
    steps: list[CallStep] = []
    # What is given up first leaves its stock, and its money, to what is ordered in its place.
    for number, goal in enumerate(sorted(goals, key=lambda goal: goal.old is None)):
        old = None if goal.old is None else _record(task.catalogue, goal.old)
        steps.extend(_calls(goal, old, task.catalogue, f"$record{number + 1}"))
    if steps:
        said = tuple(p.id for p in task.points if p.release in (Release.OPENING, Release.VOLUNTEERED))
        steps[0] = steps[0].model_copy(update={"after": said})
    return tuple(steps)


def with_solution(task: Task) -> Task:
    """Return the task with its derived reference solution, or as it is where that does not succeed."""
    return task if why_unsolvable(task) else task.model_copy(update={"solution": reference_solution(task)})


def why_unsolvable(task: Task) -> list[str]:
    """Play the reference solution in the task's world; return what stands in its way, nothing where it succeeds."""
    world = World(task.catalogue, toolset(task.domains))
    names: dict[str, str] = {}
    problems = []
    for step in reference_solution(task):
        result = world.call(step.tool, {key: _filled(value, names) for key, value in step.arguments.items()})
        if not result.ok:
            problems.append(f"{step.tool}: {result.text}")
        elif step.binds is not None:
            names[step.binds] = world.ledger.changes[-1].after.id
    report = compare(task.built("expected records", goals_of), world.ledger)
    if report.success is None:
        problems.append("the data expects no record")
    for comparison in report.comparisons:
        if not comparison.same and not problems:
            problems.append(f"{comparison.expected}: {', '.join(comparison.missed)}")
    return problems


def _filled(value: Any, names: dict[str, str]) -> Any:
    return names.get(value, value) if isinstance(value, str) else value


def _calls(goal: Goal, old: Record | None, catalogue: Catalogue, name: str) -> list[CallStep]:
    for domain in domains().values():
        if domain.expected_calls is not None:
            calls = list(domain.expected_calls(goal.expected, old, catalogue, name))
            if calls:
                return calls
    return []


def _record(catalogue: Catalogue, record_id: str) -> Record:
    tables = (catalogue.orders, catalogue.bookings, catalogue.reservations)
    return next(table[record_id] for table in tables if record_id in table)
