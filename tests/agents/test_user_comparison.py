"""Users compared: the same agents on the same tasks, success with intervals, and the order of agents."""

import json

import pytest
from support.command import run

from vitagym.agents.user_comparison import Cell, Comparison, compare_users, kendall, wilson


def test_the_same_agents_play_the_same_tasks_with_each_user():
    comparison = compare_users(
        "VitaBench-Delivery-v0", ["scripted", "scripted/neutral", "solo"], ["reference", "noop"], tasks=2
    )
    assert list(comparison.cells) == ["scripted", "scripted/neutral", "solo"]
    for cells in comparison.cells.values():
        assert cells["noop"].success == 0
        assert cells["reference"].success == 1
    assert comparison.agreement["scripted", "scripted/neutral"] == 1
    json.dumps(comparison.data())


def test_a_wilson_interval():
    low, high = wilson(8, 10)
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)
    assert wilson(0, 5)[0] == 0
    assert wilson(5, 5)[1] == 1


@pytest.mark.parametrize(
    ("one", "other", "tau"),
    [
        ([1, 2, 3], [1, 2, 3], 1),
        ([1, 2, 3], [3, 2, 1], -1),
        ([1, 1, 1], [1, 2, 3], None),
        ([1, 2, 2, 3], [1, 2, 3, 3], 0.8),
        ([], [], None),
    ],
)
def test_kendalls_tau(one, other, tau):
    assert kendall(one, other) == (None if tau is None else pytest.approx(tau))


def test_what_could_not_be_scored_is_none():
    cell = Cell(0, 0, 0.0, 0.0, 3)
    assert cell.success is None
    assert cell.interval is None
    assert Comparison({"a": {"x": cell}, "b": {"x": cell}}).agreement == {("a", "b"): None}


def test_the_command_compares_users():
    arguments = ("users", "compare", "scripted", "solo", "--env", "VitaBench-Delivery-v0", "--tasks", 1)
    done = run(*arguments, "--agent", "noop", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["users"]["scripted"]["noop"]["success"] == 0
    assert report["kendall"] == [{"users": ["scripted", "solo"], "tau_b": None}]
    assert "tau-b" in run(*arguments, "--agent", "noop").stdout
