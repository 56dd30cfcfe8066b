"""What a reset and a step cost: medians in milliseconds, per domain, through Gymnasium's wrappers and without them.

Run it with ``python benchmarks/episode.py``; ``--json`` prints one JSON document. Exit code 1: a median is over its
limit. Measured are a reset of a task that was played before, a step that calls a reading tool (each of several in
turn), and a step that says something, to which the scripted user replies.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import gymnasium as gym

import vitagym

IDS = {
    "delivery": "VitaBench-Delivery-v0",
    "instore": "VitaBench-InStore-v0",
    "ota": "VitaBench-OTA-v0",
    "cross": "VitaBench-Cross-v0",
}
LIMITS_MS = {"reset": 0.3, "tool call": 0.2, "utterance": 0.4}
READING = [
    {"name": "get_user_all_orders", "arguments": {}},
    {"name": "get_user_historical_behaviors", "arguments": {}},
    {"name": "get_holiday_date", "arguments": {"year": 2025, "holiday_name": "National Day"}},
    '{"name": "get_date_holiday_info", "arguments": {"date": "2025-10-01"}}',
    {
        "name": "longitude_latitude_to_distance",
        "arguments": {"longitude1": 117.1, "latitude1": 34.1, "longitude2": 117.2, "latitude2": 34.2},
    },
]
WORDS = [
    "What would you like to order?",
    "Which address should it go to?",
    "Are there any dietary restrictions I should know about?",
    "What time should it be?",
    "I have found what fits. Shall I go ahead and place the order?",
]


@dataclass(frozen=True)
class Row:
    """One measured median.

    Attributes:
        domain: Of the environment.
        wrapped: Whether through the wrappers that ``gymnasium.make`` puts around it.
        what: What was measured.
        median_ms: Its median.
        limit_ms: What the median may be.
    """

    domain: str
    wrapped: bool
    what: str
    median_ms: float
    limit_ms: float


def main() -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--times", type=int, default=2000, help="how often each is measured")
    parser.add_argument("--domain", choices=IDS, action="append", help="measure this domain only")
    options = parser.parse_args()
    rows = [
        Row(domain, wrapped, what, round(measured, 4), LIMITS_MS[what])
        for domain in options.domain or IDS
        for wrapped in (True, False)
        for what, measured in measure(domain, wrapped, options.times).items()
    ]
    if options.json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
    else:
        print(f"{'domain':<10}{'environment':<13}{'what':<11}{'median ms':>10}{'limit ms':>10}")
        for row in rows:
            kind = "gym.make" if row.wrapped else "unwrapped"
            over = "" if row.median_ms <= row.limit_ms else "  over"
            print(f"{row.domain:<10}{kind:<13}{row.what:<11}{row.median_ms:>10.3f}{row.limit_ms:>10.1f}{over}")
    return int(any(row.median_ms > row.limit_ms for row in rows))


def measure(domain: str, wrapped: bool, times: int) -> dict[str, float]:
    """Return the medians in milliseconds of one environment."""
    made = gym.make(IDS[domain])
    env: Any = made if wrapped else made.unwrapped
    tasks = len(vitagym.load_tasks(domain))
    for seed in range(tasks):
        env.reset(seed=seed)

    def stepping(actions: list[Any]) -> Callable[[int], Callable[[], object]]:
        """Steps through episodes of all tasks, six actions each, so that transcripts are neither empty nor endless."""

        def prepare(n: int) -> Callable[[], object]:
            if n % 6 == 0:
                env.reset(seed=n // 6)
                over[0] = False
            elif over[0]:
                env.reset(seed=n)
            action = actions[n % len(actions)]

            def step() -> None:
                result = env.step(action)
                over[0] = result[2] or result[3]

            return step

        over = [False]
        return prepare

    return {
        "reset": median_ms(lambda n: lambda: env.reset(seed=n), times),
        "tool call": median_ms(stepping(READING), times),
        "utterance": median_ms(stepping(WORDS), times),
    }


def median_ms(prepare: Callable[[int], Callable[[], object]], times: int) -> float:
    """Return the median time of what is prepared anew for each measurement; the preparation is not counted."""
    spent = []
    gc.collect()
    for n in range(times):
        act = prepare(n)
        started = time.perf_counter()
        act()
        spent.append(time.perf_counter() - started)
    return statistics.median(spent) * 1000


if __name__ == "__main__":
    sys.exit(main())
