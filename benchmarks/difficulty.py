"""Plays agents with planted weaknesses on the fixed tasks: what the predictor of difficulty is tried on.

    python benchmarks/difficulty.py --out runs/weak && vitagym metrics runs/weak --show complexity --show failures

The page on metrics has what came of it. Both agents begin from the reference solution, so they fail for known reasons:
the *hasty* one ends the episode with some chance at every action; the *careless* one takes each near-miss or slip that
the judge laboratory knows of the task with some chance. Neither is a language model, and neither sees the complexity of
a task.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import gymnasium as gym

from vitagym.agents import make_agent
from vitagym.agents.agent import Agent
from vitagym.agents.episodes import play_episode
from vitagym.domains import CROSS, domains
from vitagym.env.actions import STOP
from vitagym.env.environment import VitaEnv
from vitagym.evaluation.log import EPISODES, EpisodeLog
from vitagym.language import Language
from vitagym.randomness import Stream
from vitagym.rewards.laboratory.makings import Making, Way, makings
from vitagym.rewards.laboratory.structure import CannotTell
from vitagym.tasks.sources import draft_of_test, task_ids
from vitagym.tasks.task import Task

HASTY = {"hasty": 0.02, "hastier": 0.05}
CARELESS = {"careless": 0.04, "more careless": 0.1}


class Hasty:
    """Acts as the reference agent does, and at every action ends the episode with some chance."""

    def __init__(self, chance: float, stream: Stream) -> None:
        self._chance, self._stream, self._reference = chance, stream, make_agent("reference")

    def start(self, env: gym.Env[Any, Any]) -> None:
        """Get ready for a new episode."""
        self._reference.start(env)

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Return the reference agent's action, or the end."""
        return STOP if self._stream.random() < self._chance else self._reference.act(observation, info)


def main() -> None:
    """Play all weak agents on all tasks, and write the log."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="folder for the log")
    parser.add_argument("--tasks", type=int, default=100, help="tasks of each set")
    parser.add_argument("--trials", type=int, default=4)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    with (arguments.out / EPISODES).open("wb") as file:
        for domain in (*domains(), CROSS):
            for task_id in task_ids(domain)[: arguments.tasks]:
                for log in play(domain, task_id, arguments.trials):
                    file.write(log.line())


def play(domain: str, task_id: str, trials: int) -> Iterator[EpisodeLog]:
    """Yield the episodes of all weak agents on a task."""
    draft = draft_of_test(domain, task_id)
    task = draft.task(Language.EN)
    try:
        misses = [m for m in makings(draft, task) if m.way in (Way.NEAR_MISS, Way.SLIP) and not m.yields]
    except CannotTell:
        misses = []
    for trial in range(trials):
        for name, chance in HASTY.items():
            yield episode(task, Hasty(chance, Stream(trial, f"{name}/{task_id}")), name, trial)
        for name, chance in CARELESS.items():
            yield episode(
                careless(task, misses, chance, Stream(trial, f"{name}/{task_id}")), make_agent("reference"), name, trial
            )


def careless(task: Task, misses: list[Making], chance: float, stream: Stream) -> Task:
    """Return the task with the first near-miss or slip that befalls its solution; without any, as it is."""
    taken = [miss for miss in misses if stream.random() < chance]
    return task.model_copy(update={"solution": taken[0].steps}) if taken else task


def episode(task: Task, agent: Agent, name: str, trial: int) -> EpisodeLog:
    """Play one episode."""
    env = VitaEnv(CROSS, tasks=[task], max_turns=None)
    return play_episode(env, agent, seed=trial, agent_name=name, trial=trial)


if __name__ == "__main__":
    main()
