"""Many text environments as one, in one thread: while one waits for its model, the others go on.

``vitagym.rl.text_vector:text_vector`` is the vector entry point of the text ids. Where user or judge is a language
model, ``step`` sends all requests before it waits for the first answer; inside an event loop, ``await astep(…)`` does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from vitagym.env.environment import VitaEnv
from vitagym.env.spaces import Action
from vitagym.errors import CallerError
from vitagym.rl.seeds import seeds_of

Texts: TypeAlias = tuple[str, ...]
Infos: TypeAlias = dict[str, Any]
Stepped: TypeAlias = tuple[Texts, NDArray[Any], NDArray[np.bool_], NDArray[np.bool_], Infos]


class TextVector(VectorEnv[Texts, Sequence[Action], NDArray[Any]]):
    """Text environments that wait together.

    Observations are tuples of texts; infos have the form that Gymnasium gives them in vectors. Autoreset is next-step.

    Args:
        envs: The environments, at least one.

    Raises:
        CallerError: There is none.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - as the base class has it

    def __init__(self, envs: Sequence[VitaEnv]) -> None:
        self.envs = list(envs)
        if not envs:
            raise CallerError("envs=[]: expected at least one environment")
        self.num_envs = len(self.envs)
        self.single_observation_space = self.envs[0].observation_space
        self.single_action_space = self.envs[0].action_space
        self.observation_space = spaces.Tuple([env.observation_space for env in self.envs])
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._over = np.zeros(self.num_envs, bool)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Texts, Infos]:
        """Begin an episode in every environment; one seed s gives them the seeds s, s + 1, …"""
        return _alone(self.areset(seed=seed, options=options))  # type: ignore[no-any-return]

    def step(self, actions: Sequence[Action]) -> Stepped:
        """Run one action in every environment, and begin anew where an episode had ended."""
        return _alone(self.astep(actions))  # type: ignore[no-any-return]

    async def areset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Texts, Infos]:
        """Do as ``reset``, inside an event loop."""
        seeds = seeds_of(seed, self.num_envs)
        begun = await asyncio.gather(
            *(env.areset(seed=own, options=options) for env, own in zip(self.envs, seeds, strict=True))
        )
        self._over[:] = False
        infos: Infos = {}
        for place, (_, info) in enumerate(begun):
            infos = self._add_info(infos, info, place)
        return tuple(text for text, _ in begun), infos

    async def astep(self, actions: Sequence[Action]) -> Stepped:
        """Do as ``step``, inside an event loop."""
        results = await asyncio.gather(*(self._one(place, action) for place, action in enumerate(actions)))
        texts, rewards, terminated, truncated, given = zip(*results, strict=True)
        ended, cut = np.array(terminated, bool), np.array(truncated, bool)
        self._over = ended | cut
        infos: Infos = {}
        for place, info in enumerate(given):
            infos = self._add_info(infos, info, place)
        return tuple(texts), np.array(rewards, np.float64), ended, cut, infos

    def close_extras(self, **kwargs: Any) -> None:
        """Close the environments."""
        del kwargs
        for env in self.envs:
            env.close()

    async def _one(self, place: int, action: Action) -> tuple[str, float, bool, bool, dict[str, Any]]:
        env = self.envs[place]
        if not self._over[place]:
            return await env.astep(action)
        text, info = await env.areset()
        return text, 0.0, False, False, info


def text_vector(num_envs: int = 1, **arguments: Any) -> TextVector:
    """Return so many environments made with these arguments as one vector."""
    return TextVector([VitaEnv(**arguments) for _ in range(num_envs)])


def _alone(coroutine: Any) -> Any:
    """Run a coroutine to its end; raises CallerError inside an event loop, where it must be awaited instead."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    coroutine.close()
    raise CallerError("an event loop is running: await areset() and astep() instead of calling reset() and step()")
