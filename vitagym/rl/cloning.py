"""Behaviour cloning: a policy learns to choose as the expert did, as a warm start or to compare with (torch, ray)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule

from vitagym.rl.policies import Played
from vitagym.rl.vector import Observations

_EXPERT_SEEDS = 1_000_000
"""Seed of the first episode that the expert plays; far from those that a learner begins with."""


@dataclass(frozen=True, slots=True)
class Demonstrations:
    """Steps of episodes that succeeded.

    Attributes:
        observations: What was seen, [N, …] by name.
        actions: What was chosen, [N].
        returns: The discounted sum of rewards from there on, [N].
    """

    observations: Observations
    actions: NDArray[np.int64]
    returns: NDArray[np.float32]


def expert_seeds(episodes: int) -> range:
    """Return the seeds of the episodes that the expert plays."""
    return range(_EXPERT_SEEDS, _EXPERT_SEEDS + episodes)


def demonstrations(episodes: Sequence[Played], gamma: float) -> Demonstrations:
    """Return the steps of the episodes that succeeded; they must have been kept.

    Args:
        episodes: What was played.
        gamma: Discount of the returns.
    """
    steps = [
        (step, after) for e in episodes if e.is_success for step, after in zip(e.steps, _returns(e, gamma), strict=True)
    ]
    names = steps[0][0].observation if steps else ()
    return Demonstrations(
        observations={name: np.stack([step.observation[name] for step, _ in steps]) for name in names},
        actions=np.array([step.action for step, _ in steps], np.int64),
        returns=np.array([after for _, after in steps], np.float32),
    )


def clone(
    module: TorchRLModule,
    shown: Demonstrations,
    *,
    gradient_steps: int = 800,
    minibatch: int = 256,
    lr: float = 2e-3,
    seed: int = 0,
) -> list[float]:
    """Teach a module to choose what was chosen, and to value it as it turned out.

    Args:
        module: A module with a value.
        shown: What to learn from.
        gradient_steps: How many.
        minibatch: Steps of the episodes in each.
        lr: Learning rate at the start; it falls to zero.
        seed: Fixes their order.

    Returns:
        The loss of the choices at each gradient step.
    """
    if not len(shown.actions):
        return []
    random = np.random.default_rng(seed)
    parameters = [p for p in module.parameters() if p.requires_grad]
    optimizer = torch.optim.Adam(parameters, lr=lr)
    losses = []
    for number in range(gradient_steps):
        optimizer.param_groups[0]["lr"] = lr * (1 - number / gradient_steps)
        index = random.integers(len(shown.actions), size=min(minibatch, len(shown.actions)))
        seen = {name: torch.from_numpy(array[index]) for name, array in shown.observations.items()}
        batch = {Columns.OBS: seen}
        out = module.forward_train(batch)
        choice = torch.nn.functional.cross_entropy(
            out[Columns.ACTION_DIST_INPUTS], torch.from_numpy(shown.actions[index])
        )
        values = module.compute_values(batch, embeddings=out.get(Columns.EMBEDDINGS))
        loss = choice + 0.5 * (values - torch.from_numpy(shown.returns[index])).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        losses.append(choice.item())
    return losses


def _returns(episode: Played, gamma: float) -> list[float]:
    found: list[float] = []
    after = 0.0
    for step in reversed(episode.steps):
        after = step.reward + gamma * after
        found.append(after)
    return found[::-1]
