"""An afternoon out with the team: a sight for the weather, dinner near it, drinks brought to the gate.

- **Who**: somebody with a desk job who organises it for a small team.
- **What they want**: a sight in the open air if it stays dry, else one indoors, open long enough and rated well; a
  ticket for each; a table near it afterwards; drinks for everybody brought to the sight, no cup above a price.
- **How they say it**: the day and the weather at once, hours, rating and head count in turn; drinks and dinner once the
  tickets are bought.
- **What satisfies it**: one sight for the weather of the day, everything else around it in place and time.
- **What nearly does**: a sight of the other side of the weather, one that closes too early, is rated too low; a
  restaurant too far from it, rated too low, without what they need; drinks too sweet, too dear, of the other warmth.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import course, tasting
from vitagym.envs.cross.scenarios.history import add_history
from vitagym.envs.cross.scenarios.parts import TICKET, draw_table
from vitagym.envs.cross.scenarios.tables import fee_paid, settle_shops, tell_done
from vitagym.envs.delivery.scenarios.arrival import around_time
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, place
from vitagym.envs.delivery.scenarios.ordering import report as delivery_report
from vitagym.envs.delivery.scenarios.stores import Kitchens
from vitagym.envs.instore.scenarios.visiting import book, booked
from vitagym.envs.instore.scenarios.visiting import look_up as look_up_shop
from vitagym.envs.ota.scenarios.buying import bought, buy, look_up_sights, look_up_weather, report
from vitagym.envs.ota.scenarios.sights import SightRated, indoors, open_until, outdoors
from vitagym.envs.ota.scenarios.tickets import draw_sights
from vitagym.envs.ota.scenarios.travel import days_from
from vitagym.generation.calendar import a_workday
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import PriceAtMost
from vitagym.generation.people import draw_person
from vitagym.generation.pools import Pool, draw_pool
from vitagym.generation.record_requirements import DeliverTo, ForPeople, InStatus, Pieces, Visits
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import clock, metres, number
from vitagym.generation.speech import day as day_said
from vitagym.generation.spots import Spot
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/cross_team_event"
_DRINKS = course("milk_tea")


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    scene.in_city()
    scene.person = draw_person(draw, scene.addresses, persona=scene.persona, desk=True)
    scene.places.append(scene.person.home)
    today = a_workday(draw)
    out = today + timedelta(days=7 - today.weekday() + draw.between(2, 4))
    scene.now = datetime.combine(today, time(draw.between(9, 20), draw.below(60)))
    days = days_from(out - timedelta(days=1), 3)
    sky = draw.choice((Sky.DRY, Sky.RAIN))
    other = Sky.RAIN if sky is Sky.DRY else Sky.DRY
    scene.weather += [weather_day(draw, scene.city, one, sky if one == out else other) for one in days]
    people = draw.between(4, 7)
    break_at = datetime.combine(out, time(15, draw.choice((0, 30))))
    dinner = datetime.combine(out, time(18, 30))
    near = draw.choice((1500, 2000, 3000))

    # What they want: the sight, the drinks there, dinner near it.
    sight_is: list[OfferRequirement] = [
        outdoors() if sky is Sky.DRY else indoors(),
        open_until(30 * draw.between(35, 37)),
        SightRated(draw.choice((4.3, 4.4, 4.5))),
    ]
    sights = draw_sights(scene, scene.addresses, sight_is, out, days, ("adult", "child", "student"))
    sight = sights.chosen.provider
    drinks = _drinks(scene, sight.where)
    tables, table_is = draw_table(scene, scene.addresses, sight.where, _words("the_sight"), near, ["live_music"])
    restaurant = tables.chosen.provider
    scene.lay([*sights.providers, *drinks.providers, *tables.providers])
    paid = InStatus(Meaning.PAID)
    tickets = [*sights.requirements, Pieces(people, TICKET), paid]
    team = scene.goal("tickets", _words("tickets"), RecordKind.ATTRACTION, tickets, pool=sights)
    on_order = [
        DeliverTo(sight.where, sight.name),
        around_time(break_at, scene.now),
        Pieces(people, _DRINKS.unit),
        paid,
    ]
    scene.goal("drinks", _words("drinks"), RecordKind.DELIVERY, [*drinks.requirements, *on_order], pool=drinks)
    visit = [Visits(dinner, dinner, scene.now), ForPeople(people + 1), *fee_paid(restaurant)]
    scene.goal("table", _words("table"), RecordKind.BOOK, [*table_is, *visit], pool=tables)

    add_history(scene)

    # How they say it.
    sweet, warmth, price = drinks.requirements
    values = {
        "day": day_said(out, scene.now),
        "until": sight_is[1].values()["time"],
        "score": sight_is[2].values()["score"],
        "people": number(people),
        "digits": people,
        "seats": people + 1,
        "sweet": sweet.values()["trait"],
        "warmth": warmth.values()["trait"],
        "price": price.values()["price"],
        "break_at": clock(break_at),
        "dinner": clock(dinner),
        "near": metres(near),
        "table_score": table_is[-1].values()["score"],
    }
    also = (Slot.OCCASION, Slot.DATE, Slot.WEATHER)
    scene.opening("need", saying(STORY, "need").fill(**values), also=also)
    scene.later("sight", saying(STORY, "sight").fill(**values), Slot.TIME, also=(Slot.RATING, Slot.PROVIDER))
    scene.later("who", saying(STORY, "who").fill(**values), Slot.PEOPLE, also=(Slot.QUANTITY, Slot.TICKET))
    scene.later("pay", saying(STORY, "pay"), Slot.BUDGET)
    before = scene.said()
    about = [_words("about_tickets"), sight.name]
    forecast = next(row for row in scene.weather if row["datetime"] == out.isoformat())
    scene.means("need", team, team.requirements[0], shown_by=[out.isoformat(), forecast["category"]])
    scene.brings_up("rest_wish", "drinks", "table")
    wish = saying(STORY, "rest_wish").fill(**values)
    scene.when(EventKind.REPORTED, about, "rest_wish", wish, Slot.PRODUCT, also=(Slot.TASTE, Slot.DISTANCE))

    # What a good agent does.
    scene.call("get_user_historical_behaviors")
    look_up_weather(scene, scene.city, [out], after=("need",))
    about_sight = _words("open_air" if sky is Sky.DRY else "indoors")
    look_up_sights(scene, scene.city, sight, [about_sight])
    buy(scene, sights.chosen, "$tickets", people, after=before)
    report(scene, [bought(sights.chosen, people)])
    basket = Basket.of(drinks.chosen, people, sight.where, arrival=break_at, keywords=[_DRINKS.name])
    look_up(scene, basket, after=("rest_wish",))
    place(scene, basket, "$drinks")
    look_up_shop(scene, tables.chosen, _words("about_seats"), near=sight.where)
    book(scene, restaurant, dinner, people + 1, "$table")
    tell_done(scene, [delivery_report(scene, basket), booked(scene, restaurant, dinner, people + 1)])


def _drinks(scene: Scene, to: Spot) -> Pool:
    """Draw tea shops around the sight, and what the drinks have to be."""
    draw = scene.stream
    wanted: list[OfferRequirement] = [
        tasting("sweet", draw.choice(("no_sugar", "less_sugar"))),
        tasting("warmth", draw.choice(("served_hot", "served_iced"))),
        PriceAtMost(float(draw.between(15, 19))),
    ]
    pool = draw_pool(draw, Kitchens(scene, to, _DRINKS), wanted, noise=scene.distractors)
    settle_shops(scene.addresses, pool.providers)
    return pool


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("team_event", ("delivery", "instore", "ota"), tell)
