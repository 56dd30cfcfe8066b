"""Plays attackers on a task, every reward at once, from one and the same start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from vitagym.agents.reference import ReferenceAgent
from vitagym.env.environment import VitaEnv
from vitagym.rewards.audit.attackers import ATTACKERS, Attacker, Move
from vitagym.rewards.terms import PRESETS, make_reward
from vitagym.rewards.transition import Transition

Returns = Mapping[str, float]
"""Reward spec -> sum of rewards."""


@dataclass(frozen=True)
class Raid:
    """What one attacker got on one task.

    Attributes:
        task: Id of the task.
        attacker: Name of the attacker.
        success: Whether the episode ended as a success.
        returns: What it got.
        honest: What an agent gets that does the task.
        loops: The most that any of its loops paid; empty: it made none.
    """

    task: str
    attacker: str
    success: bool
    returns: Returns
    honest: Returns
    loops: Returns


@dataclass(frozen=True)
class Honest:
    """What the reference agent got on a task."""

    task: str
    success: bool
    returns: Returns


class EveryReward:
    """Several rewards at once, each as one term under its spec."""

    def __init__(self, specs: Sequence[str] = tuple(PRESETS)) -> None:
        self._rewards = {spec: make_reward(spec) for spec in specs}

    @property
    def names(self) -> tuple[str, ...]:
        """The specs."""
        return tuple(self._rewards)

    def terms(self, transition: Transition) -> dict[str, float]:
        """Return what each of them gives for a step."""
        return {spec: sum(reward.terms(transition).values()) for spec, reward in self._rewards.items()}


def raid(env: VitaEnv, seed: int, attackers: Mapping[str, Attacker] = ATTACKERS) -> tuple[Honest, Iterator[Raid]]:
    """Play the reference agent on the task of a seed, and then every attacker.

    Args:
        env: An environment made with an ``EveryReward``.
        seed: Seed of the reset.
        attackers: Who attacks, by name.

    Returns:
        What the reference agent got, and what each attacker gets, played one after the other.
    """
    env.reset(seed=seed)
    start = env.snapshot()
    success, returns, _ = _play(env, _reference(env))
    honest = Honest(env.task.id, success, returns)

    def raids() -> Iterator[Raid]:
        for name, attacker in attackers.items():
            env.restore(start)
            success, returns, loops = _play(env, attacker(env))
            yield Raid(honest.task, name, success, returns, honest.returns, loops)

    return honest, raids()


def _play(env: VitaEnv, moves: Iterable[Move]) -> tuple[bool, dict[str, float], dict[str, float]]:
    """Return whether it was a success, what it paid, and the most that a loop paid."""
    total: dict[str, float] = {}
    loop: dict[str, float] = {}
    best: dict[str, float] = {}
    success = False
    for move in moves:
        _, _, terminated, truncated, info = env.step(move.action)
        success = info["is_success"] is True
        for spec, reward in info["reward_terms"].items():
            total[spec] = total.get(spec, 0.0) + reward
            loop[spec] = loop.get(spec, 0.0) + reward
        if terminated or truncated:
            break
        if move.closes:
            best = {spec: max(paid, best.get(spec, paid)) for spec, paid in loop.items()}
            loop = {}
    return success, total, best


def _reference(env: VitaEnv) -> Iterator[Move]:
    agent = ReferenceAgent()
    agent.start(env)
    while True:
        yield Move(agent.act("", {}))
