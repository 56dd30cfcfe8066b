"""What to show beside a run: what the paper publishes (not measured here), and lines measured beforehand."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

DOMAINS = ("delivery", "instore", "ota", "cross")


@dataclass(frozen=True, slots=True)
class Model:
    """What the paper's table 3 says of a model, as far as it is known here; shares between 0 and 1.

    Attributes:
        thinks: Whether it is among the thinking models.
        mean: Domain -> Avg@4.
        pass_at: Domain -> Pass@4.
        pass_hat: Domain -> Pass^4.
    """

    name: str
    thinks: bool
    mean: dict[str, float]
    pass_at: dict[str, float]
    pass_hat: dict[str, float]

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Published:
    """What is published, and where.

    Attributes:
        source: Paper and table.
        note: That it is not measured here.
        trials: Runs a task.
        models: Models, the best on cross tasks first.
        all_models: Domain -> mean of Avg@4 over all models of the paper (table 5).
        failures: Share of failed rubrics by category of failure (section 5.3).
    """

    source: str
    note: str
    trials: int
    models: tuple[Model, ...]
    all_models: dict[str, float]
    failures: dict[str, float]

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        plain = {name: getattr(self, name) for name in self.__slots__}
        return {**plain, "models": [model.data() for model in self.models]}


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines to compare with, measured beforehand.

    Attributes:
        note: Where and how.
        agents: ``reference`` or ``noop`` -> domain -> metric -> mean over its hundred fixed tasks.
    """

    note: str
    agents: dict[str, dict[str, dict[str, float]]]


@cache
def published() -> Published:
    """Return the published figures."""
    table = _table("table3")
    return Published(
        source=table["source"],
        note=table["note"],
        trials=table["trials"],
        models=tuple(_model(entry) for entry in table["model"]),
        all_models=_shares(table["all_models"]),
        failures=_shares(table["failures"]),
    )


@cache
def lines() -> Lines:
    """Return what the reference and doing nothing come to on the fixed tasks, for runs that have neither."""
    table = _table("lines")
    return Lines(table.pop("note"), table)


def _table(name: str) -> dict[str, Any]:
    source = resources.files("vitagym.assets").joinpath("published", f"{name}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def _model(entry: dict[str, Any]) -> Model:
    figures = {
        name: _shares({d: entry[d][name] for d in DOMAINS if name in entry.get(d, {})})
        for name in ("mean", "pass_at", "pass_hat")
    }
    return Model(entry["name"], entry["thinking"], **figures)


def _shares(percent: dict[str, float]) -> dict[str, float]:
    return {name: round(value / 100, 6) for name, value in percent.items()}
