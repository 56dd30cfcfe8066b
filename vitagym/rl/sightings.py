"""What tool results show: things on offer and records, read from any result by the keys of its JSON.

It knows no tool and no domain: an object with a ``product_id`` is a product, one with an ``order_id`` a record, one
with the id of a provider (the kinds are those that tools sell products of) a provider.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from vitagym.domains import CROSS, toolset

_RECORD_KEYS = {"order_id": "", "book_id": "book", "reservation_id": "reservation"}
"""The key of a record's id -> its kind; empty: the record says it."""
_TYPES = ("room_type", "ticket_type", "seat_type")
_DAY = 24 * 60
Point = tuple[float, float]
"""Longitude and latitude, in degrees."""


@dataclass(slots=True, eq=False)
class Thing:
    """A product or provider, as far as one result shows it; another result's is another thing. It never changes.

    Attributes:
        kind: Kind of the provider.
        owner: For a product: id of its provider; empty where that is not shown.
        words: Its name, type and tags, each as a whole.
        prose: Its name, type, description and where it goes to: for finding words in it.
        numbers: Price, rating, stars, times of day in minutes, how many are left …
        at: Where its provider is; None where that is not shown, or it has several ends.
        ends: The cities that it goes between.
        products: For a provider: ids of its products, where they are shown.
    """

    id: str
    kind: str
    name: str
    is_product: bool
    owner: str = ""
    words: frozenset[str] = frozenset()
    prose: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict)
    at: Point | None = None
    address: str = ""
    date: str = ""
    ends: tuple[str, str] = ("", "")
    products: tuple[str, ...] | None = None


class SeenRecord(NamedTuple):
    """An order, booking or reservation, as a result shows it.

    Attributes:
        kind: ``book``, ``reservation``, or the kind of the order.
        lines: Its products: id and how many; None where the result leaves them out.
        time: What it is for: arrival, visit; empty where it has none.
        dates: The dates of its products.
    """

    id: str
    kind: str
    provider: str
    status: str
    lines: tuple[tuple[str, int], ...] | None = None
    names: tuple[str, ...] = ()
    time: str = ""
    dates: tuple[str, ...] = ()
    address: str = ""
    note: str = ""
    people: int = 0
    total: float = 0.0
    due: float = 0.0


class Sight(NamedTuple):
    """Everything that one result shows."""

    things: tuple[Thing, ...]
    records: tuple[SeenRecord, ...]


@cache
def provider_kinds() -> tuple[str, ...]:
    """Return the kinds of providers whose products tools know."""
    facts = [given.fact.name for tool in toolset((CROSS,)) for given in tool.gives.given]
    return tuple(dict.fromkeys(f.removesuffix("_product_id") for f in facts if f.endswith("_product_id")))


def sight(data: Any) -> Sight:
    """Return what the data of a result shows."""
    things: list[Thing] = []
    records: list[SeenRecord] = []
    _walk(data, things, records, None)
    return Sight(tuple(things), tuple(records))


def _walk(data: Any, things: list[Thing], records: list[SeenRecord], within: Thing | None) -> None:
    if isinstance(data, list):
        for one in data:
            _walk(one, things, records, within)
        return
    if not isinstance(data, dict):
        return
    if not data.keys().isdisjoint(_RECORD_KEYS):
        if "status" in data:
            records.append(_record(data))
        return
    if "product_id" in data:
        things.extend(_product(data, within))
        return
    provider = _provider(data)
    if provider is not None:
        things.append(provider)
    for value in data.values():
        if isinstance(value, list | dict):
            _walk(value, things, records, provider or within)


@cache
def _kinds_by_key() -> tuple[tuple[str, str], ...]:
    """Return the key of the id of each kind of provider, and the kind."""
    return tuple((f"{kind}_id", kind) for kind in provider_kinds())


def _kind_in(data: Mapping[str, Any]) -> str:
    """Return the kind of the provider whose id is there; empty where there is none."""
    for key, kind in _kinds_by_key():
        if key in data:
            return kind
    return ""


def _provider(data: Mapping[str, Any]) -> Thing | None:
    kind = _kind_in(data)
    if not kind:
        return None
    name = str(data.get("name") or data.get(f"{kind}_name") or data.get(f"{kind}_number") or "")
    place = data.get("location") or {}
    target = data.get("arrival_station_location") or data.get("arrival_airport_location") or {}
    tags = [str(tag) for tag in data.get("tags") or ()]
    listed = data.get("products")
    return Thing(
        id=str(data[f"{kind}_id"]),
        kind=kind,
        name=name,
        is_product=False,
        words=frozenset((name, *tags)),
        prose="\n".join((name, str(data.get("description", "")), str(target.get("address", "")))),
        numbers=_numbers(data),
        at=(place["longitude"], place["latitude"]) if "longitude" in place else None,
        address=str(place.get("address", "")),
        ends=(str(data.get("departure_city", "")), str(data.get("arrival_city", ""))),
        products=None if listed is None else tuple(str(one["product_id"]) for one in listed if "product_id" in one),
    )


def _product(data: Mapping[str, Any], within: Thing | None) -> Iterator[Thing]:
    """Yield a product, and its provider where it stands alone and names it."""
    kind = within.kind if within else _kind_in(data)
    owner = within.id if within else str(data.get(f"{kind}_id", ""))
    if within is None and owner:
        name = str(data.get(f"{kind}_name", ""))
        yield Thing(owner, kind, name, is_product=False, words=frozenset((name,)), prose=name)
    called = next((str(data[key]) for key in _TYPES if key in data), str(data.get("name", "")))
    tags = [str(tag) for tag in data.get("tags") or ()]
    yield Thing(
        id=str(data["product_id"]),
        kind=kind,
        name=called,
        is_product=True,
        owner=owner,
        words=frozenset((called, *tags)),
        prose=called,
        numbers=_numbers(data),
        date=str(data.get("date") or ""),
    )


def _numbers(data: Mapping[str, Any]) -> dict[str, float]:
    out = {key: float(value) for key, value in data.items() if type(value) in (int, float, bool)}
    if "departure_time" in data:
        leaves, arrives = minutes_of(data["departure_time"]), minutes_of(data.get("arrival_time"))
        if leaves is not None and arrives is not None:
            out |= {"leaves": leaves, "arrives": arrives + _DAY * (arrives < leaves)}
    if "opening_hours" in data:
        opens, _, closes = str(data["opening_hours"]).partition("-")
        if (until := minutes_of(closes)) is not None and (since := minutes_of(opens)) is not None:
            out |= {"opens": since, "closes": until}
    return out


def minutes_of(text: Any) -> int | None:
    """Return the minutes since midnight of a time ``HH:MM``; None where it is none."""
    hours, _, minutes = str(text or "").partition(":")
    return int(hours) * 60 + int(minutes[:2]) if hours.isdigit() and minutes[:2].isdigit() else None


def _record(data: Mapping[str, Any]) -> SeenRecord:
    key = next(key for key in _RECORD_KEYS if key in data)
    lines = data.get("products")
    place = data.get("location") or {}
    provider = data.get("store_id") or data.get("shop_id") or ""
    return SeenRecord(
        id=str(data[key]),
        kind=_RECORD_KEYS[key] or str(data.get("order_type", "")),
        provider=str(provider),
        status=str(data["status"]),
        lines=None if lines is None else tuple((str(x["product_id"]), int(x.get("quantity", 1))) for x in lines),
        names=tuple(_called(line) for line in lines or ()),
        time=str(data.get("delivery_time") or data.get("book_time") or data.get("reservation_time") or ""),
        dates=tuple(str(line["date"]) for line in lines or () if line.get("date")),
        address=str(place.get("address", "")),
        note=str(data.get("note") or ""),
        people=int(data.get("customer_count") or 0),
        total=float(data.get("total_price") or data.get("book_price") or 0),
        due=float(data.get("amount_due") or 0),
    )


def _called(line: Mapping[str, Any]) -> str:
    return next((str(line[key]) for key in ("name", *_TYPES) if line.get(key)), "")
