"""In-store tools for table bookings and visit reservations."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from vitagym.envs.common.conditions import FutureTime, UserId, known_provider
from vitagym.envs.common.listing import listing
from vitagym.envs.common.orders import now
from vitagym.envs.instore.conditions import (
    SHOP,
    SHOP_ID,
    BookId,
    BooksResult,
    CancelledBookResult,
    CancelledReservationResult,
    ChangedReservationResult,
    NewBookResult,
    NewReservationResult,
    OpenBookId,
    OpenReservationId,
    PaidBookResult,
    ReservationId,
    ReservationsResult,
    ShopId,
    UnpaidBookId,
    own_booking,
    own_reservation,
)
from vitagym.envs.instore.entities import Shop
from vitagym.tools.results import Refused
from vitagym.tools.tool import Kind, tool
from vitagym.world.records import Booking, Reservation, Status
from vitagym.world.world import World


@tool(Kind.WRITE)
def instore_book(
    world: World, user_id: UserId, shop_id: ShopId, time: FutureTime, customer_count: int = 1
) -> NewBookResult:
    """A table booking; unpaid where the shop asks a fee, else paid at once."""
    shop = _shop(world, shop_id)
    if not shop.enable_book:
        raise Refused("no_booking_there", fact=SHOP_ID.name, parameter="shop_id", value=shop_id)
    _require_people(customer_count)
    booking = Booking(
        id=world.ledger.new_id("B"),
        shop_id=shop_id,
        user_id=user_id,
        time=time,
        customer_count=customer_count,
        price=shop.book_price,
        status=Status.UNPAID if shop.book_price > 0 else Status.PAID,
        update_time=now(world),
    )
    world.ledger.put(booking)
    return booking.data()


@tool(Kind.WRITE)
def pay_instore_book(world: World, book_id: UnpaidBookId) -> PaidBookResult:
    """The fee of a booking is paid."""
    booking = own_booking(world, book_id)
    world.ledger.put(replace(booking, status=Status.PAID, update_time=now(world)))
    return {"status": Status.PAID.value, "amount_paid": booking.price}


@tool(Kind.WRITE)
def instore_cancel_book(world: World, book_id: OpenBookId) -> CancelledBookResult:
    """A booking that is not closed is cancelled."""
    booking = own_booking(world, book_id)
    refund = booking.price if booking.status != Status.UNPAID else 0.0
    world.ledger.put(replace(booking, status=Status.CANCELLED, update_time=now(world)))
    return {"book_id": book_id, "status": Status.CANCELLED.value, "amount_refunded": refund}


@tool(Kind.WRITE)
def instore_reservation(
    world: World, user_id: UserId, shop_id: ShopId, time: FutureTime, customer_count: int = 1
) -> NewReservationResult:
    """A reservation of a visit."""
    if not _shop(world, shop_id).enable_reservation:
        raise Refused("no_reservation_there", fact=SHOP_ID.name, parameter="shop_id", value=shop_id)
    _require_people(customer_count)
    reservation = Reservation(
        id=world.ledger.new_id("R"),
        shop_id=shop_id,
        user_id=user_id,
        time=time,
        customer_count=customer_count,
        status=Status.UNCONSUMED,
        update_time=now(world),
    )
    world.ledger.put(reservation)
    return reservation.data()


@tool(Kind.WRITE)
def instore_modify_reservation(
    world: World, reservation_id: OpenReservationId, time: FutureTime, customer_count: int = 0
) -> ChangedReservationResult:
    """A reservation gets another time and, where the head count is above 0, another head count."""
    if customer_count < 0:
        raise Refused("negative_people", parameter="customer_count", value=customer_count)
    before = own_reservation(world, reservation_id)
    people = customer_count or before.customer_count
    after = replace(before, time=time, customer_count=people, update_time=now(world))
    world.ledger.put(after)
    return after.data()


@tool(Kind.WRITE)
def instore_cancel_reservation(world: World, reservation_id: OpenReservationId) -> CancelledReservationResult:
    """A reservation that is not closed is cancelled."""
    before = own_reservation(world, reservation_id)
    world.ledger.put(replace(before, status=Status.CANCELLED, update_time=now(world)))
    return {"reservation_id": reservation_id, "status": Status.CANCELLED.value}


@tool(Kind.READ)
def get_instore_reservations(world: World, user_id: UserId) -> ReservationsResult:
    """The user's reservations."""
    found = [one.data() for one in world.ledger.reservations.values() if one.user_id == user_id]
    return listing(world, reservations=found)


@tool(Kind.READ)
def get_instore_books(world: World, user_id: UserId) -> BooksResult:
    """The user's bookings."""
    return listing(world, books=[one.data() for one in world.ledger.bookings.values() if one.user_id == user_id])


@tool(Kind.READ)
def search_instore_book(world: World, user_id: UserId, book_id: BookId | None = None) -> BooksResult:
    """One booking of the user, or all of them."""
    found = world.ledger.bookings.values() if book_id is None else (own_booking(world, book_id),)
    return listing(world, books=[one.data() for one in found if one.user_id == user_id])


@tool(Kind.READ)
def search_instore_reservation(
    world: World, user_id: UserId, reservation_id: ReservationId | None = None
) -> ReservationsResult:
    """One reservation of the user, or all of them."""
    every = world.ledger.reservations.values()
    found = every if reservation_id is None else (own_reservation(world, reservation_id),)
    return listing(world, reservations=[one.data() for one in found if one.user_id == user_id])


def _shop(world: World, shop_id: str) -> Shop:
    return cast(Shop, known_provider(world, SHOP, shop_id))


def _require_people(count: int) -> None:
    if count < 1:
        raise Refused("no_people", parameter="customer_count", value=count)
