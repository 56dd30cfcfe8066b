"""The candidates of a moment: everything that may be done with what is known, at most so many.

What follows from a state of knowledge is worked out once a task and then remembered: the results that were seen, in
their order, the constraints that were heard and the records as they stand say all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from vitagym.rl.toolroles import Role

_NO_GOAL = (0,) * (GOAL.stop - GOAL.start)


@dataclass(frozen=True, slots=True)
class Listing:
    """Candidates in a fixed order (what may always be said comes first), with what depends on the same knowledge.

    Attributes:
        standing: How far the goals are.
        rows: Their features, but for what the agent asked, called and reported.
        by_call: Tool and arguments of a call -> its row.
        tools: The tools of the calls; the first stands for utterances. ``tool_of``: number of the tool of each row.
        targets: Record -> the rows that are about it.
    """

    standing: Standing
    candidates: tuple[Candidate, ...]
    rows: NDArray[np.float32]
    by_call: Mapping[tuple[str, str], int]
    tools: tuple[str, ...]
    tool_of: NDArray[np.intp]
    targets: tuple[tuple[SeenRecord, tuple[int, ...]], ...]


def listed(belief: Belief, offered: Mapping[str, Role], most: int) -> Listing:
    """Return the candidates.

    Args:
        belief: What was observed.
        offered: The tools on offer.
        most: How many there may be.
    """
    state = ("candidates", most, len(offered), *belief.state)
    return belief.remembered(state, lambda: _arranged(belief, standing(belief), _found(belief, offered, most)))


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
    tools: dict[str, int] = {"": 0}
    targets: dict[str, list[int]] = {}
    for row, one in enumerate(candidates):
        if one.tool:
            calls[one.tool, one.raw] = row
            tools.setdefault(one.tool, len(tools))
        if one.target in belief.records:
            targets.setdefault(one.target, []).append(row)
    rows = rows_of(candidates)
    _write_goals(state, candidates, rows)
    _write_targets(belief, targets, rows)
    tool_of = np.array([tools[one.tool] for one in candidates], np.intp)
    about = tuple([(belief.records[target], tuple(where)) for target, where in targets.items()])
    return Listing(state, candidates, rows, calls, tuple(tools), tool_of, about)


def _write_goals(state: Standing, candidates: Sequence[Candidate], rows: NDArray[np.float32]) -> None:
    """Write how far the goal of each candidate is."""
    rows[:, AT["nothing_open"]] = state.nothing_open
    table = {key: (key == state.latest, *goal.row) for key, goal in state.goals.items()}
    rows[:, GOAL] = [table.get(one.goal, _NO_GOAL) for one in candidates]


def _write_targets(belief: Belief, targets: Mapping[str, list[int]], rows: NDArray[np.float32]) -> None:
    """Write how the records stand that candidates are about."""
    for target, about in targets.items():
        record = belief.records[target]
        due = record.status == "unpaid" or record.due > 0
        rows[about, TARGET] = (target in belief.own, due, record.status == "cancelled", 0)
