"""Tense after work: a massage package with many conditions, and a visit that may have to be moved.

- **Who**: somebody after a working day, near home or office.
- **What they want**: a package that includes a certain thing, lasts long enough and is not too dear, in a shop that is
  near, old enough, open late enough, with parking; then a visit there, for one. Some shops close early, or all day, on
  the weekday that it is.
- **How they say it**: what and that a visit follows; conditions one by one. Sometimes, when the visit is reported, the
  boss asks them to stay longer, and the reservation has to be moved.
- **What satisfies it**: one shop. The age of a shop is known by the year it opened, the way by its coordinates.
- **What nearly does**: too short, too dear, too young, closed too early or on that weekday, too far,
  no parking, or no reservations.
"""

from __future__ import annotations

from datetime import timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.settling import at, settle
from vitagym.envs.instore.scenarios.habits import draw_habits
from vitagym.envs.instore.scenarios.hours import OpenThen, with_short_days
from vitagym.envs.instore.scenarios.shops import (
    Shops,
    amenity,
    established,
    lasting,
    open_until,
    service,
    takes,
    wished,
)
from vitagym.envs.instore.scenarios.visiting import bought, buy, look_up, look_up_user, moved, reserve, reserved
from vitagym.generation.calendar import a_workday
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import PriceAtMost, Within
from vitagym.generation.pools import draw_pool, fill_menus
from vitagym.generation.record_requirements import ForPeople, Visits, WithProvider
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.terms import phrase, saying, sentences
from vitagym.rewards.checks import RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/instore_after_work"
_LATE = ("23:00", "23:30")
"""Closing times that leave time enough for every visit."""
_POINTS = {
    "within": "near",
    "lasts_at_least": "minutes",
    "established": "years",
    "amenity": "amenity",
    "open_until": "open",
    "open_then": "weekday",
    "price_at_most": "budget",
}


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    settle(scene, a_workday(draw), 17, (0, 40), avoided="fried", desk=True)
    draw_habits(scene, without=("massage",))
    centre = draw.choice((scene.person.home, scene.person.office))
    where = "home" if centre is scene.person.home else "work"

    # What they want.
    first = at(scene.now.date(), draw.between(19, 20), draw.choice((0, 30)))
    massage = service("massage")
    wish = draw.choice(tuple(massage.wishes))
    on_offer: list[OfferRequirement] = [
        wished("wish", wish, massage),
        lasting(draw.choice((90, 120)), massage),
        Within(draw.choice((1000, 1500, 2000, 3000)), centre, phrase(STORY, f"near_{where}")),
    ]
    more = [
        established(draw.choice((3, 5)), scene.now.year),
        amenity("parking", rivals=("paid_parking",)),
        open_until(draw.choice(("22:30", "23:00"))),
        PriceAtMost(float(draw.between(17, 22) * 10)),
        OpenThen(first),
    ]
    on_offer += draw.sample(more, draw.between(2, 3))
    moves = draw.random() < 0.5
    last = first + timedelta(minutes=60) if moves else first

    # What satisfies it, and what nearly does.
    asked = {requirement.name for requirement in on_offer}
    shops = Shops(scene, centre, massage) if "open_until" in asked else Shops(scene, centre, massage, _LATE)
    drawn = with_short_days(shops) if "open_then" in asked else shops
    pool = draw_pool(draw, drawn, [*on_offer, takes("reservations")], valid=1, noise=scene.distractors)
    fill_menus(draw, pool, massage.package, 1, 4)
    scene.lay(pool.providers)
    chosen = pool.chosen
    goal = scene.goal("voucher", phrase(STORY, "subject"), RecordKind.INSTORE, on_offer, pool=pool)
    visit = Visits(last, last, scene.now)
    reservation = scene.goal(
        "visit",
        phrase(STORY, "subject_visit"),
        RecordKind.RESERVATION,
        [WithProvider(chosen.provider), visit, ForPeople(1)],
    )

    # How they say it.
    scene.opening("need", saying(STORY, "need").fill(wish=massage.wishes[wish]), also=(Slot.PRODUCT,))
    scene.say_requirements(goal, STORY, _POINTS, names={"told_place": phrase(STORY, f"told_{where}")})
    when = saying(STORY, "when").fill(**Visits(first, first, scene.now).values())
    scene.later("when", when, Slot.TIME, also=(Slot.PEOPLE, Slot.DATE))
    scene.means("when", reservation, Visits(first, first, scene.now))
    before = scene.said()
    if moves:
        changed = saying(STORY, "new_when").fill(**visit.values())
        shop = [chosen.provider.name]
        scene.when(EventKind.REPORTED, shop, "new_when", changed, Slot.TIME, replaces="when")
        scene.means("new_when", reservation, visit)

    # What a good agent does.
    look_up_user(scene)
    look_up(scene, chosen, massage.name, near=centre, after=("need",))
    buy(scene, chosen, "$voucher", after=before)
    reserve(scene, chosen.provider, first, 1, "$visit")
    done = [bought(chosen), reserved(scene, chosen.provider, first, 1)]
    scene.tell(sentences(done), reports="done")
    if moves:
        scene.call(
            "instore_modify_reservation",
            after=("new_when",),
            reservation_id="$visit",
            time=visit.stamped,
            customer_count=1,
        )
        scene.tell(moved(scene, chosen.provider, last, 1), reports="done")


FAMILY = Family("after_work", ("instore",), tell)
