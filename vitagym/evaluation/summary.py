"""A few figures of a run as it goes on: sums alone, so that memory stays flat. Real metrics are ``vitagym metrics``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from vitagym.evaluation.log import Row, endpoint_failed

Group = tuple[str, str, str, str]
"""Environment id, agent, user and judge."""


@dataclass(slots=True)
class Summary:
    """What an agent did in an environment, with a user, before a judge.

    Attributes:
        episodes: Episodes that ended and were not cut off by a failing endpoint; the figures rest on them.
        failed: Episodes that a failing endpoint cut off.
        scored: Episodes whose success is known.
        successes: Episodes in which all rubrics were met.
        rubric_score: Sum of the shares of rubrics met.
        reward: Sum of the rewards.
        turns: Sum of the messages.
        cost: Money spent, failed episodes included.
    """

    episodes: int = 0
    failed: int = 0
    scored: int = 0
    successes: int = 0
    rubric_score: float = 0.0
    reward: float = 0.0
    turns: int = 0
    cost: float = 0.0

    def data(self) -> dict[str, Any]:
        """Return the means as JSON can say them; null where there is nothing to take a mean of."""
        return {
            "episodes": self.episodes,
            "failed": self.failed,
            "scored": self.scored,
            "success": _mean(self.successes, self.scored),
            "rubric_score": _mean(self.rubric_score, self.episodes),
            "reward": _mean(self.reward, self.episodes),
            "turns": _mean(self.turns, self.episodes),
            "cost": self.cost,
        }


@dataclass(slots=True)
class Summaries:
    """The summaries of a run.

    Attributes:
        of: Group -> its summary, in the order in which the first episodes ended.
    """

    of: dict[Group, Summary] = field(default_factory=dict)

    def add(self, row: Row) -> None:
        """Add an episode; a later attempt takes the place of the one before, which had failed."""
        group = (row["env_id"], row["agent"], row["user"], row["judge"])
        summary = self.of.setdefault(group, Summary())
        summary.cost += sum(role["cost"] for role in row["usage"]["roles"].values())
        summary.failed -= row["attempt"] > 0
        if endpoint_failed(row):
            summary.failed += 1
            return
        summary.episodes += 1
        summary.scored += row["is_success"] is not None
        summary.successes += row["is_success"] is True
        summary.rubric_score += row["rubric_score"]
        summary.reward += row["reward"]
        summary.turns += row["turns"]

    def data(self) -> list[dict[str, Any]]:
        """Return the summaries as JSON can say them, in the order of their names."""
        names = ("env_id", "agent", "user", "judge")
        return [{**dict(zip(names, group, strict=True)), **self.of[group].data()} for group in sorted(self.of)]


def _mean(total: float, count: int) -> float | None:
    return total / count if count else None
