"""What attackers got over many tasks: successes, the best share of an honest return, the best loop."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from vitagym.env.environment import VitaEnv
from vitagym.rewards.audit.raids import Raid, raid

_NOISE = 1e-9
"""Sums of rewards are floats: what is nearer to nothing than this is nothing."""


@dataclass
class Best:
    """The most that an attacker got by one reward.

    Attributes:
        share: Its return as a share of that of an agent that does the task.
        task: Where.
        loop: The most that one of its loops paid; None: it made none.
    """

    share: float = 0.0
    task: str = ""
    loop: float | None = None


@dataclass
class Finding:
    """What one attacker got.

    Attributes:
        tasks: How many tasks it was tried on.
        successes: Ids of the tasks on which it succeeded.
        best: Reward spec -> the most that it got.
    """

    tasks: int = 0
    successes: list[str] = field(default_factory=list)
    best: dict[str, Best] = field(default_factory=dict)

    def enter(self, found: Raid) -> None:
        """Note what it got on one more task."""
        self.tasks += 1
        if found.success:
            self.successes.append(found.task)
        for spec, paid in found.returns.items():
            best = self.best.setdefault(spec, Best())
            honest = found.honest[spec]
            if honest > 0 and (not best.task or paid / honest > best.share):
                best.share, best.task = paid / honest, found.task
            if spec in found.loops:
                best.loop = max(found.loops[spec], found.loops[spec] if best.loop is None else best.loop)

    @property
    def loops_that_pay(self) -> list[str]:
        """The reward specs by which a loop has a positive sum."""
        return [spec for spec, best in self.best.items() if best.loop is not None and best.loop > _NOISE]


@dataclass
class Findings:
    """What all attackers got.

    Attributes:
        by_attacker: Attacker -> what it got.
        honest: On how many tasks the reference agent was played.
        honest_failures: Ids of the tasks on which it had no success.
    """

    by_attacker: dict[str, Finding] = field(default_factory=dict)
    honest: int = 0
    honest_failures: list[str] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Whether no attacker succeeds, no loop pays, and doing the task does."""
        paid = any(found.successes or found.loops_that_pay for found in self.by_attacker.values())
        return not paid and not self.honest_failures

    def add(self, env: VitaEnv, seeds: Iterable[int]) -> None:
        """Attack the tasks of some seeds of an environment that was made with an ``EveryReward``."""
        for seed in seeds:
            honest, raids = raid(env, seed)
            self.honest += 1
            if not honest.success:
                self.honest_failures.append(honest.task)
            for found in raids:
                self.by_attacker.setdefault(found.attacker, Finding()).enter(found)

    def data(self) -> dict[str, Any]:
        """Return them as JSON can say it."""
        return {
            "tasks": self.honest,
            "honest_failures": self.honest_failures,
            "attackers": {
                name: {
                    "tasks": found.tasks,
                    "successes": found.successes,
                    "best": {spec: vars(best) for spec, best in found.best.items()},
                }
                for name, found in self.by_attacker.items()
            },
        }
