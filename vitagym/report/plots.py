"""Plots as data: what is drawn in the page, into PNG and SVG, and written as CSV is one and the same.

A plot has no words of its own: title, note and axes are texts of ``assets/text/report.toml`` under its name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from vitagym.analysis.intervals import Figure


class Form(StrEnum):
    """How a plot is drawn."""

    BARS = "bars"
    """A bar for each category and series, with whiskers."""
    LINES = "lines"
    """A line for each series, with a band."""
    SPOTS = "spots"
    """A spot for each point, with whiskers where there is an interval."""


class Format(StrEnum):
    """What the numbers of an axis are."""

    SHARE = "share"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a series.

    Attributes:
        x: A number, or the name of a category.
        y: The value.
        low, high: Its 95 % interval; None where there is none.
        n: How many episodes or tasks it rests on, as the plot's note says; 0 where that means nothing.
        label: What the point is, where x does not say it.
    """

    x: float | str
    y: float
    low: float | None = None
    high: float | None = None
    n: int = 0
    label: str = ""

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Series:
    """Points of one condition.

    Attributes:
        name: Name of the condition.
        points: Its points.
        place: Which colour it has, the same in all plots.
        dashed: Whether it is only a line to compare with.
    """

    name: str
    points: tuple[Point, ...]
    place: int = 0
    dashed: bool = False

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        return {**{n: getattr(self, n) for n in self.__slots__}, "points": [point.data() for point in self.points]}


@dataclass(frozen=True, slots=True)
class Plot:
    """One plot.

    Attributes:
        name: What its files and texts are called.
        form: How it is drawn.
        series: What is drawn.
        format: What the numbers of the y axis are.
        x_format: What those of the x axis are.
        top: Where the y axis ends; None: above the highest point.
        categories: Which kind of names the x of bars are, for the words of the page.
    """

    name: str
    form: Form
    series: tuple[Series, ...]
    format: Format = Format.SHARE
    x_format: Format = Format.NUMBER
    top: float | None = None
    categories: str = field(default="")

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        return {**{n: getattr(self, n) for n in self.__slots__}, "series": [series.data() for series in self.series]}


def point(x: float | str, figure: Figure, label: str = "") -> Point | None:
    """Return a figure as a point; None where there is no value."""
    if figure.value is None:
        return None
    return Point(x, figure.value, figure.low, figure.high, figure.episodes, label)
