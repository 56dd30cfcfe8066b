"""What follows from a task's text and from what its tools show, worked out once and shared by all episodes of the task.

Nothing in it says what an episode has observed: an episode asks for what follows from its own state of knowledge.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import orjson

from vitagym.rl.clauses import Clause
from vitagym.rl.sightings import SeenRecord, Sight, sight
from vitagym.tasks.task import Task
from vitagym.tools.results import Result

T = TypeVar("T")
_REMEMBERED = 1024
"""So much is remembered a task; then it is forgotten together."""


class Memory:
    """What is remembered of a task.

    Args:
        task: The task.

    Attributes:
        conveys: Point id -> number and clause of each of its constraints. Only those of said points are looked up.
    """

    def __init__(self, task: Task) -> None:
        self.conveys: dict[str, tuple[tuple[int, Clause], ...]] = {}
        count = 0
        for point in task.points:
            self.conveys[point.id] = tuple((count + n, Clause(c)) for n, c in enumerate(point.conveys))
            count += len(point.conveys)
        self._sights: dict[str, tuple[int, Any, Sight]] = {}
        self._records: dict[SeenRecord, int] = {}
        self._found: dict[Hashable, Any] = {}
        self._states: dict[Hashable, int] = {}
        self._last_state = 0

    def read(self, result: Result) -> tuple[int, Any, Sight]:
        """Return number, data and sight of a result; the same text is read once.

        Of the data of a result that shows things or records, only what stands in no list or object of theirs is kept.
        """
        known = self._sights.get(result.text)
        if known is None:
            data = orjson.loads(result.text)
            seen = sight(data)
            if isinstance(data, dict) and (seen.things or seen.records):
                data = {key: value for key, value in data.items() if not isinstance(value, list | dict)}
            known = self._sights[result.text] = (len(self._sights), data if isinstance(data, dict) else None, seen)
        return known

    def record(self, record: SeenRecord) -> int:
        """Return the number that stands for a record as it stands."""
        return self._records.setdefault(record, len(self._records))

    def state(self, *parts: Hashable) -> int:
        """Return a number that stands for a state of knowledge; no other state ever has it."""
        number = self._states.get(parts)
        if number is None:
            if len(self._states) >= 2 * _REMEMBERED:
                self._states.clear()
            self._last_state += 1
            number = self._states[parts] = self._last_state
        return number

    def remembered(self, state: Hashable, work_out: Callable[[], T]) -> T:
        """Return what follows from a state of knowledge; it is worked out once, and then remembered."""
        found: T | None = self._found.get(state)
        if found is None:
            found = work_out()
            if len(self._found) >= _REMEMBERED:
                self._found.clear()
            self._found[state] = found
        return found


def memory_of(task: Task) -> Memory:
    """Return the memory of a task."""
    return task.built("symbolic view", Memory)
