"""How much of the ideal throughput episodes in flight reach when agent, user and judge wait for models, and the memory.

Run it with ``python benchmarks/evaluation.py``: 64 episodes in flight in one thread, against a local server that takes
200 ms an answer. Ideal is that every episode always waits for an answer: in flight / delay answers a second. ``--json``
prints one JSON document. Exit code 1: less than 90 % of that, or memory that grows. A core for this process and one for
the server are needed; ``cpu`` says how much of a core this process used.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import itertools
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import gymnasium as gym
from support.role_server import role_server, stats

import vitagym
from vitagym.llm.endpoint import Endpoint
from vitagym.rewards.model_judge import ModelJudge

LEAST_SHARE = 0.9
MOST_GROWTH = 1.1
ROLES = ("agent", "user", "judge")


@dataclass(frozen=True)
class Result:
    """What was measured.

    Attributes:
        answers_per_s: Answers of the server a second.
        share: Of the ideal.
        cpu: Seconds of a core that this process used a second.
        cpu_ms: Milliseconds of a core that this process used an answer.
        episodes: Episodes that ended.
        memory_mib: Memory of this process: when measuring began, at half time, at the end.
    """

    answers_per_s: float
    share: float
    cpu: float
    cpu_ms: float
    episodes: int
    memory_mib: tuple[float, float, float]


def main() -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--env", default="VitaBench-Cross-v0", help="id of the environment")
    parser.add_argument("--in-flight", type=int, default=64, help="episodes in flight")
    parser.add_argument("--delay", type=float, default=0.2, help="seconds that an answer takes")
    parser.add_argument("--warm-up", type=float, default=30.0, help="seconds before measuring begins")
    parser.add_argument("--seconds", type=float, default=60.0, help="seconds that are measured")
    options = parser.parse_args()
    with role_server(delay=options.delay) as url:
        result = asyncio.run(measured(url, options))
    grown = result.memory_mib[2] / result.memory_mib[1]
    if options.json:
        print(json.dumps(asdict(result), indent=2))
    else:
        print(
            f"{result.answers_per_s:.0f} answers a second, {result.share:.1%} of the ideal; {result.episodes} episodes"
        )
        print(f"cpu: {result.cpu:.2f} cores, {result.cpu_ms:.2f} ms an answer")
        print(f"memory: {', '.join(f'{m:.0f}' for m in result.memory_mib)} MiB ({grown - 1:+.1%} in the second half)")
    return int(result.share < LEAST_SHARE or grown > MOST_GROWTH)


async def measured(url: str, options: Any) -> Result:
    """Play episodes without end, and measure for a while."""
    seeds, ended = itertools.count(), itertools.count()
    playing = [asyncio.ensure_future(player(url, options, seeds, ended)) for _ in range(options.in_flight)]
    await asyncio.sleep(options.warm_up)
    gc.collect()
    memory = [resident()]
    before, started, used = answers(url), time.perf_counter(), time.process_time()
    for _ in range(2):
        await asyncio.sleep(options.seconds / 2)
        memory.append(resident())
    seconds, used = time.perf_counter() - started, time.process_time() - used
    given = answers(url) - before
    for task in playing:
        task.cancel()
    broken = [
        e for e in await asyncio.gather(*playing, return_exceptions=True) if not isinstance(e, asyncio.CancelledError)
    ]
    if broken:
        raise broken[0]
    return Result(
        answers_per_s=given / seconds,
        share=given / seconds / (options.in_flight / options.delay),
        cpu=used / seconds,
        cpu_ms=1000 * used / max(1, given),
        episodes=next(ended),
        memory_mib=(memory[0], memory[1], memory[2]),
    )


async def player(url: str, options: Any, seeds: Iterator[int], ended: Iterator[int]) -> None:
    """Play one episode after the other."""
    at = {"base_url": url, "concurrency": 4 * options.in_flight}
    judge = ModelJudge(Endpoint("judge", **at))
    env: Any = gym.make(options.env, user=Endpoint("user", **at), judge=judge, disable_env_checker=True).unwrapped
    agent = vitagym.make_agent("llm", model="agent", **at)
    while True:
        observation, info = await env.areset(seed=next(seeds))
        agent.start(env)
        while info["end_reason"] is None:
            observation, *_, info = await env.astep(await agent.aact(observation, info))
        next(ended)


def answers(url: str) -> int:
    """Return how many answers the server has given to all roles."""
    given = stats(url)
    return sum(given.get(role, 0) for role in ROLES)


def resident() -> float:
    """Return the memory of this process in MiB."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


if __name__ == "__main__":
    sys.exit(main())
