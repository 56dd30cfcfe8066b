"""Working late: dinner for oneself at the office, porridge for a parent who is ill at home.

- **Who**: somebody with a desk job; their mother or father lives elsewhere in the city.
- **What they want**: two orders. Their own: a taste, around the break, under a diet they mention only when asked. The
  parent's: porridge without what the doctor forbids, there before bedtime, with a note for the rider.
- **What satisfies it**: for each, any dish that is right; each order has its own address and time.
- **What nearly does**: a dish that is right but for one thing; for the porridge also a store too far from the parent.
"""

from __future__ import annotations

from datetime import timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import OfCourse, course, diet, tasting
from vitagym.envs.common.settling import on_the_clock, settle
from vitagym.envs.delivery.scenarios.arrival import ArrivesBy, around_time
from vitagym.envs.delivery.scenarios.habits import draw_habits
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, look_up_user, place, report
from vitagym.envs.delivery.scenarios.stores import Kitchens, add_sides
from vitagym.generation.calendar import a_workday
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import PriceAtMost
from vitagym.generation.pools import draw_pool
from vitagym.generation.record_requirements import DeliverTo, Note, Pieces
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.spots import around
from vitagym.generation.terms import phrase, saying, sentences
from vitagym.rewards.checks import RecordKind

STORY = "stories/delivery_two_tables"


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    avoided, forbidden = draw.choice(("peanut", "cilantro", "fried")), draw.choice(("egg", "purine", "shellfish"))
    settle(scene, a_workday(draw), 17, (5, 40), avoided=avoided, desk=True)
    draw_habits(scene, avoided=avoided)
    office, who = scene.person.office, draw.choice(("mother", "father"))
    door = scene.addresses.home(around(draw, scene.person.home, 1500, 5000))
    scene.places.append(door)

    # What they want: two orders.
    dinner = course(draw.choice(("rice_bowl", "noodles", "rice_noodles")))
    porridge = course("porridge")
    own: list[OfferRequirement] = [
        OfCourse(dinner, (course("dumplings"), course("salad"))),
        tasting("spice", draw.choice(("no_spice", "mild_spice", "medium_spice"))),
        diet(avoided),
    ]
    if draw.random() < 0.5:
        own.append(PriceAtMost(float(draw.between(27, 34))))
    bedtime = on_the_clock(scene.now + timedelta(minutes=draw.between(42, 60)), 10)
    parents: list[OfferRequirement] = [
        OfCourse(porridge, (course("dumplings"),)),
        diet(forbidden),
        ArrivesBy(bedtime, scene.now, door),
    ]
    break_at = on_the_clock(scene.now + timedelta(minutes=draw.between(90, 130)), 30)
    note = phrase(STORY, "note_text")

    # What satisfies it, and what nearly does.
    own_pool = draw_pool(draw, Kitchens(scene, office, dinner), own, noise=scene.distractors)
    parents_pool = draw_pool(draw, Kitchens(scene, door, porridge), parents, noise=scene.distractors)
    add_sides(scene, own_pool.providers, course("juice"), most=1)
    scene.lay([*own_pool.providers, *parents_pool.providers])
    own_goal = scene.goal(
        "own",
        phrase(STORY, "subject_own"),
        RecordKind.DELIVERY,
        [*own, DeliverTo(office, office.address), Pieces(1, dinner.unit), around_time(break_at, scene.now)],
        pool=own_pool,
    )
    parents_goal = scene.goal(
        "parent",
        phrase(STORY, "subject_parent"),
        RecordKind.DELIVERY,
        [
            *parents,
            DeliverTo(door, door.address),
            Pieces(1, porridge.unit),
            Note(note, [("ring twice", "多按两次门铃")]),
        ],
        pool=parents_pool,
    )

    # How they say it.
    names = {"who": phrase(STORY, f"who_{who}"), "whose": phrase(STORY, f"whose_{who}")}
    scene.opening("need", saying(STORY, "need").fill(course=dinner.name, **names), also=(Slot.PRODUCT,))
    scene.means("need", own_goal, DeliverTo(office, office.address))
    scene.say_requirements(
        own_goal,
        STORY,
        {"taste": "own_taste", "diet": "own_diet", "arrives_around": "own_time", "price_at_most": "own_budget"},
        asked=("own_diet",),
    )
    scene.say_requirements(
        parents_goal,
        STORY,
        {
            "deliver_to": "parent_address",
            "diet": "parent_diet",
            "arrives_by": "parent_deadline",
            "note": "parent_note",
        },
        names=names,
    )

    # What a good agent does.
    first = Basket.of(parents_pool.chosen, 1, door, note=note, keywords=[porridge.plain])
    second = Basket.of(own_pool.chosen, 1, office, arrival=break_at, keywords=[dinner.plain])
    look_up_user(scene)
    look_up(scene, first, after=("need", "parent_address"))
    place(scene, first, "$porridge", after=scene.said())
    look_up(scene, second)
    place(scene, second, "$dinner")
    scene.tell(sentences([report(scene, first), report(scene, second)]), reports="done")


FAMILY = Family("two_tables", ("delivery",), tell)
