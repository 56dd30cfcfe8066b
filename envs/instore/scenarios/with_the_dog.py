"""A meal out with the dog: a restaurant that lets it in, the set bought before the table is booked.

- **Who**: somebody with a dog, who meets friends on a weekend.
- **What they want**: a set with a certain dish at a western restaurant where pets may come in, with free parking, not
  in a residential building, near home; then a table there, whose fee is not too high.
- **How they say it**: the dog first, conditions one by one; that the table is for after the purchase.
- **What satisfies it**: one restaurant.
- **What nearly does**: no pets, parking that costs, in a residential building, too far, too high a fee, no bookings;
  the wrong dish, a set for the wrong number.
"""

from __future__ import annotations

from datetime import timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.settling import at, settle
from vitagym.envs.instore.scenarios.habits import draw_habits
from vitagym.envs.instore.scenarios.shops import (
    FeeAtMost,
    Shops,
    for_so_many,
    has_parking,
    not_residential,
    service,
    takes,
    welcomes_pets,
    wished,
)
from vitagym.envs.instore.scenarios.visiting import book, booked, bought, buy, look_up, look_up_user
from vitagym.generation.calendar import a_day
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import PriceAtMost, Within
from vitagym.generation.pools import draw_pool, fill_menus
from vitagym.generation.record_requirements import ForPeople, Visits, WithProvider
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import day
from vitagym.generation.terms import phrase, saying, sentences
from vitagym.rewards.checks import RecordKind

STORY = "stories/instore_with_the_dog"
_POINTS = {
    "wish": "wish",
    "package_for": "size",
    "pets_allowed": "pets",
    "has_parking": "parking",
    "not_residential": "residential",
    "within": "near",
    "price_at_most": "budget",
}


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    settle(scene, a_day(draw), draw.between(9, 20), (0, 59), avoided="mango", families=("pets",))
    draw_habits(scene, without=("western",))
    home, out = scene.person.home, scene.now.date() + timedelta(days=draw.between(1, 3))
    western = service("western")

    # What they want.
    size = draw.choice(western.people)
    dish = draw.choice(tuple(western.wishes))
    on_offer: list[OfferRequirement] = [
        wished("wish", dish, western),
        for_so_many(size, western),
        welcomes_pets(),
        Within(draw.choice((2000, 3000)), home, phrase(STORY, "home")),
    ]
    on_offer += draw.sample([has_parking(), not_residential()], draw.between(1, 2))
    if draw.random() < 0.6:
        on_offer.append(PriceAtMost(float(draw.between(20, 26) * 10)))
    fee = FeeAtMost(draw.choice((20, 30)))
    time = at(out, draw.choice((11, 12, 17, 18)), draw.choice((0, 30)))
    visit, people = Visits(time, time, scene.now), ForPeople(size)

    # What satisfies it, and what nearly does.
    pool = draw_pool(
        draw, Shops(scene, home, western), [*on_offer, fee, takes("bookings")], valid=1, noise=scene.distractors
    )
    fill_menus(draw, pool, western.package, 1, 3)
    scene.lay(pool.providers)
    chosen, shop = pool.chosen, pool.chosen.provider
    goal = scene.goal("set", phrase(STORY, "subject"), RecordKind.INSTORE, on_offer, pool=pool)
    on_table = [WithProvider(shop), visit, people, fee]
    table = scene.goal("table", phrase(STORY, "subject_table"), RecordKind.BOOK, on_table, pool=pool)

    # How they say it.
    need = saying(STORY, "need").fill(day=day(out, scene.now))
    scene.opening("need", need, also=(Slot.PROVIDER, Slot.OCCASION, Slot.DATE))
    scene.say_requirements(goal, STORY, _POINTS)
    scene.later("when", saying(STORY, "when").fill(**visit.values(), **people.values()), Slot.TIME, (Slot.PEOPLE,))
    scene.say_requirements(table, STORY, {"book_fee_at_most": "fee"})

    # What a good agent does.
    look_up_user(scene)
    look_up(scene, chosen, western.name, near=home, after=("need",))
    buy(scene, chosen, "$set", after=scene.said())
    book(scene, shop, time, size, "$table")
    scene.tell(sentences([bought(chosen), booked(scene, shop, time, size)]), reports="done")


FAMILY = Family("with_the_dog", ("instore",), tell)
