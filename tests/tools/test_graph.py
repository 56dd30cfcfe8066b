"""The tool graph: its size beside the published one, and that its edges are real."""

from functools import cache

import networkx as nx
import pytest
from support.random_calls import random_arguments, random_call
from support.worlds import make_task, make_world

import vitagym
from vitagym.domains import toolset
from vitagym.errors import CallerError, UnknownName
from vitagym.randomness import Stream
from vitagym.tools.drawing import draw_graph
from vitagym.tools.graph import coverage, density, dependency_graph
from vitagym.tools.published import compare_with_published
from vitagym.tools.results import Strictness
from vitagym.world.world import World

DOMAINS = ("delivery", "instore", "ota", "cross")
CROSS = toolset(("cross",))
TASK = make_task()


@cache
def id_edges():
    """Return giver, taker and fact of every edge that an id makes."""
    facts = {g.fact.name: g.fact for tool in CROSS for g in tool.gives.given}
    edges = dependency_graph(CROSS).edges(data="facts")
    return [(giver, taker, facts[name]) for giver, taker, names in edges for name in names if facts[name].identity]


@pytest.mark.parametrize("row", compare_with_published(), ids=DOMAINS)
def test_nodes_are_the_published_ones_and_edges_come_within_two_per_cent(row):
    assert row.derived.nodes == row.published.nodes
    assert abs(row.difference) <= 0.02 * row.published.edges
    assert row.derived.density == pytest.approx(row.derived.density_of_edges, abs=0.005)


def test_the_comparison_says_where_edges_come_from():
    rows = {row.domain: row for row in compare_with_published()}
    for domain, row in rows.items():
        edges = list(vitagym.tool_graph(domain).edges(data="facts"))
        assert len(edges) == row.derived.edges
        for fact, count in row.edges_by_fact.items():
            assert count == sum(fact in facts for *_, facts in edges)
            assert f"{fact} {count} ({row.alone_by_fact.get(fact, 0)})" in row.reason
    assert "11.2 %, its edges and nodes make 11.93 %" in rows["cross"].reason
    assert all("the paper prints" not in rows[domain].reason for domain in DOMAINS[:3])
    assert [rows[domain].between_domains for domain in DOMAINS[:3]] == [0, 0, 0]


@pytest.mark.parametrize("domain", DOMAINS)
def test_an_edge_stands_exactly_where_one_gives_what_the_other_needs(domain):
    graph = vitagym.tool_graph(domain)
    tools = list(toolset((domain,)))
    assert list(graph) == [tool.name for tool in tools]
    for giver in tools:
        for taker in tools:
            given = {(g.fact.name, g.statuses) for g in giver.gives.given}
            needed = {(p.needs.fact.name, p.needs.statuses) for p in taker.parameters if p.needs is not None}
            joined = {
                fact
                for fact, statuses in given
                for other, wanted in needed
                if fact == other and (statuses is None or wanted is None or statuses & wanted)
            }
            edge = graph.get_edge_data(giver.name, taker.name)
            assert (edge is not None) == (bool(joined) and giver is not taker)
            assert edge is None or edge["facts"] == sorted(joined)


def test_the_cross_graph_contains_every_domains_graph():
    cross = vitagym.tool_graph("cross")
    for domain in DOMAINS[:3]:
        own = vitagym.tool_graph(domain)
        assert nx.is_isomorphic(cross.subgraph(own.nodes), own)
        assert set(own.edges) == set(cross.subgraph(own.nodes).edges)


def test_an_order_has_to_be_found_before_it_is_changed_and_paid_in_the_right_state():
    """Paper: section 3.2 gives the example of an order's details before its change."""
    graph = vitagym.tool_graph("ota")
    assert graph.has_edge("get_train_order_detail", "modify_train_order")
    assert graph.has_edge("create_train_order", "pay_train_order")
    moved = graph.edges["create_train_order", "modify_train_order"]["facts"]
    assert "train_order_id" not in moved, "a new order is unpaid, and only a paid one can be moved"
    assert not graph.has_edge("create_train_order", "pay_flight_order"), "an order is of one kind"


@pytest.mark.parametrize("fact", sorted({f for *_, f in id_edges()}, key=lambda f: f.name), ids=lambda f: f.name)
def test_along_every_edge_an_id_is_refused_before_the_giver_was_called_and_accepted_after(fact):
    for giver, taker in ((a, b) for a, b, f in id_edges() if f == fact):
        world, arguments, parameter, value = example(giver, taker, fact)
        before = World(world.catalogue, CROSS, strictness=Strictness.OBSERVED, ledger=world.ledger.fork())
        told = " ".join(strings([v for k, v in arguments.items() if k != parameter]))
        before.hear(told)
        refused = before.call(taker, arguments)
        assert (refused.code, refused.fact) == ("not_observed", fact.name), (giver, taker, refused.text)
        assert value in refused.text
        world.hear(told)
        accepted = world.call(taker, arguments)
        assert accepted.ok, (giver, taker, arguments, accepted.text)


def example(giver, taker, fact):
    """Return an observing world in which the giver was called, and arguments for the taker with an id it showed."""
    parameter = next(p for p in CROSS.named(taker).parameters if p.needs is not None and p.needs.fact == fact)
    for start in range(40):
        ledger = walked(start)
        world = World(TASK.catalogue, CROSS, strictness=Strictness.OBSERVED, ledger=ledger.fork())
        draw = Stream(start, f"{giver}/{taker}")
        shown = shown_by(world, giver, fact, draw)
        for _ in range(40 if shown else 0):
            plain = World(TASK.catalogue, CROSS, ledger=world.ledger.fork())
            value = draw.choice(shown)
            arguments = random_arguments(plain, CROSS.named(taker), draw, odd=0)
            arguments[parameter.name] = [value] if parameter.name == "product_ids" else value
            if plain.call(taker, arguments).ok:
                return world, arguments, parameter.name, value
    raise AssertionError(f"no example of {giver} -> {taker} by {fact.name}")


def shown_by(world, giver, fact, draw):
    """Return the ids of a fact that the giver shows when it is called, its own needs having been told."""
    for _ in range(10):
        arguments = random_arguments(world, CROSS.named(giver), draw, odd=0)
        world.hear(" ".join(strings(list(arguments.values()))))
        result = world.call(giver, arguments)
        if result.ok:
            return list(values(fact, result.data))
    return []


@cache
def walked(seed):
    """Return the ledger of a world in which much has happened."""
    world, draw = make_world(TASK), Stream(seed, "walk")
    for _ in range(15 * seed):
        world.call(*random_call(world, draw))
    return world.ledger


def strings(data):
    if isinstance(data, list):
        return [one for part in data for one in strings(part)]
    return [data] if isinstance(data, str) else []


def values(fact, data):
    """Yield the values that a result shows under the fact's key."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key.replace(" ", "_") in fact.keys and isinstance(value, str):
                yield value
            yield from values(fact, value)
    elif isinstance(data, list):
        for one in data:
            yield from values(fact, one)


def test_density_and_coverage_are_the_papers_ratios():
    """Paper: section 3.1: ρ = |E| / (|V|·(|V|-1)) and |V_task| / |V|."""
    graph = vitagym.tool_graph("delivery")
    assert density(graph) == pytest.approx(graph.number_of_edges() / (20 * 19))
    assert density(nx.DiGraph()) == density(nx.DiGraph([("a", "a")]).subgraph([])) == 0
    assert coverage(graph, ["weather", "weather", "pay_delivery_order"]) == pytest.approx(2 / 20)
    assert coverage(graph, []) == 0
    with pytest.raises(UnknownName, match="pay_delivery_order"):
        coverage(graph, ["pay_delivery_ordr"])


def test_a_drawing_names_every_tool_and_is_the_same_every_time(tmp_path):
    pytest.importorskip("matplotlib")
    graph = vitagym.tool_graph("delivery")
    draw_graph(graph, tmp_path / "graph.svg")
    drawn = (tmp_path / "graph.svg").read_text(encoding="utf-8")
    assert [name for name in graph if f"<!-- {name} -->" not in drawn] == []
    images = [tmp_path / "first.png", tmp_path / "second.png"]
    for image in images:
        draw_graph(graph, image)
    first, second = (image.read_bytes() for image in images)
    assert first.startswith(b"\x89PNG")
    assert first == second


def test_what_cannot_be_drawn_into_is_said(tmp_path):
    pytest.importorskip("matplotlib")
    graph = vitagym.tool_graph("delivery")
    for path in (tmp_path / "graph.nonsense", tmp_path / "missing" / "graph.png"):
        with pytest.raises(CallerError, match=path.name):
            draw_graph(graph, path)


def test_an_unknown_domain_is_refused_with_the_nearest():
    with pytest.raises(UnknownName, match="'delivery'"):
        vitagym.tool_graph("delivry")
