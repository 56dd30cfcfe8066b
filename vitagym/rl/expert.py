"""What the reference agent would choose among the candidates: for behaviour cloning, and to see what is in reach.

It knows the task's reference solution, and chooses among what the view offers. It goes by what was done so far, so it
can be asked at any moment, also after others have chosen. None: nothing that is offered leads on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from vitagym.dialogue.transcript import Role as Speaker
from vitagym.rewards.checks import ToldNone
from vitagym.rl.kinds import Candidate, Talk
from vitagym.rl.toolroles import Deed, roles
from vitagym.rl.view import SymbolicView
from vitagym.tasks.task import CallStep, EventKind, Point, Release, SayStep, Task
from vitagym.world.times import parse_time

_WRITES = frozenset({Deed.MAKE, Deed.PAY, Deed.CANCEL, Deed.CHANGE})
_READS = (Deed.PROFILE, Deed.CALENDAR, Deed.WEATHER, Deed.LIST, Deed.SEARCH, Deed.LOCATE, Deed.LOOK, Deed.DETAIL)
_PATIENCE = 3
"""So often the same is asked before something else is tried."""
_CLOSING = 6
_MINUTES = 45
"""Times of dispatch so far apart may still be the same order."""


def expert_choice(view: SymbolicView) -> int | None:
    """Return the number of the candidate that the reference agent would choose; None where none leads on."""
    chosen = _Expert(view).choice()
    return None if chosen is None else view.candidates.index(chosen)


class _Expert:
    """Where an episode stands, seen from the reference solution."""

    def __init__(self, view: SymbolicView) -> None:
        self._view = view
        self._task: Task = view.vita.task
        self._points = {point.id: point for point in self._task.points}
        self._belief = view.belief
        self._steps = [s for s in self._task.solution if not isinstance(s, CallStep) or _deed(s) in _WRITES]
        self._bound: dict[str, str] = {}
        self._at = self._progress()

    def choice(self) -> Candidate | None:
        """Return what to do next."""
        if self._at < len(self._steps):
            step = self._steps[self._at]
            missing = self._unsaid(self._before(step))
            if missing is not None:
                return self._elicit(missing)
            if isinstance(step, SayStep):
                return self._report(step)
            return self._write(step) or self._look_up(step)
        told = (point.id for point in self._task.points if point.release is not Release.ASKED)
        missing = self._unsaid(told)
        if missing is not None:
            return self._elicit(missing)
        closings = sum(c is not None and c.kind is Talk.REPORT_ALL for c in self._view.history[-_CLOSING:])
        return self._first(Talk.STOP if closings == _CLOSING else Talk.REPORT_ALL)

    def _progress(self) -> int:
        """Return how many steps have been done, by what was chosen and accepted; binds the ids of new records."""
        at = 0
        turns = self._view.vita.transcript.turns
        for n, turn in enumerate(turns):
            if at == len(self._steps) or turn.role is not Speaker.ASSISTANT:
                continue
            step = self._steps[at]
            if isinstance(step, SayStep):
                at += not turn.calls and self._reports(turn.text, step)
                continue
            after = turns[n + 1] if n + 1 < len(turns) else None
            call, result = (after.call, after.result) if after else (None, None)
            if call is not None and result is not None and result.ok and call.name == step.tool:
                if step.binds and isinstance(result.data, dict):
                    keys = ("order_id", "book_id", "reservation_id")
                    self._bound[step.binds] = next((str(result.data[k]) for k in keys if k in result.data), "")
                at += 1
        return at

    def _reports(self, said: str, step: SayStep) -> bool:
        kinds = (Talk.NONE,) if step.reports == "impossible" else (Talk.REPORT, Talk.REPORT_ALL)
        return any(c.kind in kinds and c.action == said for c in self._view.history if c)

    def _before(self, step: CallStep | SayStep) -> list[str]:
        """Return the points that have to be said before a step, or before a look-up on the way to it."""
        end = next(n for n, one in enumerate(self._task.solution) if one is step)
        start = 0
        if self._at:
            last = self._steps[self._at - 1]
            start = 1 + next(n for n, one in enumerate(self._task.solution) if one is last)
        return [point for one in self._task.solution[start : end + 1] for point in one.after]

    def _unsaid(self, wanted: Iterable[str]) -> Point | None:
        return next((self._points[one] for one in wanted if one not in self._belief.said), None)

    # ---- talk ----

    def _elicit(self, point: Point) -> Candidate | None:
        """Ask, or report what the point waits for."""
        tried = self._tries()
        if point.release is Release.EVENT and point.event is not None:
            return self._bring_about(point, tried)
        if point.release is Release.ASKED:
            slots = (point.slot, *point.also)
            asked = self._matching(lambda c: c.kind is Talk.ASK_SLOT and c.slot in slots)
            return asked[tried % len(asked)] if asked else None
        if tried < _PATIENCE:
            return self._first(Talk.ASK_MORE)
        asked = self._matching(lambda c: c.kind is Talk.ASK_SLOT and c.slot in (point.slot, *point.also))
        if asked and tried < 2 * _PATIENCE:
            return asked[tried % len(asked)]
        return self._first(Talk.ASK_OPEN)

    def _bring_about(self, point: Point, tried: int) -> Candidate | None:
        event = point.event
        reports = self._matching(lambda c: c.kind is Talk.REPORT)
        named = [c for c in reports if not event or not event.mention or _names(c.action, event.mention)]
        if event is not None and event.kind is EventKind.REPORTED and named and tried < _PATIENCE:
            return named[-1 - tried % len(named)]
        return self._first(Talk.REPORT_ALL)

    def _tries(self) -> int:
        """Return how many utterances in a row brought nothing new."""
        return self._belief.quiet

    def _report(self, step: SayStep) -> Candidate | None:
        if step.reports == "impossible":
            return self._none()
        later = self._steps[self._at + 1 :]
        acts = any(isinstance(one, CallStep) for one in later)
        if not acts:
            return self._untold() or self._first(Talk.REPORT_ALL)
        reports = self._matching(lambda c: c.kind is Talk.REPORT)
        waiting = [p for p in self._task.points if p.event is not None and p.id not in self._belief.said]
        mentions = [m for p in waiting if p.event for m in p.event.mention]
        named = [c for c in reports if _names(c.action, mentions)] if mentions else []
        suited = named or reports
        return suited[-1] if suited else self._first(Talk.REPORT_ALL)

    def _untold(self) -> Candidate | None:
        """Return that there is none, where that has to be told and was not."""
        told = any(c is not None and c.kind is Talk.NONE for c in self._view.history)
        return None if told else self._none()

    def _none(self) -> Candidate | None:
        """Return that there is none, in words that say of what."""
        wanted = {r.goal: r.check for r in self._task.rubrics if isinstance(r.check, ToldNone)}
        found = self._matching(lambda c: c.kind is Talk.NONE and c.goal in wanted)
        named = [c for c in found if all(_names(c.action, group) for group in wanted[c.goal].groups)]
        return next(iter(named or found), None)

    # ---- calls ----

    def _write(self, step: CallStep) -> Candidate | None:
        """Return the candidate that does what a step does, or as good."""
        found = self._matching(lambda c: c.tool == step.tool)
        exact = [c for c in found if self._same(c, step)]
        best = max(exact, key=lambda c: c.fit.score, default=None)
        if _deed(step) is not Deed.MAKE:
            return best
        if best is not None:
            return None if self._open(best) else best
        if self._fresh((Deed.SEARCH, Deed.LOOK)):
            return None
        goal = self._goal_of(step)
        whole = [c for c in found if c.fit.met and not c.fit.missed and not c.fit.unknown and c.complete]
        return next((c for c in whole if goal in ("", c.goal) and not self._stands(c.goal) and self._free(c)), None)

    def _free(self, candidate: Candidate) -> bool:
        """Return whether no other goal is tied to what is chosen for this one."""
        goals = self._belief.goals.values()
        return not any(c.same_as == candidate.goal for goal in goals for c in goal.heard)

    def _open(self, best: Candidate) -> bool:
        """Return whether something about the right candidate can still be looked up."""
        if not best.fit.unknown:
            return False
        return any(c.goal == best.goal for c in self._fresh((Deed.SEARCH, Deed.LOCATE, Deed.LOOK)))

    def _fresh(self, kinds: Sequence[Deed]) -> list[Candidate]:
        """Return the look-ups of some kinds that were not made yet."""
        return self._matching(lambda c: c.kind in kinds and c.action not in self._belief.done)

    def _stands(self, goal: str) -> bool:
        """Return whether a record stands for a goal already."""
        return goal in self._belief.goals and bool(self._belief.alive(self._belief.goals[goal]))

    def _goal_of(self, step: CallStep) -> str:
        """Return the goal that a step makes the record of, where its candidates tell; empty where they do not."""
        provider = next((str(v) for k, v in step.arguments.items() if k in _PROVIDER_KEYS), "")
        found = self._matching(lambda c: c.tool == step.tool and provider in c.arguments.values())
        goals = {c.goal for c in found if not c.fit.missed}
        return goals.pop() if len(goals) == 1 else ""

    def _same(self, candidate: Candidate, step: CallStep) -> bool:
        wanted = {name: self._filled(value) for name, value in step.arguments.items()}
        own = candidate.arguments
        if "product_ids" in wanted:
            pairs = [dict(zip(x["product_ids"], x["product_cnts"], strict=False)) for x in (wanted, own)]
            if pairs[0] != pairs[1]:
                return False
        for name, value in wanted.items():
            if name in ("product_ids", "product_cnts", "note"):
                continue
            if name == "dispatch_time":
                if not _near(str(value), str(own.get(name, ""))):
                    return False
            elif own.get(name, _DEFAULTS.get(name)) != value:
                return False
        if "dispatch_time" in wanted and candidate.minutes is None:
            return False
        return bool(own.get("note")) == bool(wanted.get("note"))

    def _look_up(self, step: CallStep) -> Candidate | None:
        """Return a look-up that leads on to a step: those of the solution first, then any that was not made yet."""
        before = self._task.solution[: next(n for n, one in enumerate(self._task.solution) if one is step)]
        reads = [one for one in before if isinstance(one, CallStep) and _deed(one) not in _WRITES]
        fresh = self._fresh(_READS)
        for read in reads:
            if _deed(read) is Deed.LOOK and not self._refers_back(read):
                continue
            same = [c for c in fresh if c.tool == read.tool]
            exact = [c for c in same if all(c.arguments.get(k) == self._filled(v) for k, v in read.arguments.items())]
            if exact:
                return exact[0]
        for read in reads:
            same = [c for c in fresh if c.tool == read.tool and _deed(read) in _ANY_WILL_DO]
            tried = read.tool in self._belief.by_tool
            if same and not tried:
                return same[0]
        fresh.sort(key=lambda c: (_READS.index(c.kind), -c.fit.score))
        helpful = [c for c in fresh if c.goal or c.kind in (Deed.PROFILE, Deed.CALENDAR, Deed.WEATHER)]
        return next(iter(helpful or fresh), None)

    def _refers_back(self, read: CallStep) -> bool:
        """Return whether a look is at what an old record names."""
        old = [r.provider for r in self._belief.records.values() if r.id not in self._belief.own]
        return any(value in old for value in read.arguments.values())

    def _filled(self, value: Any) -> Any:
        return self._bound.get(value, value) if isinstance(value, str) else value

    def _first(self, kind: Talk) -> Candidate | None:
        return next((c for c in self._view.candidates if c.kind is kind), None)

    def _matching(self, wanted: Callable[[Candidate], bool]) -> list[Candidate]:
        found = [c for c in self._view.candidates if wanted(c)]
        return sorted(found, key=lambda c: c.rank)


_ANY_WILL_DO = frozenset({Deed.SEARCH, Deed.LIST, Deed.PROFILE, Deed.WEATHER})
_PROVIDER_KEYS = frozenset({"store_id", "shop_id", "hotel_id", "attraction_id", "flight_id", "train_id"})
_DEFAULTS = {"quantity": 1, "customer_count": 1}


def _deed(step: CallStep) -> Deed:
    return roles()[step.tool].deed


def _names(text: str, mentions: Sequence[str]) -> bool:
    low = text.lower()
    return any(mention.lower() in low for mention in mentions)


def _near(one: str, other: str) -> bool:
    a, b = parse_time(one), parse_time(other)
    return a is not None and b is not None and abs((a - b).total_seconds()) <= 60 * _MINUTES
