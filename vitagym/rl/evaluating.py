"""Evaluation of trained policies: from the folder of a run, on tasks it never saw, with intervals (torch, ray)."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch
from numpy.typing import NDArray
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule

from vitagym.errors import CallerError
from vitagym.rl.environments import evaluation_environment, with_split
from vitagym.rl.plan import TrainingPlan
from vitagym.rl.policies import Played, Policy, play
from vitagym.rl.rllib_training import CHECKPOINTS, last_checkpoint
from vitagym.rl.vector import Observations, SymbolicEnv
from vitagym.tasks.splits import DEV_SPLIT, TEST_SPLIT

_MODULE = Path("learner_group") / "learner" / "rl_module" / "default_policy"


class ModulePolicy:
    """Chooses with a trained module.

    Args:
        module: The module.
        seed: Fixes the draws, where it draws by probability; None: it takes the best candidate.
    """

    def __init__(self, module: TorchRLModule, seed: int | None = None) -> None:
        self._module = module
        self._random = None if seed is None else torch.Generator().manual_seed(seed)

    def choose(self, observations: Observations, envs: Sequence[SymbolicEnv]) -> NDArray[np.int64]:
        """Return the index of a candidate for each environment."""
        del envs
        batch = {Columns.OBS: {name: torch.from_numpy(array) for name, array in observations.items()}}
        with torch.no_grad():
            logits = self._module.forward_inference(batch)[Columns.ACTION_DIST_INPUTS]
        if self._random is None:
            return logits.argmax(-1).numpy()  # type: ignore[no-any-return]
        drawn = torch.multinomial(torch.softmax(logits, -1), 1, generator=self._random)
        return drawn.squeeze(-1).numpy()


def load(checkpoint: Path) -> tuple[TrainingPlan, TorchRLModule]:
    """Return plan and module of a run's folder, or of one of its checkpoints.

    Raises:
        CallerError: There is none.
    """
    logging.getLogger("ray.rllib").setLevel(logging.ERROR)
    run = checkpoint.parent.parent if checkpoint.parent.name == CHECKPOINTS else checkpoint
    plan = TrainingPlan.load(run)
    saved = checkpoint if run != checkpoint else last_checkpoint(run)
    if saved is None or not (saved / _MODULE).exists():
        raise CallerError(f"{checkpoint}: there is no checkpoint")
    module = TorchRLModule.from_checkpoint(str((saved / _MODULE).resolve()))
    module.eval()
    return plan, module


def default_ids(env_id: str) -> list[str]:
    """Return what a policy trained on an id is evaluated on: its domain's dev tasks, and the benchmark."""
    return [with_split(env_id, DEV_SPLIT), with_split(env_id, TEST_SPLIT)]


def evaluate(
    plan: TrainingPlan,
    policy: Policy,
    env_id: str,
    *,
    episodes: int = 100,
    at_once: int = 16,
    difficulty: str | float | None = None,
    keep: bool = False,
    watch: Callable[[Played], None] | None = None,
) -> list[Played]:
    """Play tasks of an id with a policy: the tasks of the seeds 0, 1, 2, …

    Args:
        plan: What the policy was trained with: settings and form of the environment are taken from it.
        policy: Who chooses.
        env_id: Id of a symbolic environment, of any split but train.
        episodes: How many tasks.
        at_once: How many episodes side by side.
        difficulty: Of made tasks; None: as in training.
        keep: Also keep every step and the conversation.
        watch: Called after each episode.

    Raises:
        CallerError: The tasks are those of training.
        UnknownName: No such environment.
    """
    envs = [evaluation_environment(plan, env_id, difficulty) for _ in range(min(at_once, episodes))]
    return play(envs, policy, range(episodes), keep=keep, watch=watch)
