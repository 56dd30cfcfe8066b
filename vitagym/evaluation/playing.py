"""Plays the episodes of a plan, any number at once in one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import gymnasium as gym

from vitagym.agents.agent import Agent, agent_names, make_agent, takes_seed
from vitagym.errors import EndpointError
from vitagym.evaluation.answers import Answers
from vitagym.evaluation.clock import Clock
from vitagym.evaluation.log import EpisodeLog
from vitagym.evaluation.plan import Job, Plan
from vitagym.evaluation.recorder import Labels, Recorder
from vitagym.evaluation.spending import Prices
from vitagym.llm.endpoint import endpoint
from vitagym.rewards.judge import Judge
from vitagym.rewards.model_judge import ModelJudge
from vitagym.tasks.task import Task

if TYPE_CHECKING:
    from vitagym.env.environment import VitaEnv


class Player:
    """Plays episodes of a plan.

    Args:
        plan: Says what environments and agents are made with.
        prices: Prices of the models.
        clock: Tells the time, for the logs.
    """

    def __init__(self, plan: Plan, prices: Prices, clock: Clock) -> None:
        self._plan, self._prices, self._clock = plan, prices, clock
        self._free: dict[tuple[str, str, str], list[gym.Env[Any, Any]]] = {}

    async def play(self, job: Job) -> EpisodeLog:
        """Play one episode to its end; where an endpoint fails, that is its end."""
        kind = (job.env_id, job.user, job.judge)
        settings = {**self._plan.settings, "user": job.user, "judge": job.judge}
        if self._prices.of_model:
            settings["prices"] = {model: list(price) for model, price in self._prices.of_model.items()}
        free = self._free.setdefault(kind, [])
        env = free.pop() if free else _made(job, settings)
        try:
            return await self._episode(job, env, settings)
        finally:
            free.append(env)

    async def _episode(self, job: Job, env: gym.Env[Any, Any], settings: Mapping[str, Any]) -> EpisodeLog:
        options = agent_options(self._plan, job.agent, job.seed)
        labels = Labels(
            agent=job.agent,
            agent_options=options,
            user=job.user,
            judge=job.judge,
            trial=job.trial,
            attempt=job.attempt,
            settings=settings,
        )
        answers = Answers(clock=self._clock)
        agent = make_agent(job.agent, **options)
        return await aplay(
            env, agent, seed=job.seed, task_id=job.task_id, labels=labels, answers=answers, clock=self._clock
        )


def _made(job: Job, settings: Mapping[str, Any]) -> gym.Env[Any, Any]:
    """Return an environment; a model judges each episode for itself, as if it were the only one."""
    name, _, model = job.judge.partition(":")
    judge = partial(_model_judge, model or None) if name == "llm" else job.judge
    return gym.make(job.env_id, disable_env_checker=True, **{**settings, "judge": judge})


def _model_judge(model: str | None, task: Task) -> Judge:
    return ModelJudge(endpoint("judge", model=model))(task)


def agent_options(plan: Plan, agent: str, seed: int) -> dict[str, Any]:
    """Return what the agent of an episode is made with; one that draws gets the episode's seed.

    ``NAME:MODEL`` is the agent of that name with that model.
    """
    name, _, model = agent.partition(":")
    options = dict(plan.agent_options.get(agent, {}))
    if model and name in agent_names():
        options["model"] = model
    if takes_seed(agent):
        options.setdefault("seed", seed)
    return options


async def aplay(
    env: gym.Env[Any, Any],
    agent: Agent,
    *,
    seed: int,
    task_id: str,
    labels: Labels,
    answers: Answers,
    clock: Clock,
) -> EpisodeLog:
    """Play one episode to its end, without blocking the event loop while models are waited for.

    Args:
        env: A vitagym environment.
        agent: Who acts.
        seed: Seed of the reset.
        task_id: Which task is played.
        labels: What the log says of it.
        answers: Asks the models.
        clock: Tells the time.
    """
    inner = cast("VitaEnv", env.unwrapped)
    inner.answering = answers
    started = clock.now(), clock.seconds()
    observation, info = await inner.areset(seed=seed, options={"task_id": task_id})
    agent.start(env)
    recorder = Recorder(env, info, labels, answers=answers, clock=clock, started=started)
    fault: EndpointError | None = None
    while info["end_reason"] is None:
        before = clock.seconds()
        try:
            action = await _action(agent, observation, info)
        except EndpointError as error:
            fault = error
            break
        finally:
            recorder.decided(clock.seconds() - before)
        turn = len(inner.transcript)
        observation, reward, _, _, info = await inner.astep(action)
        recorder.acted(action, turn, float(reward), info)
        # Episodes without models would otherwise keep those that wait for one from going on.
        await asyncio.sleep(0)
    return recorder.log(fault, prompt=getattr(agent, "prompt", None))


async def _action(agent: Agent, observation: str, info: Mapping[str, Any]) -> Any:
    decide = getattr(agent, "aact", None)
    return agent.act(observation, info) if decide is None else await decide(observation, info)
