"""One day with an old friend: a museum that is open, and a table for two close to it.

- **Who**: somebody whose friend from student days is in town for a day.
- **What they want**: two tickets for a museum of some sort on a weekday when many are shut; then dinner near that
  museum, at a place with something that makes it an evening.
- **How they say it**: the day and the sort of museum at once; dinner once the tickets are bought. What the friend
  cannot eat comes only when asked.
- **What satisfies it**: one museum, and one restaurant measured from it.
- **What nearly does**: another museum, one that is shut that day, tickets for another day or visitor; a restaurant too
  far from it, of the sort that the friend cannot eat at, without what was asked for.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.cross.scenarios.history import add_history
from vitagym.envs.cross.scenarios.parts import TICKET
from vitagym.envs.cross.scenarios.tables import (
    ServesNot,
    Tables,
    fee_paid,
    for_guests,
    settle_shops,
    tell_done,
)
from vitagym.envs.instore.scenarios.shops import service, takes
from vitagym.envs.instore.scenarios.visiting import book, booked
from vitagym.envs.instore.scenarios.visiting import look_up as look_up_shop
from vitagym.envs.ota.scenarios.buying import bought, buy, look_up_sights, report
from vitagym.envs.ota.scenarios.sights import INDOOR, SightHas, SightRated, open_on, open_until, sort_is
from vitagym.envs.ota.scenarios.tickets import draw_sights
from vitagym.envs.ota.scenarios.travel import days_from, on_day, word_of
from vitagym.generation.calendar import a_workday
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import Within
from vitagym.generation.people import draw_person
from vitagym.generation.pools import draw_pool
from vitagym.generation.record_requirements import ForPeople, InStatus, Pieces, Visits
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import clock, metres
from vitagym.generation.terms import Term, phrase, saying, word, words
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/cross_old_friend"
_SORTS = ("crafts", "science", "ceramics", "trains", "stars")
_SHUT_DAYS = (0, 1, 2)
_TABLES = ("dim_sum", "western", "hot_pot")
_EVENING = ("window_table", "live_music", "terrace")


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    scene.in_city()
    scene.person = draw_person(draw, scene.addresses, persona=scene.persona)
    scene.places.append(scene.person.home)
    today = a_workday(draw)
    out = today + timedelta(days=7 - today.weekday() + draw.choice(_SHUT_DAYS))
    scene.now = datetime.combine(today, time(draw.between(9, 20), draw.below(60)))
    days = days_from(out - timedelta(days=1), 3)
    scene.weather += [weather_day(draw, scene.city, day, draw.choice((Sky.DRY, Sky.RAIN))) for day in days]
    dinner = datetime.combine(out, time(draw.between(18, 19), draw.choice((0, 30))))
    near = draw.choice((800, 1000, 1500, 2000))

    # What they want: a museum …
    sort = draw.choice(_SORTS)
    extra = draw.choice((open_until(30 * draw.between(35, 37)), SightHas("guide"), SightRated(4.4)))
    sight_is: list[OfferRequirement] = [sort_is(sort), open_on(out), extra]
    sights = draw_sights(scene, scene.addresses, sight_is, out, days, ("adult", "child", "student"), sorts=INDOOR)
    museum = sights.chosen.provider
    # … and a table near it.
    evening = draw.choice(_EVENING)
    table_is: list[OfferRequirement] = [
        ServesNot(service("hot_pot"), _words("hot_and_spicy")),
        Within(near, museum.where, _words("the_museum")),
        for_guests(evening),
    ]
    restaurants = Tables(scene, museum.where, [service(key) for key in _TABLES])
    tables = draw_pool(draw, restaurants, [*table_is, takes("bookings")], valid=1, noise=scene.distractors)
    settle_shops(scene.addresses, tables.providers)
    restaurant = tables.chosen.provider
    scene.lay([*sights.providers, *tables.providers])
    tickets = [*sights.requirements, Pieces(2, TICKET), InStatus(Meaning.PAID)]
    scene.goal("tickets", _words("tickets"), RecordKind.ATTRACTION, tickets, pool=sights)
    visit = [Visits(dinner, dinner, scene.now), ForPeople(2), *fee_paid(restaurant)]
    scene.goal("table", _words("table"), RecordKind.BOOK, [*table_is, *visit], pool=tables)

    add_history(scene)

    # How they say it.
    name = word_of("sights", "indoor", sort)
    kind = Term(name.en.lower(), name.zh)
    values = {
        "when": on_day(out, scene.now),
        "sort": kind,
        "dinner": clock(dinner),
        "near": metres(near),
        "evening": word(words("goods")["guests"][evening]),
        **extra.values(),
    }
    also = (Slot.OCCASION, Slot.DATE, Slot.PEOPLE, Slot.QUANTITY)
    scene.opening("need", saying(STORY, "need").fill(**values), also=also)
    scene.later("shut", saying(STORY, "shut").fill(**values), Slot.OTHER)
    scene.later("extra", saying(STORY, extra.kind).fill(**values), extra.slot)
    scene.later("pay", saying(STORY, "pay"), Slot.BUDGET)
    before = scene.said()
    about = [_words("about_tickets"), museum.name]
    wish = saying(STORY, "table_wish").fill(**values)
    scene.when(EventKind.REPORTED, about, "table_wish", wish, Slot.PROVIDER, also=(Slot.DISTANCE,))
    scene.asked("diet", saying(STORY, "diet"), Slot.DIET)

    # What a good agent does.
    scene.call("get_user_historical_behaviors")
    look_up_sights(scene, scene.city, museum, [kind], after=("need",))
    buy(scene, sights.chosen, "$tickets", 2, after=before)
    report(scene, [bought(sights.chosen, 2)])
    look_up_shop(scene, tables.chosen, _words("about_seats"), near=museum.where, after=("table_wish", "diet"))
    book(scene, restaurant, dinner, 2, "$table")
    tell_done(scene, [booked(scene, restaurant, dinner, 2)])


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("old_friend", ("instore", "ota"), tell)
