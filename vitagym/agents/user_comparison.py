"""How much it matters who plays the user: the same agents on the same tasks and seeds, over several users.

Success of each agent with each user, with a Wilson interval; and for each two users Kendall's τ-b of the order in which
they put the agents. A τ near 1 says that the users agree about which agent is better, whatever they do to the figures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import gymnasium as gym

from vitagym.agents import make_agent
from vitagym.agents.episodes import play_episode
from vitagym.analysis.agreement import kendall
from vitagym.analysis.intervals import wilson
from vitagym.evaluation.log import EpisodeLog


@dataclass(frozen=True, slots=True)
class Cell:
    """One agent with one user.

    Attributes:
        episodes: Episodes that could be scored.
        successes: Of those, successes.
        rubric_score: Mean share of rubrics met.
        turns: Mean messages of an episode.
        failed: Episodes that an endpoint's failure cut off, or that could not be scored.
    """

    episodes: int
    successes: int
    rubric_score: float
    turns: float
    failed: int

    @property
    def success(self) -> float | None:
        """Share of successes; None where no episode could be scored."""
        return self.successes / self.episodes if self.episodes else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % Wilson interval of the share of successes."""
        return wilson(self.successes, self.episodes) if self.episodes else None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Agents by users.

    Attributes:
        cells: User -> agent -> what happened.
    """

    cells: Mapping[str, Mapping[str, Cell]]

    @property
    def agreement(self) -> dict[tuple[str, str], float | None]:
        """Kendall's τ-b of each two users over the agents' success; None where one of them tells no agents apart."""
        out = {}
        for one, other in combinations(self.cells, 2):
            pairs = [
                (a.success, b.success)
                for a, b in ((self.cells[one][agent], self.cells[other][agent]) for agent in self.cells[one])
                if a.success is not None and b.success is not None
            ]
            out[one, other] = kendall([a for a, _ in pairs], [b for _, b in pairs])
        return out

    def data(self) -> dict[str, Any]:
        """Return the comparison as JSON can say it."""
        return {
            "users": {
                user: {
                    agent: {
                        "episodes": cell.episodes,
                        "success": cell.success,
                        "interval": list(cell.interval) if cell.interval else None,
                        "rubric_score": cell.rubric_score,
                        "turns": cell.turns,
                        "failed": cell.failed,
                    }
                    for agent, cell in agents.items()
                }
                for user, agents in self.cells.items()
            },
            "kendall": [{"users": list(users), "tau_b": tau} for users, tau in self.agreement.items()],
        }


def compare_users(
    env_id: str,
    users: Sequence[str],
    agents: Sequence[str],
    *,
    tasks: int,
    seed: int = 0,
    watch: Callable[[], None] | None = None,
    **settings: Any,
) -> Comparison:
    """Play the same tasks with the same seeds for every user and agent.

    Args:
        env_id: Id of the environment.
        users: Specs of users; ``USER/PERSONA`` plays a persona in place of the task's, e.g. ``scripted/neutral``.
        agents: Names of agents.
        tasks: How many episodes each plays: those of the seeds ``seed``, ``seed + 1``, …
        seed: The first seed.
        watch: Is called after each episode.
        settings: Further arguments of the environment.
    """
    cells: dict[str, dict[str, Cell]] = {}
    for spec in users:
        user, _, persona = spec.partition("/") if not spec.startswith("replay") else (spec, "", "")
        env = gym.make(env_id, user=user, persona=persona or None, disable_env_checker=True, **settings)
        cells[spec] = {}
        for name in agents:
            logs = []
            for number in range(tasks):
                logs.append(play_episode(env, make_agent(name), seed=seed + number, agent_name=name))
                if watch is not None:
                    watch()
            cells[spec][name] = _cell(logs)
        env.close()
    return Comparison(cells)


def _cell(logs: Sequence[EpisodeLog]) -> Cell:
    scored = [log for log in logs if log.is_success is not None and not log.endpoint_failed]
    return Cell(
        episodes=len(scored),
        successes=sum(log.is_success is True for log in scored),
        rubric_score=sum(log.rubric_score for log in scored) / max(1, len(scored)),
        turns=sum(log.turns for log in scored) / max(1, len(scored)),
        failed=len(logs) - len(scored),
    )
