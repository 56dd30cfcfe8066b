"""Lunch for the team: one dish and one drink each, all of one store, within so much a head.

- **Who**: somebody at the office whose turn it is to order for the team.
- **What they want**: as many portions of one dish as there are people, of a taste that all can eat, without what a
  colleague is allergic to, and as many drinks from the same store; at the office around a time, within a budget a head.
- **How they say it**: head count and budget a head; the sum has to be worked out.
- **What satisfies it**: a store that is good enough, one of its dishes, one of its drinks.
- **What nearly does**: too spicy, with the allergen; iced or too sweet a drink; a store rated too low.
"""

from __future__ import annotations

from dataclasses import dataclass

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import OfCourse, course, diet, tasting
from vitagym.envs.common.settling import at, settle
from vitagym.envs.delivery.scenarios.arrival import around_time
from vitagym.envs.delivery.scenarios.habits import draw_habits
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, look_up_user, place, report
from vitagym.envs.delivery.scenarios.stores import Kitchens
from vitagym.generation.calendar import a_workday
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import RatedAtLeast
from vitagym.generation.pools import draw_companion, draw_pool
from vitagym.generation.record_requirements import DeliverTo, Pieces, TotalWithin
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import money, number
from vitagym.generation.terms import phrase, saying
from vitagym.rewards.checks import RecordKind

STORY = "stories/delivery_team_lunch"


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    settle(scene, a_workday(draw), 10, (0, 40), avoided="mango", desk=True)
    draw_habits(scene, avoided="mango")
    office, people = scene.person.office, draw.between(3, 5)

    # What they want: of the dish, of the drink, of the store.
    dish, drink = course(draw.choice(("rice_bowl", "rice_noodles", "noodles"))), course("juice")
    noon = at(scene.now.date(), 12, draw.choice((0, 15, 30)))
    of_dish: list[OfferRequirement] = [
        OfCourse(dish, (course("salad"),)),
        tasting("spice", draw.choice(("no_spice", "mild_spice"))),
        diet(draw.choice(("peanut", "cilantro", "shellfish"))),
    ]
    of_drink: list[OfferRequirement] = [
        OfCourse(drink, (course("milk_tea"),)),
        tasting("warmth", draw.choice(("served_plain", "served_iced"))),
    ]
    if draw.random() < 0.5:
        of_drink.append(tasting("sweet", draw.choice(("no_sugar", "less_sugar"))))
    of_store: list[OfferRequirement] = [RatedAtLeast(draw.choice((4.3, 4.5, 4.6)))]

    # What satisfies it, and what nearly does.
    pool = draw_pool(draw, Kitchens(scene, office, dish), [*of_dish, *of_store], valid=1, noise=scene.distractors)
    drinks = draw_companion(draw, pool, drink.dish, of_drink)
    scene.lay(pool.providers)
    chosen, cup = pool.chosen.product, drinks.chosen.product
    head = float(int(chosen.price + cup.price) + draw.between(1, 4))
    budget = PerHead(head * people, head=head, people=people)
    kind = RecordKind.DELIVERY
    whole = [*of_store, DeliverTo(office, office.address), around_time(noon, scene.now), budget]
    dishes = [*of_dish, Pieces(people, dish.unit)]
    cups = [*of_drink, Pieces(people, drink.unit)]
    goals = (
        scene.goal("lunch", phrase(STORY, "subject_dish"), kind, dishes, pool=pool, part="dish"),
        scene.goal("lunch", phrase(STORY, "subject_drink"), kind, cups, pool=drinks, part="drink"),
        scene.goal("lunch", phrase(STORY, "subject"), kind, whole, pool=pool),
    )

    # How they say it.
    values = {"course": dish.plain, **Pieces(people, dish.unit).values()}
    scene.opening("need", saying(STORY, "need").fill(**values), also=(Slot.PRODUCT, Slot.ADDRESS, Slot.PEOPLE))
    scene.later("drinks", saying(STORY, "drinks"), Slot.PRODUCT, also=(Slot.QUANTITY,))
    scene.say_requirements(goals[0], STORY, {"taste": "taste", "diet": "diet"})
    scene.say_requirements(goals[1], STORY, {"warmth": "warmth", "sweetness": "sweet"})
    points = {"arrives_around": "time", "rated_at_least": "rating", "per_head": "budget"}
    scene.say_requirements(goals[2], STORY, points)

    # What a good agent does.
    items = [(chosen, people), (cup, people)]
    basket = Basket(pool.chosen.provider, items, office, arrival=noon, keywords=[dish.plain])
    look_up_user(scene)
    look_up(scene, basket, after=("need",))
    place(scene, basket, "$order", after=scene.said())
    scene.tell(report(scene, basket), reports="done")


@dataclass
class PerHead(TotalWithin):
    """The whole order costs at most so many yuan a head."""

    head: float = 0.0
    people: int = 1
    kind: str = "per_head"

    def values(self) -> dict[str, object]:
        """Return the limit a head, and what it comes to."""
        return {
            "price": money(self.head),
            "total": money(self.yuan),
            "digits": self.people,
            "count": number(self.people),
        }


FAMILY = Family("team_lunch", ("delivery",), tell)
