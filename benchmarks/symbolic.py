"""How many symbolic steps a core makes in a second, features included: the median of several runs, per domain.

Run it with ``python benchmarks/symbolic.py``; ``--json`` prints one JSON document. Exit code 1: fewer than the limit.
Counted is processor time, so that what else runs on the machine matters little. Episodes are those that the reference
agent chooses among the candidates, on tasks of a pool, as trainers play them over and over; ``first`` is the first time
that each is played, when nothing of its task is remembered yet.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from dataclasses import asdict, dataclass

import vitagym
from vitagym.rl.expert import expert_choice
from vitagym.rl.making import symbolic
from vitagym.rl.view import SymbolicView

DOMAINS = ("delivery", "instore", "ota", "cross")
LIMIT = 3_000
MOST_STEPS = 60


@dataclass(frozen=True)
class Row:
    """What was measured.

    Attributes:
        first: Steps a second when each episode is played for the first time.
        again: The median of later rounds.
        text: Steps a second of the text environment alone, with the same actions.
    """

    domain: str
    first: float
    again: float
    text: float


def main() -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--tasks", type=int, default=16, help="tasks of the pool")
    parser.add_argument("--rounds", type=int, default=7, help="how often each is played again")
    parser.add_argument("--domain", choices=DOMAINS, action="append", help="measure this domain only")
    options = parser.parse_args()
    rows = [measured(domain, options.tasks, options.rounds) for domain in options.domain or DOMAINS]
    if options.json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
    else:
        print(f"{'domain':<10}{'first':>8}{'again':>8}{'text alone':>12}   steps/s; limit of again: {LIMIT}")
        for row in rows:
            print(f"{row.domain:<10}{row.first:>8.0f}{row.again:>8.0f}{row.text:>12.0f}")
    return int(any(row.again < LIMIT for row in rows))


def measured(domain: str, tasks: int, rounds: int) -> Row:
    """Return the figures of one domain."""
    seeds = range(tasks)
    choices = [chosen(symbolic(domain=domain, tasks=[vitagym.make_task(domain, seed)])) for seed in seeds]
    fresh = [symbolic(domain=domain, tasks=[vitagym.make_task(domain, seed)]) for seed in seeds]
    first = rate([played(view, numbers) for view, (numbers, _) in zip(fresh, choices, strict=True)])
    again = [
        rate([played(view, numbers) for view, (numbers, _) in zip(fresh, choices, strict=True)]) for _ in range(rounds)
    ]
    said = rate([spoken(view, texts) for view, (_, texts) in zip(fresh, choices, strict=True)])
    return Row(domain, first, statistics.median(again), said)


def chosen(view: SymbolicView) -> tuple[list[int], list[str]]:
    """Return what the reference agent chooses on the view's task, as numbers and as texts."""
    view.reset(seed=0)
    numbers: list[int] = []
    texts: list[str] = []
    while len(numbers) < MOST_STEPS:
        number = expert_choice(view)
        if number is None:
            break
        numbers.append(number)
        texts.append(view.candidates[number].action)
        _, _, terminated, truncated, _ = view.step(number)
        if terminated or truncated:
            break
    return numbers, texts


def played(view: SymbolicView, numbers: list[int]) -> tuple[int, float]:
    """Return how many steps an episode has, and the processor seconds that they took."""
    view.reset(seed=0)
    started = time.process_time()
    for number in numbers:
        view.step(number)
    return len(numbers), time.process_time() - started


def spoken(view: SymbolicView, texts: list[str]) -> tuple[int, float]:
    """Return the same for the text environment below."""
    env = view.vita
    env.reset(seed=0)
    started = time.process_time()
    for text in texts:
        env.step(text)
    return len(texts), time.process_time() - started


def rate(counts: list[tuple[int, float]]) -> float:
    """Return steps a second."""
    return sum(steps for steps, _ in counts) / sum(seconds for _, seconds in counts)


if __name__ == "__main__":
    sys.exit(main())
