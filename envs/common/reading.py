"""Reads that all domains share: the user's history, the user's records, and what is near a point."""

from __future__ import annotations

from typing import Annotated, Any

from vitagym.envs.common.conditions import (
    ADDRESS,
    BOOK_ID,
    ORDER_KINDS,
    PROVIDER_KINDS,
    RESERVATION_ID,
    USER_ID,
    Latitude,
    Longitude,
    order_fact,
    product_fact,
    provider_fact,
)
from vitagym.envs.common.listing import listing
from vitagym.tools.conditions import gives
from vitagym.tools.results import Refused
from vitagym.tools.tool import Kind, tool
from vitagym.world.times import distance_m
from vitagym.world.world import World

_ID_KEYS = frozenset({"user id", "user_id"})

HistoryResult = Annotated[dict[str, Any], gives(USER_ID, ADDRESS)]
AllRecordsResult = Annotated[
    dict[str, Any],
    gives(
        *(order_fact(kind) for kind in ORDER_KINDS),
        *(product_fact(kind) for kind in PROVIDER_KINDS),
        provider_fact("store"),
        provider_fact("shop"),
        BOOK_ID,
        RESERVATION_ID,
        USER_ID,
    ),
]
NearbyResult = Annotated[dict[str, Any], gives(*(provider_fact(kind) for kind in PROVIDER_KINDS))]


@tool(Kind.READ)
def get_user_historical_behaviors(world: World) -> HistoryResult:
    """The user's profile as the platform knows it, with habits by scene."""
    known = {key: value for key, value in world.catalogue.behaviors.items() if key not in _ID_KEYS}
    return {"user_id": world.catalogue.user_id, **known}


@tool(Kind.READ)
def get_user_all_orders(world: World) -> AllRecordsResult:
    """Every order, booking and reservation of the account: as recorded, also one that stands in another user's name."""
    ledger = world.ledger
    return listing(
        world,
        orders=[order.data() for order in ledger.orders.values()],
        books=[booking.data() for booking in ledger.bookings.values()],
        reservations=[reservation.data() for reservation in ledger.reservations.values()],
    )


@tool(Kind.READ)
def get_nearby(world: World, longitude: Longitude, latitude: Latitude, range: float) -> NearbyResult:
    """Every provider within so many metres of a point; a flight or train by either end."""
    if range < 0:
        raise Refused("negative_range", parameter="range", value=range)
    near = [
        provider.data
        for provider in world.catalogue.providers.values()
        if any(distance_m(longitude, latitude, p.longitude, p.latitude) <= range for p in provider.places)
    ]
    return listing(world, providers=near)
