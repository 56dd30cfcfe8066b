"""Home for a festival: the train, flowers sent ahead to the parents, a table for the family on the day.

- **Who**: somebody who lives away from the parents and goes home for a festival, whose date nobody says.
- **What they want**: a seat on a high-speed train with a quiet coach on the festival, home before noon or so; a bouquet
  brought to the parents that morning, with some flowers and without others; a table near their home in the evening that
  suits a grandmother.
- **How they say it**: the festival and the parents' address at once, the train and the flowers in turn; dinner once the
  train is booked. What makes the mother sneeze comes only when asked.
- **What satisfies it**: everything on the day that the calendar gives, at or near the parents' home.
- **What nearly does**: the days around it; flowers with lilies, others, too dear; a restaurant too far away, without
  soft dishes, rated too low; the own address.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import MadeWith, course
from vitagym.envs.cross.scenarios.history import add_history
from vitagym.envs.cross.scenarios.parts import TICKET, draw_table, draw_trains, earliest_arrival
from vitagym.envs.cross.scenarios.tables import fee_paid, settle_shops, tell_done
from vitagym.envs.delivery.scenarios.arrival import around_time
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, place
from vitagym.envs.delivery.scenarios.ordering import report as delivery_report
from vitagym.envs.delivery.scenarios.stores import Kitchens
from vitagym.envs.instore.scenarios.visiting import book, booked
from vitagym.envs.instore.scenarios.visiting import look_up as look_up_shop
from vitagym.envs.ota.scenarios.buying import all_bought, bought, buy, look_up_train
from vitagym.envs.ota.scenarios.travel import another_city, clock_at, days_from
from vitagym.generation.addresses import Addresses
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import Avoids, PriceAtMost
from vitagym.generation.people import draw_person
from vitagym.generation.pools import Pool, draw_pool
from vitagym.generation.record_requirements import DeliverTo, ForPeople, InStatus, Pieces, Visits
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import clock, metres, number
from vitagym.generation.spots import Spot
from vitagym.generation.terms import Term, phrase, saying, word, words
from vitagym.generation.weather import Sky, weather_day
from vitagym.randomness import Stream
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.task import EventKind
from vitagym.world.calendar_cn import feasts_of

STORY = "stories/cross_festival_home"
_FEASTS = ("mid_autumn", "dragon_boat", "lantern", "double_ninth", "winter_solstice")
_YEARS = (2024, 2026)
_FLOWERS = ("roses", "tulips", "carnations", "sunflowers")


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    scene.in_city()
    scene.person = draw_person(draw, scene.addresses, persona=scene.persona)
    theirs = another_city(draw, scene.city, low=150, high=700)
    addresses = Addresses(Stream(draw.below(1 << 30), "theirs"), theirs)
    parents = addresses.home()
    scene.places += [scene.person.home, parents]
    feast, year = draw.choice(_FEASTS), draw.between(*_YEARS)
    festival = scene.feast = feasts_of(year, feast)[0].date
    scene.now = datetime.combine(festival - timedelta(days=draw.between(6, 24)), time(draw.between(9, 20)))
    days = days_from(festival - timedelta(days=2), 5)
    scene.weather += [weather_day(draw, theirs, day, draw.choice((Sky.DRY, Sky.RAIN))) for day in days]
    by = 30 * (-(-(earliest_arrival(scene.city, theirs) + 30) // 30) + draw.between(0, 3))
    flowers_at = datetime.combine(festival, time(9, draw.choice((30, 45))))
    dinner = datetime.combine(festival, time(18, draw.choice((0, 30))))
    people = draw.between(4, 8)
    near = draw.choice((1500, 2000, 3000))

    # What they want: the train, the flowers, the table.
    trains = draw_trains(scene, scene.city, theirs, festival, days, by)
    flower = draw.choice(_FLOWERS)
    flowers = _flowers(scene, addresses, parents, flower)
    tables, table_is = draw_table(scene, addresses, parents, _words("their_home"), near, ["soft_dishes"])
    restaurant = tables.chosen.provider
    scene.lay([*trains.providers, *flowers.providers, *tables.providers])
    paid = InStatus(Meaning.PAID)
    scene.goal("train", _words("train"), RecordKind.TRAIN, [*trains.requirements, Pieces(1, TICKET), paid], pool=trains)
    on_order = [
        DeliverTo(parents, parents.address),
        around_time(flowers_at, scene.now),
        Pieces(1, course("flowers").unit),
        paid,
    ]
    scene.goal("flowers", _words("flowers"), RecordKind.DELIVERY, [*flowers.requirements, *on_order], pool=flowers)
    visit = [Visits(dinner, dinner, scene.now), ForPeople(people), *fee_paid(restaurant)]
    scene.goal("table", _words("table"), RecordKind.BOOK, [*table_is, *visit], pool=tables)

    add_history(scene)

    # How they say it.
    name = phrase("feasts", feast)
    values = {
        "origin": scene.city.name,
        "city": theirs.name,
        "festival": name,
        "parents": parents.address,
        "by": clock_at(by),
        "flower": word(words("food")["flowers"][flower]),
        "price": flowers.requirements[2].values()["price"],
        "flowers_at": clock(flowers_at),
        "dinner": clock(dinner),
        "people": number(people),
        "digits": people,
        "near": metres(near),
        "score": table_is[-1].values()["score"],
    }
    also = (Slot.OCCASION, Slot.DATE, Slot.DESTINATION, Slot.ADDRESS)
    scene.opening("need", saying(STORY, "need").fill(**values), also=also)
    scene.later("train", saying(STORY, "train_wish").fill(**values), Slot.SEAT, also=(Slot.ORIGIN,))
    scene.later("flowers", saying(STORY, "flowers_wish").fill(**values), Slot.PRODUCT, also=(Slot.TIME, Slot.BUDGET))
    scene.asked("lilies", saying(STORY, "lilies"), Slot.DIET)
    scene.later("pay", saying(STORY, "pay"), Slot.OTHER)
    before = scene.said()
    about = [_words("about_train"), _words("about_ticket")]
    wish = saying(STORY, "table_wish").fill(**values)
    scene.when(EventKind.REPORTED, about, "table_wish", wish, Slot.PROVIDER, also=(Slot.PEOPLE,))

    # What a good agent does.
    scene.call("get_user_historical_behaviors")
    scene.call("get_holiday_date", year=str(year), holiday_name=name, after=("need",))
    look_up_train(scene, trains.chosen.provider, festival)
    basket = Basket.of(flowers.chosen, 1, parents, arrival=flowers_at, keywords=[values["flower"]])
    look_up(scene, basket, after=("flowers", "lilies"))
    buy(scene, trains.chosen, "$train", after=before)
    place(scene, basket, "$flowers")
    tell_done(scene, [all_bought([bought(trains.chosen)]), delivery_report(scene, basket)])
    look_up_shop(scene, tables.chosen, _words("about_seats"), near=parents, after=("table_wish",))
    book(scene, restaurant, dinner, people, "$table")
    tell_done(scene, [booked(scene, restaurant, dinner, people)])


def _flowers(scene: Scene, addresses: Addresses, to: Spot, flower: str) -> Pool:
    """Draw florists around the parents' home, and what the bouquet has to be."""
    bouquet = course("flowers")
    wanted: list[OfferRequirement] = [
        MadeWith("flower", flower, word(words("food")["flowers"][flower]), bouquet),
        Avoids("diet", ("lilies",), _words("lilies_word"), addable=("lilies",)),
        PriceAtMost(float(10 * scene.stream.between(16, 20))),
    ]
    pool = draw_pool(scene.stream, Kitchens(scene, to, bouquet), wanted, noise=scene.distractors)
    settle_shops(addresses, pool.providers)
    return pool


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("festival_home", ("delivery", "instore", "ota"), tell)
