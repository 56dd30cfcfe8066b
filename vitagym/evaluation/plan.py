"""The plan of a run: which episodes there are, in which order, and what tells two plans apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import gymnasium as gym

from vitagym.env.task_source import TaskSource, task_source
from vitagym.evaluation.log import episode_key
from vitagym.evaluation.recorder import versions
from vitagym.language import as_language
from vitagym.tasks.splits import TEST_TASKS

SCHEMA = "vitagym.run/1"
SEEDS_BETWEEN_TRIALS = 100_000
_TASKS_OF_ENDLESS = 20


@dataclass(frozen=True, slots=True)
class Job:
    """One episode to be played.

    Attributes:
        env_id: Id of the environment.
        agent: Who acts.
        user: Who the agent talks with.
        judge: Who judges.
        task_id: Id of the task.
        trial: Which repetition on this task.
        seed: What the environment is reset with.
        attempt: How often it was tried before.
    """

    env_id: str
    agent: str
    user: str
    judge: str
    task_id: str
    trial: int
    seed: int
    attempt: int = 0

    @property
    def key(self) -> str:
        """What the episode is called in a run."""
        return episode_key((self.env_id, self.agent, self.user, self.judge), self.task_id, self.trial)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to play: every agent with every user and judge on every task, as often as there are trials.

    Attributes:
        env_ids: Environment ids.
        agents: Names of agents.
        users: Names of users, as ``user=`` of the environment takes them.
        judges: Names of judges, as ``judge=`` of the environment takes them.
        tasks: How many tasks of each environment; None: all of a fixed list, 20 of an endless split.
        trials: How many episodes on each task; they differ in the seed.
        seed: Seed of the first task; the next tasks have the next seeds.
        settings: Further arguments of the environments.
        agent_options: Agent -> what it is made with.
    """

    env_ids: tuple[str, ...]
    agents: tuple[str, ...]
    users: tuple[str, ...] = ("scripted",)
    judges: tuple[str, ...] = ("rules",)
    tasks: int | None = None
    trials: int = 4
    seed: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)
    agent_options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def episodes(self) -> int:
        """How many episodes that makes."""
        tasks = sum(tasks_of(env_id, self.tasks) for env_id in self.env_ids)
        return tasks * self.trials * len(self.agents) * len(self.users) * len(self.judges)

    def jobs(self) -> Iterator[Job]:
        """Yield the episodes; all of a task follow each other, so that its world is built once."""
        for env_id in self.env_ids:
            source = self._source(env_id)
            for seed in range(self.seed, self.seed + tasks_of(env_id, self.tasks)):
                task_id = source.id_of_seed(seed)
                for trial in range(self.trials):
                    for agent in self.agents:
                        for user in self.users:
                            for judge in self.judges:
                                played = seed + trial * SEEDS_BETWEEN_TRIALS
                                yield Job(_short(env_id), agent, user, judge, task_id, trial, played)

    def data(self) -> dict[str, Any]:
        """Return the plan as JSON can say it, with the versions it was made with."""
        said = {f.name: getattr(self, f.name) for f in fields(self)}
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in said.items()}
        return {"schema": SCHEMA, **plain, "versions": versions()}

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Plan:
        """Return the plan that ``data`` has said."""
        said: dict[str, Any] = {f.name: data[f.name] for f in fields(cls)}
        plain: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in said.items()}
        return cls(**plain)

    def _source(self, env_id: str) -> TaskSource:
        made = gym.spec(_short(env_id)).kwargs
        language = self.settings.get("language")
        return task_source(made["domain"], made["tasks"], None if language is None else as_language(language))


def tasks_of(env_id: str, wanted: int | None) -> int:
    """Return how many tasks of an environment are played; no task of a fixed list is played twice.

    Args:
        env_id: Id of the environment.
        wanted: How many at most; None: all of a fixed list, 20 of an endless split.
    """
    chosen = gym.spec(_short(env_id)).kwargs["tasks"]
    if isinstance(chosen, str) and chosen != "test":
        return wanted or _TASKS_OF_ENDLESS
    there_are = TEST_TASKS if chosen == "test" else len(chosen)
    return min(wanted or there_are, there_are)


def difference(there: Mapping[str, Any], wanted: Mapping[str, Any]) -> str | None:
    """Return in words where two plans differ, or None where they are the same.

    Versions of other packages than vitagym are no difference: every episode's log has its own.
    """
    for name in [f.name for f in fields(Plan)]:
        if there.get(name) != wanted.get(name):
            return f"{name} is {there.get(name)!r} there and {wanted.get(name)!r} here"
    before, now = there.get("versions", {}).get("vitagym"), wanted["versions"]["vitagym"]
    return None if before == now else f"it was begun by vitagym {before}, this is {now}"


def _short(env_id: str) -> str:
    """Return an environment's id without its module."""
    return env_id.rpartition(":")[2]
