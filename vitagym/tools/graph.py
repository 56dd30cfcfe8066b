"""The tool dependency graph, derived from the signatures (paper: section 3.2, table 5). Nothing lists edges by hand."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import networkx as nx

from vitagym.errors import UnknownName
from vitagym.tools.tool import Tool


def dependency_graph(tools: Iterable[Tool]) -> nx.DiGraph:
    """Return the graph of tools: an edge a → b where something that a gives is something that b needs.

    Nodes carry ``kind``; edges carry ``facts``, the names of the facts that connect them. A tool has no edge to itself.
    """
    graph: nx.DiGraph = nx.DiGraph()
    all_tools = tuple(tools)
    for tool in all_tools:
        graph.add_node(tool.name, kind=tool.kind.value)
    for giver in all_tools:
        for taker in all_tools:
            if giver is not taker and (facts := connecting_facts(giver, taker)):
                graph.add_edge(giver.name, taker.name, facts=facts)
    return graph


def connecting_facts(giver: Tool, taker: Tool) -> list[str]:
    """Return the names of the facts that one tool gives and another needs, sorted."""
    return sorted(
        {
            given.fact.name
            for given in giver.gives.given
            for parameter in taker.parameters
            if parameter.needs is not None and given.satisfies(parameter.needs)
        }
    )


def density(graph: nx.DiGraph) -> float:
    """Return the share of ordered pairs of tools that have an edge, ρ = |E| / (|V|·(|V|-1)); 0 for fewer than two."""
    nodes = graph.number_of_nodes()
    return float(graph.number_of_edges() / (nodes * (nodes - 1))) if nodes > 1 else 0.0


def coverage(graph: nx.DiGraph, needed: Collection[str]) -> float:
    """Return the coverage ratio of a task, |V_task| / |V|: the share of the tools that it needs.

    Args:
        graph: The graph of the tools on offer.
        needed: Names of the tools that the task needs; repeats count once.

    Raises:
        UnknownName: A needed tool is not on offer.
    """
    for name in needed:
        if name not in graph:
            raise UnknownName("tool", name, graph.nodes)
    return len(set(needed)) / graph.number_of_nodes() if needed else 0.0
