"""Plays an episode with an agent, and what is kept of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gymnasium as gym

from vitagym.agents.agent import Agent
from vitagym.rewards.rubrics import RubricStates, satisfied_fraction

if TYPE_CHECKING:
    from vitagym.env.environment import VitaEnv

Watch = Callable[[list[dict[str, Any]]], None]


@dataclass(frozen=True, slots=True)
class EpisodeLog:
    """Everything about one episode that is needed to show it, to count it, and to play it again.

    Attributes:
        seed: What the environment was reset with.
        actions: The agent's actions, in order.
        messages: The whole conversation in OpenAI format, the system prompt first.
        rewards: The reward of each action.
        reward_terms: The terms that each of them is the sum of.
        rubrics: Rubric id -> sentence, status, turn and reason at the end.
        rubric_score: Share of rubrics met, whether the rest is unscored or not met.
        is_success: Whether all rubrics are met; None where a rubric is unscored or there are none.
        scores: What the judge reported beside the rubrics at the end, by name.
        end_reason: Why it ended.
    """

    env_id: str
    task_id: str
    split: str
    language: str
    agent: str
    seed: int
    trial: int
    settings: Mapping[str, Any]
    actions: tuple[str, ...]
    messages: tuple[Mapping[str, Any], ...]
    rewards: tuple[float, ...]
    reward_terms: tuple[Mapping[str, float], ...]
    rubrics: Mapping[str, Mapping[str, Any]]
    rubric_score: float
    is_success: bool | None
    scores: Mapping[str, float | bool | None]
    terminated: bool
    truncated: bool
    end_reason: str
    usage: Mapping[str, Any]

    @property
    def turns(self) -> int:
        """Messages of agent, user and tools."""
        return sum(message["role"] != "system" for message in self.messages)

    def data(self) -> dict[str, Any]:
        """Return the log as JSON can say it."""
        return {
            **{name: getattr(self, name) for name in self.__slots__},
            "reward": sum(self.rewards),
            "turns": self.turns,
        }


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
    """Play one episode to its end.

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
    observation, info = env.reset(seed=seed, options=None if task_id is None else {"task_id": task_id})
    agent.start(env)
    prompt = {"role": "system", "content": info["system_prompt"]}
    actions: list[str] = []
    rewards: list[float] = []
    terms: list[Mapping[str, float]] = []
    watch = watch or _unseen
    watch(info["messages"])
    terminated = truncated = False
    while not (terminated or truncated):
        action = agent.act(observation, info)
        observation, reward, terminated, truncated, info = env.step(action)
        actions.append(action)
        rewards.append(float(reward))
        terms.append(dict(info["reward_terms"]))
        watch(info["messages"])
    task = inner.task
    return EpisodeLog(
        env_id="" if env.spec is None else env.spec.id,
        task_id=task.id,
        split=task.split,
        language=task.language.value,
        agent=agent_name,
        seed=seed,
        trial=trial,
        settings=dict(settings or {}),
        actions=tuple(actions),
        messages=(prompt, *inner.messages),
        rewards=tuple(rewards),
        reward_terms=tuple(terms),
        rubrics=_rubrics(inner),
        rubric_score=satisfied_fraction(inner.rubrics),
        is_success=info["is_success"],
        scores=dict(info["scores"]),
        terminated=terminated,
        truncated=truncated,
        end_reason=str(info["end_reason"]),
        usage=dict(info["usage"]),
    )


def _unseen(_: list[dict[str, Any]]) -> None:
    """Show nothing."""


def _rubrics(env: VitaEnv) -> dict[str, dict[str, Any]]:
    states: RubricStates = env.rubrics
    sentences = {rubric.id: rubric.sentence(env.task.language) for rubric in env.task.rubrics}
    return {
        rubric_id: {
            "sentence": sentences.get(rubric_id, ""),
            "status": state.status.value,
            "turn": state.turn,
            "reason": state.reason,
        }
        for rubric_id, state in states.items()
    }
