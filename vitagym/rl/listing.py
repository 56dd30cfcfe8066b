"""The candidates of a moment: everything that may be done with what is known, at most so many.

What follows from a state of knowledge is worked out once a task and then remembered: the results that were seen, in
their order, the constraints that were heard and the records as they stand say all of it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vitagym.rl.belief import Belief
from vitagym.rl.composing import makes
from vitagym.rl.goals import Goal
from vitagym.rl.handling import handles
from vitagym.rl.kinds import Candidate
from vitagym.rl.lookups import lookups
from vitagym.rl.rows import AT, GOAL, TARGET, rows_of
from vitagym.rl.sightings import SeenRecord
from vitagym.rl.standing import Standing, standing
from vitagym.rl.talking import recommended, reports, talk
from vitagym.rl.toolroles import Role, tool_numbers


@dataclass(frozen=True, slots=True)
class Listing:
    """Candidates in a fixed order (what may always be said comes first), with what depends on the same knowledge.

    Attributes:
        standing: How far the goals are.
        rows: Their features, but for what the agent asked, called and reported.
        by_call: Tool and arguments of a call -> its row.
        tool_of: Number of the tool of each row; 0 for utterances.
        targets: Record -> the rows that are about it.
    """

    standing: Standing
    candidates: tuple[Candidate, ...]
    rows: NDArray[np.float32]
    by_call: Mapping[tuple[str, str], int]
    tool_of: NDArray[np.intp]
    targets: tuple[tuple[SeenRecord, tuple[int, ...]], ...]


_LISTED = 1024
"""So many are kept in a process, of 50 KB each, and then forgotten together; by task they would fill the memory."""
_LISTINGS: dict[Hashable, Listing] = {}
"""Memory of a task and state of knowledge -> what follows from them."""


def listed(belief: Belief, offered: Mapping[str, Role], most: int) -> Listing:
    """Return the candidates.

    Args:
        belief: What was observed.
        offered: The tools on offer.
        most: How many there may be.
    """
    state = (belief.memory, most, len(offered), *belief.state)
    found = _LISTINGS.get(state)
    if found is None:
        found = _arranged(belief, standing(belief), _found(belief, offered, most))
        if len(_LISTINGS) >= _LISTED:
            _LISTINGS.clear()
        _LISTINGS[state] = found
    return found


def _found(belief: Belief, offered: Mapping[str, Role], most: int) -> tuple[Candidate, ...]:
    goals = list(belief.goals.values())
    made = [_made(belief, goal) for goal in goals]
    by_turns = [one for row in _turn_by_turn(made) for one in row]
    found = [
        *talk(belief),
        *reports(belief),
        *(recommended(belief, best[0]) for best in made if best),
        *handles(belief),
    ]
    looked = lookups(belief, offered)
    room = max(0, most - len(found))
    half = max(room - len(looked), room // 2)
    chosen = by_turns[:half]
    found += chosen
    found += looked[: room - len(chosen)]
    usable: dict[str, Candidate] = {}
    for one in found:
        if one.action not in usable and (not one.tool or one.tool in offered):
            usable[one.action] = one
    return tuple(usable.values())[:most]


def _made(belief: Belief, goal: Goal) -> list[Candidate]:
    return belief.remembered(("makes", belief.goal_state(goal)), lambda: makes(belief, goal))


def _turn_by_turn(rows: Sequence[Sequence[Candidate]]) -> list[list[Candidate]]:
    """Return the first of every row, then the second of every row that has one, and so on."""
    longest = max(map(len, rows), default=0)
    return [[row[n] for row in rows if n < len(row)] for n in range(longest)]


def _arranged(belief: Belief, state: Standing, candidates: tuple[Candidate, ...]) -> Listing:
    calls: dict[tuple[str, str], int] = {}
    targets: dict[str, list[int]] = {}
    number_of = tool_numbers().get
    for row, one in enumerate(candidates):
        if one.tool:
            calls[one.tool, one.raw] = row
        if one.target in belief.records:
            targets.setdefault(one.target, []).append(row)
    rows = rows_of(candidates)
    rows[:, AT["nothing_open"]] = state.nothing_open
    goals = {key: (key == state.latest, *goal.row) for key, goal in state.goals.items()}
    _write(rows, GOAL, goals, [one.goal for one in candidates])
    records = {target: _as_it_stands(belief, belief.records[target]) for target in targets}
    _write(rows, TARGET, records, [one.target for one in candidates])
    tool_of = np.array([number_of(one.tool, 0) for one in candidates], np.intp)
    about = tuple([(belief.records[target], tuple(where)) for target, where in targets.items()])
    return Listing(state, candidates, rows, calls, tool_of, about)


def _as_it_stands(belief: Belief, record: SeenRecord) -> tuple[float, ...]:
    """Return the features of a record; whether it was reported is not known here."""
    due = record.status == "unpaid" or record.due > 0
    return (record.id in belief.own, due, record.status == "cancelled", 0)


def _write(
    rows: NDArray[np.float32], columns: slice, table: Mapping[str, tuple[float, ...]], keys: Sequence[str]
) -> None:
    """Write what a table holds for the key of each row, and zeros where it holds nothing."""
    at = {key: number for number, key in enumerate(table, 1)}
    values = np.array([(0,) * (columns.stop - columns.start), *table.values()], np.float32)
    rows[:, columns] = values.take([at.get(key, 0) for key in keys], axis=0)
