"""Draws the dependency graph of tools into an image file."""

from __future__ import annotations

import math
from pathlib import Path

import networkx as nx

from vitagym.errors import CallerError
from vitagym.tools.tool import Kind

_COLOURS = {Kind.WRITE.value: "#d95f5f", Kind.READ.value: "#5f8fd9", Kind.GENERAL.value: "#8fbf6f"}


def draw_graph(graph: nx.DiGraph, path: Path) -> None:
    """Write an image of a tool graph; the format is that of the file's ending.

    Raises:
        CallerError: matplotlib is not installed, or cannot write that format or place.
    """
    try:
        import matplotlib as mpl
    except ModuleNotFoundError:
        raise CallerError("drawing needs matplotlib: pip install 'vitagym[plots]'") from None
    mpl.use("Agg")
    from matplotlib import pyplot as plt

    places = nx.circular_layout(graph)
    figure, axes = plt.subplots(figsize=(14, 14))
    nx.draw_networkx_edges(graph, places, ax=axes, alpha=0.15, arrowsize=8)
    colours = [_COLOURS[kind] for _, kind in graph.nodes(data="kind")]
    nx.draw_networkx_nodes(graph, places, ax=axes, node_color=colours, node_size=160)
    for name, (x, y) in places.items():
        angle = math.degrees(math.atan2(y, x))
        left = abs(angle) > 90
        axes.text(
            1.05 * x,
            1.05 * y,
            name,
            fontsize=9,
            rotation=angle + 180 if left else angle,
            rotation_mode="anchor",
            ha="right" if left else "left",
            va="center",
        )
    for kind, colour in _COLOURS.items():
        axes.scatter([], [], color=colour, label=kind)
    axes.legend(loc="upper left")
    axes.set_axis_off()
    axes.margins(0.25)
    try:
        figure.savefig(path, bbox_inches="tight", metadata={"Software": None} if path.suffix == ".png" else None)
    except (OSError, ValueError) as error:
        raise CallerError(f"cannot draw into {str(path)!r}: {error}") from error
    finally:
        plt.close(figure)
