"""Excess: runs that do more than is wanted, to show that this fails.

Each has the reference solution in it, so that all that is wanted is there: what makes it fail is the excess alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from vitagym.tasks.task import CallStep, Step, Task

Steps = tuple[Step, ...]
_MAKES = ("create_", "instore_book", "instore_reservation")
_ORDERS = {
    "create_delivery_order": ("store_id", "product_ids"),
    "create_instore_product_order": ("shop_id", "product_id"),
    "create_hotel_order": ("hotel_id", "room_id"),
    "create_attraction_order": ("attraction_id", "ticket_id"),
    "create_flight_order": ("flight_id", "seat_id"),
    "create_train_order": ("train_id", "seat_id"),
}
"""Tool that orders -> its arguments for the provider and for what is ordered."""


def everything_twice(task: Task) -> Steps:
    """Return the solution with every record that it makes made twice."""
    return tuple(
        step.model_copy(update={"binds": None}) if again else step
        for step in task.solution
        for again in ((False, True) if isinstance(step, CallStep) and step.tool.startswith(_MAKES) else (False,))
    )


def everything_on_offer(task: Task) -> Steps:
    """Return the solution, and after each order the same order of everything else that providers of its kind sell.

    Address, day, time, quantity and note stay as they are right.
    """
    return tuple(step for own in task.solution for step in (own, *_others(task, own)))


def _others(task: Task, own: Step) -> Iterator[CallStep]:
    if not isinstance(own, CallStep) or own.tool not in _ORDERS:
        return
    provider_key, product_key = _ORDERS[own.tool]
    taken = own.arguments[product_key]
    several = isinstance(taken, list | tuple)
    mine = taken if several else (taken,)
    seller = task.catalogue.providers[own.arguments[provider_key]]
    days = {product.date for product in seller.products if product.id in mine}
    for provider in task.catalogue.of_kind(seller.kind).values():
        for product in provider.products:
            if product.id in mine or product.date not in days:
                continue
            arguments = {**own.arguments, provider_key: provider.id}
            arguments[product_key] = [product.id] if several else product.id
            if several:
                arguments["product_cnts"] = arguments["product_cnts"][:1]
            yield CallStep(tool=own.tool, arguments=arguments)
