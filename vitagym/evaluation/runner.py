"""Runs a plan into a folder: many episodes in flight in one event loop, every one of them kept as it ends.

A failing endpoint never ends the run. What ends it early: a budget that is spent, or ``Stopping``; then the same plan
and folder go on where it was.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol

from vitagym.evaluation.clock import Clock
from vitagym.evaluation.folder import Done, RunFolder, done_of
from vitagym.evaluation.log import EpisodeLog
from vitagym.evaluation.plan import Job, Plan
from vitagym.evaluation.spending import Budget, Spent
from vitagym.evaluation.summary import Summaries

_SYNC_EVERY_S = 1.0

Play = Callable[[Job], Awaitable[EpisodeLog]]


class Stop(StrEnum):
    """How a run is asked to stop."""

    NOT = "not"
    SOON = "soon"
    """No further episode begins; those in flight are ended."""
    NOW = "now"
    """Those in flight are dropped."""


class Stopping:
    """Asks a run to stop, from a signal's handler for instance: first soon, then now."""

    def __init__(self) -> None:
        self.wanted = Stop.NOT
        self._now = asyncio.Event()

    def ask(self) -> None:
        """Ask to stop soon; asked again, now."""
        if self.wanted is Stop.NOT:
            self.wanted = Stop.SOON
        else:
            self.wanted = Stop.NOW
            self._now.set()

    async def now(self) -> None:
        """Wait until it was asked to stop now."""
        await self._now.wait()


class Watcher(Protocol):
    """Is told how a run goes on."""

    def begins(self, progress: Progress) -> None:
        """Take note of what there is to do, before the first episode."""

    def ended(self, progress: Progress, log: EpisodeLog) -> None:
        """Take note of an episode that has ended."""


@dataclass
class Progress:
    """How far a run is.

    Attributes:
        total: Episodes of the plan.
        before: How many of them were there when this call began and are left as they are.
        played: How many this call has played.
        failed: How many of all are cut off by a failing endpoint, as things stand.
        in_flight: How many are being played.
        spent: What the run has spent so far.
        summaries: Results so far.
        reached: Which limit of the budget left episodes unplayed; None: none.
        stopped: Whether it was asked to stop.
    """

    total: int
    before: int = 0
    played: int = 0
    failed: int = 0
    in_flight: int = 0
    spent: Spent = field(default_factory=Spent)
    summaries: Summaries = field(default_factory=Summaries)
    reached: str | None = None
    stopped: bool = False

    @property
    def left(self) -> int:
        """How many are still to be played."""
        return self.total - self.before - self.played

    @property
    def seconds_left(self) -> float | None:
        """How many seconds the rest will take at the pace so far; None before the first has ended."""
        return self.spent.seconds / self.played * self.left if self.played else None


async def run(
    plan: Plan,
    folder: RunFolder,
    play: Play,
    *,
    concurrency: int,
    clock: Clock,
    budget: Budget | None = None,
    retry_failed: bool = False,
    stopping: Stopping | None = None,
    watcher: Watcher | None = None,
) -> Progress:
    """Play what a folder lacks of a plan.

    Args:
        plan: What to play.
        folder: Where the episodes are kept, open.
        play: Plays one episode.
        concurrency: How many episodes are in flight at once, at most.
        clock: Tells the time.
        budget: How much may be spent; None: anything.
        retry_failed: Whether episodes that a failing endpoint cut off are tried again.
        stopping: Through which it can be asked to stop.
        watcher: Is told how it goes on.
    """
    progress, done = _there_already(plan, folder)
    jobs = list(_left(plan, done, retry_failed=retry_failed))
    progress.before = progress.total - len(jobs)
    run_of_plan = _Run(progress, folder, play, clock, budget or Budget(), stopping or Stopping(), watcher)
    await run_of_plan.play_all(iter(jobs), min(concurrency, len(jobs)))
    if not progress.left:
        progress.reached = None
    return progress


@dataclass
class _Run:
    progress: Progress
    folder: RunFolder
    play: Play
    clock: Clock
    budget: Budget
    stopping: Stopping
    watcher: Watcher | None

    async def play_all(self, jobs: Iterator[Job], at_once: int) -> None:
        self._began = self.clock.seconds()
        if self.watcher is not None:
            self.watcher.begins(self.progress)
        async with _syncing(self.folder):
            workers = [asyncio.create_task(self._work(jobs)) for _ in range(at_once)]
            watch = asyncio.create_task(self._cancel_when_asked(workers))
            try:
                await asyncio.gather(*workers)
            except asyncio.CancelledError:
                if self.stopping.wanted is not Stop.NOW:
                    raise
            finally:
                for task in (watch, *workers):
                    task.cancel()
                await asyncio.gather(watch, *workers, return_exceptions=True)

    async def _work(self, jobs: Iterator[Job]) -> None:
        while self._goes_on():
            job = next(jobs, None)
            if job is None:
                return
            self.progress.in_flight += 1
            try:
                log = await self.play(job)
            except Exception as error:
                error.add_note(f"in the episode {job.key}")
                raise
            finally:
                self.progress.in_flight -= 1
            self._keep(log)

    def _goes_on(self) -> bool:
        self.progress.spent.seconds = self.clock.seconds() - self._began
        self.progress.reached = self.budget.reached(self.progress.spent)
        self.progress.stopped = self.stopping.wanted is not Stop.NOT
        return self.progress.reached is None and not self.progress.stopped

    def _keep(self, log: EpisodeLog) -> None:
        self.folder.append(log.line())
        progress = self.progress
        progress.played += 1
        # Nothing but an episode that had failed is tried again.
        progress.failed += log.endpoint_failed - (log.attempt > 0)
        progress.spent.add(log.usage)
        progress.spent.seconds = self.clock.seconds() - self._began
        progress.summaries.add(log.data())
        if self.watcher is not None:
            self.watcher.ended(progress, log)

    async def _cancel_when_asked(self, workers: list[asyncio.Task[None]]) -> None:
        await self.stopping.now()
        for worker in workers:
            worker.cancel()


@asynccontextmanager
async def _syncing(folder: RunFolder) -> AsyncIterator[None]:
    """Force what is written to the disk once a second, beside the event loop: a disk may take its time."""

    async def sync() -> None:
        while True:
            await asyncio.sleep(_SYNC_EVERY_S)
            await asyncio.to_thread(folder.sync)

    task = asyncio.create_task(sync())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def _there_already(plan: Plan, folder: RunFolder) -> tuple[Progress, dict[str, Done]]:
    """Return how far a folder is, without keeping its episodes in memory."""
    progress = Progress(total=plan.episodes)
    done: dict[str, Done] = {}
    for row in folder.rows():
        progress.spent.add(row["usage"])
        progress.summaries.add(row)
        done[row["key"]] = done_of(row)
    progress.failed = sum(episode.failed for episode in done.values())
    return progress, done


def _left(plan: Plan, done: dict[str, Done], *, retry_failed: bool) -> Iterator[Job]:
    for job in plan.jobs():
        before = done.get(job.key)
        if before is None:
            yield job
        elif before.failed and retry_failed:
            yield replace(job, attempt=before.attempt + 1)
