"""The folder of a run: the plan, and one line an episode, written so that a kill loses no episode that has ended.

A line is handed to the system in one write as its episode ends, which a killed process cannot take back; it is forced
to the disk once a second and at the end, for the sake of a machine that loses power. What a kill left unfinished, the
last line at most, is cut off when the run goes on.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import orjson

from vitagym.errors import CallerError
from vitagym.evaluation.log import EPISODES, Row, endpoint_failed, read_rows
from vitagym.evaluation.plan import Plan, difference

PLAN = "run.json"
_LOCK = "run.lock"


@dataclass(frozen=True, slots=True)
class Done:
    """What a folder knows of an episode that has ended.

    Attributes:
        failed: Whether a failing endpoint cut it off.
        attempt: The number of the attempt, from 0.
    """

    failed: bool
    attempt: int


class RunFolder:
    """A run's folder, open for this process alone. Use it as a context.

    Args:
        path: The folder; it is made where there is none.
        plan: What is played into it.

    Raises:
        CallerError: The folder holds a run of another plan, or other things, or another process is writing into it.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self._plan = plan
        self._file = -1
        self._lock = -1
        self._unsynced = False

    def __enter__(self) -> Self:
        self.path.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(self.path)
        try:
            self._check_plan()
            _cut_broken_line(self.path / EPISODES)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
            self._file = os.open(self.path / EPISODES, flags, 0o644)
        except BaseException:
            os.close(self._lock)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.sync()
        os.close(self._file)
        os.close(self._lock)

    def rows(self) -> Iterator[Row]:
        """Yield every line that is there, earlier attempts too."""
        yield from read_rows(self.path / EPISODES)

    def append(self, line: bytes) -> None:
        """Write the line of an episode that has ended."""
        left = memoryview(line)
        while left:
            left = left[os.write(self._file, left) :]
        self._unsynced = True

    def sync(self) -> None:
        """Force what was written to the disk."""
        if self._unsynced:
            self._unsynced = False
            os.fsync(self._file)

    def _check_plan(self) -> None:
        wanted = orjson.loads(orjson.dumps(self._plan.data()))
        file = self.path / PLAN
        if file.exists():
            apart = difference(_read_plan(file), wanted)
            if apart is not None:
                raise CallerError(
                    f"the folder {str(self.path)!r} holds a run of another plan: {apart}. "
                    "Give the same options to go on with it, or another folder."
                )
            return
        if (self.path / EPISODES).exists():
            raise CallerError(f"the folder {str(self.path)!r} has {EPISODES} and no {PLAN}: give another folder")
        _write_whole(file, orjson.dumps(wanted, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


def append_episode(path: Path, line: bytes) -> None:
    """Write the line of an episode that no plan asked for, such as a person's, behind those of a folder.

    Raises:
        CallerError: Another process is writing into the folder.
    """
    path.mkdir(parents=True, exist_ok=True)
    lock = _locked(path)
    try:
        _cut_broken_line(path / EPISODES)
        with (path / EPISODES).open("ab") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
    finally:
        os.close(lock)


def done_of(row: Row) -> Done:
    """Return what there is to know of an episode that has ended."""
    return Done(endpoint_failed(row), row["attempt"])


def read_plan(path: Path) -> Plan:
    """Return the plan of a run's folder; raises CallerError where there is none."""
    return Plan.of_data(_read_plan(path / PLAN))


def _read_plan(file: Path) -> dict[str, Any]:
    try:
        data = orjson.loads(file.read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        raise CallerError(f"{str(file)!r} is no plan of a run: {error}") from None
    if not isinstance(data, dict):
        raise CallerError(f"{str(file)!r} is no plan of a run: it holds no object")
    return data


def _locked(path: Path) -> int:
    """Return the open lock of a folder; the system gives it back when the process ends, however it ends."""
    import fcntl

    lock = os.open(path / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise CallerError(f"another process is writing into the folder {str(path)!r}") from None
    return lock


def _cut_broken_line(file: Path) -> None:
    """Cut off what follows the last end of a line."""
    if not file.exists():
        return
    with file.open("rb+") as there:
        size = there.seek(0, os.SEEK_END)
        keep = size
        while keep > 0:
            start = max(0, keep - (1 << 20))
            there.seek(start)
            end = there.read(keep - start).rfind(b"\n")
            keep = start if end < 0 else start + end + 1
            if end >= 0:
                break
        if keep < size:
            there.truncate(keep)


def _write_whole(file: Path, content: bytes) -> None:
    """Write a file so that it is there in full or not at all."""
    half = file.with_suffix(".part")
    with half.open("wb") as there:
        there.write(content)
        there.flush()
        os.fsync(there.fileno())
    half.replace(file)
