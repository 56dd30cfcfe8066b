"""Overlapping windows of a transcript, and a judge that goes from one to the next (paper: section 3.3).

A window is ``width`` messages, the first ``overlap`` of them shared with the window before. It is judged when it is
full, the rest when the episode ends; states are carried from window to window. Which windows there are depends on the
number of messages alone, so that a judge asked after every turn, and one that reads the finished transcript, see the
same windows with the same states and end in the same states.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self

from vitagym.dialogue.transcript import Turn
from vitagym.errors import CallerError
from vitagym.llm.asking import Asking, run
from vitagym.rewards.judge import Scores
from vitagym.rewards.rubrics import RubricState, RubricStates, RubricStatus
from vitagym.tasks.checks import Evidence
from vitagym.tasks.task import Task


@dataclass(frozen=True, slots=True)
class Windows:
    """How a transcript is cut.

    Attributes:
        width: Messages a window; None: one window, the whole transcript at its end.
        overlap: How many of them the window before has too.
    """

    width: int | None = 10
    overlap: int = 2

    def __post_init__(self) -> None:
        if self.width is not None and not self.width > self.overlap >= 0:
            raise CallerError(f"width={self.width!r}, overlap={self.overlap!r}: allowed is width > overlap >= 0")

    def since(self, start: int, messages: int, *, final: bool) -> Iterator[tuple[int, int]]:
        """Return the windows that can be judged, each as its first message and the one after its last.

        Args:
            start: Where the next window begins: 0, or ``next_start`` of the last one judged.
            messages: How many messages there are.
            final: Whether there will be no more; then what is left is a window, if any of it is new.
        """
        if self.width is None:
            if final and messages and start == 0:
                yield 0, messages
            return
        while start + self.width <= messages:
            yield start, start + self.width
            start = self.next_start(start)
        new = start + self.overlap if start else 0
        if final and new < messages:
            yield start, messages

    def next_start(self, start: int) -> int:
        """Return where the window after the one that begins at ``start`` begins."""
        return start + (1 if self.width is None else self.width - self.overlap)


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one rubric in one window.

    Attributes:
        met: Whether it is met at the end of the window; None: that could not be found out.
        reason: Why.
    """

    met: bool | None
    reason: str


@dataclass(frozen=True, slots=True)
class Assessment:
    """What one window shows.

    Attributes:
        findings: By rubric id; a rubric that is left out stays as it is.
        spent: What it took, by name; a judge reports the sums.
    """

    findings: Mapping[str, Finding]
    spent: Mapping[str, float] = field(default_factory=dict)


class Assessor(Protocol):
    """Looks at one window. It keeps nothing from window to window: all that it needs to know it is given."""

    @property
    def spends(self) -> tuple[str, ...]:
        """The names of what a window takes, the same for every window."""

    def assessing(self, task: Task, window: Sequence[Turn], states: RubricStates) -> Asking[Assessment]:
        """Ask what it takes, and return what the window shows.

        Args:
            task: The task.
            window: The messages of the window.
            states: The states before it.
        """


class WindowedJudge:
    """Judges window by window with an assessor.

    A rubric that a window left unknown is unscored until a later window finds it met: nobody can say any more that it
    was not.

    Args:
        task: The task whose rubrics are judged.
        assessor: Who looks at a window.
        windows: How the transcript is cut.
    """

    def __init__(self, task: Task, assessor: Assessor, windows: Windows) -> None:
        self._task, self._assessor, self._windows = task, assessor, windows
        self._start = 0
        nothing = RubricState(RubricStatus.PENDING, -1, "no window so far")
        self._states: dict[str, RubricState] = {rubric.id: nothing for rubric in task.rubrics}
        self._spent: dict[str, float] = dict.fromkeys(assessor.spends, 0)

    @property
    def states(self) -> RubricStates:
        """State of each rubric of the task, by rubric id, in the task's order."""
        return dict(self._states)

    @property
    def scores(self) -> Scores:
        """What the windows so far have taken."""
        return dict(self._spent)

    def update(self, evidence: Evidence, *, final: bool) -> RubricStates:
        """Judge the windows that have filled; at the end also what is left."""
        return run(self.updating(evidence, final=final))

    def updating(self, evidence: Evidence, *, final: bool) -> Asking[RubricStates]:
        """Do the same, asking the models on the way."""
        turns = evidence.transcript.turns
        for start, end in self.ready(evidence, final=final):
            shown = yield from self._assessor.assessing(self._task, turns[start:end], self.states)
            self.enter(shown, start, end)
        return self.states

    def ready(self, evidence: Evidence, *, final: bool) -> Iterator[tuple[int, int]]:
        """Return the windows that can be judged and have not been, each to be entered before the next is taken."""
        return self._windows.since(self._start, len(evidence.transcript.turns), final=final)

    def enter(self, assessment: Assessment, start: int, end: int) -> None:
        """Take in what the window from ``start`` to before ``end`` shows."""
        for rubric_id, finding in assessment.findings.items():
            before = self._states[rubric_id].status
            after = _following(before, finding.met)
            if after is not before:
                self._states[rubric_id] = RubricState(after, end - 1, finding.reason)
        for name, amount in assessment.spent.items():
            self._spent[name] += amount
        self._start = self._windows.next_start(start)

    def fork(self) -> Self:
        """Return a judge that goes on from here by itself."""
        other = type(self)(self._task, self._assessor, self._windows)
        other._start, other._states, other._spent = self._start, dict(self._states), dict(self._spent)
        return other


def _following(before: RubricStatus, met: bool | None) -> RubricStatus:
    if met is None:
        return RubricStatus.UNSCORED
    if met:
        return RubricStatus.MET
    return RubricStatus.OVERTURNED if before is RubricStatus.MET else before
