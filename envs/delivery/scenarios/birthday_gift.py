"""A birthday cake or flowers, sent to somebody else's door with a greeting.

- **Who**: anybody; the present is for a parent, partner, friend or teacher in the same city.
- **What they want**: a cake (size, sweetness, without what the other cannot eat) or a bouquet (with certain flowers and
  without lilies) within a budget, at that person's address, within a window of tomorrow or the day after, with a
  greeting as a note.
- **How they say it**: the occasion first; address, window, allergy, budget and greeting one after the other.
- **What satisfies it**: any that is right in all of it, sent off early enough for the way.
- **What nearly does**: too small, too sweet, with mango, too dear; other flowers, or lilies among them.
"""

from __future__ import annotations

from datetime import timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import MadeWith, OfCourse, course, diet, tasting
from vitagym.envs.common.settling import at, settle
from vitagym.envs.delivery.scenarios.habits import draw_habits
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, look_up_user, place, report
from vitagym.envs.delivery.scenarios.stores import Kitchens, add_sides
from vitagym.generation.calendar import a_day
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import Avoids, PriceAtMost, RatedAtLeast
from vitagym.generation.pools import draw_pool
from vitagym.generation.record_requirements import Arrives, DeliverTo, Note, Pieces
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer
from vitagym.generation.speech import day
from vitagym.generation.spots import around
from vitagym.generation.terms import phrase, saying, word, words
from vitagym.randomness import Stream
from vitagym.rewards.checks import RecordKind

STORY = "stories/delivery_birthday_gift"
_PEOPLE = ("mother", "father", "friend", "partner", "teacher")
_GREETINGS = {
    "greeting_1": [("happy birthday", "生日快乐"), ("all the best", "万事如意")],
    "greeting_2": [("happy birthday", "生日快乐"), ("miss you", "想你")],
    "greeting_3": [("happy birthday", "生日快乐"), ("stay healthy", "身体健康")],
}
_POINTS = {
    "deliver_to": "address",
    "arrives_between": "window",
    "portion": "size",
    "sweetness": "sweet",
    "diet": "allergy",
    "price_at_most": "budget",
    "rated_at_least": "rating",
    "note": "card",
}


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    settle(scene, a_day(draw), draw.between(9, 20), (0, 59), avoided="cilantro")
    draw_habits(scene, avoided="cilantro")
    who = draw.choice(_PEOPLE)
    door = scene.addresses.home(around(draw, scene.person.home, 2500, 6000))
    scene.places.append(door)

    # What they want.
    cake = draw.random() < 0.6
    gift = course("cake" if cake else "flowers")
    flower = draw.choice(tuple(words("food")["flowers"]))
    on_offer: list[OfferRequirement]
    if cake:
        on_offer = [
            OfCourse(gift, (course("pastry"),)),
            tasting("size", draw.choice(("for_two", "for_four"))),
            tasting("sweet", draw.choice(("less_sugar", "no_sugar"))),
            diet(draw.choice(("mango", "nuts"))),
        ]
    else:
        flowers = words("food")["flowers"]
        on_offer = [MadeWith("flower", flower, word(flowers[flower]), gift)]
        if flower != "lilies":
            on_offer.append(Avoids("diet", ("lilies",), word(flowers["lilies"]), addable=("lilies",)))
    on_offer.append(PriceAtMost(float(draw.between(15, 19) * 10)))
    if draw.random() < 0.5:
        on_offer.append(RatedAtLeast(draw.choice((4.4, 4.6))))
    when = scene.now.date() + timedelta(days=draw.between(1, 2))
    opens = at(when, draw.between(10, 17), draw.choice((0, 30)))
    window = Arrives(opens, opens + timedelta(minutes=draw.choice((60, 90))), scene.now)
    greeting = draw.choice(tuple(_GREETINGS))
    note = phrase(STORY, greeting)
    on_order = [DeliverTo(door, door.address), window, Pieces(1, gift.unit), Note(note, _GREETINGS[greeting])]

    # What satisfies it, and what nearly does.
    pool = draw_pool(draw, _Shops(scene, door, gift), on_offer, noise=scene.distractors)
    add_sides(scene, pool.providers, course("pastry" if cake else "juice"))
    scene.lay(pool.providers)
    subject = phrase(STORY, "subject_cake" if cake else "subject_flowers")
    goal = scene.goal("gift", subject, RecordKind.DELIVERY, [*on_offer, *on_order], pool=pool)

    # How they say it.
    names = {"who": phrase(STORY, f"who_{who}"), "whose": phrase(STORY, f"whose_{who}")}
    need = saying(STORY, "need_cake" if cake else "need_flowers")
    need = need.fill(day=day(when, scene.now), flower=word(words("food")["flowers"][flower]), **names)
    scene.opening("need", need, also=(Slot.PRODUCT, Slot.OCCASION, Slot.DATE))
    scene.means("need", goal, on_offer[0], on_order[2])
    points = _POINTS if cake else {**_POINTS, "diet": "pollen"}
    scene.say_requirements(goal, STORY, points, names=names)

    # What a good agent does.
    basket = Basket.of(pool.chosen, 1, door, arrival=opens + timedelta(minutes=20), note=note, keywords=[gift.plain])
    look_up_user(scene)
    look_up(scene, basket, after=("need", "address"))
    place(scene, basket, "$order", after=scene.said())
    scene.tell(report(scene, basket), reports="done")


class _Shops(Kitchens):
    """Shops whose cakes come in sizes."""

    def __call__(self, stream: Stream) -> Offer:
        """Draw an offer."""
        offer = super().__call__(stream)
        if self.course.key == "cake":
            offer.product.traits.add(stream.choice(("for_one", "for_two", "for_four")))
        return offer


FAMILY = Family("birthday_gift", ("delivery",), tell)
