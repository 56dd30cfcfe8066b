"""A wedding anniversary: a table by the weather, flowers sent ahead to it, a massage for two afterwards.

- **Who**: somebody who is married and plans the evening as a surprise.
- **What they want**: a table for two in a western restaurant, on its terrace if the evening stays dry, else by the
  window; a bouquet brought there before they sit down, with a card; after dinner a massage nearby for both.
- **How they say it**: the evening and the weather at once, distance and flowers later; the massage once the table is
  booked. What flowers the other cannot stand comes only when asked.
- **What satisfies it**: one restaurant for the weather of the day, everything else around it in place and time.
- **What nearly does**: a restaurant with only the other sort of seats, too far away, rated too low; flowers with
  lilies in them, others, too dear; a massage too short, of another sort, too far from the restaurant.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import MadeWith, course
from vitagym.envs.cross.scenarios.history import add_history
from vitagym.envs.cross.scenarios.tables import Serves, Tables, fee_paid, for_guests, settle_shops, tell_done
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, place
from vitagym.envs.delivery.scenarios.ordering import report as delivery_report
from vitagym.envs.delivery.scenarios.stores import Kitchens
from vitagym.envs.instore.scenarios.shops import Shops, lasting, service, takes, wished
from vitagym.envs.instore.scenarios.visiting import book, booked, bought, buy, reserve, reserved
from vitagym.envs.instore.scenarios.visiting import look_up as look_up_shop
from vitagym.generation.calendar import a_day
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import Avoids, PriceAtMost, RatedAtLeast, Within
from vitagym.generation.people import draw_person
from vitagym.generation.pools import Pool, draw_pool
from vitagym.generation.record_requirements import (
    Arrives,
    DeliverTo,
    ForPeople,
    InStatus,
    Note,
    Pieces,
    Visits,
    WithProvider,
)
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import ProviderSketch
from vitagym.generation.speech import clock, day, metres
from vitagym.generation.terms import Term, phrase, saying, word, words
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/cross_anniversary"
_FLOWERS = ("roses", "tulips", "carnations", "sunflowers")
_UNIT = Term("", "份")
_SORTS = ("western", "dim_sum", "hot_pot")


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    scene.in_city()
    scene.person = draw_person(draw, scene.addresses, persona=scene.persona, families=("married",))
    home = scene.person.home
    scene.places.append(home)
    scene.now = datetime.combine(a_day(draw), time(draw.between(9, 20), draw.below(60)))
    out = scene.now.date() + timedelta(days=draw.between(1, 6))
    sky = draw.choice((Sky.DRY, Sky.RAIN))
    other = Sky.RAIN if sky is Sky.DRY else Sky.DRY
    scene.weather.append(weather_day(draw, scene.city, out, sky))
    scene.weather.append(weather_day(draw, scene.city, out + timedelta(days=1), other))
    dinner = datetime.combine(out, time(18, draw.choice((0, 30))))

    # What they want: a table …
    reach = draw.choice((3000, 4000, 5000))
    table_is: list[OfferRequirement] = [
        Serves(service("western")),
        for_guests("terrace" if sky is Sky.DRY else "window_table"),
        Within(reach, home, _words("home")),
        RatedAtLeast(draw.choice((4.4, 4.5, 4.6))),
    ]
    tables = Tables(scene, home, [service(key) for key in _SORTS])
    restaurants = draw_pool(draw, tables, [*table_is, takes("bookings")], valid=1, noise=scene.distractors)
    settle_shops(scene.addresses, restaurants.providers)
    restaurant = restaurants.chosen.provider
    # … flowers there …
    flower = draw.choice(_FLOWERS)
    flowers, flowers_are = _flowers(scene, flower, restaurant)
    # … and a massage afterwards.
    minutes = draw.choice((90, 120))
    near = draw.choice((500, 800, 1000))
    massages, massage_is = _massages(scene, minutes, near, restaurant)
    settle_shops(scene.addresses, [*flowers.providers, *massages.providers])
    scene.lay([*restaurants.providers, *flowers.providers, *massages.providers])
    late = dinner + timedelta(minutes=draw.choice((120, 150)))
    paid = InStatus(Meaning.PAID)
    visit = [Visits(dinner, dinner, scene.now), ForPeople(2), *fee_paid(restaurant)]
    table = scene.goal("table", _words("table"), RecordKind.BOOK, [*table_is, *visit], pool=restaurants)
    window = Arrives(dinner - timedelta(minutes=30), dinner - timedelta(minutes=5), scene.now)
    card = Note(_words("card"), [("happy anniversary", "纪念日快乐")])
    on_order = [DeliverTo(restaurant.where, restaurant.name), window, Pieces(1, course("flowers").unit), card, paid]
    bouquet = scene.goal("flowers", _words("flowers"), RecordKind.DELIVERY, [*flowers_are, *on_order], pool=flowers)
    scene.goal(
        "massage",
        _words("massage"),
        RecordKind.INSTORE,
        [*massage_is, Pieces(2, _UNIT), paid],
        pool=massages,
    )
    spa = massages.chosen.provider
    scene.goal(
        "visit",
        _words("visit"),
        RecordKind.RESERVATION,
        [WithProvider(spa), Visits(late, late, scene.now), ForPeople(2)],
    )

    add_history(scene)

    # How they say it.
    values = {
        "day": day(out, scene.now),
        "dinner": clock(dinner),
        "distance": metres(reach),
        "flower": word(words("food")["flowers"][flower]),
        "near": metres(near),
        "minutes": minutes,
        "late": clock(late),
        "sort": massage_is[0].values()["wish"],
        "early": clock(dinner - timedelta(minutes=30)),
    }
    scene.opening("need", saying(STORY, "need").fill(**values), also=(Slot.OCCASION, Slot.DATE, Slot.TIME, Slot.PEOPLE))
    scene.later("weather", saying(STORY, "weather").fill(**values), Slot.WEATHER, also=(Slot.FACILITY,))
    scene.say_requirements(table, STORY, {"within": "distance", "rated_at_least": "rating"}, names=values)
    scene.later("bouquet", saying(STORY, "bouquet").fill(**values), Slot.PRODUCT, also=(Slot.ADDRESS,))
    scene.say_requirements(bouquet, STORY, {"price_at_most": "price", "note": "note"}, names=values)
    scene.asked("lilies", saying(STORY, "lilies"), Slot.DIET)
    scene.later("pay", saying(STORY, "pay"), Slot.OTHER)
    about = [_words("about_table"), _words("about_seats"), restaurant.name]
    forecast = [out.isoformat(), scene.weather[0]["category"]]
    scene.means("weather", table, table_is[1], shown_by=forecast)
    scene.brings_up("massage_wish", "massage", "visit")
    wish = saying(STORY, "massage_wish").fill(**values)
    scene.when(EventKind.REPORTED, about, "massage_wish", wish, Slot.DURATION)

    # What a good agent does.
    scene.call("get_user_historical_behaviors")
    date = out.isoformat()
    scene.call("weather", address=scene.city.name, date_start=date, date_end=date, after=("need", "weather"))
    look_up_shop(scene, restaurants.chosen, service("western").name, near=home)
    book(scene, restaurant, dinner, 2, "$table", after=scene.said())
    basket = Basket.of(
        flowers.chosen,
        1,
        restaurant.where,
        arrival=dinner - timedelta(minutes=15),
        note=_words("card"),
        keywords=[values["flower"]],
    )
    look_up(scene, basket)
    place(scene, basket, "$flowers")
    tell_done(scene, [booked(scene, restaurant, dinner, 2), delivery_report(scene, basket)])
    look_up_shop(scene, massages.chosen, service("massage").name, near=restaurant.where, after=("massage_wish",))
    buy(scene, massages.chosen, "$massage", 2)
    reserve(scene, spa, late, 2, "$visit")
    tell_done(scene, [bought(massages.chosen, 2), reserved(scene, spa, late, 2)])


def _flowers(scene: Scene, flower: str, restaurant: ProviderSketch) -> tuple[Pool, list[OfferRequirement]]:
    """Draw the florists around the restaurant, and what the bouquet has to be."""
    bouquet = course("flowers")
    wanted: list[OfferRequirement] = [
        MadeWith("flower", flower, word(words("food")["flowers"][flower]), bouquet),
        Avoids("diet", ("lilies",), _words("lilies_word"), addable=("lilies",)),
        PriceAtMost(float(10 * scene.stream.between(16, 20))),
    ]
    florists = Kitchens(scene, restaurant.where, bouquet)
    return draw_pool(scene.stream, florists, wanted, noise=scene.distractors), wanted


def _massages(scene: Scene, minutes: int, near: int, restaurant: ProviderSketch) -> tuple[Pool, list[OfferRequirement]]:
    """Draw the massage shops around the restaurant, and what the massage has to be."""
    massage = service("massage")
    wanted: list[OfferRequirement] = [
        wished("wish", scene.stream.choice(tuple(massage.wishes)), massage),
        lasting(minutes, massage),
        Within(near, restaurant.where, _words("the_restaurant")),
    ]
    shops = Shops(scene, restaurant.where, massage)
    needed = [*wanted, takes("reservations")]
    return draw_pool(scene.stream, shops, needed, valid=1, noise=scene.distractors), wanted


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("anniversary", ("delivery", "instore"), tell)
