"""Rules that put each rubric that is not met down to one type of failure; the first that holds decides.

1. A prohibition fails with what it belongs to, and is put down to the same; broken by itself, the agent took the
   *wrong thing* (one too many, one that was to stay) or, for a budget, *ignored a constraint*.
2. It was met, is no longer, and nothing stands in the place of what met it: *undone*.
3. It rests on a point that the user had not said. Where the user ended the episode, or was asked and did not say it,
   the *user broke a rule*; where the point waits for a question, the agent *never asked*; else it *did not hear the
   user out*.
4. It asks that the user be told something: *not told*.
5. It is about a record that is not there, or about a record's status. All calls for it refused: *refusal repeated* if
   the same one was, else *refused*. The agent said that it is done: *claimed undone*. Only tools of domains that the
   task does not need were called: *wrong domain's tool*. Else *left undone*.
6. The record is there and it is about which thing was named: *wrong thing*. Else *ignored a constraint it had heard*,
   with the turn at which it was said and the one at which the record was last changed.

Which points a rubric rests on is what the task's points say that they convey. Where a task does not tell, points of the
whole task stand in for step 3, and only for a user that was not heard out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from vitagym.analysis.failures.behaviours import wrong_domain_calls
from vitagym.analysis.failures.goals import Deed, deeds_of, spare_records
from vitagym.analysis.failures.kinds import Failure, FailureType
from vitagym.analysis.failures.reading import Call, Reading, refused_again
from vitagym.domains import home_of, tool_named, toolset
from vitagym.rewards.checks import Existing, HasStatus, SpentAtMost, TalkCheck, Untouched
from vitagym.rewards.rubrics import RubricStatus
from vitagym.tasks.task import Release, Rubric, Task
from vitagym.tools.tool import Kind

_NAMED = frozenset(
    {"the_existing", "at_provider", "same_as", "dish", "course", "route", "service", "serves", "sort_is"}
)
"""Requirements that say which thing is meant, not what it has to be like."""
_USER_DONE = "user_done"


def causes(reading: Reading) -> Iterator[Failure]:
    """Yield why each rubric that is not met is not, one failure for all that have the same cause and evidence."""
    states = reading.row["rubrics"]
    unmet = [i for i, s in states.items() if s["status"] in (RubricStatus.PENDING, RubricStatus.OVERTURNED)]
    if reading.task is None:
        if unmet:
            yield Failure(FailureType.UNEXPLAINED, (), tuple(unmet))
        return
    rules = _Rules(reading, reading.task)
    found: dict[tuple[FailureType, tuple[int, ...], str], list[str]] = {}
    for rubric in unmet:
        cause = rules.cause(rubric)
        found.setdefault((cause.type, cause.turns, cause.about), []).append(rubric)
    for (what, turns, about), rubrics in found.items():
        yield Failure(what, turns, tuple(rubrics), about)


class _Rules:
    """The rules, for one episode."""

    def __init__(self, reading: Reading, task: Task) -> None:
        self.reading, self.task = reading, task
        self.rubrics = {rubric.id: rubric for rubric in task.rubrics}
        self.states = reading.row["rubrics"]
        self.deeds: dict[str, Deed] = deeds_of(reading, task)
        self._mapped = any(point.conveys for point in task.points)

    def cause(self, rubric_id: str) -> Failure:
        """Return why a rubric is not met."""
        rubric = self.rubrics.get(rubric_id)
        if rubric is None or rubric.check is None:
            return Failure(FailureType.UNEXPLAINED, ())
        if rubric.prohibition:
            return self._prohibition(rubric)
        deed = self.deeds.get(rubric.goal or "")
        state = self.states[rubric_id]
        if state["status"] == RubricStatus.OVERTURNED and (deed is None or deed.record is None):
            return Failure(FailureType.UNDONE, (state["turn"],), about=rubric.goal or "")
        unsaid = self._unsaid(rubric, deed)
        if unsaid is not None:
            return unsaid
        if isinstance(rubric.check, TalkCheck):
            return Failure(FailureType.NOT_TOLD, (self.reading.last_turn,), about=rubric.goal or "")
        is_deed = isinstance(rubric.check, HasStatus)
        if deed is None or deed.record is None or is_deed:
            return self._missing(rubric, deed)
        at = deed.record.turns[-1:]
        if rubric.requirement in _NAMED or isinstance(rubric.check, Existing):
            return Failure(FailureType.WRONG_ENTITY, at, about=deed.record.id)
        points = self._points(rubric) or self._points_of_goal(rubric)
        heard = [self.reading.said[p] for p in points if p in self.reading.said]
        if not self.reading.tells_points:
            return Failure(FailureType.UNEXPLAINED, at, about=deed.record.id)
        return Failure(FailureType.CONSTRAINT_IGNORED, tuple(sorted({*heard, *at})), about=rubric.requirement)

    def _prohibition(self, rubric: Rubric) -> Failure:
        positives = [r for r in self.task.rubrics if not r.prohibition]
        scope = [r for r in positives if r.goal == rubric.goal] or positives
        first = next((r.id for r in scope if self.states[r.id]["status"] != RubricStatus.MET), None)
        if first is not None:
            if self.states[first]["status"] == RubricStatus.UNSCORED:
                return Failure(FailureType.UNEXPLAINED, ())
            return self.cause(first)
        if isinstance(rubric.check, SpentAtMost):
            turns = tuple(sorted(turn for one in self.reading.made for turn in one.turns[-1:]))
            return Failure(FailureType.CONSTRAINT_IGNORED, turns, about=rubric.requirement)
        if isinstance(rubric.check, Untouched):
            touched = [one for one in self.reading.made if not one.is_new and rubric.check.id in (None, one.id)]
        else:
            touched = spare_records(self.reading, self.deeds.values())
        turns = tuple(sorted({turn for one in touched for turn in one.turns}))
        if not turns:  # As many records as wanted, with too many pieces.
            turns = tuple(sorted(turn for one in self.reading.made for turn in one.turns[:1]))
        return Failure(FailureType.WRONG_ENTITY, turns, about=touched[0].id if touched else rubric.requirement)

    def _points(self, rubric: Rubric) -> list[str]:
        """Return the points that a rubric rests on; one that changes another stands in its place."""
        pairs = ((point, said) for point in self.task.points for said in point.conveys)
        found = [p.id for p, said in pairs if (said.goal, said.kind) == (rubric.goal, rubric.requirement)]
        return list(dict.fromkeys(found))

    def _unsaid(self, rubric: Rubric, deed: Deed | None) -> Failure | None:
        """Return whose fault it is that something was not said; None where nothing is missing, or nobody can tell."""
        if not self.reading.tells_points:
            return None
        needed = self._points(rubric)
        if deed is None or deed.record is None:
            needed += [p for p in self._points_of_goal(rubric) if p in self.reading.instructed]
        missing = [p for p in dict.fromkeys(needed) if p not in self.reading.said]
        if not missing:
            return None
        point = self.reading.points[missing[0]]
        slots = {point.slot, *point.also}
        asked = [turn for turn, _, heard in self.reading.utterances if slots & set(heard.asked)]
        last = self.reading.user_turns[-1][0]
        waits = point.release is Release.ASKED
        if waits and asked and asked[-1] < last:
            return Failure(FailureType.USER_BROKE_RULE, (asked[-1],), about=point.id)
        if not waits and self.reading.row["end_reason"] == _USER_DONE:
            return Failure(FailureType.USER_BROKE_RULE, (last,), about=point.id)
        at = deed.record.turns[-1] if deed is not None and deed.record is not None else self.reading.last_turn
        return Failure(FailureType.NEVER_ASKED if waits else FailureType.NOT_HEARD_OUT, (at,), about=point.id)

    def _points_of_goal(self, rubric: Rubric) -> list[str]:
        if not self._mapped:
            return [point.id for point in self.task.points]
        return [p.id for p in self.task.points if any(said.goal == rubric.goal for said in p.conveys)]

    def _missing(self, rubric: Rubric, deed: Deed | None) -> Failure:
        """Return why a record is not there, or not in its status."""
        goal = rubric.goal or ""
        if deed is not None:
            refused = self._refused(deed)
            if refused is not None:
                return refused
        claim = self._claim(deed)
        if claim is not None:
            return Failure(FailureType.CLAIMED_UNDONE, (claim,), about=goal)
        wrong = wrong_domain_calls(self.reading)
        if wrong and deed is not None and not self._calls(lambda call: deed.is_served_by(home_of(call.name))):
            return Failure(FailureType.WRONG_DOMAIN_TOOL, tuple(call.turn for call in wrong), about=wrong[0].name)
        return Failure(FailureType.LEFT_UNDONE, (self.reading.last_turn,), about=goal)

    def _refused(self, deed: Deed) -> Failure | None:
        """Return that all calls that would have done it were refused; None where one was accepted, or none was made."""
        tried = self._calls(lambda call: tool_named(call.name).kind is Kind.WRITE and deed.is_done_by(call.name))
        if deed.record is not None:
            tried = [call for call in tried if call.result_turn > deed.record.turns[-1]]
        if not tried or not all(call.refused for call in tried):
            return None
        again = refused_again(tried, self.reading)
        if again:
            turns = sorted({turn for pair in again for turn in (pair[0].turn, pair[1].turn)})
            return Failure(FailureType.REFUSAL_REPEATED, tuple(turns), about=again[0][1].name)
        return Failure(FailureType.REFUSED, tuple(call.turn for call in tried), about=tried[-1].name)

    def _claim(self, deed: Deed | None) -> int | None:
        """Return the turn at which the agent said that this is done; None where it never said so."""
        for turn, words, heard in self.reading.claims:
            names_it = deed is not None and any(name in words for name in deed.names)
            if heard.everything or names_it or not self.reading.changed_before(turn):
                return turn
        return None

    def _calls(self, which: Callable[[Call], bool]) -> list[Call]:
        known = toolset(("cross",))
        return [call for call in self.reading.calls if call.name in known and which(call)]


def explained(failures: Iterable[Failure]) -> dict[str, FailureType]:
    """Return rubric -> the type of failure that it is put down to."""
    return {rubric: failure.type for failure in failures for rubric in failure.rubrics}
