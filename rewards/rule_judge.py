"""The rule judge: exact states after every turn, for rubrics that carry a check.

It goes over turns and over the ledger's changes, each once and in their order, so that it ends in the same states
whether it is asked after every turn or once at the end. It knows neither the user nor the reference solution.
"""

from __future__ import annotations

from typing import Self

from vitagym.dialogue.transcript import Role, Turn
from vitagym.rewards.judge import Scores
from vitagym.rewards.matching import best_assignment
from vitagym.rewards.phrases import Said
from vitagym.rewards.plan import Plan, make_plan
from vitagym.rewards.records import is_live, kind_of
from vitagym.rewards.rubrics import RubricState, RubricStates, RubricStatus
from vitagym.tasks.checks import Evidence, Verdict
from vitagym.tasks.task import Task
from vitagym.world.ledger import Change
from vitagym.world.records import Record

_UNREACHED = Verdict(False, "the goal that it belongs to is not reached")
_NOTHING = {True: Verdict(True, "nothing said so far"), False: Verdict(False, "nothing done so far")}


class RuleJudge:
    """Judges by the rubrics' checks.

    A rubric without a check is unscored. One that was met and no longer is was overturned by the agent: the checks
    never change during an episode, so nothing but the agent's own acts can undo what holds.

    Args:
        task: The task whose rubrics are judged.
    """

    def __init__(self, task: Task) -> None:
        self._plan: Plan = task.built("plan of the rules", _plan)
        self._turns = 0
        self._changes = 0
        self._new: dict[str, Record] = {}
        self._touched: dict[str, Record] = {}
        self._worth: dict[tuple[int, str], tuple[int, tuple[Verdict, ...]]] = {}
        self._on_records: dict[int, Verdict] = self._match()
        self._on_talk: dict[int, Verdict] = {i: _NOTHING[check.forbids] for i, check in self._plan.talk}
        self._on_calls: dict[int, Verdict] = {i: _NOTHING[False] for i, _ in self._plan.calls}
        self._states: list[RubricState] = [
            RubricState(RubricStatus.UNSCORED, -1, self._plan.unscored[i])
            if i in self._plan.unscored
            else RubricState(RubricStatus.PENDING, -1, "nothing done so far")
            for i in range(len(self._plan.ids))
        ]
        self._shown: RubricStates | None = None
        if self._plan.blind:
            self._enter(-1)

    @property
    def states(self) -> RubricStates:
        """State of each rubric of the task, by rubric id, in the task's order; one object as long as none changes."""
        if self._shown is None:
            self._shown = dict(zip(self._plan.ids, self._states, strict=True))
        return self._shown

    @property
    def scores(self) -> Scores:
        """Nothing: the states say it all."""
        return {}

    def update(self, evidence: Evidence, *, final: bool) -> RubricStates:
        """Look at what is new and return the states; the reasons of pending ones are filled in at the end."""
        changes, turns = evidence.world.ledger.changes, evidence.transcript.turns
        for turn in turns[self._turns :]:
            if turn.role is Role.TOOL:
                self._look(turn)
                if turn.result is not None and turn.result.changes > self._changes:
                    self._follow(changes[self._changes : turn.result.changes], turn.index)
            elif turn.role is Role.ASSISTANT and not turn.calls:
                self._hear(turn, evidence)
        self._turns = len(turns)
        if len(changes) > self._changes:
            self._follow(changes[self._changes :], self._turns - 1)
        if final:
            self._explain()
        return self.states

    def fork(self) -> Self:
        """Return a judge that goes on from here by itself."""
        other = type(self).__new__(type(self))
        other._plan, other._turns, other._changes = self._plan, self._turns, self._changes
        other._new, other._touched = dict(self._new), dict(self._touched)
        other._worth = dict(self._worth)
        other._on_records, other._on_talk = dict(self._on_records), dict(self._on_talk)
        other._on_calls = dict(self._on_calls)
        other._states, other._shown = list(self._states), self._shown
        return other

    def _follow(self, changes: list[Change], turn: int) -> None:
        for change in changes:
            record = change.after
            if record.id in self._new or change.before is None:
                self._new[record.id] = record
            else:
                self._touched[record.id] = record
            for s in range(len(self._plan.slots)):
                self._worth.pop((s, record.id), None)
        self._changes += len(changes)
        self._on_records = self._match()
        self._enter(turn)

    def _hear(self, turn: Turn, evidence: Evidence) -> None:
        open_checks = [(i, check) for i, check in self._plan.talk if self._on_talk[i].met is check.forbids]
        if not open_checks:
            return
        today, before = evidence.world.catalogue.time.date(), evidence.transcript.turns[: turn.index]
        said = Said(turn.text, turn.index, self._changes > 0, today, before)
        heard = False
        for i, check in open_checks:
            self._on_talk[i] = verdict = check.verdict(said)
            heard = heard or verdict.met is not check.forbids
        if heard:
            self._enter(turn.index)

    def _look(self, turn: Turn) -> None:
        found = False
        for i, check in self._plan.calls:
            if not self._on_calls[i].met:
                self._on_calls[i] = verdict = check.verdict(turn, self._changes > 0)
                found = found or verdict.met
        if found:
            self._enter(turn.index)

    def _match(self) -> dict[int, Verdict]:
        """Return the verdict on every record requirement, each goal matched to its record."""
        slots = self._plan.slots
        of_kind: dict[str, list[int]] = {}
        verdicts: dict[int, Verdict] = {}
        for s, slot in enumerate(slots):
            if slot.existing is None:
                of_kind.setdefault(slot.record, []).append(s)
            else:
                self._judge(s, self._touched.get(slot.existing), verdicts)
        for kind, rows in of_kind.items():
            records = [r for r in self._new.values() if kind_of(r) == kind and is_live(r)]
            values = [[self._value(s, record)[0] for record in records] for s in rows]
            for s, column in zip(rows, best_assignment(values), strict=True):
                self._judge(s, None if column is None else records[column], verdicts)
        return verdicts

    def _value(self, s: int, record: Record) -> tuple[int, tuple[Verdict, ...]]:
        """Return how many requirements of a slot the record meets, and the verdicts; remembered until it changes."""
        known = self._worth.get((s, record.id))
        if known is None:
            known = self._worth[(s, record.id)] = self._plan.slots[s].value(record)
        return known

    def _judge(self, s: int, record: Record | None, verdicts: dict[int, Verdict]) -> None:
        slot = self._plan.slots[s]
        if record is None:
            none = Verdict(False, f"no {slot.record} record of this goal")
            for i, _, _ in slot.checks:
                verdicts[i] = none
        else:
            for (i, _, _), verdict in zip(slot.checks, self._value(s, record)[1], strict=True):
                verdicts[i] = verdict

    def _verdicts(self) -> dict[int, Verdict]:
        """Return the verdict on every rubric that rules can decide; a prohibition counts only with its goal."""
        found = {**self._on_records, **self._on_talk, **self._on_calls}
        missed = {
            i
            for i, positives in self._plan.positives_of.items()
            if not all(found[p].met for p in positives if p in found)
        }
        found |= {i: _UNREACHED for i in missed if i in found}
        for i, check in self._plan.absences:
            found[i] = _UNREACHED if i in missed else check.verdict(self._new, self._touched)
        return found

    def _enter(self, turn: int) -> None:
        """Bring the states up to the verdicts; only what differs changes its turn."""
        for i, verdict in self._verdicts().items():
            status = self._states[i].status
            if status is (RubricStatus.MET if verdict.met else RubricStatus.PENDING):
                continue
            following = self._following(i, status, verdict.met)
            if following is not status:
                self._states[i], self._shown = RubricState(following, turn, verdict.reason), None

    def _following(self, i: int, status: RubricStatus, met: bool) -> RubricStatus:
        if met:
            return RubricStatus.UNSCORED if i in self._plan.blind else RubricStatus.MET
        if status is RubricStatus.MET:
            return RubricStatus.OVERTURNED
        return RubricStatus.PENDING if status is RubricStatus.UNSCORED else status

    def _explain(self) -> None:
        for i, verdict in self._verdicts().items():
            state = self._states[i]
            if state.status is RubricStatus.PENDING:
                self._states[i], self._shown = RubricState(state.status, state.turn, verdict.reason), None


def _plan(task: Task) -> Plan:
    return make_plan(task.rubrics)
