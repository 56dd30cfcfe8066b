"""Plots as files: PNG and SVG, with the numbers as CSV beside each."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from vitagym.errors import CallerError
from vitagym.language import Language, text, texts
from vitagym.report.plots import Form, Format, Plot, Point, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PALETTE = ("#2a56c6", "#c9651b", "#1d8a63", "#7d4fc0", "#b93b5e", "#1b87a5", "#7a6a3a", "#6c7078")
"""The page's colours of series."""
_SIZE, _DPI = (6.4, 4.0), 160
_SOFT, _LINE = "#565a63", "#e2e2de"
_COLUMNS = ("series", "label", "x", "y", "low", "high", "n")
_STYLE: dict[str, Any] = {
    "font.size": 10.0,
    "axes.edgecolor": _LINE,
    "axes.labelcolor": _SOFT,
    "xtick.color": _SOFT,
    "ytick.color": _SOFT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "svg.hashsalt": "vitagym",
    "svg.fonttype": "none",
    "figure.constrained_layout.use": True,
}


def write_plots(plots: Iterable[Plot], folder: Path) -> list[Path]:
    """Write each plot as ``NAME.png``, ``NAME.svg`` and ``NAME.csv``; the same plots give the same bytes.

    Raises:
        CallerError: matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise CallerError("plots need matplotlib: pip install 'vitagym[plots]'") from None
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for plot in plots:
        with cast(Any, mpl).rc_context(_STYLE):
            figure = Figure(figsize=_SIZE, dpi=_DPI)
            FigureCanvasAgg(figure)
            _draw(figure.add_subplot(), plot)
            for ending, metadata in (("png", {"Software": None}), ("svg", {"Date": None, "Creator": None})):
                figure.savefig(folder / f"{plot.name}.{ending}", metadata=metadata)
        _write_numbers(plot, folder / f"{plot.name}.csv")
        written += [folder / f"{plot.name}.{ending}" for ending in ("png", "svg", "csv")]
    return written


def _write_numbers(plot: Plot, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(_COLUMNS)
        for series in plot.series:
            lines.writerows((series.name, p.label, p.x, p.y, p.low, p.high, p.n) for p in series.points)


def _draw(axes: Axes, plot: Plot) -> None:
    {Form.BARS: _bars, Form.LINES: _lines, Form.SPOTS: _spots}[plot.form](axes, plot)
    axes.set_title(_word(plot, ""), loc="left", fontsize=12, fontweight="bold")
    if plot.top is not None:
        (axes.set_xlim if plot.form is Form.BARS else axes.set_ylim)(0, plot.top * 1.02)
    shares = {"x": plot.x_format, "y": plot.format}
    if plot.form is Form.BARS:
        shares = {"x": plot.format, "y": Format.NUMBER}
    for axis, shown in shares.items():
        if shown is Format.SHARE:
            getattr(axes, f"{axis}axis").set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    axes.grid(axis="x" if plot.form is Form.BARS else "y", color=_LINE, linewidth=0.8)
    if len(plot.series) > 1:
        axes.figure.legend(loc="outside lower center", ncols=min(4, len(plot.series)), frameon=False, fontsize=9)


def _bars(axes: Axes, plot: Plot) -> None:
    names = list(dict.fromkeys(str(p.x) for series in plot.series for p in series.points))
    thick = 0.8 / len(plot.series)
    for number, series in enumerate(plot.series):
        places = [names.index(str(p.x)) + (number - (len(plot.series) - 1) / 2) * thick for p in series.points]
        axes.barh(
            places,
            [p.y for p in series.points],
            height=thick * 0.86,
            color=_colour(series),
            label=series.name,
            xerr=_whiskers(series.points),
            error_kw={"ecolor": "#333333", "elinewidth": 1.1},
        )
    axes.set_yticks(range(len(names)), [_category(plot, name) for name in names])
    axes.invert_yaxis()
    axes.set_xlabel(_word(plot, "_y"))


def _lines(axes: Axes, plot: Plot) -> None:
    for series in plot.series:
        xs = [float(p.x) for p in series.points]
        axes.plot(
            xs,
            [p.y for p in series.points],
            color=_colour(series),
            label=series.name,
            linestyle=":" if series.dashed else "-",
            marker="o",
            markersize=3.5,
        )
        lows = [p.low for p in series.points if p.low is not None]
        highs = [p.high for p in series.points if p.high is not None]
        if len(lows) == len(highs) == len(xs):
            axes.fill_between(xs, lows, highs, color=_colour(series), alpha=0.13, linewidth=0)
    axes.set_xlabel(_word(plot, "_x"))
    axes.set_ylabel(_word(plot, "_y"))
    if all(isinstance(p.x, int) for series in plot.series for p in series.points):
        axes.set_xticks(sorted({float(p.x) for series in plot.series for p in series.points}))


def _spots(axes: Axes, plot: Plot) -> None:
    for series in plot.series:
        axes.errorbar(
            [float(p.x) for p in series.points],
            [p.y for p in series.points],
            yerr=_whiskers(series.points),
            fmt="o",
            markersize=4,
            color=_colour(series),
            ecolor=_colour(series),
            elinewidth=1.0,
            label=series.name,
            alpha=0.85,
        )
    axes.set_xlabel(_word(plot, "_x"))
    axes.set_ylabel(_word(plot, "_y"))


def _whiskers(points: Sequence[Point]) -> tuple[list[float], list[float]]:
    below = [0.0 if p.low is None else max(0.0, p.y - p.low) for p in points]
    above = [0.0 if p.high is None else max(0.0, p.high - p.y) for p in points]
    return below, above


def _colour(series: Series) -> str:
    return _PALETTE[series.place % len(_PALETTE)]


def _word(plot: Plot, which: str) -> str:
    return text("report", f"figure_{plot.name}{which}", Language.EN)


def _category(plot: Plot, name: str) -> str:
    key = f"{plot.categories}_{name}"
    return text("report", key, Language.EN) if key in texts("report") else name
