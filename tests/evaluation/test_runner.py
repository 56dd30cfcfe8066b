"""Many episodes in flight, every one kept: stopped anywhere and gone on with, nothing is lost or played twice."""

import asyncio
import dataclasses
from collections import Counter

import gymnasium as gym
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import vitagym
from vitagym.agents.episodes import play_episode
from vitagym.errors import CallerError
from vitagym.evaluation.clock import WallClock
from vitagym.evaluation.folder import RunFolder
from vitagym.evaluation.log import EPISODES, read_logs
from vitagym.evaluation.plan import Plan
from vitagym.evaluation.runner import Stopping, run
from vitagym.evaluation.spending import Budget

DELIVERY = "VitaBench-Delivery-v0"
PLAN = Plan(env_ids=(DELIVERY,), agents=("noop", "random"), tasks=3, trials=2)


@pytest.fixture(scope="module")
def log():
    return play_episode(gym.make(DELIVERY), vitagym.make_agent("noop"), seed=0)


class Toy:
    """Plays an episode by copying one, in as many turns of the event loop as it is told."""

    def __init__(self, log, *, waits=(1,), fails=(), tokens=0):
        self.log, self.waits, self.fails, self.tokens = log, waits, set(fails), tokens
        self.played = Counter()
        self.now = self.most = self.begun = 0

    async def play(self, job):
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            self.begun += 1
            for _ in range(self.waits[(self.begun - 1) % len(self.waits)]):
                await asyncio.sleep(0)
        finally:
            self.now -= 1
        self.played[job.key] += 1
        failed = job.key in self.fails and job.attempt == 0
        used = {"requests": 1, "failed_requests": 0, "prompt_tokens": self.tokens, "completion_tokens": 0, "cost": 0.0}
        return dataclasses.replace(
            self.log,
            env_id=job.env_id, agent=job.agent, user=job.user, judge=job.judge, task_id=job.task_id,
            trial=job.trial, seed=job.seed, attempt=job.attempt,
            end_reason="endpoint_failed" if failed else self.log.end_reason,
            usage={**self.log.usage, "roles": {"agent": used}},
        )  # fmt: skip


def go(folder, toy, *, plan=PLAN, concurrency=4, clock=None, **options):
    async def playing():
        with RunFolder(folder, plan) as there:
            return await run(
                plan, there, toy.play, concurrency=concurrency, clock=clock or WallClock(), **options
            )  # fmt: skip

    return asyncio.run(playing())


def keys(folder):
    return sorted(row["key"] for row in read_logs(folder))


WANTED = sorted(job.key for job in PLAN.jobs())


@settings(deadline=None, max_examples=30)
@given(concurrency=st.integers(1, 20), waits=st.lists(st.integers(0, 5), min_size=1, max_size=6))
def test_every_episode_is_played_once_whatever_is_in_flight(tmp_path_factory, log, concurrency, waits):
    folder, toy = tmp_path_factory.mktemp("run"), Toy(log, waits=waits)
    progress = go(folder, toy, concurrency=concurrency)
    assert keys(folder) == WANTED
    assert set(toy.played.values()) == {1}
    assert toy.most <= min(concurrency, len(WANTED))
    assert (progress.played, progress.left, progress.failed) == (len(WANTED), 0, 0)


@settings(deadline=None, max_examples=30)
@given(cut=st.integers(0, 200_000))
def test_a_file_cut_off_anywhere_is_gone_on_with(tmp_path_factory, log, cut):
    folder = tmp_path_factory.mktemp("run")
    go(folder, Toy(log))
    file = folder / EPISODES
    whole = file.read_bytes()
    kept = whole[: cut % (len(whole) + 1)]
    file.write_bytes(kept)
    toy = Toy(log)
    progress = go(folder, toy)
    assert keys(folder) == WANTED
    assert progress.before == kept.count(b"\n")
    assert sum(toy.played.values()) == len(WANTED) - kept.count(b"\n")
    assert file.read_bytes().count(b"\n") == len(WANTED)


def test_failed_episodes_are_left_alone_and_then_tried_again(tmp_path, log):
    fails = WANTED[2:5]
    progress = go(tmp_path, Toy(log, fails=fails))
    assert (progress.failed, progress.left) == (3, 0)
    assert sum(row["failed"] for row in progress.summaries.data()) == 3
    again = Toy(log, fails=fails)
    assert go(tmp_path, again).played == 0
    progress = go(tmp_path, again, retry_failed=True)
    assert (sorted(again.played), progress.failed) == (fails, 0)
    assert sum(row["failed"] for row in progress.summaries.data()) == 0
    assert sum(row["episodes"] for row in progress.summaries.data()) == len(WANTED)
    assert keys(tmp_path) == WANTED
    assert {row["key"] for row in read_logs(tmp_path) if row["attempt"] == 1} == set(fails)


def test_a_budget_ends_it_and_a_larger_one_goes_on(tmp_path, log):
    toy = Toy(log, tokens=10)
    progress = go(tmp_path, toy, concurrency=2, budget=Budget(tokens=35))
    assert "35" in progress.reached
    assert 4 <= progress.played <= 5
    assert go(tmp_path, toy, concurrency=2, budget=Budget(tokens=35)).played == 0
    assert go(tmp_path, toy, concurrency=2, budget=Budget(tokens=1000)).left == 0
    assert keys(tmp_path) == WANTED


class Ticking:
    """A clock that goes on by a second whenever it is looked at."""

    def __init__(self):
        self.at = 0.0

    def now(self):
        return ""

    def seconds(self):
        self.at += 1.0
        return self.at


def test_a_budget_of_time_ends_it(tmp_path, log):
    progress = go(tmp_path, Toy(log), concurrency=1, clock=Ticking(), budget=Budget(seconds=7))
    assert 0 < progress.played < len(WANTED)
    assert "seconds" in progress.reached


@pytest.mark.parametrize("times", [1, 2])
def test_asked_to_stop_it_ends_or_drops_what_is_in_flight(tmp_path, log, times):
    stopping = Stopping()
    toy = Toy(log, waits=[1, 1] + [40] * 10)

    class Watcher:
        def begins(self, progress):
            pass

        def ended(self, progress, log):
            if progress.played == 2:
                for _ in range(times):
                    stopping.ask()

    progress = go(tmp_path, toy, concurrency=4, stopping=stopping, watcher=Watcher())
    assert progress.left > 0
    assert progress.played == len(keys(tmp_path)) == {1: 5, 2: 2}[times]
    assert go(tmp_path, toy).left == 0
    assert keys(tmp_path) == WANTED


def test_a_mistake_of_an_agent_is_raised_with_the_episodes_name_and_what_had_ended_is_kept(tmp_path, log):
    class Broken(Toy):
        async def play(self, job):
            if job.key == WANTED[-1]:
                raise ZeroDivisionError("an agent's mistake")
            return await super().play(job)

    with pytest.raises(ZeroDivisionError) as raised:
        go(tmp_path, Broken(log), concurrency=1)
    assert WANTED[-1] in raised.value.__notes__[0]
    assert len(keys(tmp_path)) > 0


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"trials": 3}, "trials is 2 there and 3 here"),
        ({"agents": ("noop",)}, "agents is"),
        ({"settings": {"feedback": "guide"}}, "settings is"),
        ({"seed": 1}, "seed is 0 there and 1 here"),
    ],
)
def test_a_folder_of_another_plan_is_refused_with_the_difference(tmp_path, log, change, named):
    go(tmp_path, Toy(log))
    before = (tmp_path / EPISODES).read_bytes()
    with pytest.raises(CallerError, match=named):
        go(tmp_path, Toy(log), plan=dataclasses.replace(PLAN, **change))
    assert (tmp_path / EPISODES).read_bytes() == before


def test_a_folder_is_open_to_one_at_a_time(tmp_path):
    with RunFolder(tmp_path, PLAN), pytest.raises(CallerError, match="another process"), RunFolder(tmp_path, PLAN):
        pass
    with RunFolder(tmp_path, PLAN):
        pass


def test_a_folder_of_other_things_is_refused(tmp_path):
    (tmp_path / EPISODES).write_text("{}\n", encoding="utf-8")
    with pytest.raises(CallerError, match=r"no run\.json"), RunFolder(tmp_path, PLAN):
        pass


def test_a_plan_survives_its_json_and_its_jobs_are_its_episodes():
    plan = dataclasses.replace(PLAN, users=("scripted", "solo"), env_ids=(DELIVERY, "VitaBench-OTA-Train-v0"), tasks=2)
    assert Plan.of_data(plan.data()) == plan
    jobs = list(plan.jobs())
    assert len(jobs) == len({job.key for job in jobs}) == plan.episodes == 2 * 2 * 2 * 2 * 2
    made = gym.make("VitaBench-OTA-Train-v0")
    for job in jobs[-8:]:
        made.reset(seed=job.seed, options={"task_id": job.task_id})
        assert made.unwrapped.task.id == job.task_id
