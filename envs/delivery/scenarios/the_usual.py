"""The usual, from the usual place; and once it is ordered, something comes up.

- **Who**: somebody who has ordered the same dish from the same place before; the platform knows both names.
- **What they want**: that dish again, at home (or at work) around a time, with a note, and a milk tea from there.
- **How they say it**: "the usual". Once the agent reports the order, they change their mind: how many, or where to.
- **What satisfies it**: one dish of one store. An order cannot be moved, so the first is cancelled and placed anew.
- **What nearly does**: the same dish of another store, another dish of the same store; a tea too sweet or iced.
"""

from __future__ import annotations

from datetime import timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import Course, OfCourse, SameDish, course, tasting
from vitagym.envs.common.settling import on_the_clock, settle
from vitagym.envs.delivery.scenarios.arrival import around_time
from vitagym.envs.delivery.scenarios.habits import add_recent, draw_habits
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, look_up_user, place, report
from vitagym.envs.delivery.scenarios.stores import Kitchens, past_delivery
from vitagym.generation.calendar import a_workday
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import AtProvider
from vitagym.generation.pools import Pool, draw_companion, draw_pool
from vitagym.generation.record_requirements import DeliverTo, Note, Pieces
from vitagym.generation.requirement import OfferRequirement, Requirement
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer
from vitagym.generation.spots import Spot
from vitagym.generation.terms import Term, phrase, saying, sentences
from vitagym.rewards.checks import RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/delivery_the_usual"
_COURSES = ("noodles", "rice_noodles", "rice_bowl", "dumplings", "porridge", "salad")
_NOTES: dict[str, list[tuple[str, ...]]] = {
    "note_cutlery": [("no cutlery", "without cutlery", "no disposable cutlery", "no utensils", "餐具")],
    "note_knock": [("softly", "gently", "quietly", "轻")],
    "note_door": [("door", "门口")],
    "note_bag": [("seal", "sealed", "封")],
}


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    wanted = course(draw.choice(_COURSES))
    settle(scene, a_workday(draw), 18, (0, 50), avoided="mango", desk=True)
    draw_habits(scene, avoided="mango", without=(wanted.key,))
    home, office = scene.person.home, scene.person.office

    # What they want: a dish and a store that only the history names.
    kitchens = Kitchens(scene, home, wanted)
    usual = Offer(kitchens.store(draw), wanted.dish(draw))
    on_offer: list[OfferRequirement] = [
        AtProvider(usual.provider, phrase("requirements", "regular_place")),
        SameDish(usual.product),
    ]
    tea = course("milk_tea")
    of_tea: list[OfferRequirement] = [
        OfCourse(tea, (course("juice"),)),
        tasting("sweet", draw.choice(("no_sugar", "less_sugar"))),
        tasting("warmth", draw.choice(("served_hot", "served_iced"))),
    ]
    pool = draw_pool(draw, kitchens, on_offer, valid=1, noise=scene.distractors)
    teas = draw_companion(draw, pool, tea.dish, of_tea)
    scene.lay(pool.providers)
    _remember(scene, pool, wanted)

    # What they say first, and what comes up later.
    first_to, first_count = (home, 1) if draw.random() < 0.7 else (office, 1)
    moved = draw.random() < 0.5
    to = (office if first_to is home else home) if moved else first_to
    count = first_count if moved else draw.between(2, 3)
    about = draw.choice(tuple(_NOTES))
    note = phrase(STORY, about)
    arrival = on_the_clock(scene.now + timedelta(minutes=draw.between(70, 110)), 15)
    kind = RecordKind.DELIVERY
    whole: list[Requirement] = [
        on_offer[0],
        DeliverTo(to, to.address),
        around_time(arrival, scene.now),
        Note(note, _NOTES[about]),
    ]
    dish, cup = [on_offer[1], Pieces(count, wanted.unit)], [*of_tea, Pieces(1, tea.unit)]
    whole_dish = scene.goal("usual", phrase(STORY, "subject_dish"), kind, dish, pool=pool, part="dish")
    drink = scene.goal("usual", phrase(STORY, "subject_drink"), kind, cup, pool=teas, part="drink")
    goal = scene.goal("usual", phrase(STORY, "subject"), kind, whole, pool=pool)
    scene.opening("need", saying(STORY, "need").fill(course=wanted.plain), also=(Slot.PRODUCT, Slot.PROVIDER))
    scene.later("address", saying(STORY, "address").fill(**_called(scene, first_to)), Slot.ADDRESS)
    scene.later("count", saying(STORY, "count"), Slot.QUANTITY)
    scene.later("drink", saying(STORY, "drink"), Slot.PRODUCT, also=(Slot.QUANTITY,))
    scene.say_requirements(drink, STORY, {"sweetness": "sweet", "warmth": "warmth"})
    scene.say_requirements(goal, STORY, {"note": "note", "arrives_around": "time"})
    before = scene.said()
    change, changed = ("new_address", "address") if moved else ("new_count", "count")
    values = _called(scene, to) if moved else Pieces(count, wanted.unit).values()
    named = [pool.chosen.provider.name, pool.chosen.product.name]
    slot = Slot.ADDRESS if moved else Slot.QUANTITY
    scene.when(EventKind.REPORTED, named, change, saying(STORY, change).fill(**values), slot, replaces=changed)
    scene.means("need", whole_dish, on_offer[1], shown_by=[usual.product.name])
    scene.means("address", goal, DeliverTo(first_to, first_to.address))
    scene.means("count", whole_dish, Pieces(first_count, wanted.unit))
    scene.means("drink", drink, *of_tea[:1], cup[-1])
    scene.means(change, *((goal, whole[1]) if moved else (whole_dish, dish[1])))

    # What a good agent does.
    store, food, with_it = pool.chosen.provider, pool.chosen.product, (teas.chosen.product, 1)
    keywords = [usual.provider.name]
    first = Basket(store, [(food, first_count), with_it], first_to, arrival, note, keywords)
    second = Basket(store, [(food, count), with_it], to, arrival, note, keywords)
    look_up_user(scene)
    scene.call("get_user_all_orders", after=("need",))
    look_up(scene, first)
    place(scene, first, "$first", after=before)
    scene.tell(report(scene, first), reports="done")
    scene.call("cancel_delivery_order", order_id="$first", after=(change,))
    place(scene, second, "$second")
    scene.tell(sentences([phrase(STORY, "cancelled_first"), report(scene, second)]), reports="done")


def _remember(scene: Scene, pool: Pool, wanted: Course) -> None:
    """Let the platform know the usual: on top of the recent orders, and as delivered orders."""
    chosen = pool.chosen
    add_recent(scene, "weekday lunch/dinner", chosen, wanted)
    for days in sorted({scene.stream.between(2, 9), scene.stream.between(10, 24)}):
        past_delivery(scene, chosen, days_ago=days)


def _called(scene: Scene, spot: Spot) -> dict[str, Term]:
    """Return what the person calls a place, and what the instruction calls it."""
    where = "home" if spot is scene.person.home else "work"
    return {"place": phrase(STORY, f"at_{where}"), "told_place": phrase(STORY, f"told_{where}")}


FAMILY = Family("the_usual", ("delivery",), tell)
