"""Three generations meet before their ship boards: a table, things for the grandmother, the aunt's train.

- **Who**: somebody who takes the whole family on a cruise.
- **What they want**: a table at noon near the port, in a restaurant that suits an old lady and small children; a
  walking stick and adult care sent to that restaurant around noon; for the aunt a first-class seat on a high-speed
  train, there before eleven.
- **How they say it**: the ship and the table at once; who comes, how near, the aunt later; the things for the
  grandmother once the table is booked. What the father must not eat comes only when asked.
- **What satisfies it**: one restaurant that is right in all of this, and orders that meet there in time.
- **What nearly does**: a restaurant too far from the port, one that serves seafood, one with steps; a rigid stick,
  another size; a train a few minutes late, of another class or day, an EMU train.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import diet_profile
from vitagym.envs.cross.scenarios.goods import drawn, folding, goods, of_size
from vitagym.envs.cross.scenarios.history import add_history
from vitagym.envs.cross.scenarios.tables import (
    ServesNot,
    Tables,
    at,
    fee_paid,
    for_guests,
    look_up_tables,
    said_as,
    settle_shops,
    tell_done,
)
from vitagym.envs.delivery.scenarios.arrival import around_time
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, place
from vitagym.envs.delivery.scenarios.ordering import report as delivery_report
from vitagym.envs.delivery.scenarios.stores import Kitchens
from vitagym.envs.instore.scenarios.shops import service, takes
from vitagym.envs.instore.scenarios.visiting import book, booked
from vitagym.envs.ota.scenarios.buying import all_bought, bought, buy, look_up_train
from vitagym.envs.ota.scenarios.rides import Rides, Route, SeatIs, TrainIs, ride_pool
from vitagym.envs.ota.scenarios.travel import ArrivesBy, OnDate, another_city, days_from, on_day, with_all_products
from vitagym.generation.addresses import Addresses
from vitagym.generation.calendar import a_day
from vitagym.generation.families import Family
from vitagym.generation.geography import City, Terminal, cities
from vitagym.generation.offer_requirements import RatedAtLeast, Within
from vitagym.generation.people import draw_person
from vitagym.generation.pools import Pool, draw_companion, draw_pool
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

STORY = "stories/cross_before_the_ship"
_SORTS = ("dim_sum", "western", "hot_pot", "seafood")
_GUESTS = ("step_free_entry", "child_menu", "soft_dishes")
_ELEVEN = 11 * 60
_UNIT = Term("", "张")


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    scene.in_city()
    scene.person = draw_person(
        draw, scene.addresses, persona=scene.persona, families=("children",), diet=diet_profile("purine")
    )
    scene.places.append(scene.person.home)
    harbours = [(c, c.port) for c in cities().values() if c.port is not None and c != scene.city]
    harbour, port = draw.choice(harbours)
    scene.places.append(port.spot)
    addresses = Addresses(Stream(draw.below(1 << 30), "harbour"), harbour)
    scene.now = datetime.combine(a_day(draw), time(draw.between(9, 20), draw.below(60)))
    sails = scene.now.date() + timedelta(days=draw.between(4, 13))
    days = days_from(sails - timedelta(days=1), 3)
    scene.weather += [weather_day(draw, harbour, one, draw.choice((Sky.DRY, Sky.RAIN))) for one in days]
    lunch = datetime.combine(sails, draw.choice((time(11, 30), time(12), time(12), time(12, 30))))
    boards = datetime.combine(sails, time(draw.between(14, 16), draw.choice((0, 30))))
    people = draw.between(6, 8)

    # What they want: a table …
    guests = draw.sample(_GUESTS, 2)
    reach = draw.choice((1500, 2000, 2500))
    table_is: list[OfferRequirement] = [
        ServesNot(service("seafood"), _words("seafood")),
        Within(reach, port.spot, port.name),
        *(for_guests(trait) for trait in guests),
    ]
    if draw.random() < 0.5:
        table_is.append(RatedAtLeast(draw.choice((4.3, 4.5))))
    tables = Tables(scene, port.spot, [service(key) for key in _SORTS])
    restaurants = draw_pool(draw, tables, [*table_is, takes("bookings")], valid=1, noise=scene.distractors)
    settle_shops(addresses, restaurants.providers)
    restaurant = restaurants.chosen.provider
    # … things brought there …
    size = draw.choice(tuple(words("goods")["sizes"]))
    packs = draw.between(1, 3)
    sticks, care = _care(scene, at(restaurant), size)
    settle_shops(addresses, sticks.providers)
    # … and the aunt's train.
    hers = another_city(draw, harbour, low=250, high=900)
    trains, train_is = _trains(scene, hers, harbour, days)
    scene.lay([*restaurants.providers, *sticks.providers, *trains.providers])
    visit = [Visits(lunch, lunch, scene.now), ForPeople(people), *fee_paid(restaurant)]
    table = scene.goal("table", _words("table"), RecordKind.BOOK, [*table_is, *visit], pool=restaurants)
    whole = [DeliverTo(at(restaurant), restaurant.name), around_time(lunch, scene.now, 20), InStatus(Meaning.PAID)]
    kind = RecordKind.DELIVERY
    stick_is, care_is = list(sticks.requirements), list(care.requirements)
    for part, subject, requirements, pool in (
        ("stick", "stick", [*stick_is, Pieces(1, goods("walking_aid").unit)], sticks),
        ("care", "care", [*care_is, Pieces(packs, goods("adult_care").unit)], care),
        ("", "things", whole, sticks),
    ):
        scene.goal("things", _words(subject), kind, requirements, pool=pool, part=part)
    seat = [*train_is, Pieces(1, _UNIT), InStatus(Meaning.PAID)]
    scene.goal("train", _words("train"), RecordKind.TRAIN, seat, pool=trains)

    add_history(scene)

    # How they say it.
    values = {
        "city": harbour.name,
        "port": port.name,
        "place": _place(port, harbour),
        "when": on_day(sails, scene.now),
        "boards": clock(boards),
        "lunch": clock(lunch),
        "count": number(people),
        "digits": people,
        "distance": metres(reach),
        "aunt_from": hers.name,
        "size": word(words("goods")["sizes"][size]),
        "packs": number(packs),
        "packs_en": _words("one_pack") if packs == 1 else _words("packs").fill(count=number(packs)),
        "first": _words(f"guest_{guests[0]}"),
        "second": _words(f"guest_{guests[1]}"),
    }
    also = (Slot.PEOPLE, Slot.TIME, Slot.DATE, Slot.OCCASION)
    scene.opening("need", saying(STORY, "need").fill(**values), also=also)
    scene.later("guests", saying(STORY, "guests").fill(**values), Slot.FACILITY, also=(Slot.FAMILY,))
    scene.later("near", saying(STORY, "near").fill(**values), Slot.DISTANCE, also=(Slot.PROVIDER,))
    scene.asked("diet", saying(STORY, "diet").fill(**values), Slot.DIET)
    scene.say_requirements(table, STORY, {"rated_at_least": "rating"}, names=values)
    scene.later("aunt", saying(STORY, "aunt").fill(**values), Slot.ORIGIN, also=(Slot.SEAT,))
    scene.later("pay", saying(STORY, "pay"), Slot.OTHER)
    about = [_words("about_table"), _words("about_seats"), restaurant.name]
    wish = saying(STORY, "things_wish").fill(**values)
    scene.when(EventKind.REPORTED, about, "things_wish", wish, Slot.PRODUCT, also=(Slot.QUANTITY, Slot.ADDRESS))

    # What a good agent does.
    scene.call("get_user_historical_behaviors")
    look_up_tables(scene, [_words("family_restaurant")], said_as(port.name, harbour), port.spot, restaurant)
    book(scene, restaurant, lunch, people, "$table", after=scene.said())
    look_up_train(scene, trains.chosen.provider, sails)
    buy(scene, trains.chosen, "$train")
    tell_done(scene, [booked(scene, restaurant, lunch, people), all_bought([bought(trains.chosen)])])
    things = [(sticks.chosen.product, 1), (care.chosen.product, packs)]
    basket = Basket(sticks.chosen.provider, things, at(restaurant), arrival=lunch, keywords=[goods("walking_aid").name])
    look_up(scene, basket, after=("things_wish",))
    place(scene, basket, "$things")
    scene.tell(delivery_report(scene, basket), reports="done")


def _care(scene: Scene, to: Spot, size: str) -> tuple[Pool, Pool]:
    """Draw what is brought to the restaurant: stores with walking sticks, and the care that they sell beside them."""
    draw = scene.stream
    sticks = draw_pool(draw, Kitchens(scene, to, goods("walking_aid")), [folding()], noise=scene.distractors)
    care = draw_companion(draw, sticks, lambda stream: drawn(stream, "adult_care"), [of_size(size)])
    for store in sticks.providers:
        store.products.append(drawn(draw, "travel_care"))
    return sticks, care


def _trains(scene: Scene, hers: City, harbour: City, days: list[date]) -> tuple[Pool, list[OfferRequirement]]:
    """Draw the aunt's trains, and what hers has to be."""
    sails = days[1]
    wanted: list[OfferRequirement] = [
        Route(hers, harbour),
        TrainIs("G"),
        ArrivesBy(_ELEVEN),
        SeatIs("first"),
        OnDate(sails, [days[0], days[2]], scene.now),
    ]
    rides = Rides(hers, harbour, [sails], seats=("first", "second"))
    pool = ride_pool(scene.stream, rides, wanted, [sails, days[0], days[2]], valid=2, noise=scene.distractors)
    return with_all_products(pool), wanted


def _place(port: Terminal, harbour: City) -> Term:
    """Return how a person names the port: with its city, but not twice."""
    name, city = port.name, harbour.name
    return Term(f"the {name.en} in {city.en}", name.zh if name.zh.startswith(city.zh) else f"{city.zh}{name.zh}")


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("before_the_ship", ("delivery", "instore", "ota"), tell)
"""The manner of the paper's worked example (appendix C), with people, goods and places of our own."""
