"""Where the tasks of an environment come from: ``tasks=`` read into something that gives a task for a seed or an id.

``tasks=`` is the name of a split (``test`` is a fixed list, ``train``, ``dev`` and ``ood`` never end), or a list whose
entries are ids of test tasks, tasks, or tasks as JSON objects (the form in which an EnvSpec keeps them).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any, Protocol

from pydantic import ValidationError

from vitagym.domains import CROSS, domains
from vitagym.errors import CallerError, UnknownName
from vitagym.generation.dials import Dials, read_dials
from vitagym.language import Language
from vitagym.tasks.sources import checked_dials, draft_with, load_task, made_id, task_ids
from vitagym.tasks.splits import MADE_SPLITS, TEST_SPLIT
from vitagym.tasks.task import Task

TaskChoice = str | Sequence[str | Task | Mapping[str, Any]]
_REMEMBERED = 512
_NO_DIALS = Dials()
ENV_DIALS = ("difficulty", "subgoals", "distractors", "constraints", "hidden", "changes", "domains", "families")
"""The dials that an environment takes."""


class TaskSource(Protocol):
    """Gives the tasks of an environment."""

    def id_of_seed(self, seed: int) -> str:
        """Return the id of the task of a seed, without making the task."""

    def of_seed(self, seed: int) -> Task:
        """Return the task of a seed: always the same one."""

    def named(self, task_id: str) -> Task:
        """Return the task of an id; raises UnknownName where there is none."""


class TaskList:
    """A fixed list of tasks, loaded when they are wanted. Seed s gives task s modulo their number.

    Args:
        loaders: Task id -> what loads it.
    """

    def __init__(self, loaders: Mapping[str, Callable[[], Task]]) -> None:
        self._ids = tuple(loaders)
        self._loaders = dict(loaders)

    def id_of_seed(self, seed: int) -> str:
        """Return the id of the task of a seed."""
        return self._ids[seed % len(self._ids)]

    def of_seed(self, seed: int) -> Task:
        """Return the task of a seed."""
        return self._loaders[self.id_of_seed(seed)]()

    def named(self, task_id: str) -> Task:
        """Return the task of an id."""
        if not isinstance(task_id, str) or task_id not in self._loaders:
            raise UnknownName("task", task_id, self._ids)
        return self._loaders[task_id]()


class EndlessTasks:
    """The tasks of a split that never ends: seed s gives its task s; other dials give other tasks, of other ids."""

    def __init__(self, domain: str, split: str, language: Language, dials: Dials = _NO_DIALS) -> None:
        self._domain, self._split, self._language, self._dials = domain, split, language, dials
        digest = f"(-{dials.digest})?" if dials.digest else ""
        self._id = re.compile(rf"{re.escape(domain)}-{re.escape(split)}-(\d{{6,}}){digest}", re.ASCII)

    def id_of_seed(self, seed: int) -> str:
        """Return the id of the task of a seed."""
        return made_id(self._domain, self._split, seed, self._dials)

    def of_seed(self, seed: int) -> Task:
        """Return the task of a seed."""
        return _made(self._domain, self._split, self._language, self._dials, seed)

    def named(self, task_id: str) -> Task:
        """Return the task of an id; the digest of the dials may be left out."""
        found = self._id.fullmatch(str(task_id))
        task = None if found is None else self.of_seed(int(found[1]))
        if task is None or not task.id.startswith(task_id):
            raise UnknownName("task", task_id, [self.id_of_seed(0)])
        return task


@lru_cache(maxsize=_REMEMBERED)
def _made(domain: str, split: str, language: Language, dials: Dials, seed: int) -> Task:
    return draft_with(domain, seed, split, dials).task(language)


def task_source(
    domain: str, tasks: TaskChoice, language: Language | None, dials: Mapping[str, Any] = MappingProxyType({})
) -> TaskSource:
    """Return where an environment's tasks come from.

    Args:
        domain: The environment's domain; every task must be within it (any task is within ``cross``).
        tasks: See the module.
        language: The language of the tasks; None: English for named ones, their own for given ones.
        dials: Dials of the made tasks of an endless split.

    Raises:
        UnknownName: No such domain, split, task id, or dial.
        CallerError: There are dials for tasks that are there already, or a dial is out of range; the list is empty,
            repeats an id, or holds a task of another domain or language.
    """
    known = (*domains(), CROSS)
    if domain not in known:
        raise UnknownName("domain", domain, known)
    named_in = language or Language.EN
    if dials and not (isinstance(tasks, str) and tasks in MADE_SPLITS):
        raise CallerError(f"{', '.join(dials)}: dials are for endless tasks ({', '.join(MADE_SPLITS)}), not {tasks!r}")
    if isinstance(tasks, str):
        if tasks in MADE_SPLITS:
            return EndlessTasks(domain, tasks, named_in, checked_dials(domain, tasks, read_dials(dials)))
        if tasks != TEST_SPLIT:
            raise UnknownName("split", tasks, [TEST_SPLIT, *MADE_SPLITS])
        return TaskList({i: partial(load_task, domain, i, named_in.value) for i in task_ids(domain, TEST_SPLIT)})
    if not isinstance(tasks, Sequence) or isinstance(tasks, bytes):
        # A set has no order to fix a seed's task by, and an iterator can be read only once.
        raise CallerError(f"tasks={tasks!r}: expected the name of a split, or a list of tasks or task ids")
    loaders: dict[str, Callable[[], Task]] = {}
    for entry in tasks:
        task_id, load = _loader(domain, entry, language, named_in)
        if task_id in loaders:
            raise CallerError(f"tasks: {task_id!r} is there twice")
        loaders[task_id] = load
    if not loaders:
        raise CallerError("tasks: the list is empty")
    return TaskList(loaders)


def _loader(
    domain: str, entry: object, language: Language | None, named_in: Language
) -> tuple[str, Callable[[], Task]]:
    if isinstance(entry, str):
        if entry not in task_ids(domain, TEST_SPLIT):
            raise UnknownName("task", entry, task_ids(domain, TEST_SPLIT))
        return entry, partial(load_task, domain, entry, named_in.value)
    task = _read(entry) if isinstance(entry, Mapping) else entry
    if not isinstance(task, Task):
        raise CallerError(f"tasks: {entry!r} is neither a task nor the id of one")
    if domain not in (CROSS, task.domain):
        raise CallerError(f"tasks: {task.id!r} is a task of {task.domain!r}, the environment is of {domain!r}")
    if language is not None and task.language is not language:
        raise CallerError(
            f"tasks: {task.id!r} is in {task.language.value!r}, language={language.value!r} was asked for"
        )
    return task.id, partial(_given, task)


def _read(entry: Mapping[str, Any]) -> Task:
    try:
        return Task.model_validate(entry)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise CallerError(f"tasks: {entry.get('id')!r} is no task: {where}: {first['msg']}") from None


def _given(task: Task) -> Task:
    return task


def jsonable_tasks(tasks: Any) -> Any:
    """Return ``tasks=`` as JSON can say it, so that an EnvSpec survives its JSON form."""
    if isinstance(tasks, str) or not isinstance(tasks, Sequence):
        return tasks
    return [task.model_dump(mode="json") if isinstance(task, Task) else task for task in tasks]
