"""Draws a tool graph: each domain's own tools in an arc of a circle, the shared ones in the middle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx

from vitagym.domains import COMMON
from vitagym.errors import CallerError
from vitagym.tools.graph import density
from vitagym.tools.tool import Kind

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Places = dict[str, tuple[float, float]]

_SHARED_COLOUR = "#6b6b6b"
_PALETTE = ("#d9822b", "#2f7fb5", "#3f9a5a", "#8a6bb0", "#b5473c")
_SHAPES = {Kind.WRITE.value: "s", Kind.READ.value: "o", Kind.GENERAL.value: "D"}
_GAP = 1.5
"""Empty places on the circle between two domains."""
_COLUMN, _ROW = 0.36, 0.27
"""Half the distance between the two columns of shared tools, and the distance between their rows."""
_INCHES, _DPI = 17.0, 110


def draw_graph(graph: nx.DiGraph, path: Path | str) -> None:
    """Write an image of a tool graph, as ``tool_graph`` gives it; the file's ending says the format.

    Tools are coloured by domain and shaped by what they do; an arrow has the colour of the tool that gives, and points
    to the one that needs.

    Raises:
        CallerError: matplotlib is not installed, or cannot write that format or place.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise CallerError("drawing needs matplotlib: pip install 'vitagym[plots]'") from None
    figure = Figure(figsize=(_INCHES, _INCHES), dpi=_DPI)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    outer, inner = _rings(graph)
    _draw_edges(axes, graph, {**outer, **inner})
    _draw_nodes(axes, graph, {**outer, **inner})
    _write_names(axes, graph, outer, inner)
    _write_legend(axes, graph)
    axes.set_xlim(-1.62, 1.62)
    axes.set_ylim(-1.62, 1.62)
    axes.set_axis_off()
    try:
        figure.savefig(str(path))
    except (OSError, ValueError) as error:
        raise CallerError(f"cannot draw into {str(path)!r}: {error}") from error


def _rings(graph: nx.DiGraph) -> tuple[Places, Places]:
    """Return where the domains' own tools stand, in one arc a domain, and where the shared ones do."""
    homes = dict(graph.nodes(data="domain", default=COMMON))
    own = [name for name in graph if homes[name] != COMMON]
    shared = [name for name in graph if homes[name] == COMMON]
    domains = dict.fromkeys(homes[name] for name in own)
    gap = _GAP if len(domains) > 1 else 0.0
    step = 2 * math.pi / max(1.0, len(own) + gap * len(domains))
    outer: Places = {}
    angle = math.pi / 2
    for domain in domains:
        angle -= gap * step / 2
        for name in (n for n in own if homes[n] == domain):
            angle -= step / 2
            outer[name] = (math.cos(angle), math.sin(angle))
            angle -= step / 2
        angle -= gap * step / 2
    return outer, _columns(shared)


def _columns(names: Sequence[str]) -> Places:
    rows = (len(names) + 1) // 2
    top = (rows - 1) * _ROW / 2
    return {name: (_COLUMN if i % 2 else -_COLUMN, top - (i // 2) * _ROW) for i, name in enumerate(names)}


def _draw_edges(axes: Axes, graph: nx.DiGraph, places: Places) -> None:
    from matplotlib.patches import FancyArrowPatch

    colours = _node_colours(graph)
    faint = 0.55 if graph.number_of_edges() < 150 else 0.28
    for giver, taker in graph.edges:
        axes.add_patch(
            FancyArrowPatch(
                places[giver],
                places[taker],
                connectionstyle=f"arc3,rad={_bend(places[giver], places[taker])}",
                arrowstyle="-|>,head_length=0.45,head_width=0.16",
                mutation_scale=11,
                shrinkA=5,
                shrinkB=7,
                linewidth=0.7,
                color=colours[giver],
                alpha=faint,
                zorder=1,
            )
        )


def _bend(start: tuple[float, float], end: tuple[float, float]) -> float:
    """Return how much an edge bends, so that it passes on the side of the centre and two ways can be told apart."""
    turn = start[0] * end[1] - start[1] * end[0]
    return 0.22 if turn < 0 else -0.16


def _draw_nodes(axes: Axes, graph: nx.DiGraph, places: Places) -> None:
    colours = _node_colours(graph)
    for kind, shape in _SHAPES.items():
        names = [name for name in graph if graph.nodes[name]["kind"] == kind]
        axes.scatter(
            [places[name][0] for name in names],
            [places[name][1] for name in names],
            s=90,
            marker=shape,
            c=[colours[name] for name in names],
            edgecolors="white",
            linewidths=1.0,
            zorder=3,
        )


def _write_names(axes: Axes, graph: nx.DiGraph, outer: Places, inner: Places) -> None:
    colours = _node_colours(graph)
    for name, (x, y) in outer.items():
        turned = math.degrees(math.atan2(y, x))
        left = abs(turned) > 90
        axes.text(
            1.03 * x,
            1.03 * y,
            name,
            rotation=turned - math.copysign(180, turned) if left else turned,
            rotation_mode="anchor",
            ha="right" if left else "left",
            va="center",
            fontsize=12,
            color=colours[name],
            zorder=4,
        )
    for name, (x, y) in inner.items():
        box = {"boxstyle": "round,pad=0.25", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}
        axes.text(x, y - 0.045, name, ha="center", va="top", fontsize=12, color=colours[name], bbox=box, zorder=5)


def _write_legend(axes: Axes, graph: nx.DiGraph) -> None:
    from matplotlib.lines import Line2D

    dot: dict[str, Any] = {"linestyle": "none", "markersize": 10}
    entries = [Line2D([], [], marker="o", color=colour, label=home, **dot) for home, colour in _colours(graph).items()]
    entries += [Line2D([], [], marker=m, color="#444444", label=kind, **dot) for kind, m in _SHAPES.items()]
    nodes, edges = graph.number_of_nodes(), graph.number_of_edges()
    title = f"{nodes} tools, {edges} edges, density {100 * density(graph):.1f} %"
    axes.legend(handles=entries, title=title, loc="upper left", fontsize=12, title_fontsize=13, frameon=False, ncols=2)


def _colours(graph: nx.DiGraph) -> dict[str, str]:
    """Return the colour of each domain, in order of appearance."""
    homes = dict.fromkeys(home for _, home in graph.nodes(data="domain", default=COMMON))
    own = [home for home in homes if home != COMMON]
    palette = {home: _PALETTE[i % len(_PALETTE)] for i, home in enumerate(own)}
    return {home: palette.get(home, _SHARED_COLOUR) for home in homes}


def _node_colours(graph: nx.DiGraph) -> dict[str, str]:
    colours = _colours(graph)
    return {name: colours[home] for name, home in graph.nodes(data="domain", default=COMMON)}
