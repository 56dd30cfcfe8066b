"""Friends over for the match: barbecue at half-time, and more of it when more people turn up.

- **Who**: somebody at home in the evening, with friends.
- **What they want**: so many portions of one kind of barbecue, of a taste, without what one of them is allergic to,
  from a store that delivers late and is well rated, within half-time (around midnight), within a total.
- **How they say it**: the occasion first. When the order is reported, more people turn up: more portions, more money.
  An order cannot be enlarged, so it is cancelled and placed anew.
- **What nearly does**: other meat, too mild, with peanuts; a store that does not deliver late, or rated too low.
"""

from __future__ import annotations

from datetime import timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import MadeWith, course, diet, tasting
from vitagym.envs.common.settling import at, settle
from vitagym.envs.delivery.scenarios.habits import draw_habits
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, look_up_user, place, report
from vitagym.envs.delivery.scenarios.stores import Kitchens, add_sides, labelled
from vitagym.generation.calendar import a_day
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import RatedAtLeast
from vitagym.generation.pools import draw_pool
from vitagym.generation.record_requirements import Arrives, DeliverTo, Pieces, TotalWithin
from vitagym.generation.requirement import OfferRequirement, Requirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import money
from vitagym.generation.terms import phrase, saying, sentences, word, words
from vitagym.rewards.checks import RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/delivery_midnight_snack"
_POINTS = {
    "taste": "taste",
    "arrives_between": "window",
    "store_offers": "label",
    "rated_at_least": "rating",
    "diet": "diet",
}


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    settle(scene, a_day(draw), draw.between(19, 21), (0, 59), avoided="mango")
    draw_habits(scene, avoided="mango")
    home, barbecue = scene.person.home, course("skewers")

    # What they want.
    meat = draw.choice(("lamb", "beef", "chicken"))
    called = word(words("food")["mains"][meat])
    on_offer: list[OfferRequirement] = [
        MadeWith("main", meat, called, barbecue),
        tasting("spice", draw.choice(("mild_spice", "medium_spice", "extra_spice"))),
        diet(draw.choice(("peanut", "cilantro"))),
        labelled("late_night"),
        RatedAtLeast(draw.choice((4.3, 4.5, 4.6))),
    ]
    half_time = at(scene.now.date(), 23, draw.choice((0, 15, 30, 45)))
    window = Arrives(half_time, half_time + timedelta(minutes=20), scene.now)
    count, more = draw.between(2, 3), draw.random() < 0.6
    final = count + 2 if more else count

    # What satisfies it, and what nearly does.
    pool = draw_pool(draw, Kitchens(scene, home, barbecue), on_offer, noise=scene.distractors)
    add_sides(scene, pool.providers, course("juice"), most=1)
    scene.lay(pool.providers)
    price = pool.chosen.product.price
    first_total, total = float(round(price * count + 8)), float(round(price * final + 8))
    portions, first_portions = Pieces(final, barbecue.unit), Pieces(count, barbecue.unit)
    on_order: list[Requirement] = [DeliverTo(home, home.address), window, portions, TotalWithin(total)]
    goal = scene.goal("snack", phrase(STORY, "subject"), RecordKind.DELIVERY, [*on_offer, *on_order], pool=pool)

    # How they say it.
    scene.opening("need", saying(STORY, "need"), also=(Slot.ADDRESS, Slot.OCCASION))
    said = saying(STORY, "meat").fill(meat=called, **first_portions.values())
    scene.later("meat", said, Slot.PRODUCT, also=(Slot.QUANTITY,))
    scene.say_requirements(goal, STORY, _POINTS)
    scene.later("total", saying(STORY, "total").fill(**TotalWithin(first_total).values()), Slot.BUDGET)
    scene.means("meat", goal, first_portions)
    scene.means("total", goal, TotalWithin(first_total))
    before = scene.said()
    if more:
        change = saying(STORY, "more").fill(**portions.values(), new_price=money(total))
        stores = [offer.provider.name for offer in pool.valid]
        scene.when(EventKind.REPORTED, stores, "more", change, Slot.QUANTITY, replaces="meat")
        scene.means("more", goal, portions, TotalWithin(total))

    # What a good agent does.
    arrival = half_time + timedelta(minutes=10)
    first, last = (Basket.of(pool.chosen, n, home, arrival=arrival, keywords=[called]) for n in (count, final))
    look_up_user(scene)
    look_up(scene, first, after=("need", "meat"))
    place(scene, first, "$first", after=before)
    scene.tell(report(scene, first), reports="done")
    if not more:
        return
    scene.call("cancel_delivery_order", order_id="$first", after=("more",))
    place(scene, last, "$second")
    scene.tell(sentences([phrase(STORY, "cancelled_first"), report(scene, last)]), reports="done")


FAMILY = Family("midnight_snack", ("delivery",), tell)
