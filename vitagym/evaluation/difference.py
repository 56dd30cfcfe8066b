"""The first turn where two runs part, episode by episode."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vitagym.errors import CallerError
from vitagym.evaluation.comparing import Parting, parting
from vitagym.evaluation.log import Row

_PER_ACTION = ("actions", "rewards", "reward_terms")
_AT_THE_END = ("rubrics", "rubric_score", "is_success", "scores", "terminated", "truncated", "end_reason")


@dataclass(frozen=True, slots=True)
class Pair:
    """The same episode in two runs.

    Attributes:
        name: What it is called in both.
        one: In the first run.
        other: In the second run.
        turn: The first turn that differs, as in the transcript; -1: the system prompt; None: no message differs.
        where: What differs there; None where nothing does.
    """

    name: str
    one: Row
    other: Row
    turn: int | None
    where: Parting | None


@dataclass(frozen=True, slots=True)
class Matched:
    """Two runs, episode beside episode.

    Attributes:
        pairs: The episodes that both have, in the order of the first.
        only_one: What is in the first run alone.
        only_other: What is in the second run alone.
    """

    pairs: tuple[tuple[str, Row, Row], ...]
    only_one: tuple[str, ...]
    only_other: tuple[str, ...]


def match(one: Iterable[Row], other: Iterable[Row]) -> Matched:
    """Put the episodes of two runs beside each other: those of one key, else those of one task and trial.

    Raises:
        CallerError: The two have no episode in common.
    """
    first, second = list(one), list(other)
    for name in (_key, _task_and_trial):
        left, right = _by(name, first), _by(name, second)
        if left is None or right is None or not left.keys() & right.keys():
            continue
        pairs = tuple((n, row, right[n]) for n, row in left.items() if n in right)
        lone = [tuple(n for n in side if n not in others) for side, others in ((left, right), (right, left))]
        return Matched(pairs, lone[0], lone[1])
    raise CallerError("the two logs have no task and trial in common, or one has several episodes of the same")


def compare(matched: Matched) -> Iterator[Pair]:
    """Yield every pair of episodes with the first place where they part."""
    for name, one, other in matched.pairs:
        yield pair_of(name, one, other)


def pair_of(name: str, one: Row, other: Row) -> Pair:
    """Return two episodes with the first place where they part: in messages, else in rewards, else at the end."""
    found = parting(one["messages"], other["messages"], "messages")
    if found is not None:
        return Pair(name, one, other, _turn_of(found), found)
    for field in _PER_ACTION:
        found = parting(one[field], other[field], field)
        if found is not None:
            return Pair(name, one, other, None, found)
    found = parting(_end(one), _end(other))
    return Pair(name, one, other, None, found)


def _turn_of(found: Parting) -> int:
    return int(found.path.partition("[")[2].partition("]")[0]) - 1


def _end(row: Row) -> dict[str, Any]:
    return {field: row[field] for field in _AT_THE_END}


def _key(row: Mapping[str, Any]) -> str:
    return str(row["key"])


def _task_and_trial(row: Mapping[str, Any]) -> str:
    return "|".join(str(row[name]) for name in ("env_id", "language", "task_id", "trial"))


def _by(name: Callable[[Row], str], rows: list[Row]) -> dict[str, Row] | None:
    """Return name -> episode, or None where a name has several."""
    named = {name(row): row for row in rows}
    return named if len(named) == len(rows) else None
