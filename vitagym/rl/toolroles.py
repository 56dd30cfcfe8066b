"""What each tool does, read off its typed conditions: which makes a record, of what, which pays or cancels it …"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from vitagym.domains import CROSS, toolset
from vitagym.rl.sightings import provider_kinds
from vitagym.tools.tool import Kind, Parameter, Tool

_PRODUCT = "_product_id"
_RECORDS = {"book_id": "book", "reservation_id": "reservation"}


class Deed(StrEnum):
    """What a call does."""

    SEARCH = "search"
    """Looks for providers or products by words or cities."""
    LOOK = "look"
    """Shows one provider or product."""
    NEARBY = "nearby"
    """Shows what is near a point."""
    PROFILE = "profile"
    """Shows the user's profile, or all records: it needs nothing."""
    LIST = "list"
    """Shows the user's records of a kind."""
    DETAIL = "detail"
    """Shows one record."""
    LOCATE = "locate"
    """Finds where an address is."""
    MEASURE = "measure"
    """Works out a distance, or the time for one."""
    WEATHER = "weather"
    """Shows a forecast."""
    CALENDAR = "calendar"
    """Finds the date of a feast, or the feast of a date."""
    MAKE = "make"
    """Makes a record."""
    PAY = "pay"
    CANCEL = "cancel"
    CHANGE = "change"
    """Changes a record."""


@dataclass(frozen=True, slots=True)
class Role:
    """What a tool does.

    Attributes:
        record: Kind of the record that it makes, shows or changes; empty where it does none of these.
        provider: Kind of the providers concerned.
        products: Whether it is about products of theirs.
        statuses: In which statuses the record must be; None: any.
    """

    tool: Tool
    deed: Deed
    record: str = ""
    provider: str = ""
    products: bool = False
    statuses: frozenset[str] | None = None


@cache
def roles() -> dict[str, Role]:
    """Return tool name -> role, for all tools."""
    return {tool.name: _role(tool) for tool in toolset((CROSS,))}


@cache
def tool_numbers() -> dict[str, int]:
    """Return tool name -> a number from 1 on, for all tools."""
    return {name: number for number, name in enumerate(roles(), 1)}


@cache
def maker(record: str) -> Role:
    """Return the role of the tool that makes records of a kind."""
    return next(role for role in roles().values() if role.deed is Deed.MAKE and role.record == record)


@cache
def record_kinds() -> tuple[str, ...]:
    """Return the kinds of records that tools make."""
    return tuple(role.record for role in roles().values() if role.deed is Deed.MAKE)


@cache
def provider_of(record: str) -> str:
    """Return the kind of the providers of records of a kind; empty for a kind that no tool makes."""
    return maker(record).provider if record in record_kinds() else ""


@cache
def takes(role: Role, fact: str) -> bool:
    """Return whether a tool has a parameter that needs a fact."""
    return any(p.needs is not None and p.needs.fact.name == fact for p in role.tool.parameters)


@cache
def is_delivered(record: str) -> bool:
    """Return whether records of a kind go to an address."""
    return record in record_kinds() and takes(maker(record), "address")


def _role(tool: Tool) -> Role:
    changes = tool.gives.changes or ""
    needed = [_fact(p) for p in tool.parameters]
    given = [g.fact.name for g in tool.gives.given]
    record = next((_record(fact) for fact in (*needed, *given) if _record(fact)), "")
    product = next((fact.removesuffix(_PRODUCT) for fact in (*needed, *given) if fact.endswith(_PRODUCT)), "")
    provider = next((kind for kind in provider_kinds() if f"{kind}_id" in (*needed, *given)), product)
    statuses = next((p.needs.statuses for p in tool.parameters if p.needs and p.needs.statuses), None)
    deed = _write(changes, needed) if tool.kind is Kind.WRITE else _read(tool, needed, given)
    products = any(fact.endswith(_PRODUCT) for fact in (needed if deed is Deed.MAKE else given))
    return Role(tool, deed, record, provider, products, statuses)


def _write(changes: str, needed: list[str]) -> Deed:
    if not any(_record(fact) for fact in needed):
        return Deed.MAKE
    if changes.endswith("_paid"):
        return Deed.PAY
    return Deed.CANCEL if changes.endswith("_cancelled") else Deed.CHANGE


def _read(tool: Tool, needed: list[str], given: list[str]) -> Deed:
    names = [p.name for p in tool.parameters]
    records = any(_record(fact) for fact in given)
    if not names:
        return Deed.PROFILE
    if "range" in names:
        return Deed.NEARBY
    if needed.count("coordinates") > 1 or "distance" in needed:
        return Deed.MEASURE
    if "address" in needed:
        return Deed.LOCATE
    if any(_record(p) and tool.parameters[n].required for n, p in enumerate(needed)):
        return Deed.DETAIL
    if records:
        return Deed.LIST
    if any(fact.endswith("_id") for fact in needed):
        return Deed.LOOK
    if any(fact.endswith("_id") for fact in given):
        return Deed.SEARCH
    return Deed.WEATHER if "city" in needed else Deed.CALENDAR


def _fact(parameter: Parameter) -> str:
    return parameter.needs.fact.name if parameter.needs else ""


def _record(fact: str) -> str:
    if fact in _RECORDS:
        return _RECORDS[fact]
    return fact.removesuffix("_order_id") if fact.endswith("_order_id") else ""
