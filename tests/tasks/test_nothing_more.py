"""Whatever is ordered beyond the need, or in place of a part of it, spoils the task."""

from itertools import permutations

import pytest

from vitagym.generation.families import families
from vitagym.generation.playback import play
from vitagym.tasks.sources import make_task
from vitagym.tasks.task import CallStep

FAMILIES = [(domain, name) for domain in ("delivery", "instore", "ota", "cross") for name in families(domain)]
SEEDS = range(3)


def standing_orders(task):
    """Return the places of the steps that make orders which the reference solution does not cancel."""
    calls = [(place, step) for place, step in enumerate(task.solution) if isinstance(step, CallStep)]
    undone = {value for _, step in calls if "cancel_" in step.tool for value in step.arguments.values()}
    return [place for place, step in calls if step.tool.startswith("create_") and step.binds not in undone]


def beyond(task, step):
    """Return the arguments of an order with one more of something: of what it is of, or of what is sold beside it."""
    given = step.arguments
    if "product_cnts" not in given:
        return [{**given, "quantity": given.get("quantity", 1) + 1}] if step.tool != "create_hotel_order" else []
    counts = given["product_cnts"]
    sold = [product["product_id"] for product in task.environment["stores"][given["store_id"]]["products"]]
    others = [product for product in sold if product not in given["product_ids"]]
    more = [{**given, "product_ids": [*given["product_ids"], other], "product_cnts": [*counts, 1]} for other in others]
    return [{**given, "product_cnts": [counts[0] + 1, *counts[1:]]}, *more]


@pytest.mark.parametrize(("domain", "family"), FAMILIES)
def test_a_piece_too_many_fails_the_task(domain, family):
    tried = 0
    for seed in SEEDS:
        task = make_task(domain, seed, family=family, split="dev")
        for place in standing_orders(task):
            step = task.solution[place]
            for arguments in beyond(task, step):
                swollen = step.model_copy(update={"arguments": arguments})
                run = play(task, (*task.solution[:place], swollen, *task.solution[place + 1 :]))
                assert run.success is False, (seed, step.tool, arguments)
                assert run.refusals or "nothing_more" in run.unmet
                tried += 1
    assert tried


def mixed(task, step):
    """Return the arguments of an order of several pieces with something else in place of some or all of them."""
    given = step.arguments
    ordered = dict(zip(given["product_ids"], given["product_cnts"], strict=True))
    sold = [product["product_id"] for product in task.environment["stores"][given["store_id"]]["products"]]
    others = [product for product in sold if product not in ordered]
    for product, count in ordered.items():
        if count > 1:
            rest = {key: value for key, value in ordered.items() if key != product}
            yield from ({**rest, product: count - 1, other: 1} for other in others)
            yield from ({**rest, one: count - 1, other: 1} for one, other in permutations(others, 2))


@pytest.mark.parametrize("family", ["rain_or_shine", "family_dinner", "midnight_snack", "the_usual"])
def test_every_piece_must_do_not_one_for_each_requirement(family):
    tried = 0
    for seed in range(12):
        task = make_task("delivery", seed, family=family, split="dev")
        for place in standing_orders(task):
            step = task.solution[place]
            for products in mixed(task, step):
                arguments = {**step.arguments, "product_ids": list(products), "product_cnts": list(products.values())}
                swapped = step.model_copy(update={"arguments": arguments})
                run = play(task, (*task.solution[:place], swapped, *task.solution[place + 1 :]))
                assert run.success is False, (seed, products)
                tried += 1
    assert tried
