"""Complexity is computed before anything is run, as it is defined."""

import math
from collections import Counter

import pytest

from vitagym.env.offer import tool_graph
from vitagym.tasks.complexity import complexity_of
from vitagym.tasks.sources import load_tasks, make_draft
from vitagym.tasks.task import Release
from vitagym.tools.graph import coverage, density

DOMAINS = ("delivery", "instore", "ota", "cross")


@pytest.mark.parametrize("domain", DOMAINS)
def test_each_part_is_what_it_is_defined_as(domain):
    draft = make_draft(domain, 4)
    found, scene = complexity_of(draft.scene, draft.domains), draft.scene
    products = [(p.kind, "product", product.name.en) for p in scene.providers for product in p.products]
    records = [(t, row.get("order_type"), row["status"]) for t, rows in scene.records.items() for row in rows.values()]
    names = Counter([*((p.kind, p.name.en) for p in scene.providers), *products, *records])
    states = sum(names.values())
    assert found.search_space == states
    assert found.eta == pytest.approx(1 - len(names) / states, abs=1e-4)
    assert found.entropy == pytest.approx(-sum(n / states * math.log2(n / states) for n in names.values()), abs=1e-3)
    assert 0 <= found.eta < 1
    assert 0 < found.entropy <= math.log2(states)
    graph = tool_graph(domain)
    needed = {step.tool for step in scene.steps if step.tool is not None}
    assert (found.tools, found.edges) == (graph.number_of_nodes(), graph.number_of_edges())
    assert found.density == pytest.approx(density(graph), abs=1e-4)
    assert found.coverage == pytest.approx(coverage(graph, needed), abs=1e-4)
    assert found.hidden == sum(p.release in (Release.ASKED, Release.EVENT) for p in scene.points)
    assert 0 < found.difficulty < 1


def test_a_constraint_on_several_goals_is_one_reasoning_point():
    draft = make_draft("delivery", 1, family="office_lunch")
    before = complexity_of(draft.scene, draft.domains)
    (goal,) = draft.scene.goals
    thinking = next(r for r in goal.requirements if r.thinking)
    goal.requirements.append(thinking)
    again = complexity_of(draft.scene, draft.domains)
    assert (again.reason, again.constraints) == (before.reason, before.constraints + 1)


def test_the_sets_come_out_in_the_order_of_the_papers_success_rates():
    means = {d: sum(t.complexity.difficulty for t in load_tasks(d)) / 100 for d in DOMAINS}
    assert means["instore"] < means["delivery"] < means["ota"] < means["cross"]
