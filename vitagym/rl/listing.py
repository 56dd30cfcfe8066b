"""The candidates of a moment: everything that may be done with what is known, at most so many.

What follows from a state of knowledge is worked out once a task and then remembered: the results that were seen, in
their order, the constraints that were heard and the records as they stand say all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vitagym.rl.belief import Belief, Goal
from vitagym.rl.composing import makes
from vitagym.rl.handling import handles
from vitagym.rl.kinds import Candidate
from vitagym.rl.lookups import lookups
from vitagym.rl.rows import rows_of
from vitagym.rl.standing import Standing, standing
from vitagym.rl.talking import recommended, reports, talk
from vitagym.rl.toolroles import Role

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Listing:
    """Candidates in a fixed order (what may always be said comes first), with where to find which.

    Attributes:
        standing: How far the goals are.
        rows: Their features, as far as they depend on nothing else.
        by_call: Tool and arguments of a call -> its row.
        by_tool, by_goal, by_target: The rows that are about each.
    """

    standing: Standing
    candidates: tuple[Candidate, ...] = ()
    rows: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    by_call: Mapping[tuple[str, str], int] = field(default_factory=dict)
    by_tool: Mapping[str, Rows] = field(default_factory=dict)
    by_goal: Mapping[str, Rows] = field(default_factory=dict)
    by_target: Mapping[str, Rows] = field(default_factory=dict)


def listed(belief: Belief, offered: Mapping[str, Role], most: int) -> Listing:
    """Return the candidates.

    Args:
        belief: What was observed.
        offered: The tools on offer.
        most: How many there may be.
    """
    state = ("candidates", most, len(offered), belief.named, belief.goals_state, *belief.state)
    return belief.remembered(state, lambda: _arranged(standing(belief), _found(belief, offered, most)))


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
    looked = list(lookups(belief, offered))
    room = max(0, most - len(found))
    half = max(room - len(looked), room // 2)
    chosen = by_turns[:half]
    found += chosen
    found += looked[: room - len(chosen)]
    usable = {one.action: one for one in reversed(found) if not one.tool or one.tool in offered}
    return tuple(usable[action] for action in dict.fromkeys(one.action for one in found) if action in usable)[:most]


def _made(belief: Belief, goal: Goal) -> list[Candidate]:
    return belief.remembered(("makes", *goal.state(belief)), lambda: makes(belief, goal))


def _turn_by_turn(rows: Sequence[Sequence[Candidate]]) -> list[list[Candidate]]:
    """Return the first of every row, then the second of every row that has one, and so on."""
    longest = max(map(len, rows), default=0)
    return [[row[n] for row in rows if n < len(row)] for n in range(longest)]


def _arranged(state: Standing, candidates: tuple[Candidate, ...]) -> Listing:
    calls: dict[tuple[str, str], int] = {}
    tools: dict[str, list[int]] = {}
    goals: dict[str, list[int]] = {}
    targets: dict[str, list[int]] = {}
    for row, one in enumerate(candidates):
        if one.tool:
            calls[one.tool, one.raw] = row
            tools.setdefault(one.tool, []).append(row)
        if one.goal:
            goals.setdefault(one.goal, []).append(row)
        if one.target:
            targets.setdefault(one.target, []).append(row)
    return Listing(state, candidates, rows_of(candidates), calls, _rows(tools), _rows(goals), _rows(targets))


def _rows(table: Mapping[str, list[int]]) -> dict[str, Rows]:
    return {key: np.array(rows, np.intp) for key, rows in table.items()}
