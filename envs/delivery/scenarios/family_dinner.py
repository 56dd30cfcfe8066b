"""Guests for dinner: two dishes from one kitchen, in time.

- **Who**: somebody at home in the late afternoon, with guests on the way.
- **What they want**: so many portions of a dish with a certain meat, and one meat-free dish of the same store; both of
  a taste and without what the person cannot have (asked only); there by dinner time; a total that holds.
- **What satisfies it**: a store near and good enough, a main dish and a meat-free dish of it.
- **What nearly does**: a main dish of the wrong meat or too spicy; a store too far away or not good enough; beside the
  right meat-free dishes, one with meat, one too spicy, one with what is forbidden.
"""

from __future__ import annotations

from datetime import timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import MadeWith, course, diet, tasting
from vitagym.envs.common.settling import on_the_clock, settle
from vitagym.envs.delivery.scenarios.arrival import ArrivesBy
from vitagym.envs.delivery.scenarios.habits import draw_habits
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, look_up_user, place, report
from vitagym.envs.delivery.scenarios.stores import Kitchens
from vitagym.generation.calendar import a_day
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import RatedAtLeast
from vitagym.generation.pools import draw_companion, draw_pool
from vitagym.generation.record_requirements import DeliverTo, Pieces, TotalWithin
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.terms import Saying, phrase, saying, word, words
from vitagym.rewards.checks import RecordKind

STORY = "stories/delivery_family_dinner"
_GUESTS = ("parents", "cousins", "inlaws", "classmates")
_MAINS = ("beef", "pork", "chicken")


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    avoided = draw.choice(("peanut", "cilantro", "egg", "fried"))
    guests = draw.choice(_GUESTS)
    settle(scene, a_day(draw), 17, (0, 35), avoided=avoided, families=("married",) if guests == "inlaws" else ())
    draw_habits(scene, avoided=avoided)
    home = scene.person.home

    # What they want: of the main dish, of the meat-free dish, and of the store.
    dishes = course("stir_fry")
    main, count = draw.choice(_MAINS), draw.between(1, 2)
    mains = {key: word(row) for key, row in words("food")["mains"].items()}
    taste, without = tasting("spice", draw.choice(("no_spice", "mild_spice"))), diet(avoided)
    dinner = on_the_clock(scene.now + timedelta(minutes=draw.between(45, 55)))
    main_is: list[OfferRequirement] = [MadeWith("main", main, mains[main], dishes), taste, without]
    side_is: list[OfferRequirement] = [MadeWith("meatless", "meatless", mains["meatless"], dishes), taste, without]
    store_is: list[OfferRequirement] = [
        ArrivesBy(dinner, scene.now, home),
        RatedAtLeast(draw.choice((4.3, 4.5))),
    ]

    # What satisfies it, and what nearly does.
    pool = draw_pool(draw, Kitchens(scene, home, dishes), [*main_is, *store_is], noise=scene.distractors)
    sides = draw_companion(draw, pool, dishes.dish, side_is)
    scene.lay(pool.providers)
    chosen, side = pool.chosen.product, sides.chosen.product
    total = float(round(chosen.price * count + side.price + draw.between(2, 12)))
    whole = [*store_is, DeliverTo(home, home.address), TotalWithin(total)]
    portions = [*main_is, Pieces(count, dishes.unit)]
    kind = RecordKind.DELIVERY
    goals = (
        scene.goal("dinner", phrase(STORY, "subject_main"), kind, portions, pool=pool, part="main"),
        scene.goal("dinner", phrase(STORY, "subject_side"), kind, side_is, pool=sides, part="side"),
        scene.goal("dinner", phrase(STORY, "subject"), kind, whole, pool=pool),
    )

    # How they say it.
    names = {"guests": phrase(STORY, f"guest_{guests}")}
    need = saying(STORY, "need")
    need = Saying(
        tuple(t.fill(**names) for t in need.say),
        tuple(t.fill(guests=phrase(STORY, f"told_{guests}")) for t in need.told),
    )
    scene.opening("need", need, also=(Slot.ADDRESS, Slot.OCCASION))
    scene.later(
        "main",
        saying(STORY, "main").fill(main=mains[main], portions=phrase(STORY, f"portions_{count}")),
        Slot.PRODUCT,
        (Slot.QUANTITY,),
    )
    scene.later("side", saying(STORY, "side"), Slot.PRODUCT, (Slot.OTHER,))
    points = {"taste": "taste", "diet": "diet"}
    scene.say_requirements(goals[0], STORY, points, asked=("diet",))
    points = {"arrives_by": "deadline", "rated_at_least": "rating", "total_at_most": "total"}
    scene.say_requirements(goals[2], STORY, points)

    # What a good agent does.
    basket = Basket(pool.chosen.provider, [(chosen, count), (side, 1)], home, keywords=[mains[main]])
    look_up_user(scene)
    look_up(scene, basket, after=("need", "main"))
    place(scene, basket, "$order", after=scene.said())
    scene.tell(report(scene, basket), reports="done")


FAMILY = Family("family_dinner", ("delivery",), tell)
