"""How far the goals are: whether a record stands for each, meets all that was heard, and is paid."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct

from vitagym.rl.belief import Belief
from vitagym.rl.classes import CLASSES
from vitagym.rl.fitting import fit, plan_of
from vitagym.rl.goals import Goal
from vitagym.rl.kinds import Fit
from vitagym.rl.sightings import SeenRecord
from vitagym.rl.toolroles import provider_of
from vitagym.tasks.constraints import Sense

_ROW = Struct("=5f")
_HEARD = Struct(f"={len(CLASSES)}f")
_GOALS = 4
"""So many goals count fully; more are rare."""


class GoalStanding:
    """How far a goal is: whether a record stands for it, and whether that meets all that was heard.

    Attributes:
        row: The features of the candidates that are for it, but for whether it is the latest: the bytes of floats.
    """

    __slots__ = ("fits", "made", "row", "stale", "unpaid")

    def __init__(self, belief: Belief, goal: Goal, alive: Sequence[SeenRecord]) -> None:
        fits = [fit(belief, goal, plan_of(belief, goal, record)) for record in alive]
        self.made = bool(alive)
        self.fits = any(_whole(found) for found in fits)
        self.stale = any(found.missed for found in fits)
        self.unpaid = any(record.status == "unpaid" or record.due > 0 for record in alive)
        optional = any(c.optional for c in goal.heard)
        stands_in = any(c.instead_of for c in goal.heard)
        self.row = _ROW.pack(self.made, self.fits, min(len(goal.heard), 12) / 12, optional, stands_in)


def _whole(found: Fit) -> bool:
    return found.missed == 0 and found.unknown == 0


def _goal_standing(belief: Belief, goal: Goal) -> GoalStanding:
    alive = belief.alive(goal)
    existing = goal.of(Sense.EXISTING)
    if existing is not None and existing.text in belief.records:
        alive = (*alive, belief.records[existing.text])
    records = tuple([(belief.number_of(one), belief.shelf.state(provider_of(one.kind))) for one in alive])
    state = ("standing", belief.goal_state(goal), records)
    return belief.memory.remembered(state, lambda: GoalStanding(belief, goal, alive))


class Standing:
    """How far all goals are; it changes only with what is known of the world and the need.

    Attributes:
        goals: Key -> how far that goal is.
        heard: How many constraints of each class were heard, scaled: the bytes of floats.
        latest: Key of the goal that was heard of last.
        nothing_open: Whether a paid record that fits stands for every goal.
        totals: Features that count goals.
    """

    __slots__ = ("goals", "heard", "latest", "nothing_open", "totals")

    def __init__(self, goals: dict[str, GoalStanding], heard: bytes) -> None:
        self.goals = goals
        self.heard = heard
        self.latest = next(reversed(goals), "")
        made = fits = unpaid = stale = done = 0
        for state in goals.values():
            made += state.made
            fits += state.fits
            unpaid += state.unpaid
            stale += state.stale
            done += state.made and state.fits and not state.unpaid
        self.nothing_open = 0 < len(goals) == done
        self.totals = (
            min(len(goals), _GOALS) / _GOALS,
            min(made, _GOALS) / _GOALS,
            min(fits, _GOALS) / _GOALS,
            min(unpaid, 2) / 2,
            min(stale, 2) / 2,
        )


def standing(belief: Belief) -> Standing:
    """Return how far the goals are."""
    heard = [0.0] * len(CLASSES)
    for goal in belief.goals.values():
        for number in goal.classes:
            heard[number] += 1
    goals = {key: _goal_standing(belief, goal) for key, goal in belief.goals.items()}
    return Standing(goals, _HEARD.pack(*[min(count, 4) / 4 for count in heard]))
