"""Travel tools that make, pay, find and cancel orders."""

from __future__ import annotations

from typing import Any

from vitagym.envs.common.conditions import DateText, UserId, known_provider, own_order
from vitagym.envs.common.listing import listing
from vitagym.envs.common.orders import cancel_order, now, pay_order, price_of
from vitagym.envs.ota.conditions import (
    AttractionId,
    AttractionOrder,
    AttractionOrderId,
    AttractionOrders,
    CancelledOrder,
    DueAttractionOrderId,
    DueFlightOrderId,
    DueHotelOrderId,
    DueTrainOrderId,
    FlightId,
    FlightOrder,
    FlightOrderId,
    FlightOrders,
    FlightSeatId,
    HotelId,
    HotelOrder,
    HotelOrderId,
    HotelOrders,
    NewAttractionOrder,
    NewFlightOrder,
    NewHotelOrder,
    NewTrainOrder,
    OpenAttractionOrderId,
    OpenFlightOrderId,
    OpenHotelOrderId,
    OpenTrainOrderId,
    OrderStatus,
    PaidResult,
    RoomId,
    TicketId,
    TrainId,
    TrainOrder,
    TrainOrderId,
    TrainOrders,
    TrainSeatId,
)
from vitagym.envs.ota.lines import line_of, require_left, sold
from vitagym.tools.tool import Kind, tool
from vitagym.world.records import Order, Status
from vitagym.world.world import World


@tool(Kind.WRITE)
def create_hotel_order(world: World, hotel_id: HotelId, room_id: RoomId, user_id: UserId) -> NewHotelOrder:
    """A new, unpaid order of one room for its night."""
    return _create(world, "hotel", hotel_id, room_id, None, 1)


@tool(Kind.WRITE)
def create_attraction_order(
    world: World, attraction_id: AttractionId, ticket_id: TicketId, user_id: UserId, date: DateText, quantity: int
) -> NewAttractionOrder:
    """A new, unpaid order of tickets for a day."""
    return _create(world, "attraction", attraction_id, ticket_id, date, quantity)


@tool(Kind.WRITE)
def create_flight_order(
    world: World, flight_id: FlightId, seat_id: FlightSeatId, user_id: UserId, date: DateText, quantity: int
) -> NewFlightOrder:
    """A new, unpaid order of seats of one flight on a day."""
    return _create(world, "flight", flight_id, seat_id, date, quantity)


@tool(Kind.WRITE)
def create_train_order(
    world: World, train_id: TrainId, seat_id: TrainSeatId, user_id: UserId, date: DateText, quantity: int
) -> NewTrainOrder:
    """A new, unpaid order of seats of one train on a day."""
    return _create(world, "train", train_id, seat_id, date, quantity)


@tool(Kind.WRITE)
def pay_hotel_order(world: World, order_id: DueHotelOrderId) -> PaidResult:
    """A hotel order is paid."""
    return pay_order(world, own_order(world, order_id, "hotel"))


@tool(Kind.WRITE)
def pay_attraction_order(world: World, order_id: DueAttractionOrderId) -> PaidResult:
    """An attraction order is paid."""
    return pay_order(world, own_order(world, order_id, "attraction"))


@tool(Kind.WRITE)
def pay_flight_order(world: World, order_id: DueFlightOrderId) -> PaidResult:
    """What is due of a flight order is paid."""
    return pay_order(world, own_order(world, order_id, "flight"))


@tool(Kind.WRITE)
def pay_train_order(world: World, order_id: DueTrainOrderId) -> PaidResult:
    """What is due of a train order is paid."""
    return pay_order(world, own_order(world, order_id, "train"))


@tool(Kind.READ)
def search_hotel_order(
    world: World, user_id: UserId, date: DateText | None = None, status: OrderStatus | None = "paid"
) -> HotelOrders:
    """The user's hotel orders, of a night and a status where given."""
    return _search(world, "hotel", date, status)


@tool(Kind.READ)
def search_attraction_order(
    world: World, user_id: UserId, date: DateText | None = None, status: OrderStatus | None = "paid"
) -> AttractionOrders:
    """The user's attraction orders, of a day and a status where given."""
    return _search(world, "attraction", date, status)


@tool(Kind.READ)
def search_flight_order(
    world: World, user_id: UserId, date: DateText | None = None, status: OrderStatus | None = "paid"
) -> FlightOrders:
    """The user's flight orders, of a day and a status where given."""
    return _search(world, "flight", date, status)


@tool(Kind.READ)
def search_train_order(
    world: World, user_id: UserId, date: DateText | None = None, status: OrderStatus | None = "paid"
) -> TrainOrders:
    """The user's train orders, of a day and a status where given."""
    return _search(world, "train", date, status)


@tool(Kind.READ)
def get_hotel_order_detail(world: World, order_id: HotelOrderId) -> HotelOrder:
    """One hotel order with its room."""
    return own_order(world, order_id, "hotel").data()


@tool(Kind.READ)
def get_attraction_order_detail(world: World, order_id: AttractionOrderId) -> AttractionOrder:
    """One attraction order with its tickets."""
    return own_order(world, order_id, "attraction").data()


@tool(Kind.READ)
def get_flight_order_detail(world: World, order_id: FlightOrderId) -> FlightOrder:
    """One flight order with its seats."""
    return own_order(world, order_id, "flight").data()


@tool(Kind.READ)
def get_train_order_detail(world: World, order_id: TrainOrderId) -> TrainOrder:
    """One train order with its seats."""
    return own_order(world, order_id, "train").data()


@tool(Kind.WRITE)
def cancel_hotel_order(world: World, order_id: OpenHotelOrderId, user_id: UserId) -> CancelledOrder:
    """A hotel order is cancelled and refunded."""
    return _cancel(world, "hotel", order_id)


@tool(Kind.WRITE)
def cancel_attraction_order(world: World, order_id: OpenAttractionOrderId, user_id: UserId) -> CancelledOrder:
    """An attraction order is cancelled and refunded."""
    return _cancel(world, "attraction", order_id)


@tool(Kind.WRITE)
def cancel_flight_order(world: World, order_id: OpenFlightOrderId, user_id: UserId) -> CancelledOrder:
    """A flight order is cancelled and refunded."""
    return _cancel(world, "flight", order_id)


@tool(Kind.WRITE)
def cancel_train_order(world: World, order_id: OpenTrainOrderId, user_id: UserId) -> CancelledOrder:
    """A train order is cancelled and refunded."""
    return _cancel(world, "train", order_id)


def _create(
    world: World, kind: str, provider_id: str, product_id: str, date: str | None, quantity: int
) -> dict[str, Any]:
    provider = known_provider(world, kind, provider_id)
    product = sold(provider, product_id, date)
    require_left(world, product, quantity)
    line = line_of(provider, product, quantity)
    created = now(world)
    order = Order(
        id=world.ledger.new_id("O"),
        kind=kind,
        user_id=world.catalogue.user_id,
        provider_id=provider_id,
        lines=(line,),
        total_price=price_of((line,)),
        status=Status.UNPAID,
        create_time=created,
        update_time=created,
    )
    world.ledger.put(order)
    world.ledger.move_stock(product, -quantity)
    return order.data()


def _search(world: World, kind: str, date: str | None, status: str | None) -> dict[str, Any]:
    user = world.catalogue.user_id
    found = [
        order.summary()
        for order in world.ledger.orders.values()
        if order.kind == kind
        and order.user_id == user
        and status in (None, order.status)
        and (date is None or any(line.date == date for line in order.lines))
    ]
    return listing(world, orders=found)


def _cancel(world: World, kind: str, order_id: str) -> dict[str, Any]:
    done = cancel_order(world, own_order(world, order_id, kind))
    return {"status": done["status"], "amount_refunded": done["amount_refunded"]}
