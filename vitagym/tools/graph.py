"""The tool dependency graph, derived from the signatures (paper: section 3.2, table 5). Nothing lists edges by hand."""

from __future__ import annotations

from collections.abc import Iterable

import networkx as nx

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
            if giver is taker:
                continue
            facts = sorted(
                {
                    given.fact.name
                    for given in giver.gives.given
                    for parameter in taker.parameters
                    if parameter.needs is not None and given.satisfies(parameter.needs)
                }
            )
            if facts:
                graph.add_edge(giver.name, taker.name, facts=facts)
    return graph
