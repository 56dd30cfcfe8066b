"""The derived tool graphs side by side with the published sizes (paper: table 5), and where their edges come from.

The paper publishes sizes, not edges. So what can be said of a difference is what the derived edges are made of: which
fact makes how many, how many it makes alone, and how many lie between the tools of different domains.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import networkx as nx

from vitagym.domains import domains, home_of, toolset
from vitagym.tools.graph import density, dependency_graph

_ROUNDING = 0.051


@dataclass(frozen=True, slots=True)
class GraphSize:
    """Size of a graph; ``density`` in per cent of ordered pairs."""

    nodes: int
    edges: int
    density: float

    @property
    def density_of_edges(self) -> float:
        """The density that nodes and edges imply, in per cent."""
        return 100 * self.edges / (self.nodes * (self.nodes - 1))


@dataclass(frozen=True, slots=True)
class Comparison:
    """One domain's derived graph beside the published one.

    Attributes:
        edges_by_fact: Fact -> how many edges it makes, alone or with others; most first.
        alone_by_fact: Fact -> how many edges it alone makes.
        between_domains: How many edges join tools of two different domains (those that all domains share left out).
    """

    domain: str
    derived: GraphSize
    published: GraphSize
    edges_by_fact: Mapping[str, int]
    alone_by_fact: Mapping[str, int]
    between_domains: int

    @property
    def difference(self) -> int:
        """Derived edges less published ones."""
        return self.derived.edges - self.published.edges

    @property
    def reason(self) -> str:
        """Where the edges come from, in one line."""
        made = ", ".join(f"{fact} {n} ({self.alone_by_fact.get(fact, 0)})" for fact, n in self.edges_by_fact.items())
        parts = [f"{self.difference:+d} edges ({self.difference / self.published.edges:+.1%})"]
        if self.between_domains:
            parts.append(f"{self.between_domains} edges between tools of different domains")
        if abs(self.published.density - self.published.density_of_edges) > _ROUNDING:
            printed, implied = self.published.density, self.published.density_of_edges
            parts.append(f"the paper prints a density of {printed} %, its edges and nodes make {implied:.2f} %")
        if self.difference:
            parts.append(
                "the paper publishes sizes and no edges, so the difference lies with what makes the derived ones"
            )
        parts.append(f"edges by fact (by it alone): {made}")
        return "; ".join(parts)

    def data(self) -> dict[str, Any]:
        """Return the row as JSON-able data."""
        return {
            "domain": self.domain,
            "nodes": self.derived.nodes,
            "edges": self.derived.edges,
            "density": self.derived.density,
            "published_nodes": self.published.nodes,
            "published_edges": self.published.edges,
            "published_density": self.published.density,
            "difference": self.difference,
            "between_domains": self.between_domains,
            "edges_by_fact": dict(self.edges_by_fact),
            "alone_by_fact": dict(self.alone_by_fact),
            "reason": self.reason,
        }


def compare_with_published() -> list[Comparison]:
    """Return one row a domain, ``cross`` last."""
    return [_compare(domain, size) for domain, size in published_sizes().items()]


@cache
def published_sizes() -> dict[str, GraphSize]:
    """Return the published sizes by domain."""
    source = resources.files("vitagym.assets").joinpath("tool_graphs.toml")
    return {domain: GraphSize(**row) for domain, row in tomllib.loads(source.read_text(encoding="utf-8")).items()}


def _compare(domain: str, published: GraphSize) -> Comparison:
    graph = dependency_graph(toolset((domain,)))
    made, alone = Counter[str](), Counter[str]()
    for *_, facts in graph.edges(data="facts"):
        made.update(facts)
        alone.update(facts if len(facts) == 1 else ())
    return Comparison(
        domain=domain,
        derived=GraphSize(graph.number_of_nodes(), graph.number_of_edges(), round(100 * density(graph), 2)),
        published=published,
        edges_by_fact=dict(sorted(made.items(), key=lambda item: (-item[1], item[0]))),
        alone_by_fact=dict(sorted(alone.items(), key=lambda item: (-item[1], item[0]))),
        between_domains=_between(graph),
    )


def _between(graph: nx.DiGraph) -> int:
    own = domains()
    homes = {name: home_of(name) for name in graph}
    return sum(homes[a] != homes[b] and homes[a] in own and homes[b] in own for a, b in graph.edges)
