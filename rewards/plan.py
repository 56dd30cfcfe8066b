"""How the rules go about a task's rubrics: sorted once by what each looks at.

Who belongs together: a *slot* is the requirements of one goal on one kind of record. A prohibition hangs on the
positive rubrics of its goal, or of the whole task.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from vitagym.errors import CallerError
from vitagym.rewards.absence_checks import AbsenceCheck
from vitagym.rewards.call_checks import CallCheck
from vitagym.rewards.record_checks import Existing, HasStatus, RecordCheck
from vitagym.rewards.records import Meaning
from vitagym.rewards.talk_checks import TalkCheck
from vitagym.tasks.checks import Verdict
from vitagym.tasks.task import Rubric
from vitagym.world.records import Record

Value = tuple[int, tuple[Verdict, ...]]
_REMEMBERED = 256
"""So many records are remembered a goal; then they are forgotten together."""
_REACHED = 1000
"""What a reached goal counts for: more than all the requirements of a task."""


@dataclass
class Slot:
    """The requirements of one goal on one record.

    Attributes:
        record: The kind of record.
        existing: Id of the old record that it must be; None: a new one.
        checks: The requirements, each with the place of its rubric and whether it is a prohibition.
    """

    record: str
    existing: str | None = None
    checks: list[tuple[int, RecordCheck, bool]] = field(default_factory=list)
    _known: dict[Record, Value] = field(default_factory=dict)

    def value(self, record: Record) -> Value:
        """Return what a record is worth, and the verdicts on it; episodes of the task that make the same share it."""
        found = self._known.get(record)
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            verdicts = tuple([check.on(record) for _, check, _ in self.checks])
            found = self._known[record] = (self.worth(verdicts), verdicts)
        return found

    def worth(self, verdicts: Sequence[Verdict]) -> int:
        """Return what a record is worth to the goal: how many requirements it meets, and far more once it meets all.

        Its prohibitions count only once all the others are met. A record that is all that its goal wants is never
        given to another goal, of which it would meet more and still not all.
        """
        positive = [v.met for (_, _, forbids), v in zip(self.checks, verdicts, strict=True) if not forbids]
        return sum(positive) if not all(positive) else _REACHED + sum(v.met for v in verdicts)


@dataclass(frozen=True)
class Plan:
    """A task's rubrics by what their checks look at; rubrics are named by their place.

    Attributes:
        ids: Ids of the rubrics.
        slots: Requirements on records.
        talk: Requirements on what is said.
        calls: Requirements on what is looked up.
        absences: Requirements on what must not be.
        positives_of: For each prohibition: the rubrics that must be met for it to count.
        unscored: Rubrics that no rule can decide, each with the reason.
        blind: Prohibitions that hang on an unscored rubric, so that nobody can say when they count.
    """

    ids: tuple[str, ...]
    slots: tuple[Slot, ...]
    talk: tuple[tuple[int, TalkCheck], ...]
    calls: tuple[tuple[int, CallCheck], ...]
    absences: tuple[tuple[int, AbsenceCheck], ...]
    positives_of: dict[int, tuple[int, ...]]
    unscored: dict[int, str]
    blind: frozenset[int]


def make_plan(rubrics: Sequence[Rubric]) -> Plan:
    """Return the plan for some rubrics; raises CallerError where they contradict themselves."""
    slots: dict[tuple[str | None, str], Slot] = {}
    talk: list[tuple[int, TalkCheck]] = []
    calls: list[tuple[int, CallCheck]] = []
    absences: list[tuple[int, AbsenceCheck]] = []
    unscored: dict[int, str] = {}
    for i, rubric in enumerate(rubrics):
        check = rubric.check
        if isinstance(check, RecordCheck):
            slot = slots.setdefault((rubric.goal, check.record.value), Slot(check.record.value))
            slot.checks.append((i, check, rubric.prohibition))
            if isinstance(check, Existing):
                slot.existing = check.id
        elif isinstance(check, TalkCheck):
            talk.append((i, check))
        elif isinstance(check, CallCheck):
            calls.append((i, check))
        elif isinstance(check, AbsenceCheck):
            absences.append((i, check))
        else:
            unscored[i] = "words only" if check is None else f"no rule for checks of kind {check.kind}"
    _refuse_contradictions(slots.values(), rubrics)
    positives = _positives(rubrics)
    return Plan(
        ids=tuple(r.id for r in rubrics),
        slots=tuple(slots.values()),
        talk=tuple(talk),
        calls=tuple(calls),
        absences=tuple(absences),
        positives_of=positives,
        unscored=unscored,
        blind=frozenset(i for i, of in positives.items() if any(p in unscored for p in of)),
    )


def _positives(rubrics: Sequence[Rubric]) -> dict[int, tuple[int, ...]]:
    forbids = [r.prohibition or (r.check is not None and r.check.forbids) for r in rubrics]
    positive = [i for i, forbidding in enumerate(forbids) if not forbidding]
    out = {}
    for i, rubric in enumerate(rubrics):
        if not forbids[i]:
            continue
        own = tuple(p for p in positive if rubrics[p].goal == rubric.goal) if rubric.goal is not None else ()
        out[i] = own or tuple(positive)
        if not positive:
            raise CallerError(f"rubric {rubric.id!r} only forbids, and there is no positive rubric that it belongs to")
    return out


def _refuse_contradictions(slots: Iterable[Slot], rubrics: Sequence[Rubric]) -> None:
    for slot in slots:
        for i, check, _ in slot.checks:
            if slot.existing is None and isinstance(check, HasStatus) and check.meaning is Meaning.CANCELLED:
                raise CallerError(
                    f"rubric {rubrics[i].id!r} wants a cancelled record, but its goal names no existing one to cancel"
                )
