"""Plays episodes on a Ray cluster: the runner stays in this process, its episodes are played in chunks by workers.

Each worker is a process with an event loop of its own, so that it can wait for many models at once. The runner bounds
how many episodes are out; rows come back to it and are written here. A worker that is killed is replaced, and its
episodes are played again. Ray is imported when a cluster is opened, and not before.
"""

from __future__ import annotations

import asyncio
import math
import os
import socket
from collections import deque
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from vitagym.errors import CallerError
from vitagym.evaluation.clock import WallClock
from vitagym.evaluation.log import EpisodeLog
from vitagym.evaluation.plan import Job, Plan
from vitagym.evaluation.playing import Player
from vitagym.evaluation.spending import Prices

_CHUNK_S = 0.1
"""How long a chunk takes at least: handing one over costs about a hundredth of it."""
_LARGEST_CHUNK = 64
_REACH_S = 5.0
_TRIES = 3
"""How many workers may be lost over one chunk before that is an error."""
_WEIGHT = 0.1
"""Of the newest episode in the mean of how long they take."""


@dataclass(eq=False, slots=True)
class _Worker:
    handle: Any
    busy: int = 0


@dataclass(slots=True)
class _Waiting:
    job: Job
    log: asyncio.Future[EpisodeLog]


class Cluster:
    """A Ray cluster that plays episodes; use it as a context, inside an event loop.

    Args:
        plan: What is played.
        prices: Prices of the models.
        address: Address of a cluster; empty: one that runs on this machine already, else a new one for this run.
        most_workers: How many workers to start at most; there is one for each processor of the cluster.

    Raises:
        CallerError: Ray is not installed, or there is no cluster at the address.
    """

    def __init__(self, plan: Plan, prices: Prices, address: str, *, most_workers: int) -> None:
        self._plan, self._prices, self._address, self._most = plan, prices, address, most_workers
        self._workers: list[_Worker] = []
        self._waiting: deque[_Waiting] = deque()
        self._chunks: set[asyncio.Task[None]] = set()
        self._seconds_an_episode: float | None = None
        self.lost = 0

    def __enter__(self) -> Self:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            import ray
        except ImportError:
            raise CallerError("ray is not installed; pip install 'vitagym[rl]', or leave --ray out") from None
        try:
            _reach(self._address)
            ray.init(address=self._address or None, include_dashboard=False, log_to_driver=False, logging_level="error")
        except (OSError, ValueError) as error:
            raise CallerError(f"no Ray cluster at {self._address!r}: {error}") from None
        count = max(1, min(int(ray.cluster_resources().get("CPU", 1)), self._most))
        self._workers = [_Worker(self._start()) for _ in range(count)]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        import ray

        for worker in self._workers:
            ray.kill(worker.handle)
        ray.shutdown()

    async def play(self, job: Job) -> EpisodeLog:
        """Play one episode on some worker."""
        waiting = _Waiting(job, asyncio.get_running_loop().create_future())
        if not self._waiting:
            # Whatever else is asked for in this turn of the loop can go with it.
            asyncio.get_running_loop().call_soon(self._hand_over)
        self._waiting.append(waiting)
        return await waiting.log

    def _hand_over(self) -> None:
        size = self._chunk_size()
        while self._waiting:
            chunk = [self._waiting.popleft() for _ in range(min(size, len(self._waiting)))]
            task = asyncio.get_running_loop().create_task(self._play_chunk(chunk))
            self._chunks.add(task)
            task.add_done_callback(self._chunks.discard)

    def _chunk_size(self) -> int:
        if self._seconds_an_episode is None:
            return 1
        return min(_LARGEST_CHUNK, max(1, math.ceil(_CHUNK_S / max(self._seconds_an_episode, 1e-6))))

    async def _play_chunk(self, chunk: list[_Waiting]) -> None:
        import ray

        jobs = [waiting.job for waiting in chunk]
        try:
            for tried in range(1, _TRIES + 1):
                worker = min(self._workers, key=lambda worker: worker.busy)
                handle = worker.handle
                worker.busy += len(jobs)
                try:
                    logs: list[EpisodeLog] = await handle.play.remote(jobs)
                    break
                except (ray.exceptions.RayActorError, ray.exceptions.WorkerCrashedError):
                    self._replace(worker, handle)
                    if tried == _TRIES:
                        raise
                finally:
                    worker.busy -= len(jobs)
        except ray.exceptions.RayTaskError as error:
            self._fail(chunk, error.as_instanceof_cause())
        except Exception as error:
            self._fail(chunk, error)
        else:
            for waiting, log in zip(chunk, logs, strict=True):
                self._learn(log.seconds or 0.0)
                if not waiting.log.done():
                    waiting.log.set_result(log)

    def _fail(self, chunk: list[_Waiting], error: BaseException) -> None:
        for waiting in chunk:
            if not waiting.log.done():
                waiting.log.set_exception(error)

    def _learn(self, seconds: float) -> None:
        before = self._seconds_an_episode
        self._seconds_an_episode = seconds if before is None else before + _WEIGHT * (seconds - before)

    def _replace(self, worker: _Worker, lost: Any) -> None:
        """Start a worker in the place of a lost one; of several chunks that were out to it, the first does so."""
        if worker.handle is lost:
            self.lost += 1
            worker.handle = self._start()

    def _start(self) -> Any:
        import ray

        told = {name: v for name, v in os.environ.items() if name.startswith("VITAGYM_") or name == "OPENAI_API_KEY"}
        return ray.remote(num_cpus=1, max_restarts=0)(_Remote).remote(self._plan, self._prices, told)


def _reach(address: str) -> None:
    """Raise OSError where nobody listens at an address; Ray itself would wait for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if port.isdigit():
        socket.create_connection((host, int(port)), timeout=_REACH_S).close()


class _Remote:
    """What runs in a worker."""

    def __init__(self, plan: Plan, prices: Prices, environment: dict[str, str]) -> None:
        os.environ.update(environment)
        self._player = Player(plan, prices, WallClock())

    async def play(self, jobs: list[Job]) -> list[EpisodeLog]:
        return [await self._player.play(job) for job in jobs]
