"""One step of an episode, as reward terms see it."""

from __future__ import annotations

from dataclasses import dataclass, field

from vitagym.dialogue.transcript import Transcript, Turn
from vitagym.frozen import quickly_made
from vitagym.rewards.judge import Scores
from vitagym.rewards.rubrics import RubricStates
from vitagym.tasks.task import Rubric


@quickly_made
@dataclass(frozen=True, slots=True)
class Transition:
    """What one action changed.

    Attributes:
        before: States of the rubrics before the action.
        after: States after it.
        turns: The turns that the action added (agent's, tools', user's), oldest first.
        terminated: Whether the agent or the user ended the episode with it.
        truncated: Whether it was cut off.
        success: Whether all rubrics are met; None where that cannot be said.
        scores_before, scores_after: What the judge reported beside the states, by name.
        transcript: All turns so far, for terms that compare with earlier ones.
        rubrics: The task's rubrics, for terms that weigh them by kind.
    """

    before: RubricStates
    after: RubricStates
    turns: tuple[Turn, ...]
    terminated: bool
    truncated: bool
    success: bool | None
    scores_before: Scores = field(default_factory=dict)
    scores_after: Scores = field(default_factory=dict)
    transcript: Transcript | None = None
    rubrics: tuple[Rubric, ...] = ()
