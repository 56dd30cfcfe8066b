"""Checks on one record: the one that the judge matched to the goal (see ``vitagym.rewards.matching``).

Each says which kind of record it is about; a check that makes sense for some kinds only cannot be made for another.
They look at nothing but the record.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Literal

from pydantic import Field, model_validator

from vitagym.rewards.phrases import Groups, missing_group
from vitagym.rewards.records import Meaning, RecordKind, amount_of, kind_of, means, provider_of
from vitagym.tasks.checks import Check, Verdict
from vitagym.world.records import Order, OrderLine, Record
from vitagym.world.times import distance_m, parse_date, parse_time

OrderKind = Literal[
    RecordKind.DELIVERY,
    RecordKind.INSTORE,
    RecordKind.HOTEL,
    RecordKind.ATTRACTION,
    RecordKind.FLIGHT,
    RecordKind.TRAIN,
]
VisitKind = Literal[RecordKind.BOOK, RecordKind.RESERVATION]
DatedKind = Literal[RecordKind.HOTEL, RecordKind.ATTRACTION, RecordKind.FLIGHT, RecordKind.TRAIN]
PaidKind = OrderKind | Literal[RecordKind.BOOK]


class RecordCheck(Check):
    """A requirement on one record.

    Attributes:
        record: The kind of record that it is about.
    """

    record: RecordKind

    @abstractmethod
    def verdict(self, record: Record) -> Verdict:
        """Return whether a record of that kind meets the requirement."""

    def on(self, record: Record) -> Verdict:
        """Return whether any record meets it; one of another kind never does."""
        if kind_of(record) != self.record:  # A StrEnum's member compares as its text.
            return Verdict(False, f"{record.id} is a {kind_of(record)} record")
        return self.verdict(record)


class Provided(RecordCheck):
    """The record is with one of these providers."""

    kind: Literal["provider"] = "provider"
    ids: tuple[str, ...] = Field(min_length=1)

    def verdict(self, record: Record) -> Verdict:
        """Compare the provider."""
        return Verdict(provider_of(record) in self.ids, f"{record.id} is with {provider_of(record)}")


class Includes(RecordCheck):
    """The order includes one or more of these products, in the right number.

    Attributes:
        ids: Products that will do, any of them.
        quantity: How many of them in all; None: any number from ``at_least``.
        at_least: The smallest number that will do.
        none_of: Products that must not be there beside them: others of the sort, which will not do.
    """

    kind: Literal["includes"] = "includes"
    record: OrderKind
    ids: tuple[str, ...] = Field(min_length=1)
    quantity: int | None = None
    at_least: int = 1
    none_of: tuple[str, ...] = ()

    def verdict(self, record: Record) -> Verdict:
        """Count the products."""
        for line in _lines(record):
            if line.product_id in self.none_of:
                return Verdict(False, f"{record.id} has {line.product_id}, which will not do")
        count = sum(line.quantity for line in _lines(record) if line.product_id in self.ids)
        met = count == self.quantity if self.quantity is not None else count >= self.at_least
        return Verdict(met, f"{record.id} has {count} of {', '.join(self.ids)}")


class OnlyProducts(RecordCheck):
    """The order has nothing but these products."""

    kind: Literal["only_products"] = "only_products"
    record: OrderKind
    ids: tuple[str, ...] = Field(min_length=1)

    def verdict(self, record: Record) -> Verdict:
        """Look for a product that is none of these."""
        other = [line.product_id for line in _lines(record) if line.product_id not in self.ids]
        if other:
            return Verdict(False, f"{record.id} also has {', '.join(other)}")
        return Verdict(bool(_lines(record)), f"{record.id} has nothing else")


class DeliveredTo(RecordCheck):
    """The order is delivered to a place (degrees), or within some metres of it."""

    kind: Literal["delivered_to"] = "delivered_to"
    record: Literal[RecordKind.DELIVERY] = RecordKind.DELIVERY
    longitude: float
    latitude: float
    within_m: float = 50

    def verdict(self, record: Record) -> Verdict:
        """Measure the distance between the place of delivery and the place."""
        place = record.location if isinstance(record, Order) else None
        if place is None:
            return Verdict(False, f"{record.id} is delivered nowhere")
        away = distance_m(place.longitude, place.latitude, self.longitude, self.latitude)
        return Verdict(away <= self.within_m, f"{record.id} is delivered {away:.0f} m away")


class _Window(RecordCheck):
    """A window of time; each end is included, and may be open (None)."""

    earliest: str | None = None
    latest: str | None = None

    @model_validator(mode="after")
    def _ends(self) -> _Window:
        for end in (self.earliest, self.latest):
            if end is not None and parse_time(end) is None:
                raise ValueError(f"{end!r} is not YYYY-MM-DD HH:MM:SS")
        if self.earliest is None and self.latest is None:
            raise ValueError("a window needs an end")
        return self

    def _holds(self, time: str) -> bool:
        # Times of this format compare as text.
        return bool(time) and (self.earliest or "") <= time and (self.latest is None or time <= self.latest)


class DeliveredBetween(_Window):
    """The order arrives in a window of time, the way there counted in."""

    kind: Literal["delivered_between"] = "delivered_between"
    record: Literal[RecordKind.DELIVERY] = RecordKind.DELIVERY

    def verdict(self, record: Record) -> Verdict:
        """Compare the time of arrival."""
        time = record.delivery_time if isinstance(record, Order) else ""
        return Verdict(self._holds(time), f"{record.id} arrives at {time}")


class VisitBetween(_Window):
    """The booking or reservation is for a time in a window (both ends the same: to the second)."""

    kind: Literal["visit_between"] = "visit_between"
    record: VisitKind

    def verdict(self, record: Record) -> Verdict:
        """Compare the time of the visit."""
        time = _visit_time(record)
        return Verdict(self._holds(time), f"{record.id} is for {time}")


class People(RecordCheck):
    """The booking or reservation is for so many people."""

    kind: Literal["people"] = "people"
    record: VisitKind
    count: int = Field(ge=1)

    def verdict(self, record: Record) -> Verdict:
        """Compare the head count."""
        count = 0 if isinstance(record, Order) else record.customer_count
        return Verdict(count == self.count, f"{record.id} is for {count}")


class ProductDate(RecordCheck):
    """Every product of the order is for one of these dates."""

    kind: Literal["product_date"] = "product_date"
    record: DatedKind
    dates: tuple[str, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _are_dates(self) -> ProductDate:
        for date in self.dates:
            if parse_date(date) is None:
                raise ValueError(f"{date!r} is not YYYY-MM-DD")
        return self

    def verdict(self, record: Record) -> Verdict:
        """Compare the dates."""
        dates = [line.date for line in _lines(record)]
        met = bool(dates) and all(date in self.dates for date in dates)
        return Verdict(met, f"{record.id} is for {', '.join(map(str, dates))}")


class Quantity(RecordCheck):
    """The order is of so many pieces in all, whatever the products."""

    kind: Literal["quantity"] = "quantity"
    record: OrderKind
    count: int = Field(ge=1)

    def verdict(self, record: Record) -> Verdict:
        """Add up the pieces."""
        count = sum(line.quantity for line in _lines(record))
        return Verdict(count == self.count, f"{record.id} is of {count}")


class NoteSays(RecordCheck):
    """The note of the order says some things.

    Attributes:
        groups: One thing a group, each with its wordings; a wording of every group must stand in the note.
    """

    kind: Literal["note_says"] = "note_says"
    record: Literal[RecordKind.DELIVERY] = RecordKind.DELIVERY
    groups: Groups = Field(min_length=1)

    def verdict(self, record: Record) -> Verdict:
        """Look for every group in the note."""
        note = record.note if isinstance(record, Order) else ""
        missing = missing_group(self.groups, note)
        return Verdict(missing is None, _says(f"the note of {record.id}", missing))


class Attributes(RecordCheck):
    """The attributes of the order's products (of those named; none named: of any) say some things.

    Attributes:
        ids: The products whose attributes count; empty: any product of the order.
        groups: As for a note.
    """

    kind: Literal["attributes"] = "attributes"
    record: OrderKind = RecordKind.DELIVERY
    ids: tuple[str, ...] = ()
    groups: Groups = Field(min_length=1)

    def verdict(self, record: Record) -> Verdict:
        """Look for every group in the attributes."""
        lines = [line for line in _lines(record) if not self.ids or line.product_id in self.ids]
        said = "\n".join(str(value) for line in lines for key, value in line.details if key == "attributes")
        missing = missing_group(self.groups, said)
        return Verdict(missing is None, _says(f"the attributes in {record.id}", missing))


class HasStatus(RecordCheck):
    """The status of the record has a meaning: placed, paid or cancelled."""

    kind: Literal["status"] = "status"
    meaning: Meaning

    def verdict(self, record: Record) -> Verdict:
        """Compare what the status means."""
        return Verdict(means(record, self.meaning), f"{record.id} is {record.status}")


class TotalAtMost(RecordCheck):
    """The record costs at most so many yuan."""

    kind: Literal["total_at_most"] = "total_at_most"
    record: PaidKind
    yuan: float

    def verdict(self, record: Record) -> Verdict:
        """Compare the price."""
        return Verdict(amount_of(record) <= self.yuan, f"{record.id} costs {amount_of(record):g}")


class Existing(RecordCheck):
    """The record is this one, from before the episode, and the agent has changed or cancelled it."""

    kind: Literal["existing"] = "existing"
    id: str

    def verdict(self, record: Record) -> Verdict:
        """Compare the id."""
        return Verdict(record.id == self.id, f"{record.id} was changed")


class ChangedTo(RecordCheck):
    """The record is for this time now (bookings, reservations) or for this date (tickets, seats, rooms)."""

    kind: Literal["changed_to"] = "changed_to"
    record: VisitKind | DatedKind
    time: str

    @model_validator(mode="after")
    def _is_time(self) -> ChangedTo:
        parsed = (
            parse_time(self.time) if self.record in (RecordKind.BOOK, RecordKind.RESERVATION) else parse_date(self.time)
        )
        if parsed is None:
            raise ValueError(f"{self.time!r} is not what a {self.record.value} record is for")
        return self

    def verdict(self, record: Record) -> Verdict:
        """Compare the time or date."""
        times = [line.date for line in _lines(record)] if isinstance(record, Order) else [_visit_time(record)]
        met = bool(times) and all(time == self.time for time in times)
        return Verdict(met, f"{record.id} is for {', '.join(map(str, times))}")


def _lines(record: Record) -> tuple[OrderLine, ...]:
    return record.lines if isinstance(record, Order) else ()


def _visit_time(record: Record) -> str:
    return "" if isinstance(record, Order) else record.time


def _says(what: str, missing: tuple[str, ...] | None) -> str:
    return f"{what} says it all" if missing is None else f"{what} says nothing of {' / '.join(missing)}"
