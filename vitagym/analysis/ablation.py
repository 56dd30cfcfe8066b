"""What user, tools and domains cost an agent: the same agent under two conditions, task by task.

A contrast on the same tasks is paired: the mean over tasks of the difference of a task's shares of success, with an
interval by drawing tasks. Differences are in shares: −0.1 is ten points less.

- *Interaction* (paper: section 5.2, figure 8): the task's persona, a neutral user, and solo, where all is said at once.
- *Tools*: the tools of the task's domains, all 66, or only those that its solution needs.
- *Cross-domain*: what it costs to have all tools (single-domain tasks with all tools against the same tasks with their
  own), told apart from what cross tasks cost beyond that (cross tasks against single-domain tasks with all tools). The
  paper compares cross tasks with single-domain ones and their own tools, which mixes the two (section 4.2). The second
  is between different tasks: whatever else makes cross tasks harder is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from vitagym.analysis.intervals import RESAMPLES, Figure, Method, difference_of_shares, mean_over_tasks, wilson
from vitagym.analysis.metrics import METRICS
from vitagym.analysis.rows import Mode, Row, by_task, conditions, mode, tools_on_offer
from vitagym.analysis.summary import figure_of, task_values
from vitagym.domains import CROSS

_TOOLS = ("own", "all", "needed")
_SUCCESS = METRICS["success"]
Difference = Callable[[list[Row], list[Row]], Figure]


@dataclass(frozen=True, slots=True)
class Contrast:
    """How much success differs between two arms.

    Attributes:
        one, other: The arms.
        difference: Success with ``one`` less success with ``other``.
        paired: Whether both are on the same tasks.
    """

    one: str
    other: str
    difference: Figure
    paired: bool

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        return {**{name: getattr(self, name) for name in self.__slots__}, "difference": self.difference.data()}


@dataclass(frozen=True, slots=True)
class Ablation:
    """An agent under several arms.

    Attributes:
        arms: Arm -> success.
        contrasts: Differences between arms, as far as both were played.
    """

    arms: dict[str, Figure]
    contrasts: tuple[Contrast, ...]

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        arms = {arm: figure.data() for arm, figure in self.arms.items()}
        return {"arms": arms, "contrasts": [contrast.data() for contrast in self.contrasts]}


def interaction_ablation(rows: Iterable[Row], *, seed: int = 0, resamples: int = RESAMPLES) -> dict[str, Ablation]:
    """Return for each condition that was played with several kinds of user what each of them does to its success.

    All users of a kind count as one: rows with several user models are to be handed over model by model.
    """
    wanted = ((Mode.NEUTRAL, Mode.PERSONA), (Mode.SOLO, Mode.NEUTRAL), (Mode.SOLO, Mode.PERSONA))
    compare = _Compare(seed, resamples)
    return compare.arms(conditions(rows, apart=("user", "persona")), mode, tuple(Mode), wanted)


def tools_ablation(rows: Iterable[Row], *, seed: int = 0, resamples: int = RESAMPLES) -> dict[str, Ablation]:
    """Return for each condition that was played with several sets of tools what each of them does to its success."""
    wanted = (("all", "own"), ("needed", "own"))
    compare = _Compare(seed, resamples)
    return compare.arms(conditions(rows, apart=("tools",)), tools_on_offer, _TOOLS, wanted)


def cross_cost(rows: Iterable[Row], *, seed: int = 0, resamples: int = RESAMPLES) -> dict[str, Ablation]:
    """Return for each condition what all tools cost, and what cross tasks cost beyond that.

    Cross tasks have all tools, whether they were played with ``own`` or with ``all``.
    """
    compare = _Compare(seed, resamples)
    found = {}
    for name, listed in conditions(rows, apart=("tools",)).items():
        arms = {
            "single, own tools": [r for r in listed if r["domain"] != CROSS and tools_on_offer(r) == "own"],
            "single, all tools": [r for r in listed if r["domain"] != CROSS and tools_on_offer(r) == "all"],
            "cross": [r for r in listed if r["domain"] == CROSS and tools_on_offer(r) != "needed"],
        }
        arms = {arm: of_arm for arm, of_arm in arms.items() if of_arm}
        if "cross" in arms and len(arms) > 1:
            contrasts = (
                ("single, all tools", "single, own tools", compare.paired),
                ("cross", "single, all tools", compare.unpaired),
                ("cross", "single, own tools", compare.unpaired),
            )
            found[name] = compare.ablation(arms, contrasts)
    return found


@dataclass(frozen=True, slots=True)
class _Compare:
    """Compares arms, with intervals from one seed and number of resamples."""

    seed: int
    resamples: int

    def arms(
        self,
        by_condition: Mapping[str, list[Row]],
        arm_of: Callable[[Row], str],
        order: tuple[str, ...],
        wanted: Iterable[tuple[str, str]],
    ) -> dict[str, Ablation]:
        """Return the ablation of each condition that has several arms."""
        contrasts = [(str(one), str(other), self.paired) for one, other in wanted]
        found = {}
        for name, listed in by_condition.items():
            arms: dict[str, list[Row]] = {}
            for row in listed:
                arms.setdefault(arm_of(row), []).append(row)
            if len(arms) > 1:
                found[name] = self.ablation({str(arm): arms[arm] for arm in order if arm in arms}, contrasts)
        return found

    def ablation(self, arms: Mapping[str, list[Row]], wanted: Iterable[tuple[str, str, Difference]]) -> Ablation:
        """Return success in each arm, and the contrasts that are wanted and can be had."""
        return Ablation(
            {arm: figure_of(found, _SUCCESS, seed=self.seed, resamples=self.resamples) for arm, found in arms.items()},
            tuple(
                Contrast(one, other, difference(arms[one], arms[other]), difference == self.paired)
                for one, other, difference in wanted
                if one in arms and other in arms
            ),
        )

    def paired(self, one: list[Row], other: list[Row]) -> Figure:
        """Return the mean difference of success over the tasks of both."""
        first, second = by_task(one), by_task(other)
        differences, episodes = [], 0
        for task in sorted(first.keys() & second.keys()):
            here, there = task_values(first[task], _SUCCESS), task_values(second[task], _SUCCESS)
            if here and there:
                differences.append(_mean(here[0]) - _mean(there[0]))
                episodes += len(here[0]) + len(there[0])
        if len(differences) > 1 and not any(differences):
            # Drawing tasks would always give 0: as far as this many tasks can tell, few of them differ.
            most = wilson(0, len(differences))[1]
            return Figure(0.0, -most, most, Method.WILSON, episodes, len(differences))
        return mean_over_tasks(differences, episodes, seed=self.seed, resamples=self.resamples)

    def unpaired(self, one: list[Row], other: list[Row]) -> Figure:
        """Return the difference of success between different tasks."""
        first, second = task_values(one, _SUCCESS), task_values(other, _SUCCESS)
        episodes = sum(map(len, (*first, *second)))
        means = [_mean(values) for values in first], [_mean(values) for values in second]
        return difference_of_shares(*means, episodes, seed=self.seed, resamples=self.resamples)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
