"""Supper after all: the order cancelled yesterday, and something to drink for the child from the best store there is.

- **Who**: somebody with children, at home in the evening; yesterday they had to cancel an order.
- **What they want**: that dish from that store again, now for more; and a juice for the child: warm or not, without
  what the child is allergic to, around a time in the evening, from the highest-rated store that has it.
- **How they say it**: "what I cancelled yesterday"; that the store should be the best of those that fit.
- **What satisfies it**: one dish of one store; one store for the juice.
- **What nearly does**: the dish of another store, another dish; a juice with the allergen, iced, or from a store
  rated a little lower.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import OfCourse, SameDish, course, diet, tasting
from vitagym.envs.common.settling import on_the_clock, settle
from vitagym.envs.delivery.scenarios.arrival import around_time
from vitagym.envs.delivery.scenarios.habits import draw_habits
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, look_up_user, place, report
from vitagym.envs.delivery.scenarios.stores import Kitchens, past_delivery
from vitagym.generation.calendar import a_day
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import AtProvider
from vitagym.generation.pools import draw_pool
from vitagym.generation.record_requirements import DeliverTo, Pieces
from vitagym.generation.requirement import Level, OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer
from vitagym.generation.terms import phrase, saying, sentences
from vitagym.randomness import Stream
from vitagym.rewards.checks import RecordKind
from vitagym.tasks.constraints import Sense

STORY = "stories/delivery_child_supper"
_COURSES = ("dumplings", "noodles", "rice_bowl", "porridge")


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    avoided = draw.choice(("mango", "dairy"))
    settle(scene, a_day(draw), 17, (5, 50), avoided="fried", families=("children",))
    draw_habits(scene, avoided="fried")
    home, child = scene.person.home, draw.choice(("son", "daughter"))

    # What they cancelled yesterday, beside what was delivered: the same again.
    supper, juice = course(draw.choice(_COURSES)), course("juice")
    kitchens = Kitchens(scene, home, supper)
    missed = Offer(kitchens.store(draw), supper.dish(draw))
    of_supper: list[OfferRequirement] = [
        AtProvider(missed.provider, phrase(STORY, "that_store")),
        SameDish(missed.product),
    ]
    suppers = draw_pool(draw, kitchens, of_supper, valid=1, noise=scene.distractors)
    count = draw.between(2, 3)

    # A juice for the child, from the best store that has the right one.
    evening = on_the_clock(scene.now + timedelta(minutes=draw.between(75, 110)), 15)
    of_juice: list[OfferRequirement] = [
        OfCourse(juice, (course("milk_tea"),)),
        tasting("warmth", draw.choice(("served_hot", "served_plain"))),
        diet(avoided),
        BestRated(draw.choice((4.7, 4.8))),
    ]
    juices = draw_pool(draw, Kitchens(scene, home, juice), of_juice, valid=1, noise=max(0, scene.distractors - 1))
    scene.lay([*suppers.providers, *juices.providers])
    cancelled = suppers.chosen
    record = past_delivery(scene, cancelled, days_ago=1, status="cancelled")
    other = suppers.near["at_provider"]
    past_delivery(scene, other, days_ago=draw.between(2, 6))

    goal = scene.goal(
        "supper",
        phrase(STORY, "subject_supper"),
        RecordKind.DELIVERY,
        [*of_supper, DeliverTo(home, home.address), Pieces(count, supper.unit)],
        pool=suppers,
    )
    drink = scene.goal(
        "juice",
        phrase(STORY, "subject_juice"),
        RecordKind.DELIVERY,
        [*of_juice, DeliverTo(home, home.address), Pieces(1, juice.unit), around_time(evening, scene.now)],
        pool=juices,
    )

    # How they say it.
    names = {"child": phrase(STORY, f"my_{child}"), "your_child": phrase(STORY, f"your_{child}")}
    need = saying(STORY, "need").fill(course=supper.plain, **names)
    scene.opening("need", need, also=(Slot.HISTORY, Slot.PRODUCT, Slot.PROVIDER, Slot.ADDRESS))
    scene.means("need", goal, of_supper[1], shown_by=[cancelled.product.name, record])
    scene.say_requirements(goal, STORY, {"pieces": "count"}, names=names)
    scene.later("juice", saying(STORY, "juice").fill(**names), Slot.PRODUCT, also=(Slot.FAMILY,))
    points = {"warmth": "warmth", "diet": "allergy", "arrives_around": "time", "best_rated": "best"}
    scene.say_requirements(drink, STORY, points, asked=("allergy",), names=names)

    # What a good agent does.
    first = Basket.of(cancelled, count, home, keywords=[cancelled.provider.name])
    second = Basket.of(juices.chosen, 1, home, arrival=evening, keywords=[juice.plain])
    look_up_user(scene)
    scene.call("get_user_all_orders", after=("need",))
    look_up(scene, first)
    look_up(scene, second, after=("juice",))
    place(scene, first, "$supper", after=scene.said())
    place(scene, second, "$juice")
    scene.tell(sentences([report(scene, first), report(scene, second)]), reports="done")


@dataclass
class BestRated(OfferRequirement):
    """Its store is the highest rated of those that meet everything else: so high at least."""

    score: float
    kind: str = "best_rated"
    level: Level = "provider"
    slot: Slot = Slot.RATING

    def values(self) -> dict[str, object]:
        """Return the rating of the best."""
        return {"score": f"{self.score:g}"}

    def conveys(self) -> Mapping[str, Any]:
        """Say that it is about the rating."""
        return {"sense": Sense.BEST.value, "level": self.level, "field": "score"}

    def met_by(self, offer: Offer) -> bool:
        """Compare the rating."""
        return offer.provider.score >= self.score

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Rate it as high."""
        del stream
        offer.provider.score = self.score

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Rate it a little lower."""
        offer.provider.score = round(self.score - 0.1 * stream.between(1, 3), 1)


FAMILY = Family("child_supper", ("delivery",), tell)
