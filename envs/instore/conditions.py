"""What the parameters of in-store tools refer to, and what their results make known."""

from __future__ import annotations

from typing import Annotated, Any

from vitagym.envs.common.conditions import (
    ADDRESS,
    BOOK_ID,
    COORDINATES,
    RESERVATION_ID,
    USER_ID,
    order_fact,
    order_needs,
    product_fact,
    product_needs,
    provider_fact,
    provider_needs,
    require_status,
)
from vitagym.tools.conditions import Given, Needs, gives
from vitagym.tools.results import Refused
from vitagym.world.records import Booking, Reservation, Status
from vitagym.world.world import World

KIND = "instore"
SHOP = "shop"

ORDER_ID = order_fact(KIND)
SHOP_ID = provider_fact(SHOP)
PRODUCT_ID = product_fact(SHOP)

UNPAID = frozenset({Status.UNPAID})
UNCONSUMED = frozenset({Status.UNCONSUMED})
OPEN = frozenset({Status.UNPAID, Status.PAID, Status.PROCESSED, Status.IN_PROGRESS, Status.UNCONSUMED})
BOOKED = frozenset({Status.UNPAID, Status.PAID})


def own_booking(world: World, book_id: str) -> Booking:
    """Return the user's booking of that id; refuse any other."""
    booking = world.ledger.bookings.get(book_id)
    if booking is None:
        raise Refused("unknown_book", fact=BOOK_ID.name, value=book_id)
    if booking.user_id != world.catalogue.user_id:
        raise Refused("book_of_another_user", fact=BOOK_ID.name, value=book_id)
    return booking


def own_reservation(world: World, reservation_id: str) -> Reservation:
    """Return the user's reservation of that id; refuse any other."""
    reservation = world.ledger.reservations.get(reservation_id)
    if reservation is None:
        raise Refused("unknown_reservation", fact=RESERVATION_ID.name, value=reservation_id)
    if reservation.user_id != world.catalogue.user_id:
        raise Refused("reservation_of_another_user", fact=RESERVATION_ID.name, value=reservation_id)
    return reservation


def _book_needs(statuses: frozenset[str] | None = None) -> Needs:
    return Needs(BOOK_ID, lambda world, one: require_status(own_booking(world, one), BOOK_ID, statuses), statuses)


def _reservation_needs(statuses: frozenset[str] | None = None) -> Needs:
    return Needs(
        RESERVATION_ID,
        lambda world, one: require_status(own_reservation(world, one), RESERVATION_ID, statuses),
        statuses,
    )


ShopId = Annotated[str, provider_needs(SHOP)]
ProductId = Annotated[str, product_needs(SHOP)]
UnpaidOrderId = Annotated[str, order_needs(KIND, UNPAID)]
OpenOrderId = Annotated[str, order_needs(KIND, OPEN)]
BookId = Annotated[str, _book_needs()]
UnpaidBookId = Annotated[str, _book_needs(UNPAID)]
OpenBookId = Annotated[str, _book_needs(OPEN)]
ReservationId = Annotated[str, _reservation_needs()]
OpenReservationId = Annotated[str, _reservation_needs(OPEN)]

ShopsResult = Annotated[dict[str, Any], gives(SHOP_ID, ADDRESS, COORDINATES)]
ProductsResult = Annotated[dict[str, Any], gives(SHOP_ID, PRODUCT_ID)]
OrdersResult = Annotated[dict[str, Any], gives(ORDER_ID, USER_ID, SHOP_ID, PRODUCT_ID)]
NewOrderResult = Annotated[dict[str, Any], gives(Given(ORDER_ID, UNPAID), changes="order_created")]
PaidOrderResult = Annotated[dict[str, Any], gives(changes="order_paid")]
CancelledOrderResult = Annotated[dict[str, Any], gives(changes="order_cancelled")]
BooksResult = Annotated[dict[str, Any], gives(BOOK_ID)]
NewBookResult = Annotated[dict[str, Any], gives(Given(BOOK_ID, BOOKED), changes="table_booked")]
PaidBookResult = Annotated[dict[str, Any], gives(changes="book_paid")]
CancelledBookResult = Annotated[dict[str, Any], gives(changes="book_cancelled")]
ReservationsResult = Annotated[dict[str, Any], gives(RESERVATION_ID)]
NewReservationResult = Annotated[dict[str, Any], gives(Given(RESERVATION_ID, UNCONSUMED), changes="visit_reserved")]
ChangedReservationResult = Annotated[dict[str, Any], gives(Given(RESERVATION_ID, OPEN), changes="reservation_changed")]
CancelledReservationResult = Annotated[dict[str, Any], gives(changes="reservation_cancelled")]
