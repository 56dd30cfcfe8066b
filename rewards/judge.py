"""The protocol of a judge: it sees turns as they come and owns the states of the rubrics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, Self

from vitagym.llm.asking import Asking
from vitagym.rewards.rubrics import RubricStates
from vitagym.tasks.checks import Evidence

Scores = Mapping[str, float | bool | None]


class Judge(Protocol):
    """A judge of one episode. Run turn by turn, or once over the finished transcript, it ends in the same states.

    One that asks a model also has ``updating(evidence, *, final) -> Asking[RubricStates]``, which does the same as
    ``update`` and lets others ask meanwhile.
    """

    @property
    def states(self) -> RubricStates:
        """State of each rubric of the task, by rubric id, in the task's order; what was given never changes."""

    @property
    def scores(self) -> Scores:
        """What it reports beside the states, by name; the same names at every turn. None: it cannot say."""

    def update(self, evidence: Evidence, *, final: bool) -> RubricStates:
        """Look at what is new and return the states; ``final`` on the last turn of the episode."""

    def fork(self) -> Self:
        """Return a judge that goes on from here by itself."""


def updating(judge: Judge, evidence: Evidence, *, final: bool) -> Asking[RubricStates]:
    """Let a judge look at what is new, and return the states; arguments as for ``Judge.update``."""
    asks = getattr(judge, "updating", None)
    if asks is None:
        return judge.update(evidence, final=final)
    states: RubricStates = yield from asks(evidence, final=final)
    return states
