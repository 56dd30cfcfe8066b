"""The tools of the delivery domain.

As the public benchmark recorded it, a delivery order keeps its first update time whatever happens to it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from vitagym.envs.common.conditions import (
    FutureTime,
    KnownAddress,
    UserId,
    known_place,
    known_product,
    known_provider,
    own_order,
)
from vitagym.envs.common.listing import listing
from vitagym.envs.common.orders import cancel_order, now, pay_order, price_of
from vitagym.envs.delivery.conditions import (
    KIND,
    PRODUCT_ID,
    STORE,
    CancelledResult,
    ChangedResult,
    Distance,
    MinutesResult,
    NewOrderResult,
    OpenOrderId,
    OrderId,
    OrderResult,
    OrdersResult,
    OrderStatus,
    PaidResult,
    ProductId,
    ProductResult,
    ProductsResult,
    StatusResult,
    StoreId,
    StoreResult,
    StoresResult,
    UnpaidOrderId,
)
from vitagym.envs.delivery.search import product_index, store_index
from vitagym.tools.results import Refused
from vitagym.tools.tool import Kind, tool
from vitagym.world.entities import Place, Provider
from vitagym.world.records import Order, OrderLine, Status
from vitagym.world.times import distance_m, format_time, parse_time
from vitagym.world.world import World

MOST_RESULTS = 100
BASE_MINUTES = 25
MINUTES_PER_METRE = 0.00651


@tool(Kind.GENERAL)
def delivery_distance_to_time(world: World, distance: Distance) -> MinutesResult:
    """Minutes that a delivery over so many metres takes."""
    return {"minutes": shipping_minutes(distance)}


@tool(Kind.READ)
def get_delivery_store_info(world: World, store_id: StoreId) -> StoreResult:
    """One store with its products."""
    store = known_provider(world, STORE, store_id)
    return {**store.data, "products": [product.data for product in store.products]}


@tool(Kind.READ)
def get_delivery_product_info(world: World, product_id: ProductId) -> ProductResult:
    """One product."""
    return dict(known_product(world, STORE, product_id).data)


@tool(Kind.READ)
def delivery_store_search_recommand(world: World, keywords: list[str]) -> StoresResult:
    """Stores, best match first."""
    found = store_index(world.catalogue).ranked(keywords)[:MOST_RESULTS]
    return listing(world, stores=[store.data for store in found])


@tool(Kind.READ)
def delivery_product_search_recommand(world: World, keywords: list[str]) -> ProductsResult:
    """Products of all stores, best match first."""
    found = product_index(world.catalogue).ranked(keywords)[:MOST_RESULTS]
    return listing(world, products=[product.data for product in found])


@tool(Kind.WRITE)
def create_delivery_order(
    world: World,
    user_id: UserId,
    store_id: StoreId,
    product_ids: list[ProductId],
    product_cnts: list[int],
    address: KnownAddress,
    dispatch_time: FutureTime,
    attributes: list[str] | None = None,
    note: str = "",
) -> NewOrderResult:
    """A new, unpaid order of one store's products."""
    store = known_provider(world, STORE, store_id)
    lines = _lines(store, product_ids, product_cnts, attributes or [])
    known = known_place(world, address)
    to = Place(address, known.longitude, known.latitude)
    minutes = shipping_minutes(metres_to(store, to))
    arrival = _later(dispatch_time, minutes)
    created = now(world)
    order = Order(
        id=world.ledger.new_id("O"),
        kind=KIND,
        user_id=user_id,
        provider_id=store_id,
        lines=lines,
        total_price=price_of(lines),
        status=Status.UNPAID,
        create_time=created,
        update_time=created,
        note=note,
        location=to,
        dispatch_time=dispatch_time,
        delivery_time=arrival,
        shipping_minutes=minutes,
    )
    world.ledger.put(order)
    return order.data()


@tool(Kind.WRITE)
def pay_delivery_order(world: World, order_id: UnpaidOrderId) -> PaidResult:
    """An unpaid order is paid."""
    order = own_order(world, order_id, KIND)
    return pay_order(world, order, order.update_time)


@tool(Kind.READ)
def get_delivery_order_status(world: World, order_id: OrderId) -> StatusResult:
    """Status of one order."""
    return {"status": own_order(world, order_id, KIND).status}


@tool(Kind.WRITE)
def cancel_delivery_order(world: World, order_id: OpenOrderId) -> CancelledResult:
    """An order that is not closed is cancelled."""
    order = own_order(world, order_id, KIND)
    return cancel_order(world, order, order.update_time)


@tool(Kind.WRITE)
def modify_delivery_order(world: World, order_id: OpenOrderId, note: str) -> ChangedResult:
    """The note of an order that is not closed is replaced."""
    world.ledger.put(replace(own_order(world, order_id, KIND), note=note))
    return {"order_id": order_id, "note": note}


@tool(Kind.READ)
def search_delivery_orders(world: World, user_id: UserId, status: OrderStatus | None = "unpaid") -> OrdersResult:
    """The user's delivery orders of one status; none where it is null, which no order has."""
    found = [
        order.summary()
        for order in world.ledger.orders.values()
        if order.kind == KIND and order.user_id == user_id and order.status == status
    ]
    return listing(world, orders=found)


@tool(Kind.READ)
def get_delivery_order_detail(world: World, order_id: OrderId) -> OrderResult:
    """One order with its products."""
    return own_order(world, order_id, KIND).data()


def shipping_minutes(metres: float) -> int:
    """Return the minutes that a delivery over a distance takes."""
    return round(BASE_MINUTES + int(metres) * MINUTES_PER_METRE)


def metres_to(store: Provider, to: Place) -> float:
    """Return the metres from a store to a place."""
    at = store.places[0]
    return distance_m(at.longitude, at.latitude, to.longitude, to.latitude)


def _later(time: str, minutes: int) -> str:
    start = parse_time(time)
    try:
        return format_time(start + timedelta(minutes=minutes)) if start is not None else ""
    except OverflowError:
        raise Refused("time_too_late", parameter="dispatch_time", value=time) from None


def _lines(store: Provider, product_ids: list[str], counts: list[int], attributes: list[str]) -> tuple[OrderLine, ...]:
    if not product_ids:
        raise Refused("no_product", fact=PRODUCT_ID.name, parameter="product_ids")
    if len(counts) != len(product_ids):
        raise Refused("counts_differ", parameter="product_cnts", products=len(product_ids), counts=len(counts))
    if len(set(product_ids)) != len(product_ids):
        raise Refused("repeated_product", parameter="product_ids", value=_repeated(product_ids))
    chosen = attributes + [""] * len(product_ids)
    return tuple([_line(store, *one) for one in zip(product_ids, counts, chosen, strict=False)])


def _line(store: Provider, product_id: str, count: int, attribute: str) -> OrderLine:
    product = store.product(product_id)
    if product is None:
        raise Refused("product_of_another_store", fact=PRODUCT_ID.name, value=product_id, store=store.id)
    if count < 1:
        raise Refused("count_below_one", parameter="product_cnts", value=count)
    return OrderLine(
        product_id=product_id,
        price=product.price,
        quantity=count,
        details=(("name", product.name), ("attributes", attribute)),
        sold_by=("store_id", store.id),
    )


def _repeated(ids: list[str]) -> str:
    return next(one for i, one in enumerate(ids) if one in ids[:i])
