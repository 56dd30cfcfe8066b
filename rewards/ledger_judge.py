"""The ledger judge, for public tasks: the final records against the orders that the data expects.

It sees no words, so every rubric that is a sentence stays unscored. What it does see it reports beside the rubrics:
``ledger_success`` and ``ledger_score``. It says so where there is nothing to compare.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from vitagym.rewards.expectation import Goal, goals_of
from vitagym.rewards.judge import Scores
from vitagym.rewards.matching import best_assignment
from vitagym.rewards.records import is_live, kind_of
from vitagym.rewards.rubrics import RubricState, RubricStates, RubricStatus
from vitagym.tasks.checks import Evidence
from vitagym.tasks.task import Task
from vitagym.world.ledger import Ledger
from vitagym.world.records import Record


@dataclass(frozen=True, slots=True)
class Comparison:
    """One expected record and the record that was found for it.

    Attributes:
        expected: Id of the expected record in the data.
        found: Id of the record found; None where there is none.
        missed: Names of what the two do not share; all that is compared where none was found.
        compared: How many things are compared.
        optional: Whether it may be missing.
    """

    expected: str
    found: str | None
    missed: tuple[str, ...]
    compared: int
    optional: bool

    @property
    def same(self) -> bool:
        """Whether it is there as expected, or missing where it may be."""
        return not self.missed or (self.optional and self.found is None)


@dataclass(frozen=True, slots=True)
class LedgerReport:
    """How the records of an episode compare with the expected ones.

    Attributes:
        comparisons: One for each expected record.
        surplus: Ids of records that were made, or changed, and are none of them.
        score: Share of what is compared that is as expected, each surplus record counted as one thing that is not;
            None where nothing is expected.
    """

    comparisons: tuple[Comparison, ...]
    surplus: tuple[str, ...]
    score: float | None

    @property
    def success(self) -> bool | None:
        """Whether all expected records are there and no others; None where nothing is expected."""
        if self.score is None:
            return None
        return not self.surplus and all(comparison.same for comparison in self.comparisons)


def compare(goals: tuple[Goal, ...], ledger: Ledger) -> LedgerReport:
    """Return how the records that were made or changed so far compare with the expected ones."""
    new, touched = _changed(ledger)
    found = _matched(goals, new, touched)
    comparisons = tuple(_comparison(goal, found[i]) for i, goal in enumerate(goals))
    # A record that is like an optional one in part only is none of the expected.
    used = {c.found for c in comparisons if not (c.optional and c.missed)}
    surplus = tuple(r.id for r in (*new.values(), *touched.values()) if r.id not in used)
    required = [c for c in comparisons if not c.optional]
    compared = sum(c.compared for c in required) + len(surplus)
    same = sum(c.compared - len(c.missed) for c in required)
    return LedgerReport(comparisons, surplus, same / compared if required else None)


class LedgerJudge:
    """Judges a public task by its expected orders; no rubric gets a state from it.

    Args:
        task: The task.
    """

    def __init__(self, task: Task) -> None:
        self._goals: tuple[Goal, ...] = task.built("expected records", goals_of)
        unscored = RubricState(RubricStatus.UNSCORED, -1, "a ledger does not show it")
        self._states: RubricStates = {rubric.id: unscored for rubric in task.rubrics}
        self._changes = 0
        self.report = compare(self._goals, task.catalogue.new_ledger())

    @property
    def states(self) -> RubricStates:
        """State of each rubric of the task: unscored."""
        return self._states

    @property
    def scores(self) -> Scores:
        """``ledger_success`` (None where nothing is expected) and ``ledger_score`` (0 to 1, or None)."""
        return {"ledger_success": self.report.success, "ledger_score": self.report.score}

    def update(self, evidence: Evidence, *, final: bool) -> RubricStates:
        """Compare again where the ledger has changed; the states stay as they are."""
        del final
        ledger = evidence.world.ledger
        if len(ledger.changes) != self._changes:
            self._changes = len(ledger.changes)
            self.report = compare(self._goals, ledger)
        return self._states

    def fork(self) -> Self:
        """Return a judge that goes on from here by itself."""
        other = type(self).__new__(type(self))
        other._goals, other._states = self._goals, self._states
        other._changes, other.report = self._changes, self.report
        return other


def _changed(ledger: Ledger) -> tuple[dict[str, Record], dict[str, Record]]:
    """Return the new records that stand, and the old ones that were changed, as they are now."""
    new: dict[str, Record] = {}
    touched: dict[str, Record] = {}
    for change in ledger.changes:
        record = change.after
        (new if change.before is None or record.id in new else touched)[record.id] = record
    return {key: record for key, record in new.items() if is_live(record)}, touched


def _matched(goals: tuple[Goal, ...], new: dict[str, Record], touched: dict[str, Record]) -> list[Record | None]:
    """Return the record of each goal: the assignment that shares the most, required goals before optional ones."""
    found: list[Record | None] = [None if goal.old is None else touched.get(goal.old) for goal in goals]
    for kind in {goal.kind: None for goal in goals}:
        rows = [i for i, goal in enumerate(goals) if goal.old is None and goal.kind == kind]
        records = [record for record in new.values() if kind_of(record) == kind]
        if not rows:
            continue
        values = [[_value(goals[i], record) for record in records] for i in rows]
        for i, column in zip(rows, best_assignment(values), strict=True):
            found[i] = None if column is None else records[column]
    return found


def _value(goal: Goal, record: Record) -> int:
    missed = goal.missed(record)
    if "provider" in missed:
        return 0
    shared = len(goal.aspects) - len(missed)
    # An optional record never takes one that a required goal can use, and takes only what is wholly like it.
    if goal.optional:
        return 1 if shared == len(goal.aspects) else 0
    return 2 * shared


def _comparison(goal: Goal, record: Record | None) -> Comparison:
    missed = tuple(goal.aspects) if record is None else goal.missed(record)
    return Comparison(goal.id, None if record is None else record.id, missed, len(goal.aspects), goal.optional)
