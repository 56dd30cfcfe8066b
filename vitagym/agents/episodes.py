"""Plays an episode with an agent and takes it down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gymnasium as gym

from vitagym.agents.agent import Agent
from vitagym.evaluation.answers import Answers
from vitagym.evaluation.log import EpisodeLog
from vitagym.evaluation.recorder import Labels, Recorder, Watch

if TYPE_CHECKING:
    from vitagym.env.environment import VitaEnv


def play_episode(
    env: gym.Env[Any, Any],
    agent: Agent,
    *,
    seed: int,
    agent_name: str = "",
    trial: int = 0,
    task_id: str | None = None,
    settings: Mapping[str, Any] | None = None,
    watch: Watch | None = None,
) -> EpisodeLog:
    """Play one episode to its end; the log has no times, so that the same episode gives the same bytes.

    Args:
        env: A vitagym environment.
        agent: Who acts.
        seed: Seed of the reset; without a task id it also chooses the task.
        agent_name: What the log calls the agent.
        trial: Which repetition this is, for the log.
        task_id: Play this task; None: the task of the seed.
        settings: What the environment was made with, for the log.
        watch: Called with the new messages after the reset and after every step.
    """
    inner: VitaEnv = env.unwrapped  # type: ignore[assignment]
    before = inner.answering
    answers = inner.answering = Answers(source=before)
    labels = Labels(agent=agent_name, trial=trial, settings=settings or {})
    try:
        observation, info = env.reset(seed=seed, options=None if task_id is None else {"task_id": task_id})
        agent.start(env)
        recorder = Recorder(env, info, labels, answers=answers)
        watch = watch or _unseen
        watch(info["messages"])
        while info["end_reason"] is None:
            action = agent.act(observation, info)
            turn = len(inner.transcript)
            observation, reward, _, _, info = env.step(action)
            recorder.acted(action, turn, float(reward), info)
            watch(info["messages"])
    finally:
        inner.answering = before
    return recorder.log()


def _unseen(_: list[dict[str, Any]]) -> None:
    """Show nothing."""
