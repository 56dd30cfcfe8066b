"""How hard a task is before anything is run: ⟨reason, tool, interact⟩ (paper: section 3.1), and one predicted number.

Definitions, as they are computed here:

- *Reasoning points*: constraints that need a look-up, a calculation or an inference. The same constraint on several
  goals counts once; what only refers back to the choice of another goal counts for nothing.
- *S*, the states: every provider, product and transaction of the task's world. |S| is the search space.
- *O*, the observations: what a listing shows of a state at first sight, its kind and its name. States of one name (a
  room on several nights, a dish of several stores) are told apart only by a further look-up.
- *H(O)* = −Σ p(o) log₂ p(o), in bits, over a state drawn evenly: how much there is to see.
- *η* = 1 − |O|/|S|: the share of states that first sight does not tell from another. 0: everything is told apart.
- *Density* ρ = |E|/(|V|(|V|−1)) of the graph of the tools on offer, *coverage* |V_task|/|V|.
- *Predicted difficulty*: a logistic function of these, between 0 and 1. Its weights are set by hand so that the four
  benchmark sets come out in the order of the paper's success rates and near 1 − success; nothing is fitted to single
  tasks.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable
from functools import cache

from vitagym.domains import CROSS, toolset
from vitagym.generation.requirement import Requirement
from vitagym.generation.scene import Scene
from vitagym.tasks.task import Complexity, Persona, Release
from vitagym.tools.graph import density, dependency_graph

_HIDDEN = (Release.ASKED, Release.EVENT)
DEMANDING = frozenset(
    {Persona.IMPATIENT, Persona.SCATTERED, Persona.EMOTIONAL, Persona.COLD, Persona.CONTROLLING, Persona.DEPENDENT}
)
_WEIGHTS = {"reason": 0.16, "bits": 0.12, "density": 3.0, "needed": 0.03, "hidden": 1.0, "changes": 0.2, "persona": 0.2}
_MIDDLE = 1.85
"""Where the sum of the weighted parts gives a difficulty of one half."""


def complexity_of(scene: Scene, domains: tuple[str, ...]) -> Complexity:
    """Return how hard the task of a scene is."""
    offered = domains[0] if len(domains) == 1 else CROSS
    tools, edges, rho = _graph(offered)
    names = Counter(_observations(scene))
    states = sum(names.values())
    needed = len({step.tool for step in scene.steps if step.tool is not None})
    hidden = sum(point.release in _HIDDEN for point in scene.points)
    changes = sum(point.replaces is not None for point in scene.points)
    reason = len({_constraint(r) for goal in scene.goals for r in goal.requirements if r.thinking})
    entropy = -sum(n / states * math.log2(n / states) for n in names.values()) if states else 0.0
    parts = {
        "reason": reason,
        "bits": entropy,
        "density": rho,
        "needed": needed,
        "hidden": hidden / max(1, len(scene.points)),
        "changes": changes,
        "persona": float(scene.persona in DEMANDING),
    }
    return Complexity(
        reason=reason,
        search_space=states,
        entropy=round(entropy, 4),
        eta=round(1 - len(names) / states, 4) if states else 0.0,
        tools=tools,
        edges=edges,
        density=round(rho, 4),
        needed_tools=needed,
        coverage=round(needed / tools, 4),
        points=len(scene.points),
        hidden=hidden,
        changes=changes,
        goals=len({goal.key for goal in scene.goals}),
        constraints=sum(len(goal.requirements) for goal in scene.goals),
        difficulty=round(_logistic(sum(_WEIGHTS[name] * value for name, value in parts.items()) - _MIDDLE), 4),
    )


def _constraint(requirement: Requirement) -> tuple[str, str]:
    """Return what makes a constraint the same as another: its name, and what its texts mention."""
    values = requirement.values()
    return requirement.name, repr([(key, values[key]) for key in sorted(values)])


def _observations(scene: Scene) -> Iterable[Hashable]:
    for provider in scene.providers:
        yield provider.kind, provider.name.en
        for product in provider.products:
            yield provider.kind, "product", product.name.en
    for table, rows in scene.records.items():
        for row in rows.values():
            yield table, row.get("order_type"), row["status"]


@cache
def _graph(domain: str) -> tuple[int, int, float]:
    """Return how many tools and edges the graph of a domain has, and its density."""
    graph = dependency_graph(toolset((domain,)))
    return graph.number_of_nodes(), graph.number_of_edges(), density(graph)


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-value))
