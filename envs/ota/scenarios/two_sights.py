"""Two sights in one day, one after the other, with tickets for everybody at both.

- **Who**: somebody who shows visiting relatives round the city, children among them.
- **What they want**: in the morning a sight in the open air with something for the children, well rated; in the
  afternoon one indoors that is not far from it and stays open late enough; tickets for the adults and the children, in
  the order of the visits.
- **How they say it**: the day and the two halves at once, each sight in turn; the second one's hours and how far it may
  be later, the children's number with the rest.
- **What satisfies it**: two sights that are right, the second one for the place of the first.
- **What nearly does**: a sight without what they need, rated too low; an indoor one that closes too early, is too far
  from the first, has nothing to do for children; tickets for another day or age.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.ota.scenarios.buying import bought, buy, look_up_sights, look_up_user, measure, report
from vitagym.envs.ota.scenarios.past import add_past_trips, draw_travel_habits
from vitagym.envs.ota.scenarios.sights import (
    INDOOR,
    OUTDOOR,
    SightHas,
    SightRated,
    indoors,
    open_until,
    outdoors,
)
from vitagym.envs.ota.scenarios.tickets import UNIT, draw_sights, tickets_for_all
from vitagym.envs.ota.scenarios.travel import days_from, share
from vitagym.generation.calendar import a_workday
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import Within
from vitagym.generation.people import draw_person
from vitagym.generation.record_requirements import InStatus, Pieces
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import day as day_said
from vitagym.generation.speech import metres, number
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind

STORY = "stories/ota_two_sights"
_VISITORS = ("adult", "child")


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    scene.in_city()
    scene.person = draw_person(draw, scene.addresses, persona=scene.persona)
    scene.places.append(scene.person.home)
    today = a_workday(draw)
    out = today + timedelta(days=5 - today.weekday() + draw.below(2))
    scene.now = datetime.combine(today, time(draw.between(9, 20), draw.below(60)))
    days = days_from(out - timedelta(days=1), 3)
    scene.weather += [weather_day(draw, scene.city, day, Sky.DRY) for day in days]
    counts = {"adult": draw.between(2, 4), "child": draw.between(1, 3)}

    # What they want: a sight for the morning …
    outside = draw.choice(("pushchairs", "guide", "workshop"))
    morning_is: list[OfferRequirement] = [
        outdoors(),
        SightHas(outside),
        SightRated(draw.choice((4.3, 4.4, 4.5))),
    ]
    morning = draw_sights(scene, scene.addresses, morning_is, out, days, _VISITORS, sorts=OUTDOOR)
    # … and one near it for the afternoon.
    reach = 1000 * draw.between(3, 6)
    until = 30 * draw.between(36, 39)
    inside = draw.choice(("workshop", "step_free"))
    afternoon_is: list[OfferRequirement] = [
        indoors(),
        open_until(until),
        SightHas(inside),
        Within(reach, morning.chosen.provider.where, morning.chosen.provider.name),
    ]
    afternoon = draw_sights(scene, scene.addresses, afternoon_is, out, days, _VISITORS, sorts=INDOOR)
    share(morning, afternoon)
    scene.lay([*morning.providers, *afternoon.providers])
    halves = {"morning": morning, "afternoon": afternoon}
    pools = {
        f"{half}_{visitor}": tickets
        for half, pool in halves.items()
        for visitor, tickets in tickets_for_all(scene, pool, out, days, _VISITORS, _words("same_sight")).items()
    }
    for key, pool in pools.items():
        bought_right = [Pieces(counts[key.split("_")[1]], UNIT), InStatus(Meaning.PAID)]
        scene.goal(key, _words(key), RecordKind.ATTRACTION, [*pool.requirements, *bought_right], pool=pool)

    draw_travel_habits(scene)
    add_past_trips(scene)

    # How they say it.
    values = {
        "day": day_said(out, scene.now),
        "outside": _words(f"want_{outside}"),
        "score": morning_is[2].values()["score"],
        "until": afternoon_is[1].values()["time"],
        "inside": _words(f"want_{inside}"),
        "reach": metres(reach),
        "adults": number(counts["adult"]),
        "children": _words("one_child") if counts["child"] == 1 else _words("children").fill(n=number(counts["child"])),
    }
    scene.opening("need", saying(STORY, "need").fill(**values), also=(Slot.DATE, Slot.DESTINATION, Slot.OCCASION))
    scene.later("morning", saying(STORY, "morning").fill(**values), Slot.RATING, also=(Slot.PROVIDER,))
    scene.later("afternoon", saying(STORY, "afternoon").fill(**values), Slot.TIME, also=(Slot.FACILITY,))
    scene.later("near", saying(STORY, "near").fill(**values), Slot.DISTANCE)
    scene.later("who", saying(STORY, "who").fill(**values), Slot.PEOPLE, also=(Slot.QUANTITY, Slot.TICKET))
    scene.later("pay", saying(STORY, "pay"), Slot.BUDGET)

    # What a good agent does.
    look_up_user(scene)
    first, second = morning.chosen.provider, afternoon.chosen.provider
    look_up_sights(scene, scene.city, first, [_words("open_air")], after=("need", "morning"))
    look_up_sights(scene, scene.city, second, [_words("indoors")], after=("afternoon", "near"))
    measure(scene, first.where, second)
    done = []
    for key, pool in pools.items():
        count = counts[key.split("_")[1]]
        buy(scene, pool.chosen, f"${key}", count, after=scene.said())
        done.append(bought(pool.chosen, count))
    report(scene, done)


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("two_sights", ("ota",), tell)
