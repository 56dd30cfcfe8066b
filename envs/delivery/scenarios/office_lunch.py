"""Lunch at the office, before a meeting, under a diet that the person does not think of mentioning.

- **Who**: somebody with a desk job, at work, at lunch time on a working day.
- **What they want**: one dish of a course, of a certain taste, in time for a meeting; not too dear; perhaps well
  rated, with a note.
- **How they say it**: the course and the office at once, the rest later. What they must not eat comes only when asked.
- **What satisfies it**: any dish of the course that is right in all of this, from a store near enough to make it.
- **What nearly does**: for each of these a dish that is right but for it: too spicy, with peanuts, too dear, from a
  store too far away or rated a little too low.
"""

from __future__ import annotations

from datetime import timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import OfCourse, course, diet, tasting
from vitagym.envs.common.settling import on_the_clock, settle
from vitagym.envs.delivery.scenarios.arrival import ArrivesBy
from vitagym.envs.delivery.scenarios.habits import draw_habits
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, look_up_user, place, report
from vitagym.envs.delivery.scenarios.stores import Kitchens, add_sides
from vitagym.generation.calendar import a_workday
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import PriceAtMost, RatedAtLeast
from vitagym.generation.pools import draw_pool
from vitagym.generation.record_requirements import DeliverTo, Note, Pieces
from vitagym.generation.requirement import OfferRequirement, Requirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import clock
from vitagym.generation.terms import phrase, saying
from vitagym.rewards.checks import RecordKind

STORY = "stories/delivery_office_lunch"
_COURSES = ("noodles", "rice_noodles", "rice_bowl")
_DIETS = ("peanut", "cilantro", "shellfish", "fried", "purine")
_POINTS = {
    "arrives_by": "deadline",
    "taste": "taste",
    "diet": "diet",
    "price_at_most": "budget",
    "rated_at_least": "rating",
    "note": "note",
}


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    avoided = draw.choice(_DIETS)
    settle(scene, a_workday(draw), 11, (2, 40), avoided=avoided, desk=True)
    draw_habits(scene, avoided=avoided)
    office = scene.person.office

    # What they want.
    wanted = course(draw.choice(_COURSES))
    deadline = on_the_clock(scene.now + timedelta(minutes=draw.between(36, 50)))
    on_offer: list[OfferRequirement] = [
        OfCourse(wanted, tuple(course(key) for key in _COURSES if key != wanted.key)),
        tasting("spice", draw.choice(("no_spice", "mild_spice", "medium_spice", "extra_spice"))),
        diet(avoided),
        ArrivesBy(deadline, scene.now, office),
        PriceAtMost(float(draw.between(25, 32))),
    ]
    if draw.random() < 0.6:
        on_offer.append(RatedAtLeast(draw.choice((4.3, 4.5, 4.6))))
    on_order: list[Requirement] = [DeliverTo(office, office.address), Pieces(1, wanted.unit)]
    note = phrase(STORY, "note_text") if draw.random() < 0.4 else None
    if note is not None:
        on_order.append(Note(note, [("front desk", "前台")]))

    # What satisfies it, what nearly does, and what has nothing to do with it.
    pool = draw_pool(draw, Kitchens(scene, office, wanted), on_offer, noise=scene.distractors)
    add_sides(scene, pool.providers, course("juice"))
    scene.lay(pool.providers)
    goal = scene.goal("lunch", phrase(STORY, "subject"), RecordKind.DELIVERY, [*on_offer, *on_order], pool=pool)

    # How they say it.
    scene.opening("need", saying(STORY, "need").fill(course=wanted.name), also=(Slot.PRODUCT, Slot.ADDRESS))
    meeting = clock(deadline + timedelta(minutes=30))
    scene.say_requirements(goal, STORY, _POINTS, asked=("diet",), names={"meeting": meeting})

    # What a good agent does.
    basket = Basket.of(pool.chosen, 1, office, note=note, keywords=[wanted.plain])
    look_up_user(scene)
    look_up(scene, basket, after=("need",))
    place(scene, basket, "$order", after=scene.said())
    scene.tell(report(scene, basket), reports="done")


FAMILY = Family("office_lunch", ("delivery",), tell)
