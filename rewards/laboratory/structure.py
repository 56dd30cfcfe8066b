"""Which steps of a reference solution bring about which goal's record: what the laboratory's truths are built on.

It is read from the generator's own plan of a task (goals, requirements, offers, steps). No check is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from vitagym.generation.drafts import Draft
from vitagym.generation.goals import Goal
from vitagym.generation.record_requirements import SaysThereIsNone, StaysAsItIs, TheExisting
from vitagym.generation.requirement import Requirement
from vitagym.generation.sketches import Offer
from vitagym.rewards.records import RecordKind
from vitagym.tasks.task import CallStep, Rubric, SayStep, Step, Task

MAKES = {
    "create_delivery_order": RecordKind.DELIVERY,
    "create_instore_product_order": RecordKind.INSTORE,
    "create_hotel_order": RecordKind.HOTEL,
    "create_attraction_order": RecordKind.ATTRACTION,
    "create_flight_order": RecordKind.FLIGHT,
    "create_train_order": RecordKind.TRAIN,
    "instore_book": RecordKind.BOOK,
    "instore_reservation": RecordKind.RESERVATION,
}
"""What each tool makes."""
CANCELS = {
    RecordKind.DELIVERY: "cancel_delivery_order",
    RecordKind.INSTORE: "instore_cancel_order",
    RecordKind.HOTEL: "cancel_hotel_order",
    RecordKind.ATTRACTION: "cancel_attraction_order",
    RecordKind.FLIGHT: "cancel_flight_order",
    RecordKind.TRAIN: "cancel_train_order",
    RecordKind.BOOK: "instore_cancel_book",
    RecordKind.RESERVATION: "instore_cancel_reservation",
}
"""The tool that cancels each kind of record."""
_ID_KEYS = {RecordKind.BOOK: "book_id", RecordKind.RESERVATION: "reservation_id"}
_CANCELS_WITH_USER = (RecordKind.HOTEL, RecordKind.ATTRACTION, RecordKind.FLIGHT, RecordKind.TRAIN)

Steps = tuple[Step, ...]


class CannotTell(Exception):
    """A solution is built in a way from which it cannot be told what some change of it would do."""


@dataclass(frozen=True)
class Deed:
    """How the record of one goal comes about.

    Attributes:
        goals: The goal, in its parts.
        record: Kind of the record.
        name: What the solution calls it: a bound name, or the id of a record from before.
        made: Place of the step that makes it; None: it is from before.
        later: Places of the steps that pay for it, change it or cancel it, in order.
    """

    goals: tuple[Goal, ...]
    record: RecordKind
    name: str
    made: int | None
    later: tuple[int, ...]

    @property
    def key(self) -> str:
        """Id of the goal."""
        return self.goals[0].key

    @property
    def places(self) -> tuple[int, ...]:
        """Places of all its steps, in order."""
        return self.later if self.made is None else (self.made, *self.later)

    @property
    def requirements(self) -> list[tuple[str, Requirement]]:
        """Its requirements, each with the id of its rubric."""
        return [(g.rubric_id(r.name), r) for g in self.goals for r in g.requirements if not isinstance(r, _APART)]


_APART = (SaysThereIsNone, StaysAsItIs)


@dataclass(frozen=True)
class Structure:
    """A task's solution, taken apart.

    Attributes:
        task: The task.
        steps: The solution; every record that it makes has a name.
        deeds: How each goal's record comes about.
        detours: Places of records that are made and cancelled again on the way, first and last step of each.
        told: Ids of the rubrics that are met by telling the user that there is none of something.
        kept: Rubric id -> id of the old record that is to stay as it is.
        prohibitions: Ids of the rubrics that forbid something, each with those that must be met for it to count.
    """

    task: Task
    steps: Steps
    deeds: tuple[Deed, ...]
    detours: tuple[tuple[int, int], ...]
    told: frozenset[str]
    kept: dict[str, str]
    prohibitions: dict[str, frozenset[str]]

    def unmet_with(self, missed: Iterable[str]) -> frozenset[str]:
        """Return the rubrics that are not met when these are not: prohibitions count only with what they belong to."""
        missed = frozenset(missed)
        return missed | {i for i, needed in self.prohibitions.items() if needed & missed}

    def positives(self, deed: Deed) -> list[str]:
        """Return the rubrics on the record of a deed, prohibitions left out."""
        return [i for i, _ in deed.requirements if i not in self.prohibitions]

    def without(self, places: Iterable[int]) -> Steps:
        """Return the solution without some steps."""
        gone = set(places)
        return tuple(step for place, step in enumerate(self.steps) if place not in gone)

    def with_step(self, place: int, step: Step) -> Steps:
        """Return the solution with another step at a place."""
        return (*self.steps[:place], step, *self.steps[place + 1 :])

    def call(self, place: int) -> CallStep:
        """Return the call at a place."""
        step = self.steps[place]
        if not isinstance(step, CallStep):
            raise CannotTell(f"step {place} is no call")
        return step

    def cancelling(self, deed: Deed) -> CallStep:
        """Return the call that cancels the record of a deed."""
        return cancelling(self.task, deed.record, deed.name)


def structure_of(draft: Draft, task: Task) -> Structure:
    """Take the solution of a task apart.

    Args:
        draft: What the task was made from.
        task: The task, in one language.

    Raises:
        CannotTell: Which step makes the record of which goal is not clear.
    """
    steps = named(task.solution)
    records = made_records(steps)
    standing = [r for r in records if not r.cancelled]
    detours = tuple((r.places[0], r.places[-1]) for r in records if r.cancelled)
    deeds = tuple(_deeds(draft, steps, standing))
    requirements = [(goal.rubric_id(r.name), r) for goal in draft.scene.goals for r in goal.requirements]
    return Structure(
        task=task,
        steps=steps,
        deeds=deeds,
        detours=detours,
        told=frozenset(i for i, r in requirements if isinstance(r, SaysThereIsNone)),
        kept={i: r.id for i, r in requirements if isinstance(r, StaysAsItIs)},
        prohibitions=_prohibitions(task.rubrics),
    )


def cancelling(task: Task, record: RecordKind, name: str) -> CallStep:
    """Return the call that cancels a record."""
    arguments = {_ID_KEYS.get(record, "order_id"): name}
    if record in _CANCELS_WITH_USER:
        arguments["user_id"] = task.profile.user_id
    return CallStep(tool=CANCELS[record], arguments=arguments)


def mentions(step: Step, thing: str) -> bool:
    """Return whether a call has something (an id, a name) among its arguments."""
    if not isinstance(step, CallStep):
        return False
    values = step.arguments.values()
    return any(thing == value or (isinstance(value, list | tuple) and thing in value) for value in values)


@dataclass(frozen=True)
class MadeRecord:
    """A record that a solution makes.

    Attributes:
        record: Its kind.
        name: What the solution calls it.
        places: Places of the steps that make it, pay for it, change it or cancel it, in order.
        cancelled: Whether the last of them cancels it.
    """

    record: RecordKind
    name: str
    places: tuple[int, ...]
    cancelled: bool


def named(steps: Sequence[Step]) -> Steps:
    """Return the steps with a name for every record that they make."""
    return tuple(
        step.model_copy(update={"binds": f"$made{place}"})
        if isinstance(step, CallStep) and step.tool in MAKES and step.binds is None
        else step
        for place, step in enumerate(steps)
    )


def made_records(steps: Steps) -> list[MadeRecord]:
    """Return the records that some steps make, all of them named."""
    out = []
    for place, step in enumerate(steps):
        if isinstance(step, CallStep) and step.tool in MAKES:
            kind, name = MAKES[step.tool], step.binds or ""
            later = _about(steps, name)
            last = steps[later[-1]] if later else step
            cancelled = isinstance(last, CallStep) and last.tool == CANCELS[kind]
            out.append(MadeRecord(kind, name, (place, *later), cancelled))
    return out


def _about(steps: Steps, name: str) -> tuple[int, ...]:
    """Return the places of the writing calls that name a record."""
    writes = ("pay_", "cancel_", "modify_", "instore_cancel", "instore_modify")
    return tuple(
        place
        for place, step in enumerate(steps)
        if isinstance(step, CallStep) and step.tool.startswith(writes) and mentions(step, name)
    )


def _deeds(draft: Draft, steps: Steps, records: list[MadeRecord]) -> Iterable[Deed]:
    slots: dict[tuple[str, RecordKind], list[Goal]] = {}
    for goal in draft.scene.goals:
        if any(not isinstance(r, _APART) for r in goal.requirements):
            slots.setdefault((goal.key, goal.record), []).append(goal)
    left = list(records)
    for (_, kind), goals in slots.items():
        old = next((r.id for goal in goals for r in goal.requirements if isinstance(r, TheExisting)), None)
        if old is not None:
            yield Deed(tuple(goals), kind, old, None, _about(steps, old))
            continue
        found = _found(goals, kind, steps, left)
        left.remove(found)
        yield Deed(tuple(goals), kind, found.name, found.places[0], found.places[1:])
    if left:
        raise CannotTell(f"no goal wants {left[0].name}")


def _found(goals: Sequence[Goal], kind: RecordKind, steps: Steps, records: Sequence[MadeRecord]) -> MadeRecord:
    """Return the record of a goal: with the product that it takes, else from its provider, else the first."""
    of_kind = [r for r in records if r.record is kind]
    if not of_kind:
        raise CannotTell(f"nothing is made for {goals[0].key}")
    offers = [goal.pool.chosen for goal in goals if goal.pool is not None]
    ways: list[Callable[[Offer], str]] = [lambda o: o.product.id, lambda o: o.provider.id]
    for way in ways:
        for record in of_kind:
            if any(mentions(steps[record.places[0]], way(offer)) for offer in offers):
                return record
    return of_kind[0]


def _prohibitions(rubrics: Sequence[Rubric]) -> dict[str, frozenset[str]]:
    positive = [r for r in rubrics if not r.prohibition]
    out: dict[str, frozenset[str]] = {}
    for rubric in rubrics:
        if rubric.prohibition:
            own = frozenset(p.id for p in positive if rubric.goal is not None and p.goal == rubric.goal)
            out[rubric.id] = own or frozenset(p.id for p in positive)
    return out


def says(steps: Steps) -> list[int]:
    """Return the places of what is said."""
    return [place for place, step in enumerate(steps) if isinstance(step, SayStep)]
