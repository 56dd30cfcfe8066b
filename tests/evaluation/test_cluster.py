"""Episodes played on Ray: the same rows, and none lost with a worker that is killed."""

import asyncio
import json

import pytest
from support.command import run

from vitagym.evaluation.clock import WallClock
from vitagym.evaluation.cluster import Cluster
from vitagym.evaluation.folder import RunFolder
from vitagym.evaluation.log import read_logs
from vitagym.evaluation.plan import Plan
from vitagym.evaluation.replaying import verify
from vitagym.evaluation.runner import run as run_plan
from vitagym.evaluation.spending import Prices

DELIVERY = "VitaBench-Delivery-v0"
OF_THE_CLOCK = ("started", "seconds", "seconds_by_role")


def own(row):
    return {name: value for name, value in row.items() if name not in OF_THE_CLOCK}


def test_without_ray_a_bare_option_is_read_and_what_is_missing_is_said(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    for ray in (["--ray"], ["--ray", "auto"], ["--ray", "127.0.0.1:6379"]):
        done = run("eval", DELIVERY, "--tasks", 1, "--out", tmp_path / "run", *ray, "--json")
        assert done.returncode == 2
        assert "ray is not installed" in json.loads(done.stdout)["error"]


@pytest.fixture
def ray():
    found = pytest.importorskip("ray", reason="ray is not installed")
    yield found
    found.shutdown()


def test_a_run_on_ray_has_the_rows_of_one_without(ray, tmp_path):
    arguments = ["eval", DELIVERY, "--tasks", 3, "--trials", 2, "--out"]
    assert run(*arguments, tmp_path / "here").returncode == 0
    done = run(*arguments, tmp_path / "there", "--ray")
    assert done.returncode == 0, done.stderr
    here, there = (sorted(read_logs(tmp_path / name), key=lambda row: row["key"]) for name in ("here", "there"))
    assert [own(row) for row in here] == [own(row) for row in there]
    assert not ray.is_initialized()


def test_a_killed_worker_is_replaced_and_its_episodes_are_played_again(ray, tmp_path):
    plan = Plan(env_ids=(DELIVERY,), agents=("reference", "noop"), tasks=6, trials=2)

    class Killing:
        def begins(self, progress):
            pass

        def ended(self, progress, log):
            if progress.played in (2, 9):
                for worker in cluster._workers:
                    ray.kill(worker.handle)

    async def go():
        return await run_plan(plan, folder, cluster.play, concurrency=8, clock=WallClock(), watcher=Killing())

    with RunFolder(tmp_path, plan) as folder, Cluster(plan, Prices(), "", most_workers=2) as cluster:
        progress = asyncio.run(go())
    assert (progress.played, progress.left) == (24, 0)
    assert cluster.lost >= 2
    rows = read_logs(tmp_path)
    assert sorted(row["key"] for row in rows) == sorted(job.key for job in plan.jobs())
    assert all(found.parting is None for found in verify(rows))


def test_an_address_without_a_cluster_is_refused(ray, tmp_path):
    done = run("eval", DELIVERY, "--tasks", 1, "--out", tmp_path, "--ray", "127.0.0.1:9")
    assert done.returncode == 2
    assert "127.0.0.1:9" in done.stderr
