"""Environments of a training plan: made from the id, one by one or as a vector."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from vitagym.env.registration import symbolic_ids
from vitagym.errors import CallerError, UnknownName
from vitagym.rl.plan import TrainingPlan
from vitagym.rl.vector import Infos, Observations, SymbolicEnv, SymbolicVector
from vitagym.tasks.splits import DEV_SPLIT, OOD_SPLIT, TEST_SPLIT, TRAIN_SPLIT

_SYMBOLIC = "-Symbolic-v0"
_IN_IDS = {TRAIN_SPLIT: "-Train", DEV_SPLIT: "-Dev", OOD_SPLIT: "-OOD", TEST_SPLIT: ""}


def split_of(env_id: str) -> str:
    """Return the split of an id.

    Raises:
        UnknownName: It is no symbolic environment.
    """
    if env_id not in gym.registry or not env_id.endswith(_SYMBOLIC):
        raise UnknownName("symbolic environment id", env_id, symbolic_ids())
    return str((gym.spec(env_id).kwargs or {}).get("tasks", ""))


def with_split(env_id: str, split: str) -> str:
    """Return the id of the same domain with another split."""
    stem = env_id.removesuffix(_SYMBOLIC).removesuffix(_IN_IDS[split_of(env_id)])
    return f"{stem}{_IN_IDS[split]}{_SYMBOLIC}"


def training_environment(plan: TrainingPlan) -> SymbolicEnv:
    """Return one environment as a policy of this plan trains in it.

    Raises:
        UnknownName: No such environment.
        CallerError: Its tasks are not there to be trained on.
    """
    if split_of(plan.env_id) != TRAIN_SPLIT:
        raise CallerError(f"{plan.env_id} is for evaluation; train on {with_split(plan.env_id, TRAIN_SPLIT)}")
    chosen = {"pool": plan.pool, "curriculum": plan.curriculum}
    return _made(plan, plan.env_id, {**plan.settings, **{k: v for k, v in chosen.items() if v is not None}})


def evaluation_environment(plan: TrainingPlan, env_id: str, difficulty: str | float | None = None) -> SymbolicEnv:
    """Return one environment as a policy of this plan is evaluated in it.

    Args:
        plan: What the policy was trained with; the settings of its environments are kept.
        env_id: Id of a symbolic environment of any split but train.
        difficulty: Of made tasks; None: as in training.

    Raises:
        UnknownName: No such environment.
        CallerError: Its tasks are those of training.
    """
    split = split_of(env_id)
    if split == TRAIN_SPLIT:
        raise CallerError(f"{env_id} has the tasks of training; evaluate on {with_split(env_id, DEV_SPLIT)}")
    settings = {name: value for name, value in plan.settings.items() if name != "difficulty"}
    level = plan.settings.get("difficulty") if difficulty is None else difficulty
    if split != TEST_SPLIT and level is not None:
        settings["difficulty"] = level
    return _made(plan, env_id, settings)


class _CutIsEnd(SymbolicVector):
    """To a learner an episode that is cut off is over.

    Success is paid at the cut as at any end, so that a value of what comes after it would pay twice for dithering.
    """

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observations, NDArray[Any], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Run one action in every sub-environment; nothing is truncated."""
        observations, rewards, terminated, truncated, infos = super().step(actions)
        return observations, rewards, terminated | truncated, np.zeros_like(truncated), infos


def training_vector(plan: TrainingPlan, number: int) -> SymbolicVector:
    """Return so many environments of a plan as one vector; what is cut off counts as ended there."""
    return _CutIsEnd([training_environment(plan) for _ in range(number)])


def _made(plan: TrainingPlan, env_id: str, settings: Mapping[str, Any]) -> SymbolicEnv:
    env: Any = gym.make(env_id, disable_env_checker=True, **settings)
    if plan.language_model is not None:
        from vitagym.rl.token_view import TokenView

        env = TokenView(env, plan.language_model, **plan.view)
    return env  # type: ignore[no-any-return]
