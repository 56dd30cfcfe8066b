"""Travel tools that move a paid flight or train order to another date."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from vitagym.envs.common.conditions import DATE, DateText, UserId, own_order
from vitagym.envs.common.orders import now, ordered_product, price_of
from vitagym.envs.ota.conditions import ChangedOrder, PaidFlightOrderId, PaidTrainOrderId
from vitagym.envs.ota.entities import PRODUCT_TYPE
from vitagym.envs.ota.lines import line_of, require_left
from vitagym.tools.results import Refused
from vitagym.tools.tool import Kind, tool
from vitagym.world.entities import Product, Provider
from vitagym.world.records import Order, OrderLine
from vitagym.world.world import World


@tool(Kind.WRITE)
def modify_train_order(world: World, order_id: PaidTrainOrderId, user_id: UserId, new_date: DateText) -> ChangedOrder:
    """A paid train order is moved to another date, in the same type of seat."""
    return _move(world, own_order(world, order_id, "train"), new_date)


@tool(Kind.WRITE)
def modify_flight_order(world: World, order_id: PaidFlightOrderId, user_id: UserId, new_date: DateText) -> ChangedOrder:
    """A paid flight order is moved to another date, in the same type of seat."""
    return _move(world, own_order(world, order_id, "flight"), new_date)


def _move(world: World, order: Order, date: str) -> dict[str, Any]:
    line, old, new = _seats(world, order, date)
    require_left(world, new, line.quantity, given_back=line.quantity if old == new else 0)
    moved = line_of(world.catalogue.providers[order.provider_id], new, line.quantity)
    total = price_of((moved,))
    refund = max(0.0, round(order.paid - total, 2))
    changed = replace(
        order, lines=(moved,), total_price=total, paid=round(order.paid - refund, 2), update_time=now(world)
    )
    world.ledger.put(changed)
    if old is not None:
        world.ledger.move_stock(old, line.quantity)
    world.ledger.move_stock(new, -line.quantity)
    return {
        "status": changed.status,
        "date": date,
        "total_price": total,
        "amount_paid": changed.paid,
        "amount_due": changed.due,
        "amount_refunded": refund,
    }


def _seats(world: World, order: Order, date: str) -> tuple[OrderLine, Product | None, Product]:
    """Return the order's only line, the seat it has, and the seat of the same type on the new date."""
    if order.due > 0:
        raise Refused("amount_due", value=order.id, due=order.due)
    if len(order.lines) != 1:
        raise Refused("several_products", value=order.id, count=len(order.lines))
    line = order.lines[0]
    old = ordered_product(world, order, line)
    wanted = old.name if old is not None else dict(line.details).get(PRODUCT_TYPE[order.kind])
    new = _seat_on(world.catalogue.of_kind(order.kind).get(order.provider_id), wanted, date)
    if new is None:
        raise Refused("no_such_seat_then", fact=DATE.name, parameter="new_date", value=wanted, date=date)
    return line, old, new


def _seat_on(provider: Provider | None, seat_type: object, date: str) -> Product | None:
    products = () if provider is None else provider.products
    return next((product for product in products if product.name == seat_type and product.date == date), None)
