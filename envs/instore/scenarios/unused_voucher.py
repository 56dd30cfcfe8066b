"""A voucher that was never used: is what one craves in it, or has it to be exchanged?

- **Who**: somebody with one unused voucher of a restaurant, and another of something else.
- **What they want**: if the voucher includes what they crave, nothing but a table; if not, the voucher refunded, a set
  that includes it bought at the same restaurant, and the table. The other voucher they want to be rid of.
- **How they say it**: they do not remember which set it was; the condition, then what a new one would have to be.
- **What satisfies it**: what the voucher turns out to be decides. The other voucher is refunded in any case.
- **What nearly does**: a set that includes it for too few, too dear, or of another restaurant.
"""

from __future__ import annotations

from datetime import timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.settling import at, settle
from vitagym.envs.instore.scenarios.habits import draw_habits
from vitagym.envs.instore.scenarios.shops import Shops, for_so_many, service, wished
from vitagym.envs.instore.scenarios.visiting import book, booked, bought, buy, look_up, look_up_user, past_purchase
from vitagym.generation.calendar import a_day
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import AtProvider, PriceAtMost
from vitagym.generation.pools import draw_pool, fill_menus
from vitagym.generation.record_requirements import (
    ForPeople,
    InStatus,
    StaysAsItIs,
    TheExisting,
    Visits,
    WithProvider,
)
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer
from vitagym.generation.terms import Term, phrase, saying, sentences
from vitagym.rewards.checks import Meaning, RecordKind

STORY = "stories/instore_unused_voucher"


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    settle(scene, a_day(draw), draw.between(9, 16), (0, 59), avoided="mango")
    kind = service(draw.choice(("hot_pot", "dim_sum", "seafood")))
    draw_habits(scene, without=(kind.key,))

    # What a set would have to be, and what they have: one that is it, or the one that misses but the craving.
    shops = Shops(scene, scene.person.home, kind)
    restaurant = shops.shop(draw)
    wish, includes = draw.choice(tuple(kind.wishes)), draw.random() < 0.4
    size, budget = for_so_many(4, kind), PriceAtMost(float(draw.between(26, 32) * 10))
    on_offer: list[OfferRequirement] = [
        AtProvider(restaurant, phrase("requirements", "regular_place")),
        wished("wish", wish, kind),
        size,
        budget,
    ]
    pool = draw_pool(draw, shops, on_offer, valid=1, noise=scene.distractors)
    fill_menus(draw, pool, kind.package, 1, 4)
    other = Shops(scene, scene.person.home, service("massage"))(draw)
    other.provider.products.append(other.product)
    scene.lay([*pool.providers, other.provider])
    held = pool.chosen if includes else pool.near["wish"]
    held_id = past_purchase(scene, held, days_ago=draw.between(10, 40))
    other_id = past_purchase(scene, other, days_ago=draw.between(3, 30))

    # What they want now.
    evening = scene.now.date() + timedelta(days=draw.below(2))
    time = at(evening, draw.between(18, 19), draw.choice((0, 30)))
    visit, people = Visits(time, time, scene.now), ForPeople(draw.between(3, 4))
    on_table = [WithProvider(restaurant), visit, people]
    scene.goal("table", phrase(STORY, "subject_table"), RecordKind.BOOK, on_table)
    old, what = phrase(STORY, "subject_old"), _called(held)
    if includes:
        scene.goal("old", old, RecordKind.INSTORE, [StaysAsItIs(held_id, what, thinking=True)])
    else:
        cancelled = InStatus(Meaning.CANCELLED, kind="cancelled", thinking=True)
        refunded = scene.goal("old", old, RecordKind.INSTORE, [TheExisting(held_id, what), cancelled])
        new = scene.goal("new", phrase(STORY, "subject"), RecordKind.INSTORE, on_offer, pool=pool)
    refund = [TheExisting(other_id, _called(other)), InStatus(Meaning.CANCELLED, kind="cancelled")]
    returned = scene.goal("other", phrase(STORY, "subject_other"), RecordKind.INSTORE, refund)

    # How they say it.
    craving = {"service": kind.name, "wish": kind.wishes[wish]}
    scene.opening("need", saying(STORY, "need").fill(**craving), also=(Slot.HISTORY, Slot.PRODUCT, Slot.PROVIDER))
    scene.later("otherwise", saying(STORY, "otherwise").fill(**craving), Slot.OTHER)
    scene.later("size", saying(STORY, "size").fill(**size.values()), Slot.QUANTITY)
    scene.later("budget", saying(STORY, "budget").fill(**budget.values()), Slot.BUDGET)
    table = saying(STORY, "table").fill(**{**visit.values(), **people.values()})
    scene.later("table", table, Slot.TIME, also=(Slot.PEOPLE, Slot.DATE))

    scene.later("massage", saying(STORY, "massage"), Slot.HISTORY)
    scene.means("massage", returned, *refund)
    if not includes:
        # What the voucher held is good for shows in the history.
        seen = [held_id, held.product.name]
        scene.means("otherwise", refunded, *refunded.requirements, shown_by=seen)
        scene.means("otherwise", new, *on_offer[:2], shown_by=seen)
        scene.means("size", new, size, shown_by=seen)
        scene.means("budget", new, budget, shown_by=seen)

    # What a good agent does.
    look_up_user(scene)
    scene.call("get_instore_orders", user_id=scene.person.user_id, after=("need",))
    look_up(scene, pool.chosen, kind.name)
    book(scene, restaurant, time, people.count, "$table", after=scene.said())
    done = [
        phrase(STORY, "kept" if includes else "returned").fill(
            product=held.product.name, shop=restaurant.name, wish=kind.wishes[wish]
        )
    ]
    if not includes:
        scene.call("instore_cancel_order", order_id=held_id)
        buy(scene, pool.chosen, "$set")
        done.append(bought(pool.chosen))
    scene.call("instore_cancel_order", order_id=other_id)
    done.append(phrase(STORY, "massage_returned").fill(shop=other.provider.name))
    scene.tell(sentences([*done, booked(scene, restaurant, time, people.count)]), reports="done")


def _called(offer: Offer) -> Term:
    return phrase(STORY, "what_old").fill(product=offer.product.name, shop=offer.provider.name)


FAMILY = Family("unused_voucher", ("instore",), tell)
