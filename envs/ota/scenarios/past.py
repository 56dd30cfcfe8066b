"""Orders of rooms, tickets and seats from before the episode, and what the person wants done with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from vitagym.dialogue.acts import Slot
from vitagym.envs.ota.scenarios.travel import Travel, date_of, on_day
from vitagym.generation.requirement import Purpose, Requirement
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer
from vitagym.generation.speech import stamp
from vitagym.generation.terms import Saying, Term, saying, word, words
from vitagym.randomness import Stream
from vitagym.rewards.checks import ChangedTo
from vitagym.tasks.checks import Check
from vitagym.tasks.constraints import Sense
from vitagym.world.records import Status

_TYPE_FIELD = {"hotel": "room_type", "attraction": "ticket_type", "flight": "seat_type", "train": "seat_type"}


def past_purchase(
    scene: Scene, offer: Offer, count: int = 1, *, days_ago: int = 6, status: Status = Status.PAID
) -> str:
    """Add an order of one offer from some days ago and return its id. Call it once the provider is laid."""
    product, kind = offer.product, offer.provider.kind
    then = stamp(scene.now - timedelta(days=days_ago, minutes=37))
    line = {
        "product_id": product.id,
        "price": product.price,
        "quantity": count,
        "date": product.facts["date"],
        _TYPE_FIELD[kind]: product.name,
    }
    row = {
        "total_price": product.price * count,
        "create_time": then,
        "update_time": then,
        "status": status.value,
        "products": [line],
    }
    return scene.past_order(kind, offer.provider, row)


def add_past_trips(scene: Scene, most: int = 3) -> None:
    """Add up to so many orders of trips that are over or were called off, with providers of this world."""
    draw = scene.stream
    known = [provider for provider in scene.providers if provider.kind in _TYPE_FIELD and provider.products]
    for provider in draw.sample(known, min(len(known), draw.between(1, most))):
        product = draw.choice(provider.products).copy()
        ago = draw.between(12, 240)
        product.facts["date"] = date_of(scene.now - timedelta(days=ago))
        product.price = float(round(product.price * (0.85 + 0.3 * draw.random())))
        status = draw.choice((Status.CONSUMED, Status.CONSUMED, Status.CANCELLED))
        offer = Offer(provider, product)
        past_purchase(scene, offer, draw.between(1, 2), days_ago=ago + draw.between(1, 9), status=status)


def draw_travel_habits(scene: Scene) -> None:
    """Fill the history with what the platform knows of how the person travels."""
    draw = scene.stream
    habits = words("travel")["habits"]
    low = 4 + 0.1 * draw.below(4)
    scene.history["travel"] = {
        "preferred hotel rating": f"{low:.1f}~{low + 0.1 * draw.between(3, 6):.1f}",
        "seats usually chosen": word(draw.choice(habits["seats"])),
        "days booked ahead": f"{draw.between(1, 4)}~{draw.between(6, 15)}",
        "search history": [word(row) for row in draw.sample(habits["searches"], 3)],
    }


@dataclass
class MovedTo(Requirement):
    """The order is for another day now."""

    when: date
    now: datetime
    kind: str = "moved_to"
    slot: Slot = Slot.DATE

    @property
    def saying(self) -> Saying:
        """How it is said, told and put in a rubric."""
        return saying("travel", self.kind)

    def values(self) -> dict[str, object]:
        """Return the day as it stands in a sentence, and as tools write it."""
        return {"moved": on_day(self.when, self.now), "date": date_of(self.when)}

    def conveys(self) -> Mapping[str, Any]:
        """Say the date."""
        return {"sense": Sense.ON_DATE.value, "text": date_of(self.when)}

    def check(self, purpose: Purpose) -> Check:
        """Check the day."""
        return ChangedTo(record=purpose.record, time=date_of(self.when))


_ORDERED = '"create_time"'
"""What a result shows of every order."""


@dataclass
class SameAs(Travel):
    """The room, ticket or seat is called as one from before."""

    before: Term
    kind: str = "same_as"
    slot: Slot = Slot.ROOM

    def values(self) -> dict[str, object]:
        """Return what it is called."""
        return {"product": self.before}

    def conveys(self) -> Mapping[str, Any]:
        """Say what it is called, once the order of it was looked up."""
        words, shown_by = [self.before], [self.before, _ORDERED]
        return {"sense": Sense.SHOWS.value, "level": self.level, "words": words, "shown_by": shown_by}

    def met_by(self, offer: Offer) -> bool:
        """Compare what it is called."""
        return offer.product.name == self.before

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Nothing to do: what else the provider sells is called otherwise."""
