"""The protocol of a judge: it sees turns as they come and owns the states of the rubrics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, Self, runtime_checkable

from vitagym.rewards.rubrics import RubricStates
from vitagym.tasks.checks import Evidence

Scores = Mapping[str, float | bool | None]


class Judge(Protocol):
    """A judge of one episode. Run turn by turn, or once over the finished transcript, it ends in the same states."""

    @property
    def states(self) -> RubricStates:
        """State of each rubric of the task, by rubric id, in the task's order."""

    @property
    def scores(self) -> Scores:
        """What it reports beside the states, by name; the same names at every turn. None: it cannot say."""

    def update(self, evidence: Evidence, *, final: bool) -> RubricStates:
        """Look at what is new and return the states; ``final`` on the last turn of the episode."""

    def fork(self) -> Self:
        """Return a judge that goes on from here by itself."""


@runtime_checkable
class AsyncJudge(Judge, Protocol):
    """A judge that can wait for an answer while other transcripts are judged."""

    async def update_async(self, evidence: Evidence, *, final: bool) -> RubricStates:
        """Do as ``update``, without blocking the event loop."""
