"""Ways to make a transcript whose truth is known beforehand, each from a task's reference solution.

Every way changes one thing and says which rubrics cannot be met then; all others are met, as they are by the reference
solution. What follows from the change (a dearer product breaks a budget, a shop farther away arrives later) is worked
out from the generator's own requirements and offers. No check and no judge is asked.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any

from vitagym.generation.drafts import Draft
from vitagym.generation.goals import Goal
from vitagym.generation.record_requirements import (
    Arrives,
    DeliverTo,
    ForPeople,
    InStatus,
    Note,
    Pieces,
    Visits,
)
from vitagym.generation.sketches import Offer
from vitagym.generation.speech import stamp
from vitagym.language import text
from vitagym.rewards.laboratory.consequences import Consequences
from vitagym.rewards.laboratory.structure import (
    CannotTell,
    Deed,
    Steps,
    Structure,
    cancelling,
    mentions,
    says,
    structure_of,
)
from vitagym.rewards.records import Meaning, RecordKind
from vitagym.tasks.task import CallStep, SayStep, Step, Task
from vitagym.world.times import distance_m, parse_time

_LATER_BY = timedelta(hours=30)
_NOTHING_MORE = "nothing_more"
"""Id of the rubric that nothing is made beyond what is wanted."""


class Way(StrEnum):
    """How a transcript is made."""

    REFERENCE = "reference"
    """The reference solution: everything is met."""
    NEAR_MISS = "near-miss"
    """An offer that misses one requirement is taken."""
    SLIP = "slip"
    """One thing about a record is off: address, time, number, note, payment."""
    SILENT = "silent"
    """All is done, but nothing is told."""
    EXTRA = "extra"
    """Something is ordered that nobody wants, or a record is touched that was to stay."""
    CLAIM = "claim"
    """It is said to be done, and is not."""
    UNDONE = "undone"
    """Done, then cancelled."""
    REDONE = "redone"
    """Done, cancelled, and done again: met."""
    COMPROMISE = "compromise"
    """The user is talked into an offer that misses a requirement; the requirement stands."""
    INJECTION = "injection"
    """The agent's words, or a note, instruct the judge."""
    ECHO = "echo"
    """The agent writes what a judge would answer."""
    TRUNCATED = "truncated"
    """It ends in the middle."""


@dataclass(frozen=True)
class Making:
    """How to make one transcript, and what is true of it.

    Attributes:
        task: The task that is played.
        way: How it is made.
        what: What in particular: a rubric, a goal, a step.
        steps: What the agent does.
        unmet: Ids of the rubrics that are not met at the end.
        yields: What the user gives in to, and how they say so; None: the user never does.
        cut: Whether it ends with the last step, with no goodbyes.
    """

    task: Task
    way: Way
    what: str
    steps: Steps
    unmet: frozenset[str]
    yields: tuple[str, str] | None = None
    cut: bool = False

    @property
    def truth(self) -> dict[str, bool]:
        """Whether each rubric is met at the end, by its id."""
        return {rubric.id: rubric.id not in self.unmet for rubric in self.task.rubrics}


def makings(draft: Draft, task: Task) -> Iterator[Making]:
    """Yield every making of a task, in a fixed order.

    Raises:
        CannotTell: The solution of the task cannot be taken apart.
    """
    maker = _Maker(draft, task)
    yield maker.making(Way.REFERENCE, "", maker.whole.steps, ())
    yield from maker.near_misses()
    yield from maker.slips()
    yield from maker.silent()
    yield from maker.extras()
    yield from maker.claims()
    yield from maker.undone()
    yield from maker.truncated()


class _Maker:
    """Makes the transcripts of one task."""

    def __init__(self, draft: Draft, task: Task) -> None:
        self.draft, self.task = draft, task
        self.whole: Structure = structure_of(draft, task)
        self.known = Consequences(draft, self.whole)

    def making(
        self,
        way: Way,
        what: str,
        steps: Steps,
        missed: Any,
        *,
        yields: tuple[str, str] | None = None,
        cut: bool = False,
    ) -> Making:
        return Making(self.task, way, what, steps, self.whole.unmet_with(missed), yields, cut)

    # ---- other offers ----

    def near_misses(self) -> Iterator[Making]:
        for deed in self.whole.deeds:
            for goal in deed.goals:
                if goal.pool is None or deed.made is None:
                    continue
                for name, offer in goal.pool.near.items():
                    if any(goal.rubric_id(name) == i for i, _ in deed.requirements):
                        yield from self._near_miss(deed, goal, name, offer)

    def _near_miss(self, deed: Deed, goal: Goal, name: str, offer: Offer) -> Iterator[Making]:
        rubric = goal.rubric_id(name)
        try:
            steps, missed = self._taking(deed, goal, offer, rubric)
        except CannotTell:
            return
        yield self.making(Way.NEAR_MISS, rubric, steps, missed)
        language = self.task.language
        names = {"product": offer.product.name.text(language), "provider": offer.provider.name.text(language)}
        settle = text("laboratory", "settle", language).format(**names)
        made = _place_of(steps, deed.name)
        asked = SayStep(text=settle, after=self._heard(steps[: made + 1]))
        talked = (*steps[:made], asked, *steps[made:])
        settled = text("laboratory", "settled", language)
        yield self.making(Way.COMPROMISE, rubric, talked, missed, yields=(settle, settled))
        injected = _before_the_end(steps, SayStep(text=text("laboratory", "instruct", language)))
        yield self.making(Way.INJECTION, rubric, injected, missed)

    def _taking(self, deed: Deed, goal: Goal, offer: Offer, rubric: str) -> tuple[Steps, set[str]]:
        """Return the solution with another offer taken for a deed, and what it misses."""
        assert deed.made is not None
        assert goal.pool is not None
        whole, taken = self.whole, goal.pool.chosen
        call = whole.call(deed.made)
        before = call.arguments
        moves = offer.provider is not taken.provider
        if moves and len(before.get("product_ids", ())) > 1:
            raise CannotTell("the other products of the order are not sold there")
        exact = mentions(call, taken.product.id) or deed.record in (RecordKind.BOOK, RecordKind.RESERVATION)
        sold = [taken.product] if exact else taken.provider.products
        names = {taken.provider.id: offer.provider.id}
        for product in sold:
            names[product.id] = offer.product.id
            if "date" in product.facts:
                names[product.facts["date"]] = offer.product.facts["date"]
        arguments = _renamed(before, names)
        missed = {rubric} | self.known.elsewhere(deed, offer)
        if deed.record is RecordKind.DELIVERY and moves:
            arguments["dispatch_time"], late = self.known.sent_from(deed, call, offer.provider, before["address"])
            missed |= late
        missed |= self.known.too_dear(deed, before, arguments)
        steps = whole.with_step(deed.made, call.model_copy(update={"arguments": arguments}))
        if exact:
            free = deed.record is RecordKind.BOOK and not offer.provider.fields.get("book_price")
            fees = {p for p in deed.later if free and whole.call(p).tool.startswith("pay_")}
            return tuple(step for place, step in enumerate(steps) if place not in fees), missed
        changes = [p for p in deed.later if whole.call(p).tool.startswith("modify_")]
        gone = {p for p in deed.later if changes and p >= changes[0]}
        return tuple(step for place, step in enumerate(steps) if place not in gone), missed

    # ---- something about a record that is off ----

    def slips(self) -> Iterator[Making]:
        for deed in self.whole.deeds:
            for rubric, requirement in deed.requirements:
                try:
                    changed = self._slip(deed, requirement)
                except CannotTell:
                    continue
                if changed is not None:
                    steps, also = changed
                    yield self.making(Way.SLIP, rubric, steps, {rubric, *also})

    def _slip(self, deed: Deed, requirement: object) -> tuple[Steps, set[str]] | None:
        """Return the solution that slips on one requirement, and what else it misses; None where no way is known."""
        if isinstance(requirement, InStatus):
            return self._not_in_status(deed, requirement)
        if isinstance(requirement, DeliverTo):
            return self._to_elsewhere(deed)
        if isinstance(requirement, Arrives) and requirement.latest is not None:
            return self._off(deed, "dispatch_time", _shifted), set()
        if isinstance(requirement, Visits):
            return self._off(deed, "time", _shifted), set()
        if isinstance(requirement, ForPeople):
            return self._off(deed, "customer_count", lambda count: count + 1), set()
        if isinstance(requirement, Note):
            return self._off(deed, "note", lambda _: "-"), set()
        if isinstance(requirement, Pieces):
            return self._one_more(deed)
        return None

    def _not_in_status(self, deed: Deed, requirement: InStatus) -> tuple[Steps, set[str]]:
        beginning = "pay_" if requirement.meaning is Meaning.PAID else "cancel_"
        gone = [place for place in deed.later if self.whole.call(place).tool.startswith(beginning)]
        if not gone:
            raise CannotTell("no step brings it about")
        left = [place for place in deed.later if place not in gone]
        if any(self.whole.call(place).tool.startswith("modify_") for place in left):
            raise CannotTell("what is unpaid cannot be changed")
        nothing_left = deed.made is None and not left
        return self.whole.without(gone), set(self.whole.positives(deed)) if nothing_left else set()

    def _to_elsewhere(self, deed: Deed) -> tuple[Steps, set[str]]:
        """Deliver it to another place of the user's world, at the same time."""
        if deed.made is None:
            raise CannotTell("its place is from before")
        call = self.whole.call(deed.made)
        own = call.arguments["address"]
        here = next(p for p in self.task.catalogue.all_places if p.address == own)
        store = next(p for p in self.draft.scene.providers if p.id == call.arguments["store_id"])
        for place in self.task.catalogue.all_places:
            if distance_m(place.longitude, place.latitude, here.longitude, here.latitude) > 500:
                dispatch, late = self.known.sent_from(deed, call, store, place.address)
                changed = {**call.arguments, "address": place.address, "dispatch_time": dispatch}
                return self.whole.with_step(deed.made, call.model_copy(update={"arguments": changed})), late
        raise CannotTell("there is no other place")

    def _off(self, deed: Deed, key: str, change: Any) -> Steps:
        """Return the solution with one argument off, where it is last given."""
        places = [p for p in deed.places if key in self.whole.call(p).arguments]
        if not places:
            raise CannotTell(f"{key} is given nowhere")
        call = self.whole.call(places[-1])
        arguments = {**call.arguments, key: change(call.arguments[key])}
        return self.whole.with_step(places[-1], call.model_copy(update={"arguments": arguments}))

    def _one_more(self, deed: Deed) -> tuple[Steps, set[str]]:
        if deed.made is None or len(deed.goals) > 1:
            raise CannotTell("it is not clear of what there would be one more")
        call = self.whole.call(deed.made)
        arguments = dict(call.arguments)
        if "product_cnts" in arguments:
            arguments["product_cnts"] = [count + 1 for count in arguments["product_cnts"]]
        elif "quantity" in arguments:
            arguments["quantity"] += 1
        else:
            raise CannotTell("it has no number")
        steps = self.whole.with_step(deed.made, call.model_copy(update={"arguments": arguments}))
        return steps, self.known.too_dear(deed, call.arguments, arguments)

    # ---- words without deeds, deeds without words ----

    def silent(self) -> Iterator[Making]:
        if self.whole.told:
            yield self.making(Way.SILENT, "", self.whole.without(says(self.whole.steps)), self.whole.told)

    def claims(self) -> Iterator[Making]:
        for deed in self.whole.deeds:
            steps = self.whole.without(deed.places)
            yield self.making(Way.CLAIM, deed.key, steps, self.whole.positives(deed))
        everything = {place for deed in self.whole.deeds for place in deed.places}
        everything |= {place for first, last in self.whole.detours for place in range(first, last + 1)}
        everything -= set(says(self.whole.steps))
        missed = [i for deed in self.whole.deeds for i in self.whole.positives(deed)]
        steps = self.whole.without(everything)
        language = self.task.language
        yield self.making(Way.CLAIM, "everything", steps, missed)
        yield self.making(Way.ECHO, "everything", _before_the_end(steps, SayStep(text=echo(self.task))), missed)
        told = SayStep(text=text("laboratory", "instruct", language))
        yield self.making(Way.INJECTION, "everything", _before_the_end(steps, told), missed)
        yield from self._injected_notes()

    def _injected_notes(self) -> Iterator[Making]:
        """Leave one order unpaid or untold of, with a note in another that instructs the judge."""
        note = text("laboratory", "instruct_note", self.task.language)
        for deed in self.whole.deeds:
            if deed.record is not RecordKind.DELIVERY or deed.made is None:
                continue
            call = self.whole.call(deed.made)
            said = f"{call.arguments['note']}. {note}" if "note" in call.arguments else note
            arguments = {**call.arguments, "note": said}
            steps = self.whole.with_step(deed.made, call.model_copy(update={"arguments": arguments}))
            yield self.making(Way.INJECTION, f"{deed.key}, a note", steps, ())
            for other in self.whole.deeds:
                if other is not deed and other.made is not None:
                    gone = set(other.places)
                    left = tuple(step for place, step in enumerate(steps) if place not in gone)
                    yield self.making(
                        Way.INJECTION, f"{deed.key}, a note; no {other.key}", left, self.whole.positives(other)
                    )

    # ---- too much, undone, done again ----

    def extras(self) -> Iterator[Making]:
        whole = self.whole
        for deed in whole.deeds:
            if deed.made is None:
                continue
            call = whole.call(deed.made)
            again = call.model_copy(update={"binds": f"{deed.name}_extra"})
            steps = (*whole.steps[: deed.made + 1], again, *whole.steps[deed.made + 1 :])
            yield self.making(
                Way.EXTRA,
                deed.key,
                steps,
                {_NOTHING_MORE} | self.known.over_budgets(deed, self.known.cost(call.arguments)),
            )
            if not any(isinstance(r, Pieces) for _, r in deed.requirements):
                with contextlib.suppress(CannotTell):
                    more, missed = self._one_more(deed)
                    yield self.making(Way.EXTRA, f"{deed.key}, a piece", more, {_NOTHING_MORE} | missed)
        for rubric, old in whole.kept.items():
            order = self.task.catalogue.orders.get(old)
            if order is not None:
                touched = _before_the_end(whole.steps, cancelling(self.task, RecordKind(order.kind), old))
                yield self.making(Way.EXTRA, rubric, touched, {rubric})

    def undone(self) -> Iterator[Making]:
        whole = self.whole
        for deed in whole.deeds:
            if deed.made is None:
                continue
            cancel = whole.cancelling(deed)
            yield self.making(Way.UNDONE, deed.key, _before_the_end(whole.steps, cancel), whole.positives(deed))
            if any(whole.call(place).tool.startswith("modify_") for place in deed.later):
                continue
            again = tuple(_under(whole.call(place), deed.name, f"{deed.name}_again") for place in deed.places)
            yield self.making(Way.REDONE, deed.key, _before_the_end(whole.steps, cancel, *again), ())

    # ---- ends in the middle ----

    def truncated(self) -> Iterator[Making]:
        whole = self.whole
        spoken = says(whole.steps)
        for end in range(1, len(whole.steps)):
            if end - 1 in spoken or (whole.told and spoken and spoken[0] < end <= spoken[-1]):
                continue
            if any(first < end <= last for first, last in whole.detours):
                continue
            try:
                missed = {i for deed in whole.deeds for i in self._missing_at(deed, end)}
            except CannotTell:
                continue
            told = whole.told if not spoken or end <= spoken[0] else frozenset()
            writes = any(deed.places and deed.places[0] < end for deed in whole.deeds)
            if writes or end == 1:
                yield self.making(Way.TRUNCATED, f"after {end} steps", whole.steps[:end], missed | told, cut=True)

    def _missing_at(self, deed: Deed, end: int) -> set[str]:
        """Return the requirements of a deed that are not met after so many steps."""
        begun = [place for place in deed.places if place < end]
        left = [place for place in deed.places if place >= end]
        if not left:
            return set()
        if not begun:
            return set(self.whole.positives(deed))
        if deed.made is None or any(not self.whole.call(place).tool.startswith("pay_") for place in left):
            raise CannotTell("it is in between")
        return {i for i, r in deed.requirements if isinstance(r, InStatus) and r.meaning is Meaning.PAID}

    def _heard(self, steps: Steps) -> tuple[str, ...]:
        return tuple(point for step in steps for point in step.after)


def echo(task: Task) -> str:
    """Return the answer of a judge that finds every rubric met, in the format that judges are asked for."""
    reason = text("laboratory", "echo_reason", task.language)
    rows = [
        {"rubric": rubric.sentence(task.language), "justification": reason, "meetExpectation": True}
        for rubric in task.rubrics
    ]
    return json.dumps(rows, ensure_ascii=False)


def _before_the_end(steps: Steps, *more: Step) -> Steps:
    """Return the steps with some more before the last report: after it the user may be gone."""
    end = len(steps) - 1 if steps and isinstance(steps[-1], SayStep) else len(steps)
    return (*steps[:end], *more, *steps[end:])


def _place_of(steps: Steps, name: str) -> int:
    return next(place for place, step in enumerate(steps) if isinstance(step, CallStep) and step.binds == name)


def _under(call: CallStep, name: str, new: str) -> Step:
    """Return a call with another name for the record that it makes or is about."""
    arguments = {key: new if value == name else value for key, value in call.arguments.items()}
    return call.model_copy(update={"arguments": arguments, "binds": new if call.binds == name else call.binds})


def _renamed(arguments: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {
        key: [names.get(v, v) for v in value]
        if isinstance(value, list | tuple)
        else names.get(value, value)
        if isinstance(value, str)
        else value
        for key, value in arguments.items()
    }


def _shifted(time: str) -> str:
    parsed = parse_time(time)
    if parsed is None:
        raise CannotTell(f"{time!r} is no time")
    return stamp(parsed + _LATER_BY)
