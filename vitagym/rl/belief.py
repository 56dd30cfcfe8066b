"""What an agent has observed in an episode: the user's acts and what the words of said points mean, and tools' results.

It is fed with the turns of the transcript and reads nothing else of the episode: not the user, the world, the rubrics,
or points that were not said. What a task tells beforehand (its clock, its language) stands in the system prompt.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from copy import copy
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vitagym.dialogue.acts import Slot, UserAct
from vitagym.dialogue.transcript import Role as Speaker
from vitagym.dialogue.transcript import Turn
from vitagym.language import Language
from vitagym.rl.clauses import Clause
from vitagym.rl.goals import Goal
from vitagym.rl.kinds import call_text
from vitagym.rl.memory import memory_of
from vitagym.rl.naming import names_in
from vitagym.rl.shelf import Shelf
from vitagym.rl.sightings import Point, SeenRecord, Sight, Thing
from vitagym.rl.toolroles import Deed, is_delivered, provider_of, roles, tool_numbers
from vitagym.tasks.constraints import Constraint, Sense
from vitagym.tasks.task import Task
from vitagym.world.times import parse_time

_DEAD = frozenset({"cancelled"})
_PLACES = {"home": "home address", "work": "work address"}


class Belief:
    """What was observed so far.

    Attributes:
        memory: What is remembered of the task; it says nothing of what was observed.
        language, now, user_id: From the system prompt and the profile; the id is empty until it was shown.
        profile: The profile, as far as it was shown.
        goals: The records that the user wants, in the order in which they were heard of.
        shelf: Everything on offer that was seen.
        records: Every record that was seen, by id.
        own: Ids of the records that this agent made; ``touched``: of those from before that it changed or cancelled.
        places: Address -> where it is, for those that were looked up.
        named: Names of cities and feasts in what the user said, the latest last.
        said: Ids of the points that were said.
        acts: The user's last acts.
        asked: The slots that were asked about, one a question.
        told: The slots that the user has spoken of.
        done, by_tool: Text of a call, and tool -> how often it was made; ``tool_shares``: by the tool's number, of 5.
        failed: Text of a call -> code of its last refusal.
        reported: Record id -> its state when it was last reported.
        version: Counts the changes of what is known about the world and the need.
        records_state: What stands for the records as they stand.
    """

    def __init__(self, task: Task) -> None:
        self.memory = memory_of(task)
        self.language: Language = task.language
        self.now: datetime = parse_time(task.time) or datetime.min
        self.user_id = ""
        self.profile: dict[str, Any] = {}
        self.goals: dict[str, Goal] = {}
        self.shelf = Shelf(self.memory)
        self.records: dict[str, SeenRecord] = {}
        self.records_state = 0
        self.own: tuple[str, ...] = ()
        self.touched: tuple[str, ...] = ()
        self.places: dict[str, Point] = {}
        self.named: tuple[str, ...] = ()
        self.said: frozenset[str] = frozenset()
        self.acts: tuple[UserAct, ...] = ()
        self.asked: tuple[Slot, ...] = ()
        self.told: frozenset[Slot] = frozenset()
        self.done: dict[str, int] = {}
        self.by_tool: dict[str, int] = {}
        self.tool_shares: NDArray[np.float32] = np.zeros(len(roles()) + 1, np.float32)
        self.failed: dict[str, str] = {}
        self.reported: dict[str, SeenRecord] = {}
        self.turns = 0
        self.utterances = 0
        self.quiet = 0
        self.new_points = 0
        self.last_code = ""
        self.version = 0
        self._shown: dict[str, int] = {}
        self._shown_state = 0
        self._pending: tuple[tuple[int, Clause], ...] = ()
        self._goal_states: dict[str, int] = {}
        self._goal_states_of = -1

    def fork(self) -> Belief:
        """Return a belief that goes on from here by itself."""
        other = copy(self)
        other.goals = {key: copy(goal) for key, goal in self.goals.items()}
        other.shelf = self.shelf.fork()
        for name in ("profile", "records", "places", "failed", "reported", "_shown", "_goal_states"):
            setattr(other, name, dict(getattr(self, name)))
        other.done, other.by_tool, other.tool_shares = self.done.copy(), self.by_tool.copy(), self.tool_shares.copy()
        return other

    def observe(self, turns: Iterable[Turn], goal: str | None = None) -> None:
        """Take in new turns; ``goal``: key of the goal that the agent's call was for, where it makes a record."""
        self.acts, self.new_points = (), 0
        for turn in turns:
            self.turns += 1
            if turn.role is Speaker.USER:
                self._hear(turn)
            elif turn.role is Speaker.TOOL:
                self._see(turn, goal)

    # ---- what stands for what is known ----

    @property
    def state(self) -> tuple[Hashable, ...]:
        """What stands for all that was shown and heard, and for what was done about it."""
        goals = tuple([(goal.key, goal.numbers, goal.made) for goal in self.goals.values()])
        done = (self.records_state, self.own, self.touched)
        return (self._shown_state, tuple(self.places), self.named, goals, *done)

    def goal_state(self, goal: Goal) -> int:
        """Return what stands for all that decides what can be done for a goal, and how well what was done fits."""
        if self._goal_states_of != self.version:
            self._goal_states, self._goal_states_of = {}, self.version
        known = self._goal_states.get(goal.key)
        if known is None:
            known = self._goal_states[goal.key] = self.memory.state(*self._decisive(goal))
        return known

    def _decisive(self, goal: Goal) -> tuple[Hashable, ...]:
        chosen = tuple([self.chosen(other) for other in goal.others])
        total = goal.of(Sense.TOTAL)
        spent = self.spent(goal.key) if total is not None and total.text else 0.0
        placed = is_delivered(goal.record) or goal.of(Sense.NEAR) is not None or goal.of(Sense.TO) is not None
        places = tuple(self.places) if placed else ()
        tied = tuple([one.key for one in self.tied(goal)])
        on_offer = self.shelf.state(provider_of(goal.record))
        return (goal.key, goal.numbers, self.user_id, chosen, spent, places, tied, on_offer)

    # ---- what follows ----

    def alive(self, goal: Goal) -> tuple[SeenRecord, ...]:
        """Return the records made for a goal that stand."""
        if not goal.made:
            return ()
        return tuple([r for r in map(self.records.__getitem__, goal.made) if r.status not in _DEAD])

    def tied(self, goal: Goal) -> list[Goal]:
        """Return the goals that are to be served by the provider that is chosen for this one."""
        return [other for other in self.goals.values() if goal.key in other.served_with]

    def spent(self, key: str) -> float:
        """Return what the records that stand for other goals than this one cost."""
        return sum(r.total for goal in self.goals.values() if goal.key != key for r in self.alive(goal))

    def address(self, constraint: Constraint) -> str:
        """Return the address of a constraint's place as far as it is known; empty where it is not."""
        if constraint.home:
            return str(self.profile.get(_PLACES[constraint.home], ""))
        if constraint.same_as:
            provider = self.chosen(constraint.same_as)
            return "" if provider is None else provider.address
        return constraint.place

    def chosen(self, key: str) -> Thing | None:
        """Return the provider of the record that stands for another goal; None where there is none yet."""
        goal = self.goals.get(key)
        for record in reversed(self.alive(goal) if goal else ()):
            if (found := self.shelf.provider(record.provider)) is not None:
                return found
        return None

    def where(self, constraint: Constraint) -> Point | None:
        """Return where a constraint's place is; None where that is not known."""
        if constraint.same_as:
            provider = self.chosen(constraint.same_as)
            return None if provider is None else provider.at
        return self.places.get(self.address(constraint))

    def number_of(self, record: SeenRecord) -> int:
        """Return the number that stands for a record as it stands."""
        return self.memory.record(record)

    # ---- what the user says ----

    def _hear(self, turn: Turn) -> None:
        self.acts += turn.acts
        if names := names_in(turn.text, self.language):
            self.named = tuple(dict.fromkeys((*self.named, *names)))
        self.version += 1
        fresh = [act.point for act in turn.acts if act.point is not None and act.point not in self.said]
        if told := {act.slot for act in turn.acts if act.slot is not None} - self.told:
            self.told |= told
        self.new_points += len(fresh)
        self.quiet = 0 if fresh else self.quiet + 1
        for point in dict.fromkeys(fresh):
            self.said |= {point}
            for number, clause in self.memory.conveys.get(point, ()):
                if clause.constraint.shown_by and not self._shown_already(clause.constraint):
                    self._pending += ((number, clause),)
                else:
                    self._understand(number, clause)

    def _understand(self, number: int, clause: Clause) -> None:
        key = clause.constraint.goal
        if key not in self.goals:
            self.goals[key] = Goal(key, clause.constraint.record)
        self.goals[key].take(number, clause, self.memory)
        self.version += 1

    def _shown_already(self, constraint: Constraint) -> bool:
        return any(_shows(text, constraint) for text in self._shown)

    # ---- what tools show ----

    def _see(self, turn: Turn, goal: str | None) -> None:
        call, result = turn.call, turn.result
        if call is None or result is None:
            return
        key = call_text(call.name, call.raw)
        self.done[key] = self.done.get(key, 0) + 1
        self.by_tool[call.name] = made = self.by_tool.get(call.name, 0) + 1
        if call.name in tool_numbers():
            self.tool_shares[tool_numbers()[call.name]] = min(made, 5) / 5
        self.last_code = result.code
        if not result.ok:
            self.failed[key] = result.code
            return
        self.failed.pop(key, None)
        self.version += 1
        number, data, seen = self.memory.read(result)
        changed = self.shelf.add(number, seen.things)
        if changed or result.text not in self._shown:
            self._shown[result.text] = number
            self._shown_state = self.memory.state("shown", self._shown_state, number)
        for record in seen.records:
            before = self.records.get(record.id)
            keep = record.lines is None and before is not None
            self._put(before._replace(status=record.status) if keep and before else record)
        role = roles().get(call.name)
        if role is not None and isinstance(data, dict):
            self._note(role.deed, call.arguments or {}, data, seen, goal)
        if self._pending:
            self._resolve(turn.text)

    def _resolve(self, text: str) -> None:
        """Understand what was waiting for a result that shows it."""
        for number, clause in self._pending:
            if _shows(text, clause.constraint):
                self._understand(number, clause)
        self._pending = tuple([one for one in self._pending if not _shows(text, one[1].constraint)])

    def _note(
        self, deed: Deed, arguments: Mapping[str, Any], data: Mapping[str, Any], seen: Sight, goal: str | None
    ) -> None:
        """Note what a result means beside what it shows."""
        if deed is Deed.PROFILE and "user_id" in data:
            self.user_id, self.profile = str(data["user_id"]), dict(data)
        elif deed is Deed.LOCATE and "longitude" in data:
            self.places[str(arguments.get("address"))] = (data["longitude"], data["latitude"])
        elif deed is Deed.MAKE and seen.records:
            made = seen.records[0].id
            self.own += (made,)
            if goal in self.goals and goal is not None:
                self.goals[goal].made += (made,)
        elif deed in (Deed.PAY, Deed.CANCEL, Deed.CHANGE):
            self._change(deed, arguments, data)

    def _change(self, deed: Deed, arguments: Mapping[str, Any], data: Mapping[str, Any]) -> None:
        named = next((str(v) for k, v in arguments.items() if k in ("order_id", "book_id", "reservation_id")), "")
        record = self.records.get(named)
        if record is None:
            return
        changes: dict[str, Any] = {
            "status": str(data.get("status", record.status)),
            "due": float(data.get("amount_due", 0.0)),
        }
        if "note" in arguments:
            changes["note"] = str(arguments["note"])
        if "date" in data:
            changes |= {"dates": (str(data["date"]),), "total": float(data.get("total_price", record.total))}
        self._put(record._replace(**changes))
        if deed is not Deed.PAY and named not in (*self.own, *self.touched):
            self.touched += (named,)

    def _put(self, record: SeenRecord) -> None:
        if self.records.get(record.id) != record:
            self.records[record.id] = record
            self.records_state = self.memory.state("records", self.records_state, self.memory.record(record))


def _shows(text: str, constraint: Constraint) -> bool:
    return all(part in text for part in constraint.shown_by)
