"""Agents, rubrics and conditions compared: agreement, item analysis, ablations."""

import json
from collections import Counter
from itertools import combinations
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.log_rows import cut_off, row, rows

from vitagym.analysis.ablation import cross_cost, interaction_ablation, tools_ablation
from vitagym.analysis.agreement import agent_agreement, kendall
from vitagym.analysis.intervals import Method
from vitagym.analysis.items import requirement_items, rubric_items

HARD, EASY = {f"h{i}": [False, False] for i in range(5)}, {f"e{i}": [True, True] for i in range(5)}


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=8))
def test_kendalls_tau_b_is_that_of_all_pairs(pairs):
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    found = Counter()
    for (a, x), (b, y) in combinations(pairs, 2):
        found["same" if (a - b) * (x - y) > 0 else "other" if (a - b) * (x - y) < 0 else "tied"] += 1
        found["one"] += a != b
        found["two"] += x != y
    tau = kendall(one, other)
    if found["one"] and found["two"]:
        assert tau == pytest.approx((found["same"] - found["other"]) / (found["one"] * found["two"]) ** 0.5)
    else:
        assert tau is None


def test_agents_that_fail_on_the_same_tasks_agree():
    compared = agent_agreement([*rows(HARD | EASY, agent="a"), *rows(HARD | EASY, agent="b")])
    (pair,) = compared.pairs
    assert pair.kappa.kappa == 1
    assert pair.tau_b == 1
    assert (pair.kappa.scored, pair.tasks, compared.tasks) == (20, 10, 10)
    assert compared.solved_by == (5, 0, 5)
    assert compared.none_expected == pytest.approx(2.5)
    json.dumps(compared.data())


def test_agents_that_fail_on_other_tasks_do_not():
    turned = {task: [not one for one in found] for task, found in (HARD | EASY).items()}
    compared = agent_agreement([*rows(HARD | EASY, agent="a"), *rows(turned, agent="b")])
    assert compared.pairs[0].kappa.kappa == -1
    assert compared.solved_by == (0, 10, 0)


def test_only_what_both_have_scored_is_compared():
    one = [row("t1"), row("t2", False), row("t3", None), row("t4")]
    other = [row("t1"), row("t2"), row("t3"), cut_off("t4"), row("t5")]
    compared = agent_agreement([{**r, "agent": "a"} for r in one] + [{**r, "agent": "b"} for r in other])
    assert compared.pairs[0].kappa.scored == compared.tasks == 2


@pytest.mark.parametrize("agents", [(), ("a",), ("noop", "reference")])
def test_there_may_be_nobody_to_compare(agents):
    compared = agent_agreement([row(agent=agent) for agent in agents])
    assert compared.pairs == ()
    assert len(compared.conditions) <= 1
    json.dumps(compared.data())


def graded(agent, met, task="t1"):
    """An episode with rubrics r0, r1, …, those in ``met`` met."""
    rubrics = {f"r{i}": {"sentence": "-", "status": "met" if i in met else "pending", "turn": 1} for i in range(4)}
    return row(task, len(met) == 4, agent=agent, rubrics=rubrics)


def test_a_rubric_that_better_agents_meet_tells_them_apart():
    listed = [graded("weak", {3}), graded("fair", {0, 1}), graded("good", {0, 1, 2})]
    items = {item.name: item for item in rubric_items(listed)}
    assert items["t1/r2"].difficulty == pytest.approx(2 / 3)
    assert items["t1/r0"].difficulty == pytest.approx(1 / 3)
    assert items["t1/r0"].discrimination > 0
    assert items["t1/r3"].discrimination < 0
    assert items["t1/r0"].met == {"fair": 1.0, "good": 1.0, "weak": 0.0}
    hardest = [item.difficulty for item in rubric_items(listed)]
    assert hardest == sorted(hardest, reverse=True)
    json.dumps([item.data() for item in items.values()])


def test_two_agents_tell_nothing_of_discrimination_and_unscored_rubrics_are_left_out():
    one, other = graded("a", {0}), graded("b", {0, 1})
    other["rubrics"]["r0"]["status"] = "unscored"
    items = {item.name: item for item in rubric_items([one, other, cut_off(rubrics=one["rubrics"])])}
    assert items["t1/r0"].episodes == 1
    assert items["t1/r1"].episodes == 2
    assert all(item.discrimination is None for item in items.values())


def test_rubrics_are_pooled_by_requirement():
    task = SimpleNamespace(rubrics=[SimpleNamespace(id=f"r{i}", requirement=("even", "odd")[i % 2]) for i in range(4)])
    items = requirement_items([graded("a", {0, 2}), graded("a", {0}, "t2")], lambda _: task)
    assert [(item.name, item.difficulty, item.episodes, item.tasks) for item in items] == [
        ("odd", 1, 4, 2),
        ("even", 0.25, 4, 2),
    ]
    assert requirement_items([graded("a", {0})], lambda _: None) == []


def arms(successes, **fields):
    return rows({f"t{i}": [i < successes] for i in range(20)}, **fields)


def test_what_the_user_costs_is_paired_by_task():
    listed = [
        *arms(8, settings={"user": "scripted"}),
        *arms(10, settings={"persona": "neutral"}),
        *arms(16, user="solo"),
    ]
    (found,) = interaction_ablation(listed).values()
    assert {arm: round(figure.value, 2) for arm, figure in found.arms.items()} == {
        "persona": 0.4,
        "neutral": 0.5,
        "solo": 0.8,
    }
    differences = {(c.one, c.other): c.difference for c in found.contrasts}
    assert differences["neutral", "persona"].value == pytest.approx(0.1)
    assert differences["solo", "neutral"].value == pytest.approx(0.3)
    assert differences["solo", "neutral"].tasks == 20
    low, high = differences["solo", "neutral"].interval
    assert 0 < low < 0.3 < high < 0.6
    json.dumps(found.data())


def test_a_paired_difference_is_taken_over_the_tasks_of_both():
    listed = [*rows({"t1": [True], "t2": [False]}), *rows({"t2": [True], "t3": [True]}, user="solo")]
    (found,) = interaction_ablation(listed).values()
    (contrast,) = found.contrasts
    assert (contrast.difference.value, contrast.difference.tasks, contrast.paired) == (1, 1, True)


def test_no_difference_on_any_task_is_not_certainty():
    (found,) = tools_ablation([*arms(10), *arms(10, settings={"tools": "all"})]).values()
    difference = found.contrasts[0].difference
    assert difference.value == 0
    assert difference.method is Method.WILSON
    assert difference.low == -difference.high < -0.1


def test_all_alike_on_different_tasks_is_not_certainty_either():
    listed = [
        *rows({f"t{i}": [True] for i in range(20)}, domain="ota"),
        *rows({"c1": [True], "c2": [True]}, domain="cross"),
    ]
    difference = next(iter(cross_cost(listed).values())).contrasts[0].difference
    assert (difference.value, difference.method) == (0, Method.WILSON)
    assert -0.7 < difference.low < -0.5
    assert 0.1 < difference.high < 0.2


def test_one_arm_is_no_ablation():
    assert interaction_ablation(arms(3)) == {}
    assert tools_ablation(arms(3)) == {}
    assert cross_cost(arms(3)) == {}


def test_the_cost_of_many_tools_is_told_apart_from_that_of_several_domains():
    listed = [
        *arms(16, domain="ota"),
        *arms(12, domain="ota", settings={"tools": "all"}),
        *[{**r, "task_id": f"cross-{r['task_id']}"} for r in arms(4, domain="cross")],
    ]
    (found,) = cross_cost(listed).values()
    differences = {(c.one, c.other): c for c in found.contrasts}
    tools = differences["single, all tools", "single, own tools"]
    beyond = differences["cross", "single, all tools"]
    whole = differences["cross", "single, own tools"]
    assert (tools.paired, beyond.paired) == (True, False)
    assert tools.difference.value == pytest.approx(-0.2)
    assert beyond.difference.value == pytest.approx(-0.4)
    assert whole.difference.value == pytest.approx(tools.difference.value + beyond.difference.value)
    assert beyond.difference.low < -0.4 < beyond.difference.high < 0
