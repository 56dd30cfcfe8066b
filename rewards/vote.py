"""Several judges as one: each rubric by the majority of those that can say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from vitagym.errors import CallerError
from vitagym.llm.asking import Asking, run
from vitagym.rewards.judge import Judge, Scores, updating
from vitagym.rewards.judges import JudgeMaker, make_judge
from vitagym.rewards.rubrics import RubricState, RubricStates, RubricStatus
from vitagym.tasks.checks import Evidence
from vitagym.tasks.task import Task


@dataclass(frozen=True)
class Vote:
    """Makes judges that vote: ``judge=Vote(("rules", "llm", …))``.

    A rubric is met where more than half of the judges that scored it find it met, and unscored where none scored it.
    What several of them report under one name stands under that name and the judge's place, from 1: ``judge_cost_2``.

    Attributes:
        judges: The judges, each as ``judge=`` takes it.
    """

    judges: tuple[str | JudgeMaker | Judge, ...]

    def __post_init__(self) -> None:
        if not self.judges:
            raise CallerError("a vote needs at least one judge")

    def __call__(self, task: Task) -> Judge:
        """Make a judge for one episode of a task."""
        return _VotingJudge([make_judge(judge, task) for judge in self.judges])


class _VotingJudge:
    def __init__(self, judges: Sequence[Judge]) -> None:
        self._judges = tuple(judges)

    @property
    def states(self) -> RubricStates:
        every = [judge.states for judge in self._judges]
        return {rubric_id: _majority([states[rubric_id] for states in every]) for rubric_id in every[0]}

    @property
    def scores(self) -> Scores:
        reported = [judge.scores for judge in self._judges]
        judges = Counter(name for scores in reported for name in scores)
        return {
            name if judges[name] == 1 else f"{name}_{place}": value
            for place, scores in enumerate(reported, 1)
            for name, value in scores.items()
        }

    def update(self, evidence: Evidence, *, final: bool) -> RubricStates:
        return run(self.updating(evidence, final=final))

    def updating(self, evidence: Evidence, *, final: bool) -> Asking[RubricStates]:
        for judge in self._judges:
            yield from updating(judge, evidence, final=final)
        return self.states

    def fork(self) -> Self:
        return type(self)([judge.fork() for judge in self._judges])


def _majority(votes: Sequence[RubricState]) -> RubricState:
    """Return the state by vote, its turn the one at which the majority was reached."""
    scored = [vote for vote in votes if vote.status is not RubricStatus.UNSCORED]
    if not scored:
        return votes[0]
    met = sorted((v for v in scored if v.status is RubricStatus.MET), key=lambda v: v.turn)
    wanted = len(scored) // 2 + 1
    count = f"{len(met)} of {len(scored)} judges find it met"
    if len(met) >= wanted:
        deciding = met[wanted - 1]
        return RubricState(RubricStatus.MET, deciding.turn, f"{count}: {deciding.reason}")
    undone = sorted((v for v in scored if v.status is RubricStatus.OVERTURNED), key=lambda v: v.turn)
    if len(met) + len(undone) >= wanted:
        deciding = undone[-1]
        return RubricState(RubricStatus.OVERTURNED, deciding.turn, f"{count}: {deciding.reason}")
    first = min((v for v in scored if v.status is not RubricStatus.MET), key=lambda v: v.turn)
    return RubricState(RubricStatus.PENDING, first.turn, f"{count}: {first.reason}")
