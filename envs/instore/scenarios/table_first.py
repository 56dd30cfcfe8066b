"""A dinner out with friends: the table first, then the set meal; and one more guest turns up.

- **Who**: anybody who takes friends out tonight or tomorrow.
- **What they want**: a table for a time and a head count at a restaurant that is near, good enough, with what a guest
  needs, whose booking fee is not too high; and one set for so many people that includes a certain thing.
- **How they say it**: table and set first; conditions one by one. When the table is reported, one more is coming: a
  booking cannot be changed, so it is cancelled and made anew.
- **What satisfies it**: one restaurant.
- **What nearly does**: the wrong broth, a set for two, too far, rated too low, too high a fee, no bookings.
"""

from __future__ import annotations

from datetime import timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.settling import at, settle
from vitagym.envs.instore.scenarios.habits import draw_habits
from vitagym.envs.instore.scenarios.shops import FeeAtMost, Shops, amenity, for_so_many, service, takes, wished
from vitagym.envs.instore.scenarios.visiting import book, booked, bought, buy, look_up, look_up_user
from vitagym.generation.calendar import a_day
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import PriceAtMost, RatedAtLeast, Within
from vitagym.generation.pools import draw_pool, fill_menus
from vitagym.generation.record_requirements import ForPeople, Visits, WithProvider
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import day
from vitagym.generation.terms import phrase, saying, sentences
from vitagym.rewards.checks import RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/instore_table_first"
_POINTS = {
    "wish": "wish",
    "package_for": "size",
    "within": "near",
    "amenity": "amenity",
    "rated_at_least": "rating",
    "price_at_most": "budget",
}


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    settle(scene, a_day(draw), draw.between(10, 16), (0, 59), avoided="mango", desk=True)
    kind = service(draw.choice(("hot_pot", "dim_sum", "seafood")))
    draw_habits(scene, without=(kind.key,))
    centre = draw.choice((scene.person.home, scene.person.office))
    where = "home" if centre is scene.person.home else "office"

    # What they want.
    size = 4
    wish = draw.choice(tuple(kind.wishes))
    fee = FeeAtMost(draw.choice((20, 30)))
    on_offer: list[OfferRequirement] = [
        wished("wish", wish, kind),
        for_so_many(size, kind),
        Within(draw.choice((800, 1000, 1500)), centre, phrase(STORY, f"my_{where}")),
        amenity(draw.choice(("high_chair", "private_room"))),
    ]
    if draw.random() < 0.7:
        on_offer.append(RatedAtLeast(draw.choice((4.4, 4.5))))
    if draw.random() < 0.7:
        on_offer.append(PriceAtMost(float(draw.between(28, 34) * 10)))
    evening = scene.now.date() + timedelta(days=draw.below(2))
    time = at(evening, draw.between(18, 19), draw.choice((0, 30)))
    joins = draw.random() < 0.6
    first_people = size - 1 if joins else size
    visit, people = Visits(time, time, scene.now), ForPeople(size)

    # What satisfies it, and what nearly does.
    pool = draw_pool(
        draw, Shops(scene, centre, kind), [*on_offer, fee, takes("bookings")], valid=1, noise=scene.distractors
    )
    fill_menus(draw, pool, kind.package, 1, 4)
    scene.lay(pool.providers)
    chosen, shop = pool.chosen, pool.chosen.provider
    goal = scene.goal("set", phrase(STORY, "subject"), RecordKind.INSTORE, on_offer, pool=pool)
    table = scene.goal(
        "table",
        phrase(STORY, "subject_table"),
        RecordKind.BOOK,
        [WithProvider(shop), visit, people, fee],
        pool=pool,
    )

    # How they say it.
    need = saying(STORY, "need").fill(day=day(evening, scene.now), service=kind.name)
    scene.opening("need", need, also=(Slot.PROVIDER, Slot.PRODUCT, Slot.OCCASION))
    scene.say_requirements(goal, STORY, _POINTS, names={"told_place": phrase(STORY, f"your_{where}")})
    scene.say_requirements(table, STORY, {"visits_at": "when", "book_fee_at_most": "fee"})
    scene.later("people", saying(STORY, "people").fill(**ForPeople(first_people).values()), Slot.PEOPLE)
    scene.means("people", table, ForPeople(first_people))
    before = scene.said()
    if joins:
        more = saying(STORY, "one_more").fill(**people.values())
        scene.when(EventKind.REPORTED, [shop.name], "one_more", more, Slot.PEOPLE, replaces="people")
        scene.means("one_more", table, people)

    # What a good agent does.
    look_up_user(scene)
    look_up(scene, chosen, kind.name, near=centre, after=("need",))
    book(scene, shop, time, first_people, "$table", after=before)
    done = [booked(scene, shop, time, size), bought(chosen)]
    if joins:
        scene.tell(booked(scene, shop, time, first_people), reports="done")
        scene.call("instore_cancel_book", book_id="$table", after=("one_more",))
        book(scene, shop, time, size, "$second")
        done.insert(0, phrase(STORY, "rebooked"))
    buy(scene, chosen, "$set")
    scene.tell(sentences(done), reports="done")


FAMILY = Family("table_first", ("instore",), tell)
