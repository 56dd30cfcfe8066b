"""Orders from before the episode that have nothing to do with the story; domains say how each kind is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer
from vitagym.generation.trimming import told_records

PastRow = Callable[[Scene, Offer, int], dict[str, Any]]
_ROWS: dict[str, tuple[str, PastRow]] = {}


def register_past(kind: str, order_type: str, row: PastRow) -> None:
    """Make known how an order from before is written.

    Args:
        kind: Kind of the provider, e.g. ``store``.
        order_type: Type of the order in the public JSON shape.
        row: Writes what ``Scene.past_order`` leaves open, from the scene, what was bought and how many days ago.
    """
    if kind in _ROWS:
        raise ValueError(f"past orders of {kind!r} are registered already")
    _ROWS[kind] = (order_type, row)


def add_past_orders(scene: Scene, count: int) -> None:
    """Add orders that fit the person's habits: closed ones, of what they may have, unlike those that the story tells.

    No order is added of a type that the story speaks of, nor at a provider that a goal chooses.
    """
    told = {row["order_type"] for _, row in told_records(scene) if "order_type" in row}
    chosen = {id(g.pool.chosen.provider) for g in scene.goals if g.pool is not None and g.pool.valid}
    offers = [
        Offer(provider, product)
        for provider in scene.providers
        if provider.kind in _ROWS and _ROWS[provider.kind][0] not in told and id(provider) not in chosen
        for product in provider.products
    ]
    for offer in scene.filling.shuffled([offer for offer in offers if _allowed(scene, offer)])[:count]:
        order_type, row = _ROWS[offer.provider.kind]
        scene.past_order(order_type, offer.provider, row(scene, offer, scene.filling.between(3, 60)))


def _allowed(scene: Scene, offer: Offer) -> bool:
    """Return whether no diet rules it out."""
    diets = [r for goal in scene.goals if goal.pool is not None for r in goal.pool.requirements if r.kind == "diet"]
    return all(requirement.met_by(offer) for requirement in diets)
