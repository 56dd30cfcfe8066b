"""Stores that deliver: how they are drawn and how they stand in an environment."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import Course, store_names
from vitagym.envs.delivery.tools import shipping_minutes
from vitagym.generation.offer_requirements import Has
from vitagym.generation.scene import Scene
from vitagym.generation.shapes import Shape, register_shape
from vitagym.generation.sketches import Offer, ProviderSketch
from vitagym.generation.speech import stamp
from vitagym.generation.spots import Spot, around
from vitagym.generation.terms import Term, words
from vitagym.randomness import Stream

STORE = "store"
_ANY_DISTANCE_M = (400, 5_200)
_LABELS = ("packed_well", "chain", "fresh_daily", "eco_packaging", "invoice", "dine_in", "late_night")


def _store(provider: ProviderSketch) -> dict[str, Any]:
    products = [
        {
            "product_id": product.id,
            "name": product.name,
            "store_id": provider.id,
            "store_name": provider.name,
            "price": product.price,
            "tags": product.tags,
            "attributes": product.fields.get("attributes", []),
        }
        for product in provider.products
    ]
    return {
        "store_id": provider.id,
        "name": provider.name,
        "score": provider.score,
        "location": provider.where.data(),
        "tags": provider.tags,
        "products": products,
    }


register_shape(STORE, Shape("stores", _store))


class Kitchens:
    """Draws stores of a course around a place, each with a dish.

    Args:
        scene: Whose names and places are used.
        centre: Where the customer is.
        course: What the stores make.
    """

    def __init__(self, scene: Scene, centre: Spot, course: Course) -> None:
        self._names = store_names(scene.stream, course.stores)
        self._centre = centre
        self.course = course

    def __call__(self, stream: Stream) -> Offer:
        """Draw an offer: a new store and one of its dishes."""
        return Offer(self.store(stream), self.course.dish(stream))

    def store(self, stream: Stream) -> ProviderSketch:
        """Draw a new store without products."""
        return ProviderSketch(
            kind=STORE,
            name=next(self._names),
            at=around(stream, self._centre, *_ANY_DISTANCE_M),
            score=round(3.9 + 0.1 * stream.below(11), 1),
            traits=set(stream.sample(_LABELS, stream.below(3))),
        )


def labelled(label: str) -> Has:
    """Return the requirement that the store carries a label."""
    row = words("tags")[label]
    return Has("store_offers", label, Term(row["en"], row["zh"]), level="provider", slot=Slot.PROVIDER)


def past_delivery(
    scene: Scene,
    offer: Offer,
    *,
    days_ago: int = 0,
    minutes_ago: int = 0,
    status: str = "delivered",
    count: int = 1,
    note: Term | None = None,
) -> str:
    """Put an order from before the episode into the world, and return its id."""
    created = scene.now - timedelta(days=days_ago, minutes=minutes_ago)
    to = scene.person.home
    minutes = shipping_minutes(offer.provider.metres_to(to))
    return scene.past_order(
        "delivery",
        offer.provider,
        {
            "note": "" if note is None else note,
            "location": to.data(),
            "dispatch_time": stamp(created),
            "shipping_time": minutes,
            "delivery_time": stamp(created + timedelta(minutes=minutes)),
            "total_price": round(offer.product.price * count, 2),
            "create_time": stamp(created),
            "update_time": stamp(created),
            "status": status,
            "products": [
                {
                    "product_id": offer.product.id,
                    "name": offer.product.name,
                    "price": offer.product.price,
                    "quantity": count,
                    "attributes": "",
                }
            ],
        },
    )


def add_sides(scene: Scene, providers: list[ProviderSketch], course: Course, most: int = 2) -> None:
    """Give stores some other things to sell, of a course that no goal chooses among."""
    for provider in providers:
        for _ in range(scene.stream.below(most + 1)):
            side = course.dish(scene.stream)
            if all(side.name != product.name for product in provider.products):
                provider.products.append(side)
