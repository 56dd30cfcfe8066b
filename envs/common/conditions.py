"""Conditions that all domains share: what a parameter's values refer to, stated once per parameter type."""

from __future__ import annotations

import math
from typing import Annotated

from vitagym.tools.conditions import Fact, Needs
from vitagym.tools.results import Refused
from vitagym.world.entities import Place, Product, Provider
from vitagym.world.geography import geography
from vitagym.world.records import Order, Record
from vitagym.world.times import EARTH_RADIUS_M, parse_date, parse_time
from vitagym.world.world import World

USER_ID = Fact("user_id", ("user_id",), identity=True)
ADDRESS = Fact("address", ("address",))
CITY = Fact("city", ("departure_city", "arrival_city"))
COORDINATES = Fact("coordinates", ("longitude", "latitude"))
DISTANCE = Fact("distance", ("distance",))
DATE = Fact("date", ("date",))
TIME = Fact("time", ("time",))
BOOK_ID = Fact("book_id", ("book_id",), identity=True)
RESERVATION_ID = Fact("reservation_id", ("reservation_id",), identity=True)

FARTHEST_M = math.ceil(math.pi * EARTH_RADIUS_M)
PROVIDER_KINDS = ("store", "shop", "hotel", "attraction", "flight", "train")
ORDER_KINDS = ("delivery", "instore", "hotel", "attraction", "flight", "train")


def check_user(world: World, user_id: str) -> None:
    """Refuse any user but the one whom the world serves."""
    if user_id != world.catalogue.user_id:
        raise Refused("wrong_user", fact=USER_ID.name, value=user_id)


def known_place(world: World, address: str) -> Place:
    """Return the place that an address means; refuse one that the world does not know."""
    place = geography(world.catalogue).place(address)
    if place is None:
        raise Refused("unknown_address", fact=ADDRESS.name, value=address)
    return place


def check_longitude(_: World, degrees: float) -> None:
    """Refuse what is no longitude."""
    if not -180 <= degrees <= 180:
        raise Refused("not_longitude", fact=COORDINATES.name, value=degrees)


def check_latitude(_: World, degrees: float) -> None:
    """Refuse what is no latitude."""
    if not -90 <= degrees <= 90:
        raise Refused("not_latitude", fact=COORDINATES.name, value=degrees)


def check_distance(_: World, metres: float) -> None:
    """Refuse what is no distance on the globe."""
    if not 0 <= metres <= FARTHEST_M:
        raise Refused("not_distance", fact=DISTANCE.name, value=metres)


def check_date(_: World, text: str) -> None:
    """Refuse what is no date ``YYYY-MM-DD``."""
    if parse_date(text) is None:
        raise Refused("not_date", fact=DATE.name, value=text)


def check_future_time(world: World, text: str) -> None:
    """Refuse what is no time ``YYYY-MM-DD HH:MM:SS``, or lies in the past."""
    time = parse_time(text)
    if time is None:
        raise Refused("not_time", fact=TIME.name, value=text)
    if time < world.catalogue.time:
        raise Refused("time_past", fact=TIME.name, value=text, now=world.catalogue.time)


def provider_fact(kind: str) -> Fact:
    """Return the fact that the id of a provider of one kind is known."""
    return Fact(f"{kind}_id", (f"{kind}_id",), identity=True)


def product_fact(kind: str) -> Fact:
    """Return the fact that the id of a product is known which providers of one kind sell."""
    return Fact(f"{kind}_product_id", ("product_id",), identity=True)


def provider_needs(kind: str) -> Needs:
    """Return the mark of a parameter type: the id of a provider of one kind."""

    def check(world: World, provider_id: str) -> None:
        known_provider(world, kind, provider_id)

    return Needs(provider_fact(kind), check)


def product_needs(kind: str) -> Needs:
    """Return the mark of a parameter type: the id of a product that providers of one kind sell."""

    def check(world: World, product_id: str) -> None:
        known_product(world, kind, product_id)

    return Needs(product_fact(kind), check)


def known_provider(world: World, kind: str, provider_id: str) -> Provider:
    """Return the provider of that kind and id; refuse an unknown one."""
    provider = world.catalogue.of_kind(kind).get(provider_id)
    if provider is None:
        raise Refused(f"unknown_{kind}", fact=provider_fact(kind).name, value=provider_id)
    return provider


def known_product(world: World, kind: str, product_id: str) -> Product:
    """Return the product of that id which a provider of that kind sells; refuse an unknown one."""
    product = world.catalogue.product(kind, product_id)
    if product is None:
        raise Refused(f"unknown_{kind}_product", fact=product_fact(kind).name, value=product_id)
    return product


def order_fact(kind: str) -> Fact:
    """Return the fact that the id of an order of one kind is known."""
    return Fact(f"{kind}_order_id", ("order_id",), identity=True)


def order_needs(kind: str, statuses: frozenset[str] | None = None) -> Needs:
    """Return the mark of a parameter type: the id of the user's own order of one kind, in one of some statuses."""

    fact = order_fact(kind)

    def check(world: World, order_id: str) -> None:
        require_status(own_order(world, order_id, kind), fact, statuses)

    return Needs(fact, check, statuses)


def require_status(record: Record, fact: Fact, statuses: frozenset[str] | None) -> None:
    """Refuse a record that is in none of some statuses; None: any will do."""
    if statuses is not None and record.status not in statuses:
        needed = ", ".join(sorted(statuses))
        raise Refused("wrong_status", fact=fact.name, value=record.id, status=record.status, statuses=needed)


def own_order(world: World, order_id: str, kind: str) -> Order:
    """Return the user's order of that id; refuse an unknown one, one of another kind, or one of another user."""
    order = world.ledger.orders.get(order_id)
    fact = order_fact(kind).name
    if order is None:
        raise Refused("unknown_order", fact=fact, value=order_id)
    if order.kind != kind:
        raise Refused("other_kind_of_order", fact=fact, value=order_id, kind=order.kind)
    if order.user_id != world.catalogue.user_id:
        raise Refused("order_of_another_user", fact=fact, value=order_id)
    return order


UserId = Annotated[str, Needs(USER_ID, check_user)]
City = Annotated[str, Needs(CITY)]
KnownAddress = Annotated[str, Needs(ADDRESS, known_place)]
Longitude = Annotated[float, Needs(COORDINATES, check_longitude)]
Latitude = Annotated[float, Needs(COORDINATES, check_latitude)]
DateText = Annotated[str, Needs(DATE, check_date)]
FutureTime = Annotated[str, Needs(TIME, check_future_time)]
