"""Small tabular tasks whose states are rubric states, solved by exact value iteration.

Rewards come from the library's own reward for each transition; they are turned into fractions, so that two actions are
equally good only when they are exactly so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from hypothesis import strategies as st

from vitagym.rewards.rubrics import RubricState, RubricStates, RubricStatus, success
from vitagym.rewards.terms import Reward
from vitagym.rewards.transition import Transition

Statuses = tuple[RubricStatus, ...]


class States:
    """Rubric states from statuses alone."""

    PENDING = RubricStatus.PENDING
    MET = RubricStatus.MET
    STATUSES = (RubricStatus.PENDING, RubricStatus.MET, RubricStatus.OVERTURNED)

    @staticmethod
    def of(statuses: Statuses) -> RubricStates:
        return {f"r{i}": RubricState(status, 0, "") for i, status in enumerate(statuses)}


def step(before: Statuses, after: Statuses, ends: str = "") -> Transition:
    states = States.of(after)
    return Transition(States.of(before), states, (), ends == "terminated", ends == "truncated", success(states))


def path(statuses: Sequence[Statuses], ends: str = "") -> list[Transition]:
    """The transitions from each of some statuses to the next; the last may end the episode."""
    last = len(statuses) - 2
    pairs = pairwise(statuses)
    return [step(a, b, ends if i == last else "") for i, (a, b) in enumerate(pairs)]


@dataclass(frozen=True)
class TabularTask:
    """A Markov decision process on rubric statuses.

    Attributes:
        rubrics: The statuses of the rubrics in each state.
        actions: For each state, its actions: each some (probability, next state, whether the episode terminates).
    """

    rubrics: tuple[Statuses, ...]
    actions: tuple[tuple[tuple[tuple[Fraction, int, bool], ...], ...], ...]

    @classmethod
    def gamble(cls) -> TabularTask:
        """Half the task for sure, or the whole of it one time in ten."""
        none, half, whole = (States.PENDING,) * 2, (States.MET, States.PENDING), (States.MET,) * 2
        sure = ((Fraction(1), 1, True),)
        risky = ((Fraction(1, 10), 2, True), (Fraction(9, 10), 0, True))
        nothing = ((Fraction(1), 0, True),)
        return cls((none, half, whole), ((sure, risky), (nothing,), (nothing,)))


@st.composite
def tabular_tasks(draw: st.DrawFn) -> TabularTask:
    """Up to six states of up to three rubrics; every action has up to two outcomes and may end the episode."""
    count = draw(st.integers(1, 3))
    size = draw(st.integers(2, 6))
    statuses = st.tuples(*[st.sampled_from((States.PENDING, States.MET))] * count)
    rubrics = [draw(statuses) for _ in range(size)]
    outcome = st.tuples(st.integers(0, size - 1), st.booleans())
    actions = []
    for _ in range(size):
        own = []
        for _ in range(draw(st.integers(1, 3))):
            likely = draw(st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(1, 4)]))
            first, second = draw(outcome), draw(outcome)
            own.append(((likely, *first), (1 - likely, *second)) if likely < 1 else ((likely, *first),))
        actions.append(tuple(own))
    return TabularTask(tuple(rubrics), tuple(actions))


Outcome = tuple[Fraction, Fraction, int, bool]
Model = list[list[list[Outcome]]]


def best_actions(task: TabularTask, reward: Reward, gamma: Fraction) -> list[set[int]]:
    """Return the best actions in each state, ties included, by policy iteration in exact arithmetic."""
    model = _model(task, reward)
    policy = [0] * len(model)
    while True:
        values = _values(model, gamma, policy)
        worth = [[_worth(outcomes, gamma, values) for outcomes in own] for own in model]
        better = [max(range(len(w)), key=w.__getitem__) for w in worth]
        improved = [b if worth[s][b] > worth[s][policy[s]] else policy[s] for s, b in enumerate(better)]
        if improved == policy:
            return [{i for i, value in enumerate(w) if value == max(w)} for w in worth]
        policy = improved


def _model(task: TabularTask, reward: Reward) -> Model:
    """Return, for each state and action, the outcomes: probability, reward, next state, whether it terminates."""

    def paid(state: int, following: int, terminates: bool) -> Fraction:
        made = step(task.rubrics[state], task.rubrics[following], "terminated" if terminates else "")
        # The terms are sums of simple fractions; the nearest of them is what their float arithmetic stands for.
        return sum((Fraction(v).limit_denominator(10**6) for v in reward.terms(made).values()), Fraction(0))

    return [
        [[(likely, paid(s, then, ends), then, ends) for likely, then, ends in outcomes] for outcomes in own]
        for s, own in enumerate(task.actions)
    ]


def _worth(outcomes: list[Outcome], gamma: Fraction, values: list[Fraction]) -> Fraction:
    return sum(
        (likely * (paid + (0 if ends else gamma * values[then])) for likely, paid, then, ends in outcomes), Fraction(0)
    )


def _values(model: Model, gamma: Fraction, policy: list[int]) -> list[Fraction]:
    """Solve V = r + γPV for one policy, by elimination."""
    size = len(model)
    rows = []
    for s in range(size):
        row = [Fraction(int(s == j)) for j in range(size)] + [Fraction(0)]
        for likely, paid, then, ends in model[s][policy[s]]:
            row[size] += likely * paid
            row[then] -= 0 if ends else likely * gamma
        rows.append(row)
    for i in range(size):
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(size):
            if r != i and rows[r][i] != 0:
                factor = rows[r][i]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i], strict=True)]
    return [row[size] for row in rows]
