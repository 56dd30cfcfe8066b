"""The public JSON form of a task of ours: what ``load_public`` reads and ``lint`` checks.

What is expected is what the reference solution leaves in the ledger; every rubric stands with it as a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vitagym.generation.playback import play
from vitagym.tasks.faults import Fault
from vitagym.tasks.repair import repaired
from vitagym.tasks.task import Task
from vitagym.world.records import Record


def public_form(task: Task) -> dict[str, Any]:
    """Return a task as an entry of a public file; its reference solution is played for what is expected."""
    return _entry(task, play(task, task.solution).records)


def faults_of(task: Task, records: Sequence[Record]) -> list[Fault]:
    """Return what the linter finds in the public form of a task whose solution leaves these records."""
    return repaired(_entry(task, records))[1]


def _entry(task: Task, records: Sequence[Record]) -> dict[str, Any]:
    sentences = [rubric.sentence(task.language) for rubric in task.rubrics]
    state = {
        "required_orders": [record.data() for record in records],
        "optional_orders": [],
        "state_rubrics": sentences,
    }
    return {
        "id": task.id,
        "domain": task.domains[0] if len(task.domains) == 1 else "cross",
        "instructions": task.instruction,
        "environment": task.environment,
        "user_scenario": {"user_profile": {**task.profile.public, **task.profile.hidden}},
        "evaluation_criteria": {"expected_states": [state], "overall_rubrics": []},
    }
