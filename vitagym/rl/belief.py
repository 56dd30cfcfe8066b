"""What an agent has observed in an episode: the user's acts and what the words of said points mean, and tools' results.

It is fed with the turns of the transcript and reads nothing else of the episode: not the user, the world, the rubrics,
or points that were not said. What a task tells beforehand (its clock, its language) stands in the system prompt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from vitagym.dialogue.acts import Slot, UserAct
from vitagym.dialogue.transcript import Role as Speaker
from vitagym.dialogue.transcript import Turn
from vitagym.language import Language
from vitagym.rl.classes import class_of
from vitagym.rl.naming import names_in
from vitagym.rl.sightings import Point, SeenRecord, Sight, Thing, sight
from vitagym.rl.toolroles import Deed, roles
from vitagym.tasks.constraints import Constraint, Sense
from vitagym.tasks.task import Task
from vitagym.tools.results import Result
from vitagym.world.times import parse_time

T = TypeVar("T")
_REMEMBERED = 512
"""So much is remembered a task; then it is forgotten together."""
_DEAD = frozenset({"cancelled"})
_PLACES = {"home": "home address", "work": "work address"}


@dataclass(frozen=True, slots=True)
class _Known:
    """What a task's text tells of it, ready for use; shared by its episodes.

    Attributes:
        conveys: Point id -> constraints. Only those of said points are ever looked up.
        numbers: Identity of a constraint -> its number.
        verdicts: Number of a constraint and identity of a thing -> whether it meets it by itself, and the thing.
        sights: Text of a result -> its number, its data, and what it shows.
        records: Record as it stood at some moment -> its number.
        memory: State of knowledge -> what follows from it.
    """

    conveys: Mapping[str, tuple[Constraint, ...]]
    numbers: Mapping[int, int]
    verdicts: dict[tuple[int, int], tuple[int, Thing]]
    sights: dict[str, tuple[int, Any, Sight]]
    memory: dict[Hashable, Any]
    records: dict[SeenRecord, int]


def _known(task: Task) -> _Known:
    conveys = {point.id: point.conveys for point in task.points}
    every = [id(one) for constraints in conveys.values() for one in constraints]
    return _Known(conveys, {one: number for number, one in enumerate(every)}, {}, {}, {}, {})


@dataclass(slots=True)
class Goal:
    """One of the records that the user wants, as far as it was heard.

    Attributes:
        key: Its key; it tells nothing.
        record: Kind of the record.
        heard: The constraints, each the latest of its sort.
        made: Ids of the records that were made for it, oldest first.
        numbers: What stands for ``heard``: numbers of the constraints, the same in all episodes of the task.
        classes: The numbers of the classes that they belong to.
    """

    key: str
    record: str
    heard: tuple[Constraint, ...] = ()
    made: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    classes: tuple[int, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of it about which something was said; the whole alone where it has none."""
        found = dict.fromkeys(c.part for c in self.heard if c.part)
        return tuple(found) or ("",)

    def state(self, belief: Belief) -> tuple[Hashable, ...]:
        """Return all that decides what can be done for it, and how well what was done fits."""
        others = [c.same_as for c in self.heard if c.same_as]
        chosen = tuple([found.id if (found := belief.chosen(one)) else "" for one in others])
        spent = belief.spent(self.key) if any(c.text for c in self.heard if c.sense is Sense.TOTAL) else 0.0
        tied = tuple([g.key for g in belief.goals.values() if any(c.same_as == self.key for c in g.heard)])
        return (self.key, self.numbers, chosen, spent, tied, belief.shelf, tuple(belief.places))

    def of(self, sense: Sense, part: str | None = None) -> Constraint | None:
        """Return the constraint of a sense (of one part), or None."""
        return next((c for c in self.heard if c.sense is sense and part in (None, c.part)), None)


class Belief:
    """What was observed so far.

    Attributes:
        language, now, user_id: From the system prompt and the profile; the id is empty until it was shown.
        profile: The profile, as far as it was shown.
        goals: The records that the user wants, in the order in which they were heard of.
        things: Everything on offer that was seen, by kind and id.
        of_provider: Kind and id of a provider -> ids of its products that were seen.
        records: Every record that was seen, by id.
        own: Ids of the records that this agent made; ``touched``: of those from before that it changed or cancelled.
        places: Address -> where it is, for those that were looked up.
        named: Names of cities and feasts in what the user said, the latest last.
        seen: Numbers of the results that were seen, each once, in order: they stand for all that tools have shown.
        shelf: Of these, the results that showed things on offer, or the profile.
        said: Ids of the points that were said.
        acts: The user's last acts.
        asked: The slots that were asked about, one a question.
        told: The slots that the user has spoken of.
        done, by_tool: Call, and tool -> how often it was made.
        failed: Call -> code of its last refusal.
        reported: Record id -> its state when it was last reported.
        version: Counts the changes of what is known about the world and the need.
    """

    def __init__(self, task: Task) -> None:
        self._known = task.built("symbolic view", _known)
        self.language: Language = task.language
        self.now: datetime = parse_time(task.time) or datetime.min
        self.user_id = ""
        self.profile: dict[str, Any] = {}
        self.goals: dict[str, Goal] = {}
        self.things: dict[tuple[str, str], Thing] = {}
        self._providers: dict[str, Thing] = {}
        self.of_provider: dict[tuple[str, str], tuple[str, ...]] = {}
        self.records: dict[str, SeenRecord] = {}
        self._records_state: tuple[int, ...] = ()
        self.own: tuple[str, ...] = ()
        self.touched: tuple[str, ...] = ()
        self.places: dict[str, Point] = {}
        self.named: tuple[str, ...] = ()
        self.seen: tuple[int, ...] = ()
        self.shelf: tuple[int, ...] = ()
        self.said: frozenset[str] = frozenset()
        self.acts: tuple[UserAct, ...] = ()
        self.asked: tuple[Slot, ...] = ()
        self.done: Counter[tuple[str, str]] = Counter()
        self.by_tool: Counter[str] = Counter()
        self.failed: dict[tuple[str, str], str] = {}
        self.reported: dict[str, SeenRecord] = {}
        self.told: frozenset[Slot] = frozenset()
        self.shown: Counter[str] = Counter()
        self.cities: tuple[str, ...] = ()
        self.turns = 0
        self.utterances = 0
        self.quiet = 0
        self.new_points = 0
        self.last_code = ""
        self.version = 0
        self._pending: tuple[Constraint, ...] = ()

    def fork(self) -> Belief:
        """Return a belief that goes on from here by itself."""
        other = copy(self)
        other.goals = {key: copy(goal) for key, goal in self.goals.items()}
        for name in ("profile", "_providers", "things", "of_provider", "records", "places", "failed", "reported"):
            setattr(other, name, dict(getattr(self, name)))
        for name in ("done", "by_tool", "shown"):
            setattr(other, name, Counter(getattr(self, name)))
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

    def alive(self, goal: Goal) -> tuple[SeenRecord, ...]:
        """Return the records made for a goal that stand."""
        return tuple(r for r in map(self.records.__getitem__, goal.made) if r.status not in _DEAD)

    @property
    def state(self) -> tuple[Hashable, ...]:
        """What stands for all that tools have shown, beside the records of this episode."""
        return (self.seen, tuple(self.places), self._records_state, self.own, self.touched)

    @property
    def goals_state(self) -> tuple[Hashable, ...]:
        """What stands for all that was heard, and what was made for it."""
        return tuple([(goal.key, goal.numbers, goal.made) for goal in self.goals.values()])

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
            if (found := self.provider(record.provider)) is not None:
                return found
        return None

    def providers(self, kind: str) -> list[Thing]:
        """Return the providers of a kind that were seen, in the order in which they were."""
        state = ("providers", kind, self.shelf)
        return self.remembered(state, lambda: [one for one in self._providers.values() if one.kind == kind])

    def provider(self, provider_id: str) -> Thing | None:
        """Return a provider that was seen, by its id."""
        return self._providers.get(provider_id)

    def where(self, constraint: Constraint) -> Point | None:
        """Return where a constraint's place is; None where that is not known."""
        if constraint.same_as:
            provider = self.chosen(constraint.same_as)
            return None if provider is None else provider.at
        return self.places.get(self.address(constraint))

    # ---- what the user says ----

    def _hear(self, turn: Turn) -> None:
        self.acts += turn.acts
        self.named = tuple(dict.fromkeys((*self.named, *names_in(turn.text, self.language))))
        self.version += 1
        fresh = [act.point for act in turn.acts if act.point is not None and act.point not in self.said]
        if told := {act.slot for act in turn.acts if act.slot is not None} - self.told:
            self.told |= told
        self.new_points += len(fresh)
        self.quiet = 0 if fresh else self.quiet + 1
        for point in dict.fromkeys(fresh):
            self.said |= {point}
            for constraint in self._known.conveys.get(point, ()):
                if constraint.shown_by and not self._shown_already(constraint):
                    self._pending += (constraint,)
                else:
                    self._understand(constraint)

    def _goal(self, constraint: Constraint) -> Goal:
        if constraint.goal not in self.goals:
            self.goals[constraint.goal] = Goal(constraint.goal, constraint.record)
        return self.goals[constraint.goal]

    def _understand(self, constraint: Constraint) -> None:
        """Take a constraint in; it replaces an earlier one of its sort."""
        goal = self._goal(constraint)
        sort = (constraint.part, constraint.sense, constraint.kind, constraint.level)
        kept = tuple(
            c
            for c in goal.heard
            if (c.part, c.sense, c.kind, c.level) != sort or (_several(c) and c.words != constraint.words)
        )
        goal.heard = (*kept, constraint)
        goal.numbers = tuple([self._known.numbers[id(c)] for c in goal.heard])
        goal.classes = tuple([class_of(c) for c in goal.heard])
        self.version += 1

    def _shown_already(self, constraint: Constraint) -> bool:
        return any(_shows(text, constraint) for text in self.shown)

    # ---- what tools show ----

    def _see(self, turn: Turn, goal: str | None) -> None:
        call, result = turn.call, turn.result
        if call is None or result is None:
            return
        key = (call.name, call.raw)
        self.done[key] += 1
        self.by_tool[call.name] += 1
        self.last_code = result.code
        if not result.ok:
            self.failed[key] = result.code
            return
        self.failed.pop(key, None)
        self.version += 1
        number, data, seen = self._read(turn.text, result)
        role = roles().get(call.name)
        self.shown[turn.text] += 1
        if number not in self.seen:
            self.seen += (number,)
            if seen.things or role is None or role.deed is Deed.PROFILE:
                self.shelf += (number,)
        for thing in seen.things:
            self._meet(thing)
        for record in seen.records:
            before = self.records.get(record.id)
            keep = record.lines is None and before is not None
            self._put(replace(before, status=record.status) if keep and before else record)
        if role is not None and isinstance(data, dict):
            arguments = call.arguments or {}
            self._note(role.deed, arguments, data, seen, goal)
        for constraint in self._pending:
            if _shows(turn.text, constraint):
                self._understand(constraint)
        self._pending = tuple(c for c in self._pending if not _shows(turn.text, c))

    def _read(self, text: str, result: Result) -> tuple[int, Any, Sight]:
        known = self._known.sights.get(text)
        if known is None:
            data = result.data
            known = self._known.sights[text] = (len(self._known.sights), data, sight(data))
        return known

    def verdict(self, constraint: Constraint, thing: Thing, check: Callable[[Constraint, Thing], int]) -> int:
        """Return what a check says of a thing by itself; it is asked once a task."""
        number = self._known.numbers.get(id(constraint))
        if number is None:
            return check(constraint, thing)
        found = self._known.verdicts.get((number, id(thing)))
        if found is None:
            # The thing is kept with it: as long as it lives, nothing else has its identity.
            found = self._known.verdicts[number, id(thing)] = (check(constraint, thing), thing)
        return found[0]

    def remembered(self, state: Hashable, work_out: Callable[[], T]) -> T:
        """Return what follows from a state of knowledge; it is worked out once a task, and then remembered."""
        memory = self._known.memory
        found: T | None = memory.get(state)
        if found is None:
            if len(memory) >= _REMEMBERED:
                memory.clear()
            found = memory[state] = work_out()
        return found

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
        record = replace(record, status=str(data.get("status", record.status)))
        record = replace(record, due=float(data.get("amount_due", 0.0)))
        if "note" in arguments:
            record = replace(record, note=str(arguments["note"]))
        if "date" in data:
            record = replace(record, dates=(str(data["date"]),), total=float(data.get("total_price", record.total)))
        self._put(record)
        if deed is not Deed.PAY and named not in (*self.own, *self.touched):
            self.touched += (named,)

    def _put(self, record: SeenRecord) -> None:
        if self.records.get(record.id) != record:
            self.records[record.id] = record
            numbers = self._known.records
            self._records_state = (*self._records_state, numbers.setdefault(record, len(numbers)))

    def _meet(self, thing: Thing) -> None:
        key = (thing.kind, thing.id)
        before = self.things.get(key)
        if before is None or (thing is not before and _tells(thing) >= _tells(before)):
            self.things[key] = thing
            if not thing.is_product:
                self._providers[thing.id] = thing
        if thing.is_product and thing.owner:
            owner = (thing.kind, thing.owner)
            ids = self.of_provider.get(owner, ())
            if thing.id not in ids:
                self.of_provider[owner] = (*ids, thing.id)
        for end in thing.ends:
            if end and end not in self.cities:
                self.cities += (end,)


def _several(constraint: Constraint) -> bool:
    """Return whether there may be several of its kind (amenities, tags) at a time."""
    return constraint.sense in (Sense.SHOWS, Sense.MENTIONS) and constraint.level == "provider"


def _shows(text: str, constraint: Constraint) -> bool:
    return all(part in text for part in constraint.shown_by)


def _tells(thing: Thing) -> int:
    """Return how much of a thing is shown."""
    return len(thing.numbers) + len(thing.words) + (thing.products is not None) * 1000
