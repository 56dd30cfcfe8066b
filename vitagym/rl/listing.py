"""The candidates of a moment: everything that may be done with what is known, at most so many.

What follows from a state of knowledge is worked out once a task and then remembered: the results that were seen, in
their order, the constraints that were heard and the records as they stand say all of it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vitagym.rl.belief import Belief
from vitagym.rl.composing import makes
from vitagym.rl.goals import Goal
from vitagym.rl.handling import handles
from vitagym.rl.kinds import Candidate
from vitagym.rl.lookups import lookups
from vitagym.rl.rows import GOAL, NOTHING_OPEN, TARGET, rows_of
from vitagym.rl.sightings import SeenRecord
from vitagym.rl.standing import Standing, standing
from vitagym.rl.talking import recommended, reports, talk
from vitagym.rl.toolroles import Role, tool_numbers


class Listing(NamedTuple):
    """Candidates in a fixed order (what may always be said comes first), with what depends on the same knowledge.

    Attributes:
        standing: How far the goals are.
        rows: Their features, but for what the agent asked, called and reported; the last stands for none of them.
        by_call: Text of a call -> its row.
        tool_of: Number of the tool of each row; 0 for utterances, and for none.
        targets: Record -> the rows that are about it.
    """

    standing: Standing
    candidates: tuple[Candidate, ...]
    rows: NDArray[np.float32]
    by_call: Mapping[str, int]
    tool_of: NDArray[np.uint8]
    targets: tuple[tuple[SeenRecord, tuple[int, ...]], ...]


_NO_GOAL = bytes(4 * (GOAL.stop - GOAL.start))
_LATEST = tuple(np.float32(latest).tobytes() for latest in (0, 1))
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
        if not one.tool or one.tool in offered:
            usable.setdefault(one.action, one)
    return tuple(usable.values())[:most]


def _made(belief: Belief, goal: Goal) -> list[Candidate]:
    return belief.memory.remembered(("makes", belief.goal_state(goal)), lambda: makes(belief, goal))


def _turn_by_turn(rows: Sequence[Sequence[Candidate]]) -> list[list[Candidate]]:
    """Return the first of every row, then the second of every row that has one, and so on."""
    longest = max(map(len, rows), default=0)
    return [[row[n] for row in rows if n < len(row)] for n in range(longest)]


def _arranged(belief: Belief, state: Standing, candidates: tuple[Candidate, ...]) -> Listing:
    number_of = tool_numbers().get
    rows = rows_of(candidates)
    if state.nothing_open:
        rows[:-1, NOTHING_OPEN] = 1
    if state.goals:
        at = {key: number for number, key in enumerate(state.goals, 1)}.get
        goals = b"".join([_NO_GOAL, *[_LATEST[key == state.latest] + goal.row for key, goal in state.goals.items()]])
        table = np.frombuffer(goals, np.float32).reshape(len(state.goals) + 1, -1)
        goal_of = np.frombuffer(bytes([at(one.goal, 0) for one in candidates]), np.uint8)
        rows[:-1, GOAL] = table.take(goal_of, axis=0)
    targets: dict[str, list[int]] = {}
    for row, one in enumerate(candidates):
        if one.target and one.target in belief.records:
            targets.setdefault(one.target, []).append(row)
    about = tuple([(belief.records[target], tuple(where)) for target, where in targets.items()])
    for record, where in about:
        as_it_stands = _as_it_stands(belief, record)
        for row in where:
            rows[row, TARGET] = as_it_stands
    calls = {one.action: row for row, one in enumerate(candidates) if one.tool}
    tools = bytes([*[number_of(one.tool, 0) for one in candidates], 0])
    tool_of: NDArray[np.uint8] = np.ndarray((len(tools),), np.uint8, tools)
    return Listing(state, candidates, rows, calls, tool_of, about)


def _as_it_stands(belief: Belief, record: SeenRecord) -> tuple[float, ...]:
    """Return the features of a record; whether it was reported is not known here."""
    due = record.status == "unpaid" or record.due > 0
    return (record.id in belief.own, due, record.status == "cancelled", 0)
