"""What a public task expects of the records, ready to be compared with a ledger.

Only what records show is compared: provider, products with their numbers and dates, place of delivery, times where the
data gives them, people, and the meaning of the status. Notes and options are free text: of a note, only that an old
record got one where it should; the rest is for a judge that can read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta

from vitagym.rewards.records import Meaning, RecordKind, kind_of, means, provider_of
from vitagym.tasks.expected import ExpectedBooking, ExpectedOrder, ExpectedRecord, ExpectedReservation
from vitagym.tasks.task import Task
from vitagym.world.catalogue import Catalogue
from vitagym.world.entities import Place
from vitagym.world.geography import geography
from vitagym.world.records import Order, Record, Status
from vitagym.world.times import distance_m, parse_time

TOLERANCE = timedelta(minutes=15)
"""How far a time may be from an expected one. The data's own times of dispatch are examples, not limits."""

NEAR_M = 50
"""Two places no further apart than this, in metres, are the same."""

Holds = Callable[[Record], bool]


@dataclass(frozen=True)
class Goal:
    """One record that is expected.

    Attributes:
        id: Its id in the data, with the product where the data's order is one that the tools make in several.
        kind: Kind of the record, a value of RecordKind.
        old: Id of the record from before the episode that it is; None: a new one.
        optional: Whether it may be missing.
        aspects: What is compared, by name.
        expected: The expected record.
    """

    id: str
    kind: str
    old: str | None
    optional: bool
    aspects: Mapping[str, Holds]
    expected: ExpectedRecord

    def missed(self, record: Record) -> tuple[str, ...]:
        """Return the names of what a record does not share with the expected one."""
        return tuple(name for name, holds in self.aspects.items() if not holds(record))


def goals_of(task: Task) -> tuple[Goal, ...]:
    """Return the records that a task expects, each once.

    An order of several products is one goal a product where a tool orders one product at a time. A new record that is
    expected cancelled is no goal: cancelled or never made, the ledger that counts is the same.
    """
    made: list[Goal] = []
    for state in task.expected:
        for optional, records in ((False, state.required), (True, state.optional)):
            for record in records:
                for number, part in enumerate(_parts(record)):
                    goal = _goal(part, f"{record.id}/{number + 1}" if number else record.id, optional, task.catalogue)
                    if goal is not None and not _repeats(goal, made):
                        made.append(goal)
    return tuple(made)


def _parts(record: ExpectedRecord) -> Iterator[ExpectedRecord]:
    if isinstance(record, ExpectedOrder) and record.order_kind != RecordKind.DELIVERY and len(record.lines) > 1:
        for line in record.lines:
            yield record.model_copy(update={"lines": (line,)})
    else:
        yield record


def _repeats(goal: Goal, made: list[Goal]) -> bool:
    return any(goal.id == other.id and goal.expected == other.expected for other in made)


def _goal(record: ExpectedRecord, goal_id: str, optional: bool, catalogue: Catalogue) -> Goal | None:
    old = _old(record, catalogue)
    if old is None and record.status is Status.CANCELLED:
        return None
    wanted = _meaning(record.status)
    aspects: dict[str, Holds] = {"status": lambda found: means(found, wanted)}
    if wanted is not Meaning.CANCELLED:
        aspects |= _order_aspects(record, catalogue) if isinstance(record, ExpectedOrder) else _visit_aspects(record)
        if isinstance(old, Order) and isinstance(record, ExpectedOrder) and record.note and record.note != old.note:
            before = old.note
            aspects["note"] = lambda found: isinstance(found, Order) and bool(found.note) and found.note != before
    return Goal(goal_id, _kind(record), None if old is None else old.id, optional, aspects, record)


def _kind(record: ExpectedRecord) -> str:
    if isinstance(record, ExpectedOrder):
        return record.order_kind
    return RecordKind.BOOK.value if isinstance(record, ExpectedBooking) else RecordKind.RESERVATION.value


def _meaning(status: Status | None) -> Meaning:
    """Return what an expected status means; one that no tool can set, and unpaid, only that the record stands."""
    if status is Status.CANCELLED:
        return Meaning.CANCELLED
    return Meaning.PAID if status is Status.PAID else Meaning.PLACED


def _old(record: ExpectedRecord, catalogue: Catalogue) -> Record | None:
    """Return the record from before the episode that is meant, or None.

    The data gives new records the ids of old ones now and then, and old ones ids that the world does not know: what is
    in the record decides, and the id alone only for one that is to be cancelled.
    """
    olds: list[Record] = [
        *catalogue.orders.values(),
        *catalogue.bookings.values(),
        *catalogue.reservations.values(),
    ]
    alike = [old for old in olds if _same_things(old, record)]
    named = [old for old in olds if old.id == record.id and kind_of(old) == _kind(record)]
    both = [old for old in named if old in alike or _moved(old, record)]
    if record.status is Status.CANCELLED:
        return next(iter([*both, *named, *alike]), None)
    return next(iter(both), None)


def _moved(old: Record, record: ExpectedRecord) -> bool:
    """Return whether the two are the same journey, whatever its date: the one kind of order that can be moved."""
    journey = isinstance(record, ExpectedOrder) and record.order_kind in (RecordKind.FLIGHT, RecordKind.TRAIN)
    return (
        journey
        and isinstance(old, Order)
        and isinstance(record, ExpectedOrder)
        and old.provider_id == record.provider_id
    )


def _same_things(old: Record, record: ExpectedRecord) -> bool:
    if kind_of(old) != _kind(record):
        return False
    if isinstance(record, ExpectedOrder):
        return provider_of(old) == record.provider_id and isinstance(old, Order) and _products(old) == _wanted(record)
    return provider_of(old) == record.shop_id


def _order_aspects(record: ExpectedOrder, catalogue: Catalogue) -> dict[str, Holds]:
    wanted = _wanted(record)
    aspects: dict[str, Holds] = {
        "provider": lambda found: provider_of(found) == record.provider_id,
        "products": lambda found: isinstance(found, Order) and _products(found) == wanted,
    }
    if record.address:
        place = place_of(record.address, catalogue)
        aspects["place"] = lambda found: (
            isinstance(found, Order) and _is_at(found.location, place, record.address or "")
        )
    # Where the data gives both times they do not always agree; what the user notices is the arrival.
    if record.delivery_time:
        aspects["arrival"] = lambda found: isinstance(found, Order) and _near(found.delivery_time, record.delivery_time)
    elif record.dispatch_time:
        aspects["dispatch"] = lambda found: (
            isinstance(found, Order) and _near(found.dispatch_time, record.dispatch_time)
        )
    return aspects


def _visit_aspects(record: ExpectedBooking | ExpectedReservation) -> dict[str, Holds]:
    return {
        "provider": lambda found: provider_of(found) == record.shop_id,
        "time": lambda found: not isinstance(found, Order) and _near(found.time, record.time),
        "people": lambda found: not isinstance(found, Order) and found.customer_count == record.customer_count,
    }


def _wanted(record: ExpectedOrder) -> Counter[tuple[str, str | None]]:
    wanted: Counter[tuple[str, str | None]] = Counter()
    for line in record.lines:
        wanted[(line.product_id, line.date)] += line.quantity
    return wanted


def _products(order: Order) -> Counter[tuple[str, str | None]]:
    found: Counter[tuple[str, str | None]] = Counter()
    for line in order.lines:
        found[(line.product_id, line.date)] += line.quantity
    return found


def place_of(address: str, catalogue: Catalogue) -> Place | None:
    """Return where an address is, as the tools understand it; None where the world does not know it."""
    return geography(catalogue).place(address)


def _is_at(found: Place | None, place: Place | None, address: str) -> bool:
    if found is None:
        return False
    if place is None:
        return found.address == address
    return distance_m(found.longitude, found.latitude, place.longitude, place.latitude) <= NEAR_M


def _near(found: str, wanted: str) -> bool:
    time, other = parse_time(found), parse_time(wanted)
    return time is not None and other is not None and abs(time - other) <= TOLERANCE
