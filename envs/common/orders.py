"""What orders of every kind have in common: paying, cancelling, and the price and stock of their lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from vitagym.world.entities import Product
from vitagym.world.records import Order, OrderLine, Status
from vitagym.world.world import World


def now(world: World) -> str:
    """Return the time of the episode's clock as records show it."""
    return world.catalogue.now


def price_of(lines: Iterable[OrderLine]) -> float:
    """Return the price of some lines together, in yuan."""
    return round(sum([line.price * line.quantity for line in lines]), 2)


def pay_order(world: World, order: Order, update_time: str | None = None) -> dict[str, Any]:
    """Pay all that is due of an order; its update time is the clock's where none is given."""
    updated = now(world) if update_time is None else update_time
    world.ledger.put(replace(order, status=Status.PAID, paid=order.total_price, update_time=updated))
    return {"status": Status.PAID.value, "amount_paid": order.total_price}


def cancel_order(world: World, order: Order, update_time: str | None = None) -> dict[str, Any]:
    """Cancel an order, refund what was paid, and give its stock back; its update time is as in ``pay_order``."""
    updated = now(world) if update_time is None else update_time
    world.ledger.put(replace(order, status=Status.CANCELLED, paid=0.0, update_time=updated))
    for line in order.lines:
        product = ordered_product(world, order, line)
        if product is not None:
            world.ledger.move_stock(product, line.quantity)
    return {"order_id": order.id, "status": Status.CANCELLED.value, "amount_refunded": order.paid}


def ordered_product(world: World, order: Order, line: OrderLine) -> Product | None:
    """Return the product that a line orders, or None where the world does not sell it (some orders from history)."""
    provider = world.catalogue.providers.get(order.provider_id)
    return None if provider is None else provider.product(line.product_id, line.date)
