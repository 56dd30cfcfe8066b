"""A family day out in one's own city, planned by the weather: tickets for every age.

- **Who**: somebody with a child who takes the family out at the weekend, a grandmother with them.
- **What they want**: if it stays dry, a sight in the open air, else one indoors; open long enough, with what they need;
  tickets for two adults, the child and the grandmother, each of the right sort.
- **How they say it**: the plan and the weather at once; the ages and the rest later, who comes along in two parts.
- **What satisfies it**: one sight that is right in all of this, and three kinds of tickets for it.
- **What nearly does**: a sight of the other side of the weather, one that closes too early, is closed that weekday or
  lacks what they need; tickets for another age or day.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.ota.scenarios.buying import bought, buy, look_up_sights, look_up_user, look_up_weather, report
from vitagym.envs.ota.scenarios.past import add_past_trips, draw_travel_habits
from vitagym.envs.ota.scenarios.sights import (
    SightHas,
    SightRated,
    Sights,
    VisitorIs,
    indoors,
    open_until,
    outdoors,
    with_all_tickets,
)
from vitagym.envs.ota.scenarios.travel import OnDate, days_from, sibling_pool, with_all_products
from vitagym.generation.calendar import a_workday
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import AtProvider
from vitagym.generation.people import draw_person
from vitagym.generation.pools import Pool, draw_pool
from vitagym.generation.record_requirements import InStatus, Pieces
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import day as day_said
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind

STORY = "stories/ota_day_out"
_UNIT = Term("", "张")
_COUNTS = {"adult": 2, "child": 1, "senior": 1}
_POINTS = {"open_until": "hours", "sight_rated": "rating", "has_step_free": "need", "has_pushchairs": "need"}


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    scene.in_city()
    scene.person = draw_person(draw, scene.addresses, persona=scene.persona, families=("children",))
    scene.places.append(scene.person.home)
    today = a_workday(draw)
    saturday = today + timedelta(days=5 - today.weekday())
    out = saturday + timedelta(days=draw.below(2))
    scene.now = datetime.combine(today, time(draw.between(9, 20), draw.below(60)))
    sky = draw.choice((Sky.DRY, Sky.RAIN))
    other = Sky.RAIN if sky is Sky.DRY else Sky.DRY
    for day in days_from(saturday, 2):
        scene.weather.append(weather_day(draw, scene.city, day, sky if day == out else other))
    days = days_from(saturday - timedelta(days=1), 4)

    # What they want: a sight for the weather of the day …
    needed = draw.choice(("step_free", "pushchairs"))
    wanted: list[OfferRequirement] = [
        outdoors() if sky is Sky.DRY else indoors(),
        SightHas(needed),
        VisitorIs("adult", out, others=tuple(_COUNTS)),
        OnDate(out, [day for day in days if day != out], scene.now),
    ]
    if draw.random() < 0.7:
        wanted.append(open_until(60 * draw.between(18, 19)))
    if draw.random() < 0.6:
        wanted.append(SightRated(draw.choice((4.3, 4.5, 4.6))))
    sights = Sights(scene.addresses, [out])
    adults = draw_pool(draw, sights, wanted, valid=1, noise=scene.distractors)
    with_all_tickets(adults.providers, days, tuple(_COUNTS))
    for sight in adults.providers:
        sight.spot = scene.addresses.place(sight.name, sight.at)
    # … and tickets for everybody.
    pools = {"adult": with_all_products(adults)}
    for visitor in ("child", "senior"):
        pools[visitor] = _for_others(adults, visitor, out, days, scene)
    scene.lay(adults.providers)
    goals = []
    for visitor, pool in pools.items():
        bought_right = [Pieces(_COUNTS[visitor], _UNIT), InStatus(Meaning.PAID)]
        requirements = [*pool.requirements, *bought_right]
        goals.append(scene.goal(visitor, _words(visitor), RecordKind.ATTRACTION, requirements, pool=pool))

    draw_travel_habits(scene)
    add_past_trips(scene)

    # How they say it.
    values = {
        "day": day_said(out, scene.now),
        "child_age": draw.between(5, 12),
        "senior_age": draw.between(67, 79),
        "outdoor": _words(f"outdoor_{draw.below(2)}"),
        "indoor": _words(f"indoor_{draw.below(2)}"),
        "need": _words(f"need_{needed}"),
        "need_told": _words(f"need_{needed}_told"),
    }
    scene.opening("plan", saying(STORY, "plan").fill(**values), also=(Slot.DATE, Slot.DESTINATION))
    scene.later("weather", saying(STORY, "weather").fill(**values), Slot.WEATHER, also=(Slot.PROVIDER,))
    scene.later("who", saying(STORY, "who").fill(**values), Slot.PEOPLE, also=(Slot.QUANTITY, Slot.FAMILY))
    scene.later("ages", saying(STORY, "ages").fill(**values), Slot.TICKET, also=(Slot.IDENTITY,))
    scene.say_requirements(goals[0], STORY, _POINTS, names=values)
    scene.later("pay", saying(STORY, "pay"), Slot.OTHER)
    forecast = next(row for row in scene.weather if row["datetime"] == out.isoformat())
    scene.means("weather", goals[0], wanted[0], shown_by=[out.isoformat(), forecast["category"]])

    # What a good agent does.
    look_up_user(scene)
    look_up_weather(scene, scene.city, [out], after=("plan", "weather"))
    about = _words("outdoors" if sky is Sky.DRY else "indoors")
    look_up_sights(scene, scene.city, adults.chosen.provider, [about])
    done = []
    for visitor, pool in pools.items():
        buy(scene, pool.chosen, f"${visitor}", _COUNTS[visitor], after=scene.said())
        done.append(bought(pool.chosen, _COUNTS[visitor]))
    report(scene, done)


def _for_others(adults: Pool, visitor: str, out: date, days: list[date], scene: Scene) -> Pool:
    """Return the pool of the tickets for a child or a grandmother at the sight that the adults go to."""
    wanted = [
        AtProvider(adults.chosen.provider, _words("same_sight")),
        VisitorIs(visitor, out, others=tuple(_COUNTS)),
        OnDate(out, [day for day in days if day != out], scene.now),
    ]
    return sibling_pool(adults, wanted)


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("day_out", ("ota",), tell)
