"""What the parameters of travel tools refer to, and what their results make known."""

from __future__ import annotations

from typing import Annotated, Any

from vitagym.envs.common.conditions import (
    ADDRESS,
    CITY,
    COORDINATES,
    DATE,
    USER_ID,
    order_fact,
    order_needs,
    own_order,
    product_fact,
    product_needs,
    provider_fact,
    provider_needs,
)
from vitagym.envs.ota.cities import known_city
from vitagym.tools.conditions import Given, Needs, OneOf, gives
from vitagym.tools.results import Refused
from vitagym.world.records import Status
from vitagym.world.world import World

UNPAID = frozenset({Status.UNPAID})
PAID = frozenset({Status.PAID})
DUE = UNPAID | PAID
OPEN = frozenset({Status.UNPAID, Status.PAID, Status.PROCESSED, Status.IN_PROGRESS, Status.UNCONSUMED})
STATUSES = (Status.UNPAID, Status.PAID, Status.CONSUMED, Status.CANCELLED)


def due_needs(kind: str) -> Needs:
    """Return the mark of a parameter type: the id of an unpaid order, or of a paid one with an amount due."""
    plain = order_needs(kind, DUE)

    def check(world: World, order_id: str) -> None:
        if plain.check is not None:
            plain.check(world, order_id)
        order = own_order(world, order_id, kind)
        if order.status == Status.PAID and order.due == 0:
            raise Refused("nothing_due", fact=plain.fact.name, value=order_id)

    return Needs(plain.fact, check, DUE)


CityName = Annotated[str, Needs(CITY, known_city)]
OrderStatus = Annotated[str, OneOf(STATUSES)]

HotelId = Annotated[str, provider_needs("hotel")]
AttractionId = Annotated[str, provider_needs("attraction")]
FlightId = Annotated[str, provider_needs("flight")]
TrainId = Annotated[str, provider_needs("train")]
RoomId = Annotated[str, product_needs("hotel")]
TicketId = Annotated[str, product_needs("attraction")]
FlightSeatId = Annotated[str, product_needs("flight")]
TrainSeatId = Annotated[str, product_needs("train")]

HotelOrderId = Annotated[str, order_needs("hotel")]
AttractionOrderId = Annotated[str, order_needs("attraction")]
FlightOrderId = Annotated[str, order_needs("flight")]
TrainOrderId = Annotated[str, order_needs("train")]
DueHotelOrderId = Annotated[str, order_needs("hotel", UNPAID)]
DueAttractionOrderId = Annotated[str, order_needs("attraction", UNPAID)]
DueFlightOrderId = Annotated[str, due_needs("flight")]
DueTrainOrderId = Annotated[str, due_needs("train")]
PaidFlightOrderId = Annotated[str, order_needs("flight", PAID)]
PaidTrainOrderId = Annotated[str, order_needs("train", PAID)]
OpenHotelOrderId = Annotated[str, order_needs("hotel", OPEN)]
OpenAttractionOrderId = Annotated[str, order_needs("attraction", OPEN)]
OpenFlightOrderId = Annotated[str, order_needs("flight", OPEN)]
OpenTrainOrderId = Annotated[str, order_needs("train", OPEN)]

HotelResult = Annotated[dict[str, Any], gives(provider_fact("hotel"), product_fact("hotel"), DATE, ADDRESS)]
AttractionResult = Annotated[
    dict[str, Any], gives(provider_fact("attraction"), product_fact("attraction"), DATE, ADDRESS)
]
FlightResult = Annotated[dict[str, Any], gives(provider_fact("flight"), product_fact("flight"), DATE, ADDRESS, CITY)]
TrainResult = Annotated[dict[str, Any], gives(provider_fact("train"), product_fact("train"), DATE, ADDRESS, CITY)]

HotelsResult = Annotated[dict[str, Any], gives(provider_fact("hotel"), ADDRESS, COORDINATES)]
AttractionsResult = Annotated[dict[str, Any], gives(provider_fact("attraction"), ADDRESS, COORDINATES)]
FlightsResult = Annotated[dict[str, Any], gives(provider_fact("flight"), ADDRESS, COORDINATES, CITY)]
TrainsResult = Annotated[dict[str, Any], gives(provider_fact("train"), ADDRESS, COORDINATES, CITY)]

NewHotelOrder = Annotated[dict[str, Any], gives(Given(order_fact("hotel"), UNPAID), DATE, changes="order_created")]
NewAttractionOrder = Annotated[
    dict[str, Any], gives(Given(order_fact("attraction"), UNPAID), DATE, changes="order_created")
]
NewFlightOrder = Annotated[dict[str, Any], gives(Given(order_fact("flight"), UNPAID), DATE, changes="order_created")]
NewTrainOrder = Annotated[dict[str, Any], gives(Given(order_fact("train"), UNPAID), DATE, changes="order_created")]

HotelOrder = Annotated[dict[str, Any], gives(order_fact("hotel"), product_fact("hotel"), USER_ID, DATE)]
AttractionOrder = Annotated[dict[str, Any], gives(order_fact("attraction"), product_fact("attraction"), USER_ID, DATE)]
FlightOrder = Annotated[dict[str, Any], gives(order_fact("flight"), product_fact("flight"), USER_ID, DATE)]
TrainOrder = Annotated[dict[str, Any], gives(order_fact("train"), product_fact("train"), USER_ID, DATE)]

HotelOrders = Annotated[dict[str, Any], gives(order_fact("hotel"))]
AttractionOrders = Annotated[dict[str, Any], gives(order_fact("attraction"))]
FlightOrders = Annotated[dict[str, Any], gives(order_fact("flight"))]
TrainOrders = Annotated[dict[str, Any], gives(order_fact("train"))]

PaidResult = Annotated[dict[str, Any], gives(changes="order_paid")]
ChangedOrder = Annotated[dict[str, Any], gives(DATE, changes="order_date_changed")]
CancelledOrder = Annotated[dict[str, Any], gives(changes="order_cancelled")]
