"""A meeting comes up: the order just placed is cancelled, another is placed elsewhere for afterwards.

- **Who**: somebody with a desk job in the early evening, with a fresh order and an older one that is none of this.
- **What they want**: the fresh order cancelled; then something else from another store, at the office when the meeting
  ends, of a taste, under a diet they do not think of mentioning.
- **What satisfies it**: the right order cancelled, the other left alone; any dish that is right, but from that store.
- **What nearly does**: a fine dish of the same store; too spicy, with peanuts, too dear.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import OfCourse, course, diet, tasting
from vitagym.envs.common.settling import at, settle
from vitagym.envs.delivery.scenarios.arrival import around_time
from vitagym.envs.delivery.scenarios.habits import draw_habits
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, look_up_user, place, report
from vitagym.envs.delivery.scenarios.stores import Kitchens, add_sides, past_delivery
from vitagym.generation.calendar import a_workday
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import PriceAtMost
from vitagym.generation.pools import draw_pool
from vitagym.generation.record_requirements import DeliverTo, InStatus, Note, Pieces, StaysAsItIs, TheExisting
from vitagym.generation.requirement import Level, OfferRequirement, Requirement
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer, ProviderSketch
from vitagym.generation.speech import clock
from vitagym.generation.terms import phrase, saying, sentences
from vitagym.randomness import Stream
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.constraints import Sense

STORY = "stories/delivery_meeting_moved"


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    avoided = draw.choice(("peanut", "cilantro", "shellfish", "fried"))
    settle(scene, a_workday(draw), 17, (15, 50), avoided=avoided, desk=True)
    draw_habits(scene, avoided=avoided)
    office = scene.person.office
    meeting = at(scene.now.date(), 18, draw.choice((0, 30)))
    end = meeting + timedelta(minutes=draw.choice((90, 120)))

    # What they ordered, and what they want instead.
    soggy, wanted = course(draw.choice(("noodles", "rice_noodles"))), course(draw.choice(("rice_bowl", "dumplings")))
    placed = Offer(Kitchens(scene, office, soggy).store(draw), soggy.dish(draw))
    placed.provider.products.append(placed.product)
    on_offer: list[OfferRequirement] = [OfCourse(wanted, (course("salad"), soggy)), NotAt(placed.provider)]
    if wanted.tastes == "spice":
        on_offer.append(tasting("spice", draw.choice(("no_spice", "mild_spice", "extra_spice"))))
    on_offer += [diet(avoided), PriceAtMost(float(draw.between(24, 30)))]
    on_order: list[Requirement] = [DeliverTo(office, office.address), around_time(end, scene.now)]
    on_order.append(Pieces(1, wanted.unit))
    note = phrase(STORY, "note_text") if draw.random() < 0.6 else None
    if note is not None:
        on_order.append(Note(note, [("chopsticks", "筷子")]))

    # What satisfies it, and what nearly does.
    pool = draw_pool(draw, Kitchens(scene, office, wanted), on_offer, noise=scene.distractors)
    add_sides(scene, [placed.provider, *pool.providers], course("milk_tea"), most=1)
    scene.lay([placed.provider, *pool.providers])
    order_id = past_delivery(scene, placed, minutes_ago=draw.between(4, 12), status="paid")
    other = draw.choice([o for o in pool.offers if o.provider is not placed.provider])
    other_id = past_delivery(scene, other, minutes_ago=draw.between(30, 44), status="in_progress")
    what = phrase(STORY, "what_old").fill(product=placed.product.name, store=placed.provider.name)
    scene.goal(
        "old",
        phrase(STORY, "subject_old"),
        RecordKind.DELIVERY,
        [TheExisting(order_id, what), InStatus(Meaning.CANCELLED, kind="cancelled")],
    )
    goal = scene.goal("new", phrase(STORY, "subject"), RecordKind.DELIVERY, [*on_offer, *on_order], pool=pool)
    other_what = phrase(STORY, "what_old").fill(product=other.product.name, store=other.provider.name)
    scene.goal("other", phrase(STORY, "subject"), RecordKind.DELIVERY, [StaysAsItIs(other_id, other_what)])

    # How they say it.
    need = saying(STORY, "need").fill(meeting=clock(meeting), product=placed.product.name)
    scene.opening("need", need, also=(Slot.HISTORY,))
    scene.later(
        "instead", saying(STORY, "instead").fill(course=wanted.name), Slot.PRODUCT, (Slot.PROVIDER, Slot.ADDRESS)
    )
    points = {"arrives_around": "time", "taste": "taste", "diet": "diet", "price_at_most": "budget", "note": "note"}
    scene.say_requirements(goal, STORY, points, asked=("diet",))

    # What a good agent does.
    basket = Basket.of(pool.chosen, 1, office, arrival=end, note=note, keywords=[wanted.plain])
    look_up_user(scene)
    scene.call("get_user_all_orders", after=("need",))
    scene.call("cancel_delivery_order", order_id=order_id)
    look_up(scene, basket, after=("instead",))
    place(scene, basket, "$order", after=scene.said())
    done = [phrase("reports", "cancelled").fill(what=what), report(scene, basket)]
    scene.tell(sentences(done), reports="done")


@dataclass
class NotAt(OfferRequirement):
    """It is not from a certain store."""

    store: ProviderSketch
    kind: str = "not_at"
    level: Level = "provider"
    slot: Slot = Slot.PROVIDER

    def values(self) -> dict[str, object]:
        """Return the name of the store."""
        return {"provider": self.store.name}

    def conveys(self) -> Mapping[str, Any]:
        """Say which provider, once the order of it has been looked up."""
        return {"sense": Sense.NOT_SOLD_BY.value, "level": self.level, "provider": self.store}

    def met_by(self, offer: Offer) -> bool:
        """Compare the store."""
        return offer.provider is not self.store

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Sell it in that store."""
        del stream
        offer.provider = self.store


FAMILY = Family("meeting_moved", ("delivery",), tell)
