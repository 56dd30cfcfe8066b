"""Plays the tasks of environments with agents, and sums up."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium as gym

from vitagym.agents.agent import make_agent, takes_seed
from vitagym.agents.episodes import play_episode
from vitagym.env.registration import ENTRY_POINT, registered_ids
from vitagym.errors import UnknownName
from vitagym.evaluation.log import EpisodeLog
from vitagym.evaluation.plan import SEEDS_BETWEEN_TRIALS, tasks_of
from vitagym.evaluation.recorder import Watch


@dataclass(frozen=True, slots=True)
class Plan:
    """What to play.

    Attributes:
        env_ids: Environment ids.
        agents: Names of agents.
        tasks: How many tasks of each environment at most; None: all of a fixed list, 20 of an endless split.
        trials: How many episodes on each task; they differ in the seed.
        seed: Seed of the first task; the next tasks have the next seeds.
        settings: Keyword arguments of the environments.
    """

    env_ids: tuple[str, ...]
    agents: tuple[str, ...]
    tasks: int | None
    trials: int
    seed: int
    settings: Mapping[str, Any]

    @property
    def episodes(self) -> int:
        """How many episodes that makes."""
        return sum(map(self.tasks_of, self.env_ids)) * len(self.agents) * self.trials

    def tasks_of(self, env_id: str) -> int:
        """Return how many tasks of an environment are played; no task of a fixed list is played twice."""
        return tasks_of(env_id, self.tasks)


@dataclass(frozen=True, slots=True)
class Summary:
    """What an agent did in an environment.

    Attributes:
        success: Share of the scored episodes in which all rubrics were met; None where none could be scored.
        scored: Episodes whose success could be said; those that an endpoint's failure cut off are not among them.
        rubric_score: Mean share of rubrics met.
        reward: Mean sum of rewards of an episode.
        turns: Mean number of messages of an episode.
        failed: Episodes that an endpoint's failure cut off.
        turns_per_second: Messages a second, everything counted.
    """

    env_id: str
    agent: str
    episodes: int
    scored: int
    success: float | None
    rubric_score: float
    reward: float
    turns: float
    failed: int
    turns_per_second: float

    def data(self) -> dict[str, Any]:
        """Return the summary as JSON can say it."""
        return {name: getattr(self, name) for name in self.__slots__}


def check_id(env_id: str) -> None:
    """Refuse an id, with or without its module, that stands for no environment of ours; raises UnknownName."""
    spec = gym.registry.get(env_id.rpartition(":")[2])
    if spec is None or spec.entry_point != ENTRY_POINT:
        raise UnknownName("environment id", env_id, registered_ids())


def play(
    plan: Plan,
    *,
    out: Path | None = None,
    watch: Watch | None = None,
    progress: Callable[[], None] | None = None,
) -> list[Summary]:
    """Play a plan.

    Args:
        plan: What to play.
        out: Folder for the logs: one JSON line an episode, one file an environment and agent.
        watch: Sees the first episode as it happens.
        progress: Called after every episode.
    """
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    made = [(env_id, gym.make(env_id, **plan.settings)) for env_id in plan.env_ids]
    summaries: list[Summary] = []
    for env_id, env in made:
        for agent in plan.agents:
            started = time.perf_counter()
            logs: list[EpisodeLog] = []
            with _writer(out, env_id, agent) as write:
                for log in _episodes(plan, env_id, env, agent, watch):
                    watch = None
                    write(log)
                    logs.append(log)
                    if progress is not None:
                        progress()
            summaries.append(_summary(env_id, agent, logs, time.perf_counter() - started))
        env.close()
    return summaries


def _episodes(
    plan: Plan, env_id: str, env: gym.Env[Any, Any], agent_name: str, watch: Watch | None
) -> Iterator[EpisodeLog]:
    options = {"seed": plan.seed} if takes_seed(agent_name) else {}
    agent = make_agent(agent_name, **options)
    for index in range(plan.tasks_of(env_id)):
        task_id: str | None = None
        for trial in range(plan.trials):
            log = play_episode(
                env,
                agent,
                seed=plan.seed + index + trial * SEEDS_BETWEEN_TRIALS,
                agent_name=agent_name,
                trial=trial,
                task_id=task_id,
                settings=plan.settings,
                watch=watch,
            )
            watch, task_id = None, log.task_id
            yield log


@contextmanager
def _writer(out: Path | None, env_id: str, agent: str) -> Iterator[Callable[[EpisodeLog], object]]:
    """Give a function that writes a log to the file of an environment and agent; to nowhere without a folder."""
    if out is None:
        yield _nowhere
        return
    name = re.sub(r"[^\w.-]+", "-", f"{env_id.rpartition(':')[2]}.{agent}.jsonl")
    with (out / name).open("wb") as file:
        yield lambda log: file.write(log.line())


def _nowhere(_: EpisodeLog) -> None:
    """Keep nothing of a log."""


def _summary(env_id: str, agent: str, logs: Sequence[EpisodeLog], seconds: float) -> Summary:
    failed = [log for log in logs if log.endpoint_failed]
    scored = [log.is_success for log in logs if log.is_success is not None and log not in failed]
    count = len(logs)
    turns = sum(log.turns for log in logs)
    return Summary(
        env_id=env_id,
        agent=agent,
        episodes=count,
        scored=len(scored),
        success=sum(scored) / len(scored) if scored else None,
        rubric_score=sum(log.rubric_score for log in logs) / count,
        reward=sum(sum(log.rewards) for log in logs) / count,
        turns=turns / count,
        failed=len(failed),
        turns_per_second=turns / seconds,
    )
