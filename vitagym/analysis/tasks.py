"""The task that a row was played on, where it can be had again from its id."""

from __future__ import annotations

from collections.abc import Callable

from vitagym.analysis.rows import Row
from vitagym.tasks.sources import load_task, make_task, task_ids
from vitagym.tasks.splits import MADE_SPLITS
from vitagym.tasks.task import Task

FindTask = Callable[[Row], Task | None]
"""Gives the task of a row; None where it is not known."""


def known_task(row: Row) -> Task | None:
    """Return the fixed task of a row, or the made one of its seed.

    None where it cannot be had again: public tasks, and made ones that other dials or another version made, which is
    seen by their rubrics.
    """
    domain, task_id, language = str(row["domain"]), str(row["task_id"]), str(row["language"])
    if task_id in task_ids(domain):
        task = load_task(domain, task_id, language)
    elif row.get("split") in MADE_SPLITS and task_id.rpartition("-")[2].isdigit():
        task = make_task(domain, int(task_id.rpartition("-")[2]), language, split=str(row["split"]))
    else:
        return None
    sentences = {rubric.id: rubric.sentence(task.language) for rubric in task.rubrics}
    return task if sentences == {i: state["sentence"] for i, state in row["rubrics"].items()} else None
