"""Judges that judge late or wrongly on purpose, for studies of how learners bear noise in the reward.

Each wraps another judge: ``judge=Noisy("rules", share=0.05)``. What it reports is what reward and ``is_success`` come
from; the truth stands beside it in ``info["scores"]`` as ``true_success`` and ``true_fraction``.

- ``Delayed``: states come some steps late, and all at once at the end
- ``Noisy``: at every step, each state is wrong with some probability, anew
- ``Flipped``: some rubrics are judged wrongly throughout the episode
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from vitagym.errors import CallerError
from vitagym.llm.asking import Asking, run
from vitagym.randomness import Stream
from vitagym.rewards.judge import Judge, Scores, updating
from vitagym.rewards.judges import JudgeMaker, make_judge
from vitagym.rewards.rubrics import RubricState, RubricStates, RubricStatus, satisfied_fraction, success
from vitagym.tasks.checks import Evidence
from vitagym.tasks.task import Task


@dataclass(frozen=True)
class Delayed:
    """Makes judges whose states come late.

    Attributes:
        judge: The judge that is wrapped, as ``judge=`` takes it.
        steps: How many steps a state is late. The last step of an episode shows all.
    """

    judge: str | JudgeMaker | Judge
    steps: int

    def __post_init__(self) -> None:
        if self.steps < 0:
            raise CallerError(f"steps {self.steps!r} is no delay; allowed: whole numbers from 0 on")

    def __call__(self, task: Task) -> Judge:
        """Make a judge for one episode of a task."""
        return _DelayedJudge(make_judge(self.judge, task), self.steps)


@dataclass(frozen=True)
class Noisy:
    """Makes judges each of whose states is wrong with some probability, drawn anew at every step.

    Attributes:
        judge: The judge that is wrapped, as ``judge=`` takes it.
        share: The probability, from 0 to 1.
        seed: Together with the task and the user's first words it fixes every draw.
    """

    judge: str | JudgeMaker | Judge
    share: float
    seed: int = 0

    def __post_init__(self) -> None:
        _probability(self.share)

    def __call__(self, task: Task) -> Judge:
        """Make a judge for one episode of a task."""

        def wrong(rubric_id: str, evidence: Evidence) -> bool:
            turns = evidence.transcript.turns
            name = f"noise/{task.id}/{_opening(evidence)}/{len(turns)}/{rubric_id}"
            return Stream(self.seed, name).random() < self.share

        return _WrongJudge(make_judge(self.judge, task), wrong)


@dataclass(frozen=True)
class Flipped:
    """Makes judges that judge some rubrics wrongly, the same ones throughout an episode.

    Attributes:
        judge: The judge that is wrapped, as ``judge=`` takes it.
        share: The probability that a rubric is one of them, from 0 to 1.
        seed: Together with the task and the user's first words it fixes which they are.
    """

    judge: str | JudgeMaker | Judge
    share: float
    seed: int = 0

    def __post_init__(self) -> None:
        _probability(self.share)

    def __call__(self, task: Task) -> Judge:
        """Make a judge for one episode of a task."""

        def wrong(rubric_id: str, evidence: Evidence) -> bool:
            name = f"flip/{task.id}/{_opening(evidence)}/{rubric_id}"
            return Stream(self.seed, name).random() < self.share

        return _WrongJudge(make_judge(self.judge, task), wrong)


class _DelayedJudge:
    def __init__(self, judge: Judge, steps: int) -> None:
        self._judge, self._steps = judge, steps
        self._past: tuple[RubricStates, ...] = (judge.states,)

    @property
    def states(self) -> RubricStates:
        return self._past[0]

    @property
    def scores(self) -> Scores:
        return _truth(self._judge)

    def update(self, evidence: Evidence, *, final: bool) -> RubricStates:
        return run(self.updating(evidence, final=final))

    def updating(self, evidence: Evidence, *, final: bool) -> Asking[RubricStates]:
        now = yield from updating(self._judge, evidence, final=final)
        self._past = (now,) if final else (*self._past, now)[-self._steps - 1 :]
        return self.states

    def fork(self) -> Self:
        other = type(self)(self._judge.fork(), self._steps)
        other._past = self._past
        return other


class _WrongJudge:
    def __init__(self, judge: Judge, wrong: Callable[[str, Evidence], bool]) -> None:
        self._judge, self._wrong = judge, wrong
        self._states = judge.states

    @property
    def states(self) -> RubricStates:
        return self._states

    @property
    def scores(self) -> Scores:
        return _truth(self._judge)

    def update(self, evidence: Evidence, *, final: bool) -> RubricStates:
        return run(self.updating(evidence, final=final))

    def updating(self, evidence: Evidence, *, final: bool) -> Asking[RubricStates]:
        true = yield from updating(self._judge, evidence, final=final)
        last = len(evidence.transcript) - 1
        self._states = {i: _opposite(s, last) if self._wrong(i, evidence) else s for i, s in true.items()}
        return self._states

    def fork(self) -> Self:
        other = type(self)(self._judge.fork(), self._wrong)
        other._states = self._states
        return other


def _truth(judge: Judge) -> Scores:
    states = judge.states
    return {**judge.scores, "true_success": success(states), "true_fraction": satisfied_fraction(states)}


def _opposite(state: RubricState, turn: int) -> RubricState:
    if state.status is RubricStatus.UNSCORED:
        return state
    status = RubricStatus.PENDING if state.status is RubricStatus.MET else RubricStatus.MET
    return RubricState(status, turn, f"wrong on purpose; in truth {state.status.value}: {state.reason}")


def _opening(evidence: Evidence) -> str:
    turns = evidence.transcript.turns
    return turns[0].text if turns else ""


def _probability(share: float) -> None:
    if not 0 <= share <= 1:
        raise CallerError(f"share {share!r} is no probability; allowed: numbers from 0 to 1")
