"""What the rule judge costs a step: the median in microseconds over episodes of the reference agent.

Run it with ``python benchmarks/judge.py``; ``--json`` prints one JSON document. Exit code 1: the median is over its
limit. Counted is every step: calls, utterances, and the last step, at which reasons are filled in.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from dataclasses import asdict, dataclass
from typing import Self

import gymnasium as gym

import vitagym
from vitagym.agents.episodes import play_episode
from vitagym.rewards.judge import Scores
from vitagym.rewards.rubrics import RubricStates
from vitagym.rewards.rule_judge import RuleJudge
from vitagym.tasks.checks import Evidence
from vitagym.tasks.task import Task

IDS = {
    "delivery": "VitaBench-Delivery-v0",
    "instore": "VitaBench-InStore-v0",
    "ota": "VitaBench-OTA-v0",
    "cross": "VitaBench-Cross-v0",
}
LIMIT_US = 50.0


@dataclass(frozen=True)
class Row:
    """What the judge cost in one domain.

    Attributes:
        rubrics: Mean number of rubrics a task.
        median_us, mean_us, p99_us: Of a step.
        reset_us: Median of making a judge for a task that was judged before.
    """

    domain: str
    tasks: int
    steps: int
    rubrics: float
    median_us: float
    mean_us: float
    p99_us: float
    reset_us: float
    limit_us: float = LIMIT_US


class Stopwatch:
    """Times a rule judge: one entry in ``step_us`` for every update, one in ``reset_us`` for every judge made."""

    step_us: list[float]
    reset_us: list[float]

    def __init__(self) -> None:
        self.step_us, self.reset_us = [], []

    def __call__(self, task: Task) -> TimedJudge:
        """Make a judge for a task."""
        RuleJudge(task)
        start = time.perf_counter()
        judge = RuleJudge(task)
        self.reset_us.append((time.perf_counter() - start) * 1e6)
        return TimedJudge(judge, self.step_us)


class TimedJudge:
    """A rule judge whose updates are timed."""

    def __init__(self, judge: RuleJudge, times: list[float]) -> None:
        self._judge, self._times = judge, times

    @property
    def states(self) -> RubricStates:
        """As the judge's."""
        return self._judge.states

    @property
    def scores(self) -> Scores:
        """As the judge's."""
        return self._judge.scores

    def update(self, evidence: Evidence, *, final: bool) -> RubricStates:
        """Update the judge, and note how long it took."""
        start = time.perf_counter()
        states = self._judge.update(evidence, final=final)
        self._times.append((time.perf_counter() - start) * 1e6)
        return states

    def fork(self) -> Self:
        """Return a copy that notes its times in the same place."""
        return type(self)(self._judge.fork(), self._times)


def main() -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--domain", choices=list(IDS), action="append", help="which domains; default: cross")
    parser.add_argument("--tasks", type=int, default=100, help="how many tasks of each")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    rows = [measure(domain, options.tasks) for domain in options.domain or ["cross"]]
    if options.json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
    else:
        print(
            f"{'domain':<10}{'tasks':>6}{'steps':>7}{'rubrics':>9}{'median':>9}{'mean':>9}{'99 %':>9}{'reset':>9}  µs"
        )
        for r in rows:
            print(
                f"{r.domain:<10}{r.tasks:>6}{r.steps:>7}{r.rubrics:>9.1f}"
                f"{r.median_us:>9.1f}{r.mean_us:>9.1f}{r.p99_us:>9.1f}{r.reset_us:>9.1f}"
            )
    return int(any(row.median_us > row.limit_us for row in rows))


def measure(domain: str, count: int) -> Row:
    """Play some tasks of a domain with the reference agent, the judge timed."""
    tasks = vitagym.load_tasks(domain)[:count]
    watch = Stopwatch()
    env = gym.make(IDS[domain], tasks=tasks, judge=watch)
    agent = vitagym.make_agent("reference")
    for task in tasks:
        play_episode(env, agent, seed=0, task_id=task.id)
    times = sorted(watch.step_us)
    return Row(
        domain=domain,
        tasks=len(tasks),
        steps=len(times),
        rubrics=statistics.mean(len(task.rubrics) for task in tasks),
        median_us=statistics.median(times),
        mean_us=statistics.mean(times),
        p99_us=times[int(len(times) * 0.99)],
        reset_us=statistics.median(watch.reset_us),
    )


if __name__ == "__main__":
    raise SystemExit(main())
