"""A pottery class for the children, put earlier and with one more child; then lunch close to it.

- **Who**: somebody with children, who has a class reserved already.
- **What they want**: the reservation moved and enlarged; a package of the same studio for that many, long enough, with
  a certain technique; and a table for lunch near the studio, for the time at which the class and a break are over.
- **How they say it**: what changes first; the time of lunch as a sum.
- **What satisfies it**: the reservation of theirs, one package of one studio, one restaurant.
- **What nearly does**: a package for two, too short, of another studio; a restaurant too far away, without high chairs
  or with too high a fee.
"""

from __future__ import annotations

from datetime import timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.settling import at, settle
from vitagym.envs.instore.scenarios.habits import draw_habits
from vitagym.envs.instore.scenarios.shops import (
    FeeAtMost,
    OfService,
    Shops,
    amenity,
    for_so_many,
    lasting,
    service,
    wished,
)
from vitagym.envs.instore.scenarios.visiting import (
    book,
    booked,
    bought,
    buy,
    look_up,
    look_up_user,
    moved,
    past_reservation,
)
from vitagym.generation.calendar import a_day
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import AtProvider, Within
from vitagym.generation.pools import draw_pool, fill_menus
from vitagym.generation.record_requirements import ForPeople, TheExisting, Visits
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import day
from vitagym.generation.terms import phrase, saying, sentences
from vitagym.rewards.checks import RecordKind

STORY = "stories/instore_class_moved"
_CLASS_MINUTES = 120


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    settle(scene, a_day(draw), draw.between(9, 20), (0, 59), avoided="mango", families=("children",))
    draw_habits(scene, without=("pottery", "dim_sum"))
    home, out = scene.person.home, scene.now.date() + timedelta(days=draw.between(1, 4))
    pottery, dim_sum = service("pottery"), service("dim_sum")

    # What they have, and what it should become: a class and a package for it.
    studios = Shops(scene, home, pottery)
    studio, craft, people = studios.shop(draw), draw.choice(tuple(pottery.wishes)), 3
    of_class: list[OfferRequirement] = [
        AtProvider(studio, phrase(STORY, "the_studio")),
        wished("wish", craft, pottery),
        for_so_many(people, pottery),
        lasting(_CLASS_MINUTES, pottery),
    ]
    classes = draw_pool(draw, studios, of_class, valid=1, noise=max(1, scene.distractors - 1))
    fill_menus(draw, classes, pottery.package, 0, 3)
    scene.lay(classes.providers)
    before = at(out, draw.between(14, 16))
    start = at(out, draw.between(9, 10), draw.choice((0, 30)))
    reservation = past_reservation(scene, studio, before, people - 1, days_ago=draw.between(1, 5))

    # Then lunch, close to it.
    rest = draw.choice((30, 60))
    lunch = start + timedelta(minutes=_CLASS_MINUTES + rest)
    fee = FeeAtMost(draw.choice((20, 30)))
    of_lunch: list[OfferRequirement] = [
        OfService(dim_sum, (service("hot_pot"), service("seafood"))),
        Within(draw.choice((500, 800, 1000)), studio.where, phrase(STORY, "the_studio")),
        draw.choice((amenity("high_chair"), fee)),
    ]
    tables = draw_pool(
        draw,
        Shops(scene, studio.where, dim_sum),
        of_lunch,
        valid=1,
        noise=max(1, scene.distractors - 1),
    )
    scene.lay(tables.providers)
    restaurant = tables.chosen.provider

    what = TheExisting(reservation, phrase(STORY, "what_visit").fill(shop=studio.name))
    visit, head_count = Visits(start, start, scene.now, kind="moved_to"), ForPeople(people)
    on_visit = [what, visit, head_count]
    moved_visit = scene.goal("visit", phrase(STORY, "subject_visit"), RecordKind.RESERVATION, on_visit)
    goal = scene.goal("class", phrase(STORY, "subject"), RecordKind.INSTORE, of_class, pool=classes)
    at_table = Visits(lunch, lunch, scene.now)
    on_table = [*of_lunch, at_table, ForPeople(people)]
    table = scene.goal("table", phrase(STORY, "subject_table"), RecordKind.BOOK, on_table, pool=tables)

    # How they say it.
    values = {"day": day(out, scene.now), **visit.values(), **head_count.values()}
    scene.opening("need", saying(STORY, "need").fill(**values), also=(Slot.HISTORY, Slot.DATE, Slot.TIME, Slot.PEOPLE))
    scene.later("package", saying(STORY, "package"), Slot.PRODUCT, also=(Slot.PROVIDER,))
    scene.means("need", moved_visit, visit, head_count)
    scene.means("package", goal, of_class[0])
    points = {"wish": "wish", "package_for": "size", "lasts_at_least": "minutes"}
    scene.say_requirements(goal, STORY, points)
    said = saying(STORY, "lunch").fill(rest=rest, **head_count.values())
    scene.later("lunch", said, Slot.OTHER, also=(Slot.TIME,))
    scene.means("lunch", table, *on_table[-2:])
    scene.say_requirements(table, STORY, {"within": "near", "amenity": "chairs", "book_fee_at_most": "fee"})

    # What a good agent does.
    look_up_user(scene)
    scene.call("get_instore_reservations", user_id=scene.person.user_id, after=("need",))
    scene.call("instore_modify_reservation", reservation_id=reservation, time=visit.stamped, customer_count=people)
    look_up(scene, classes.chosen, pottery.name)
    buy(scene, classes.chosen, "$class", after=scene.said())
    look_up(scene, tables.chosen, dim_sum.name, near=studio.where)
    book(scene, restaurant, lunch, people, "$table")
    done = [moved(scene, studio, start, people), bought(classes.chosen), booked(scene, restaurant, lunch, people)]
    scene.tell(sentences(done), reports="done")


FAMILY = Family("class_moved", ("instore",), tell)
