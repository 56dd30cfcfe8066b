"""What a tool call costs: the median of each tool in microseconds, apart from the first use of a world's indexes.

Run it with ``python benchmarks/world.py``: it measures the calls of the reference solutions of the fixed tasks. With
``--data FOLDER`` (or the folder in ``VITABENCH_DATA``) it measures the recorded public calls instead, which are of
every delivery and in-store tool. ``--json`` prints one JSON document. Exit code 1: a median is over the limit.
"""

from __future__ import annotations

import argparse
import gzip
import json
import logging
import os
import statistics
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import vitagym
from vitagym.domains import toolset
from vitagym.world.world import World

LIMIT_US = 50.0
REPEATS = 3
RECORD_KEYS = ("order_id", "book_id", "reservation_id")
Call = tuple[str, dict[str, Any], str | None]
"""Name of the tool, its arguments, and the name to which the id of a new record is bound."""


def main() -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("VITABENCH_DATA"), help="folder of public data")
    parser.add_argument("--tasks", type=int, default=20, help="how many tasks of each domain")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    logging.disable()
    source = own_calls(options.tasks) if options.data is None else recorded_calls(Path(options.data), options.tasks)
    times: dict[str, list[float]] = {}
    for world, calls in source:
        measure(world, calls, times)
    medians = {name: round(statistics.median(taken), 1) for name, taken in sorted(times.items())}
    if options.json:
        print(json.dumps({"limit_us": LIMIT_US, "median_us": medians}))
    else:
        for name, median in medians.items():
            print(f"{name:42}{median:9.1f} µs{'  over the limit' if median > LIMIT_US else ''}")
    return int(any(median > LIMIT_US for median in medians.values()))


def own_calls(count: int) -> Iterator[tuple[World, list[Call]]]:
    """Yield a world and the calls of the reference solution, for the fixed tasks of all domains."""
    for domain in ("delivery", "instore", "ota", "cross"):
        for task in vitagym.load_tasks(domain)[:count]:
            calls = [(step.tool, step.arguments, step.binds) for step in task.solution if step.kind == "call"]
            yield World(task.catalogue, toolset(task.domains)), calls


def recorded_calls(folder: Path, count: int) -> Iterator[tuple[World, list[Call]]]:
    """Yield a world and the recorded calls, for the public delivery and in-store tasks."""
    for domain in ("delivery", "instore"):
        recorded = json.loads(gzip.decompress((folder / f"golden_{domain}_en.json.gz").read_bytes()))
        for task in vitagym.load_public(folder / f"tasks_{domain}_en.json.gz")[:count]:
            calls = [(c["tool"], c["arguments"], *c.get("new_ids", [None])[:1]) for c in recorded[task.id]["calls"]]
            yield World(task.catalogue, toolset((domain,))), calls


def measure(world: World, calls: list[Call], times: dict[str, list[float]]) -> None:
    """Run the calls in order, and add what each accepted one takes when it is run again from the same state."""
    bound: dict[str, str] = {}
    for name, written, binds in calls:
        arguments = filled(written, bound)
        forks = [world.fork() for _ in range(REPEATS)]
        result = world.call(name, arguments)
        if not result.ok:
            continue
        if binds is not None:
            bound[binds] = next(result.data[key] for key in RECORD_KEYS if key in result.data)
        for fork in forks:
            start = time.perf_counter()
            fork.call(name, arguments)
            times.setdefault(name, []).append((time.perf_counter() - start) * 1e6)


def filled(arguments: Mapping[str, Any], bound: Mapping[str, str]) -> dict[str, Any]:
    """Return the arguments with the names of new records replaced by their ids."""
    return {key: bound.get(value, value) if isinstance(value, str) else value for key, value in arguments.items()}


if __name__ == "__main__":
    sys.exit(main())
