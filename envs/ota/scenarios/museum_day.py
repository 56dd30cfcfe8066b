"""A museum on a day when many are shut, with the parents: opening days and hours decide.

- **Who**: somebody who takes a day off for the parents, who are past sixty-five.
- **What they want**: a museum of a sort that is not closed on that weekday, open long enough, with what they need,
  rated well; two adult and two senior tickets, in one order each.
- **How they say it**: the day and the sort at once, then hours and needs in turn; the ages only when asked.
- **What satisfies it**: one museum that is right in all of this, and both kinds of tickets for it.
- **What nearly does**: one that is shut on that weekday, closes too early, lacks what they need, is rated too low; a
  sight of another sort; tickets for another day or age.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.ota.scenarios.buying import bought, buy, look_up_sights, look_up_user, report
from vitagym.envs.ota.scenarios.past import add_past_trips, draw_travel_habits
from vitagym.envs.ota.scenarios.sights import INDOOR, SightHas, SightRated, open_on, open_until, sort_is
from vitagym.envs.ota.scenarios.tickets import UNIT, draw_sights, tickets_for_all
from vitagym.envs.ota.scenarios.travel import days_from, word_of
from vitagym.generation.calendar import a_workday
from vitagym.generation.families import Family
from vitagym.generation.people import draw_person
from vitagym.generation.record_requirements import InStatus, Pieces
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import day as day_said
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind

STORY = "stories/ota_museum_day"
_SORTS = ("crafts", "science", "ceramics", "trains", "stars")
_COUNTS = {"adult": 2, "senior": 2}
_VISITORS = ("adult", "senior", "student")
_SHUT_DAYS = (0, 1, 2)
"""Weekdays on which museums are shut: Monday to Wednesday."""


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    scene.in_city()
    scene.person = draw_person(draw, scene.addresses, persona=scene.persona, families=("couple", "married"))
    scene.places.append(scene.person.home)
    today = a_workday(draw)
    out = today + timedelta(days=7 - today.weekday() + draw.choice(_SHUT_DAYS))
    scene.now = datetime.combine(today, time(draw.between(9, 20), draw.below(60)))
    days = days_from(out - timedelta(days=2), 5)
    scene.weather += [weather_day(draw, scene.city, day, draw.choice((Sky.DRY, Sky.RAIN))) for day in days]

    # What they want: a museum …
    sort = draw.choice(_SORTS)
    until = 30 * draw.between(35, 38)
    needed = draw.choice(("step_free", "guide"))
    sight_is: list[OfferRequirement] = [
        sort_is(sort),
        open_on(out),
        open_until(until),
        SightHas(needed),
        SightRated(draw.choice((4.3, 4.4, 4.5, 4.6))),
    ]
    adults = draw_sights(scene, scene.addresses, sight_is, out, days, _VISITORS, sorts=INDOOR)
    # … and tickets for everybody.
    pools = tickets_for_all(scene, adults, out, days, tuple(_COUNTS), _words("same_museum"))
    scene.lay(adults.providers)
    for visitor, pool in pools.items():
        requirements = [*pool.requirements, Pieces(_COUNTS[visitor], UNIT), InStatus(Meaning.PAID)]
        scene.goal(visitor, _words(visitor), RecordKind.ATTRACTION, requirements, pool=pool)

    draw_travel_habits(scene)
    add_past_trips(scene)

    # How they say it.
    values = {
        "day": day_said(out, scene.now),
        "sort": _in_a_sentence(sort),
        "time": sight_is[2].values()["time"],
        "need": _words(f"need_{needed}"),
        "need_told": _words(f"need_{needed}_told"),
        "score": sight_is[4].values()["score"],
        "mother": draw.between(65, 72),
        "father": draw.between(66, 76),
    }
    scene.opening("need", saying(STORY, "need").fill(**values), also=(Slot.DATE, Slot.PROVIDER, Slot.DESTINATION))
    scene.later("closed", saying(STORY, "closed").fill(**values), Slot.OTHER)
    scene.later("hours", saying(STORY, "hours").fill(**values), Slot.TIME)
    scene.later("need_it", saying(STORY, "need_it").fill(**values), Slot.FACILITY)
    scene.later("rating", saying(STORY, "rating").fill(**values), Slot.RATING)
    scene.later("who", saying(STORY, "who").fill(**values), Slot.PEOPLE, also=(Slot.QUANTITY, Slot.FAMILY))
    scene.asked("ages", saying(STORY, "ages").fill(**values), Slot.TICKET, also=(Slot.IDENTITY,))
    scene.later("pay", saying(STORY, "pay"), Slot.BUDGET)

    # What a good agent does.
    look_up_user(scene)
    look_up_sights(scene, scene.city, adults.chosen.provider, [_in_a_sentence(sort)], after=("need",))
    done = []
    for visitor, pool in pools.items():
        buy(scene, pool.chosen, f"${visitor}", _COUNTS[visitor], after=scene.said())
        done.append(bought(pool.chosen, _COUNTS[visitor]))
    report(scene, done)


def _in_a_sentence(sort: str) -> Term:
    name = word_of("sights", "indoor", sort)
    return Term(name.en.lower(), name.zh)


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("museum_day", ("ota",), tell)
