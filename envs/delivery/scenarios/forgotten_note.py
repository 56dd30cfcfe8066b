"""A note that was forgotten on the order just placed, and a coffee for later.

- **Who**: somebody with a desk job, shortly after ordering lunch; another order of theirs is on its way.
- **What they want**: the note added to the open order, the other left alone; then a coffee at the office after the nap:
  warmth, sweetness, from a store with a label, not too dear, without what they cannot have (asked only).
- **What satisfies it**: the note on the right order; any coffee that is right in all of it.
- **What nearly does**: iced, sweet, with milk, too dear, from a store without the label.
"""

from __future__ import annotations

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import OfCourse, another_dish, course, diet, tasting
from vitagym.envs.common.settling import at, settle
from vitagym.envs.delivery.scenarios.arrival import around_time
from vitagym.envs.delivery.scenarios.habits import draw_habits
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, look_up_user, place, report
from vitagym.envs.delivery.scenarios.stores import Kitchens, add_sides, labelled, past_delivery
from vitagym.generation.calendar import a_workday
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import PriceAtMost
from vitagym.generation.pools import draw_pool
from vitagym.generation.record_requirements import DeliverTo, Note, Pieces, StaysAsItIs, TheExisting
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer
from vitagym.generation.terms import Term, phrase, saying, sentences
from vitagym.rewards.checks import RecordKind

STORY = "stories/delivery_forgotten_note"
_NOTES: dict[str, list[tuple[str, ...]]] = {
    "note_spicy": [("chilli", "chili", "spicy", "辣"), ("no cilantro", "without cilantro", "不要香菜", "不放香菜")],
    "note_scallion": [("no scallions", "no scallion", "without scallions", "不要葱", "不放葱")],
    "note_vinegar": [("vinegar", "醋")],
    "note_chopsticks": [("chopsticks", "筷子"), ("two", "2", "两", "2双")],
}
_POINTS = {
    "arrives_around": "time",
    "warmth": "warmth",
    "sweetness": "sweet",
    "diet": "diet",
    "store_offers": "label",
    "price_at_most": "budget",
}


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    settle(scene, a_workday(draw), 11, (10, 45), avoided="dairy", desk=True)
    draw_habits(scene, avoided="dairy")
    office = scene.person.office

    # What they have ordered, and what they want for later.
    lunch, coffee = course(draw.choice(("noodles", "rice_noodles", "rice_bowl"))), course("coffee")
    kitchens = Kitchens(scene, office, lunch)
    open_order = kitchens(draw)
    old_order = Offer(open_order.provider, another_dish(draw, lunch, open_order.product))
    open_order.provider.products += [open_order.product, old_order.product]
    later = at(scene.now.date(), 14, draw.choice((0, 30)))
    on_offer: list[OfferRequirement] = [
        OfCourse(coffee, (course("milk_tea"),)),
        tasting("warmth", draw.choice(("served_hot", "served_plain"))),
        tasting("sweet", draw.choice(("no_sugar", "less_sugar"))),
        diet("dairy"),
        labelled(draw.choice(("dine_in", "chain"))),
        PriceAtMost(float(draw.between(20, 25))),
    ]
    on_order = [DeliverTo(office, office.address), around_time(later, scene.now), Pieces(1, coffee.unit)]

    # What satisfies it, and what nearly does.
    pool = draw_pool(draw, Kitchens(scene, office, coffee), on_offer, noise=scene.distractors)
    stores = [open_order.provider, *pool.providers]
    add_sides(scene, stores, course("juice"), most=1)
    scene.lay(stores)
    open_id = past_delivery(scene, open_order, minutes_ago=draw.between(3, 9), status="paid")
    old_id = past_delivery(scene, old_order, minutes_ago=draw.between(25, 44), status="in_progress")
    about = draw.choice(tuple(_NOTES))
    note = phrase(STORY, about)
    old, what = phrase(STORY, "subject_old"), _called(open_order)
    scene.goal("old", old, RecordKind.DELIVERY, [TheExisting(open_id, what), Note(note, _NOTES[about])])
    goal = scene.goal("coffee", phrase(STORY, "subject"), RecordKind.DELIVERY, [*on_offer, *on_order], pool=pool)
    scene.goal("other", old, RecordKind.DELIVERY, [StaysAsItIs(old_id, _called(old_order))])

    # How they say it.
    need = saying(STORY, "need").fill(product=open_order.product.name, note=note)
    scene.opening("need", need, also=(Slot.NOTE, Slot.HISTORY))
    scene.later("coffee", saying(STORY, "coffee"), Slot.PRODUCT, also=(Slot.ADDRESS,))
    scene.say_requirements(goal, STORY, _POINTS, asked=("diet",))

    # What a good agent does.
    basket = Basket.of(pool.chosen, 1, office, arrival=later, keywords=[coffee.plain])
    look_up_user(scene)
    scene.call("search_delivery_orders", user_id=scene.person.user_id, status="paid", after=("need",))
    scene.call("get_delivery_order_detail", order_id=open_id)
    scene.call("modify_delivery_order", order_id=open_id, note=note)
    look_up(scene, basket, after=("coffee",))
    place(scene, basket, "$order", after=scene.said())
    changed = phrase("reports", "note_changed").fill(what=what, note=note)
    scene.tell(sentences([changed, report(scene, basket)]), reports="done")


def _called(offer: Offer) -> Term:
    return phrase(STORY, "what_old").fill(product=offer.product.name, store=offer.provider.name)


FAMILY = Family("forgotten_note", ("delivery",), tell)
