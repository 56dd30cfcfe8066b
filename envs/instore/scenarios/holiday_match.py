"""A badminton match on a public holiday: a package that is valid then, and the court reserved for that day.

- **Who**: somebody whose colleagues or classmates finally all have a day off.
- **What they want**: one package for so many players, long enough, valid on public holidays, with rackets or a coach,
  in a hall near enough that has been there for years or is open late; then the court reserved on that day.
- **How they say it**: the name of the holiday, never its date.
- **What satisfies it**: one hall; the day the holiday falls on in that year.
- **What nearly does**: not valid on holidays, too short, for too few; too far, too young, closing too early.
"""

from __future__ import annotations

from datetime import timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.settling import at, settle
from vitagym.envs.instore.scenarios.habits import draw_habits
from vitagym.envs.instore.scenarios.shops import (
    Shops,
    established,
    for_so_many,
    lasting,
    open_until,
    service,
    takes,
    usable_on_holidays,
    wished,
)
from vitagym.envs.instore.scenarios.visiting import bought, buy, look_up, look_up_user, reserve, reserved
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import PriceAtMost, Within
from vitagym.generation.pools import draw_pool, fill_menus
from vitagym.generation.record_requirements import ForPeople, Visits, WithProvider
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.terms import phrase, saying, sentences
from vitagym.rewards.checks import RecordKind
from vitagym.world.calendar_cn import feasts_of

STORY = "stories/instore_holiday_match"
_FEASTS = ("qingming", "labor", "dragon_boat", "mid_autumn", "national")
_YEARS = (2023, 2026)
_POINTS = {
    "wish": "wish",
    "package_for": "size",
    "lasts_at_least": "minutes",
    "usable_on_holidays": "valid",
    "within": "near",
    "price_at_most": "budget",
    "established": "years",
    "open_until": "open",
}


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    feast, year, who = draw.choice(_FEASTS), draw.between(*_YEARS), draw.choice(("colleagues", "classmates"))
    holiday = feasts_of(year, feast)[0].date
    scene.feast = holiday
    today = holiday - timedelta(days=draw.between(4, 15))
    settle(scene, today, draw.between(9, 20), (0, 59), avoided="mango")
    draw_habits(scene, without=("badminton",))
    home, badminton = scene.person.home, service("badminton")

    # What they want.
    players = draw.choice((4, 6))
    wish = draw.choice(tuple(badminton.wishes))
    on_offer: list[OfferRequirement] = [
        wished("wish", wish, badminton),
        for_so_many(players, badminton),
        lasting(draw.choice((90, 120)), badminton),
        usable_on_holidays(),
        Within(draw.choice((2000, 3000)), home, phrase(STORY, "home")),
        draw.choice((established(draw.choice((3, 5)), year), open_until("22:30"))),
    ]
    if draw.random() < 0.6:
        on_offer.append(PriceAtMost(float(draw.between(14, 18) * 10)))
    start = at(holiday, draw.choice((10, 14, 15, 19)), draw.choice((0, 30)))
    visit, people = Visits(start, start, scene.now), ForPeople(players)

    # What satisfies it, and what nearly does.
    pool = draw_pool(
        draw, Shops(scene, home, badminton), [*on_offer, takes("reservations")], valid=1, noise=scene.distractors
    )
    fill_menus(draw, pool, badminton.package, 1, 3)
    scene.lay(pool.providers)
    chosen = pool.chosen
    goal = scene.goal("court", phrase(STORY, "subject"), RecordKind.INSTORE, on_offer, pool=pool)
    on_visit = [WithProvider(chosen.provider), visit, people]
    scene.goal("visit", phrase(STORY, "subject_visit"), RecordKind.RESERVATION, on_visit)

    # How they say it.
    name = phrase("feasts", feast)
    values = {"festival": name, "who": phrase(STORY, f"my_{who}"), "told_who": phrase(STORY, f"your_{who}")}
    scene.opening("need", saying(STORY, "need").fill(**values), also=(Slot.PRODUCT, Slot.OCCASION, Slot.DATE))
    scene.say_requirements(goal, STORY, _POINTS)
    when = saying(STORY, "when").fill(**values, **visit.values(), **people.values())
    scene.later("when", when, Slot.TIME, also=(Slot.PEOPLE,))

    # What a good agent does.
    look_up_user(scene)
    scene.call("get_holiday_date", year=str(year), holiday_name=name, after=("need",))
    look_up(scene, chosen, badminton.name, near=home)
    buy(scene, chosen, "$court", after=scene.said())
    reserve(scene, chosen.provider, start, players, "$visit")
    scene.tell(sentences([bought(chosen), reserved(scene, chosen.provider, start, players)]), reports="done")


FAMILY = Family("holiday_match", ("instore",), tell)
