"""The headline table: every condition with its main figures, over all rows and by domain, and the published ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vitagym.analysis.intervals import Figure
from vitagym.analysis.published import published
from vitagym.analysis.rows import Row
from vitagym.analysis.summary import BASELINES, Summary

ALL = "all"
Summaries = Mapping[str, Mapping[str, Mapping[str, Summary]]]
"""Condition -> grouping -> group -> summary; groupings are ``all`` and ``domain``."""
_NUMBERS = ("reward", "turns", "calls", "refused_calls", "repeated_questions", "tokens")
_MONEY = "cost"


def headline(by_condition: Mapping[str, list[Row]], summaries: Summaries) -> dict[str, Any]:
    """Return the table as the page reads it: its columns, and for each group of rows the lines of conditions.

    A cell has the value ``y``, the ends of its interval ``low`` and ``high``, and ``n``, the episodes it rests on.
    """
    groups: dict[str, list[dict[str, Any]]] = {ALL: []}
    for name, rows in by_condition.items():
        agent = str(rows[0]["agent"])
        groups[ALL].append(_line(name, agent, summaries[name][ALL][ALL]))
        for domain, summary in summaries[name]["domain"].items():
            groups.setdefault(domain, []).append(_line(name, agent, summary))
    if len(groups) == 2:
        del groups[ALL]
    most = max((len(summaries[name][ALL][ALL].pass_at) for name in by_condition), default=0)
    return {
        "columns": _columns(most),
        "groups": [{"name": group, "rows": lines, "published": _published(group)} for group, lines in groups.items()],
    }


def _published(domain: str) -> list[dict[str, Any]]:
    """Return what the paper publishes of its models on a domain."""
    table = published()
    lines = []
    for model in table.models:
        figures = {
            "success": model.mean,
            f"pass_at@{table.trials}": model.pass_at,
            f"pass_hat@{table.trials}": model.pass_hat,
        }
        cells = {column: {"y": by_domain[domain]} for column, by_domain in figures.items() if domain in by_domain}
        if cells:
            lines.append({"name": model.name, "published": True, "rests": table.source, "cells": cells})
    return lines


def _columns(most: int) -> list[dict[str, Any]]:
    """Return the columns; Pass@k and Pass^k for the most trials there are, and for those that the paper has."""
    ks = sorted({most, min(most, published().trials)} - {0, 1})
    passes = [{"name": f"{form}@{k}", "format": "share", "k": k} for k in ks for form in ("pass_at", "pass_hat")]
    return [
        {"name": "success", "format": "share"},
        *passes,
        {"name": "rubric_score", "format": "share"},
        *({"name": name, "format": "number"} for name in _NUMBERS),
        {"name": _MONEY, "format": "money"},
    ]


def _line(name: str, agent: str, summary: Summary) -> dict[str, Any]:
    cells = {metric: _cell(figure) for metric, figure in summary.metrics.items()}
    if not summary.metrics[_MONEY].value:
        cells[_MONEY] = None
    for form, figures in (("pass_at", summary.pass_at), ("pass_hat", summary.pass_hat)):
        cells |= {f"{form}@{number}": _cell(figure) for number, figure in enumerate(figures, 1)}
    return {
        "name": name,
        "agent": agent,
        "baseline": agent in BASELINES,
        "episodes": summary.scored,
        "tasks": summary.tasks,
        "apart": summary.unscored + summary.endpoint,
        "cells": cells,
    }


def _cell(figure: Figure) -> dict[str, Any] | None:
    if figure.value is None:
        return None
    return {"y": figure.value, "low": figure.low, "high": figure.high, "n": figure.episodes}
