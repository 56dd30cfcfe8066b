"""How many tasks a core makes in a second, proofs apart: the median of several runs, per set.

Run it with ``python benchmarks/generation.py``; ``--json`` prints one JSON document. Exit code 1: fewer than the limit.
Counted is processor time, so that what else runs on the machine matters little. A task is made whole, as an episode
needs it: drawn, told, held against the benchmark's texts, and built in one language. Every run makes tasks of other
seeds; the first, which reads the word lists and texts, is not counted.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from dataclasses import asdict, dataclass

import vitagym

DOMAINS = ("delivery", "instore", "ota", "cross")
LIMIT = 50


@dataclass(frozen=True)
class Row:
    """What was measured.

    Attributes:
        median: Tasks a second of processor time: the median of the runs.
        least: The slowest run.
        most: The fastest run.
    """

    domain: str
    median: float
    least: float
    most: float


def main() -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--tasks", type=int, default=60, help="tasks of a run")
    parser.add_argument("--runs", type=int, default=7, help="runs that are counted")
    parser.add_argument("--domain", choices=DOMAINS, action="append", help="measure this set only")
    options = parser.parse_args()
    rows = [measured(domain, options.tasks, options.runs) for domain in options.domain or DOMAINS]
    if options.json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
    else:
        print(f"{'set':<10}{'median':>8}{'least':>8}{'most':>8}   tasks/s; limit of the median: {LIMIT}")
        for row in rows:
            print(f"{row.domain:<10}{row.median:>8.1f}{row.least:>8.1f}{row.most:>8.1f}")
    return int(any(row.median < LIMIT for row in rows))


def measured(domain: str, tasks: int, runs: int) -> Row:
    """Measure one set."""
    made(domain, range(tasks))
    rates = [made(domain, range(tasks * run, tasks * (run + 1))) for run in range(1, runs + 1)]
    return Row(domain, statistics.median(rates), min(rates), max(rates))


def made(domain: str, seeds: range) -> float:
    """Make the tasks of some seeds, and return how many a second."""
    started = time.process_time()
    for seed in seeds:
        vitagym.make_task(domain, seed)
    return len(seeds) / (time.process_time() - started)


if __name__ == "__main__":
    sys.exit(main())
