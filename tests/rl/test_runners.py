"""RLlib with none, one and two runners; one that is killed; and nothing left behind."""

import os
import signal
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("ray", reason="needs vitagym[rl]")
psutil = pytest.importorskip("psutil", reason="comes with ray")

import vitagym  # noqa: E402, F401 - registers the ids
from vitagym.errors import CallerError  # noqa: E402
from vitagym.rl import rllib_training  # noqa: E402
from vitagym.rl.plan import TrainingPlan  # noqa: E402

ENV_ID = "VitaBench-Delivery-Train-Symbolic-v0"


def plan(runners):
    return TrainingPlan(
        ENV_ID, settings={"max_turns": 20}, pool=2, runners=runners, environments=4, batch=64, minibatch=64, epochs=1
    )


def started():
    """Processes that this one has started, and those that they have."""
    return set(psutil.Process().children(recursive=True))


def gone(processes):
    """Whether none of the processes runs any more, some seconds given."""
    _, alive = psutil.wait_procs(processes, timeout=30)
    return not alive


@pytest.mark.parametrize("runners", [0, 1])
def test_it_trains_with_any_number_of_runners_and_leaves_no_process(runners, tmp_path):
    before, seen = started(), set()
    rows = rllib_training.train(plan(runners), tmp_path, steps=150, watch=lambda *_: seen.update(started()))
    assert rows[-1]["steps"] >= 150
    assert rllib_training.last_checkpoint(tmp_path) is not None
    assert len(seen - before) > runners
    assert gone(seen - before)


def test_a_killed_runner_does_not_stop_a_run(tmp_path):
    before, seen, killed = started(), set(), []

    def kill(algorithm, row):
        seen.update(started())
        if not killed:
            pids = algorithm.env_runner_group.foreach_env_runner(lambda _: os.getpid(), local_env_runner=False)
            assert len(pids) == 2
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    rows = rllib_training.train(plan(2), tmp_path, steps=600, watch=kill)
    assert killed
    assert rows[-1]["steps"] >= 600
    assert len(rows) >= 3
    assert gone(seen - before)


def test_a_cluster_that_runs_already_is_used_and_left_running(tmp_path):
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "num_gpus": 0, "include_dashboard": False})
    try:
        pids = set()

        def watch(algorithm, _):
            pids.update(algorithm.env_runner_group.foreach_env_runner(lambda _: os.getpid(), local_env_runner=False))

        rows = rllib_training.train(plan(1), tmp_path, steps=150, address=cluster.address, watch=watch)
        assert rows[-1]["steps"] >= 150
        assert len(pids) == 1
        assert gone([psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)])
        assert not list(cluster.head_node.dead_processes())
    finally:
        cluster.shutdown()


def test_a_node_that_does_not_start_is_said_in_a_sentence(tmp_path, monkeypatch):
    def slow(**settings):
        raise Exception("The current node timed out during startup.\nTraceback …")  # as Ray does it

    monkeypatch.setattr(rllib_training.ray, "init", slow)
    with pytest.raises(CallerError, match=r"Ray did not start on this machine: .* startup\.; .* less busy"):
        rllib_training.train(plan(0), tmp_path, steps=1)
    with pytest.raises(CallerError, match=r"address='10\.0\.0\.9:6379': Ray cannot be reached"):
        rllib_training.train(plan(0), tmp_path, steps=1, address="10.0.0.9:6379")


def test_to_a_learner_what_is_cut_off_is_over():
    vector = rllib_training.training_vector(TrainingPlan(ENV_ID, settings={"max_turns": 4}, pool=2), 2)
    vector.reset(seed=0)
    ends = [vector.step(np.full(2, 10_000))[2:4] for _ in range(4)]  # no candidate has that number
    assert any(terminated.any() for terminated, _ in ends)
    assert not any(truncated.any() for _, truncated in ends)


def test_environments_of_a_runner_share_worlds():
    envs = rllib_training.training_vector(plan(0), 8).envs
    worlds = set()
    for number, env in enumerate(envs):
        env.reset(seed=number)
        worlds.add(id(env.unwrapped.world.catalogue))
    assert len(worlds) <= 2


def test_a_thousand_environments_are_counted_in_less_than_a_gigabyte():
    size = 200
    rllib_training.training_vector(plan(0), 2).reset(seed=0)
    before = _resident()
    vector = rllib_training.training_vector(plan(0), size)
    vector.reset(seed=0)
    assert (_resident() - before) / size * 1000 < 1_000_000_000


def _resident():
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
