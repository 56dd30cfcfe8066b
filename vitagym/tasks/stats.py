"""Statistics of a set of tasks, counted from the tasks themselves, beside what the paper publishes of its own."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from typing import Any

from vitagym.errors import UnknownName
from vitagym.tasks.size import Size
from vitagym.tasks.task import Task


@dataclass(frozen=True, slots=True)
class Published:
    """What the paper publishes of one set: how many tasks, the sum of their sizes, the mean of reasoning points."""

    tasks: int
    size: Size
    reasoning: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """What was counted in a set of tasks.

    Attributes:
        tasks: How many there are.
        size: The sum of their sizes.
        reasoning: Mean of reasoning points a task: constraints that need a look-up, a calculation or an inference.
        personas, families, domains, years, weekdays, hours: How many tasks have each (weekdays: 0 is Monday).
    """

    tasks: int
    size: Size
    reasoning: float
    personas: dict[str, int]
    families: dict[str, int]
    domains: dict[str, int]
    years: dict[int, int]
    weekdays: dict[int, int]
    hours: dict[int, int]

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        size = {**asdict(self.size), "search_space": self.size.search_space}
        spread = {
            name: {str(key): count for key, count in getattr(self, name).items()}
            for name in ("personas", "families", "domains", "years", "weekdays", "hours")
        }
        return {"tasks": self.tasks, **size, "reasoning": round(self.reasoning, 3), **spread}


def size_of(task: Task) -> Size:
    """Return how much there is in the world of a task."""
    world = task.catalogue
    products = sum(len(provider.products) for provider in world.providers.values())
    return Size(len(world.providers), products, len(world.orders) + len(world.bookings) + len(world.reservations))


def statistics(tasks: Iterable[Task]) -> Statistics:
    """Count a set of tasks."""
    listed = list(tasks)
    clocks = [task.catalogue.time for task in listed]
    points = [task.complexity.reason for task in listed if task.complexity is not None]
    return Statistics(
        tasks=len(listed),
        size=sum((size_of(task) for task in listed), Size(0, 0, 0)),
        reasoning=sum(points) / max(1, len(points)),
        personas=_counted(task.persona.value for task in listed),
        families=_counted(task.family for task in listed),
        domains=_counted("+".join(task.domains) for task in listed),
        years=_counted(clock.year for clock in clocks),
        weekdays=_counted(clock.weekday() for clock in clocks),
        hours=_counted(clock.hour for clock in clocks),
    )


@cache
def published(domain: str) -> Published:
    """Return what the paper publishes of the set of a domain (or ``cross``)."""
    table = tomllib.loads(resources.files("vitagym.assets").joinpath("paper.toml").read_text(encoding="utf-8"))
    if domain not in table:
        raise UnknownName("domain", domain, table)
    row = table[domain]
    return Published(row["tasks"], Size(row["providers"], row["products"], row["transactions"]), row["reasoning"])


def _counted(values: Iterable[Any]) -> dict[Any, int]:
    counts = Counter(values)
    return {key: counts[key] for key in sorted(counts)}
