"""The parents come for a check-up: their train, a hotel near the hospital, lunch when they arrive.

- **Who**: somebody whose parents live in another city and are not quick on their feet any more.
- **What they want**: two seats on a high-speed train that arrives in a certain stretch of the morning; a twin room
  without steps near the hospital, free on all nights; a table for three near that hotel on the day they come, in a
  restaurant that has dishes for them.
- **How they say it**: the visit and the hospital at once, train and hotel in turn; lunch once the hotel is booked. What
  the mother must not eat comes only when asked.
- **What satisfies it**: a train in time for lunch, one hotel for the whole stay, a restaurant near it.
- **What nearly does**: a train that arrives too early or too late, of another class; a hotel too far from the hospital,
  with steps, booked up on the last night, with one bed; a hot pot restaurant, one without soft dishes, too far away.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.cross.scenarios.history import add_history
from vitagym.envs.cross.scenarios.tables import ServesNot, Tables, fee_paid, for_guests, settle_shops, tell_done
from vitagym.envs.instore.scenarios.shops import service, takes
from vitagym.envs.instore.scenarios.visiting import book, booked
from vitagym.envs.instore.scenarios.visiting import look_up as look_up_shop
from vitagym.envs.ota.scenarios.buying import (
    bought,
    buy,
    look_up_hotels,
    look_up_train,
    measure,
    report,
)
from vitagym.envs.ota.scenarios.hotels import (
    Amenity,
    FreeThroughout,
    Hotels,
    book_up,
    fill_up,
    room_bed,
    stars_at_least,
)
from vitagym.envs.ota.scenarios.rides import Rides, Route, SeatIs, TrainIs, ride_pool
from vitagym.envs.ota.scenarios.travel import (
    ArrivesBy,
    ArrivesFrom,
    OnDate,
    another_city,
    days_from,
    on_day,
    sibling_pool,
    spread,
    with_all_products,
)
from vitagym.generation.calendar import a_day
from vitagym.generation.families import Family
from vitagym.generation.geography import City
from vitagym.generation.offer_requirements import AtProvider, Within
from vitagym.generation.people import draw_person
from vitagym.generation.pools import Pool, draw_pool
from vitagym.generation.record_requirements import ForPeople, InStatus, Pieces, Visits
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import clock, metres
from vitagym.generation.spots import Spot
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/cross_parents_visit"
_BEDS = ("twin", "king", "triple")
_SORTS = ("dim_sum", "western", "hot_pot")
_UNIT = Term("", "张")


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    scene.in_city()
    scene.person = draw_person(draw, scene.addresses, persona=scene.persona)
    scene.places.append(scene.person.home)
    theirs = another_city(draw, scene.city, low=150, high=700)
    hospital, called = _hospital(scene)
    scene.places.append(hospital)
    scene.now = datetime.combine(a_day(draw), time(draw.between(9, 20), draw.below(60)))
    nights = days_from(scene.now.date() + timedelta(days=draw.between(3, 12)), 2)
    shown = days_from(nights[0] - timedelta(days=1), 4)
    scene.weather += [weather_day(draw, scene.city, one, draw.choice((Sky.DRY, Sky.RAIN))) for one in shown]
    lunch = datetime.combine(nights[0], draw.choice((time(12, 30), time(13))))

    # What they want: the train …
    trains, train_is = _trains(scene, theirs, nights[0], shown)
    # … the room for both nights …
    reach = 500 * draw.between(2, 4)
    rooms, room_is = _rooms(scene, hospital, called, nights, shown, reach)
    hotel = rooms.chosen.provider
    # … and lunch near it.
    near = draw.choice((800, 1000, 1500))
    table_is: list[OfferRequirement] = [
        ServesNot(service("hot_pot"), _words("hot_and_spicy")),
        for_guests("soft_dishes"),
        Within(near, hotel.where, _words("the_hotel")),
    ]
    tables = Tables(scene, hotel.where, [service(key) for key in _SORTS])
    restaurants = draw_pool(draw, tables, [*table_is, takes("bookings")], valid=2, noise=scene.distractors)
    settle_shops(scene.addresses, restaurants.providers)
    scene.lay([*trains.providers, *rooms.providers, *restaurants.providers])
    paid = InStatus(Meaning.PAID)
    seats = [*train_is, Pieces(2, _UNIT), paid]
    scene.goal("train", _words("train"), RecordKind.TRAIN, seats, pool=with_all_products(trains))
    with_all_products(rooms)
    scene.goal("hotel", _words("hotel"), RecordKind.HOTEL, [*room_is, paid], pool=rooms)
    again = [
        AtProvider(hotel, _words("same_hotel")),
        room_is[1],
        OnDate(nights[1], [day for day in shown if day != nights[1]], scene.now),
    ]
    second = sibling_pool(rooms, again)
    scene.goal("second_night", _words("second_night"), RecordKind.HOTEL, [*again, paid], pool=second)
    visit = [Visits(lunch, lunch, scene.now), ForPeople(3), *fee_paid(restaurants.chosen.provider)]
    scene.goal("table", _words("table"), RecordKind.BOOK, [*table_is, *visit], pool=restaurants)

    add_history(scene)

    # How they say it.
    values = {
        "origin": theirs.name,
        "city": scene.city.name,
        "when": on_day(nights[0], scene.now),
        "hospital": called,
        "distance": metres(reach),
        "near": metres(near),
        "from_time": train_is[3].values()["time"],
        "to_time": train_is[2].values()["time"],
        "lunch": clock(lunch),
        "star": room_is[0].values()["star"],
    }
    scene.opening("need", saying(STORY, "need").fill(**values), also=(Slot.OCCASION, Slot.DATE, Slot.FAMILY))
    scene.later("train", saying(STORY, "train_wish").fill(**values), Slot.TIME, also=(Slot.ORIGIN, Slot.SEAT))
    scene.later("room", saying(STORY, "room").fill(**values), Slot.ROOM, also=(Slot.DISTANCE, Slot.RATING))
    scene.later("steps", saying(STORY, "steps").fill(**values), Slot.FACILITY)
    scene.asked("diet", saying(STORY, "diet"), Slot.DIET)
    scene.later("pay", saying(STORY, "pay"), Slot.OTHER)
    about = [_words("about_hotel"), _words("about_room")]
    scene.brings_up("lunch_wish", "table")
    wish = saying(STORY, "lunch_wish").fill(**values)
    scene.when(EventKind.REPORTED, about, "lunch_wish", wish, Slot.PROVIDER, also=(Slot.PEOPLE,))

    # What a good agent does.
    scene.call("get_user_historical_behaviors")
    look_up_train(scene, trains.chosen.provider, nights[0], after=("need", "train"))
    place = Term(f"{called.en}, {scene.city.name.en}", f"{scene.city.name.zh}{called.zh}")
    scene.call("address_to_longitude_latitude", address=place)
    look_up_hotels(scene, scene.city, hotel)
    measure(scene, hospital, hotel)
    buy(scene, trains.chosen, "$train", 2, after=scene.said())
    buy(scene, rooms.chosen, "$first")
    buy(scene, second.chosen, "$second")
    report(scene, [bought(trains.chosen, 2), bought(rooms.chosen), bought(second.chosen)])
    restaurant = restaurants.chosen.provider
    keyword = _words("about_seats")
    look_up_shop(scene, restaurants.chosen, keyword, near=hotel.where, after=("lunch_wish", "diet"))
    book(scene, restaurant, lunch, 3, "$table")
    tell_done(scene, [booked(scene, restaurant, lunch, 3)])


def _hospital(scene: Scene) -> tuple[Spot, Term]:
    """Draw the hospital, and what it is called."""
    number = scene.stream.choice(("first", "second", "third"))
    name = _words(f"hospital_{number}").fill(city=scene.city.name)
    return scene.addresses.place(name), name


def _trains(scene: Scene, theirs: City, day: date, shown: list[date]) -> tuple[Pool, list[OfferRequirement]]:
    """Draw the parents' trains, and what theirs has to be."""
    opens = 60 * scene.stream.between(9, 10)
    others = [other for other in shown if other != day]
    wanted: list[OfferRequirement] = [
        Route(theirs, scene.city),
        TrainIs("G"),
        ArrivesBy(opens + 90),
        ArrivesFrom(opens),
        SeatIs("second"),
        OnDate(day, others, scene.now),
    ]
    rides = Rides(theirs, scene.city, [day], seats=("first", "second"))
    return ride_pool(scene.stream, rides, wanted, [day, *others], valid=2, noise=scene.distractors), wanted


def _rooms(
    scene: Scene, hospital: Spot, called: Term, nights: list[date], shown: list[date], reach: int
) -> tuple[Pool, list[OfferRequirement]]:
    """Draw the hotels around the hospital, and what the room has to be."""
    draw = scene.stream
    wanted: list[OfferRequirement] = [
        stars_at_least(draw.choice((3, 4))),
        room_bed("twin", _BEDS),
        Within(reach, hospital, called),
        Amenity("step_free"),
        OnDate(nights[0], [day for day in shown if day not in nights], scene.now),
        FreeThroughout(nights),
    ]
    hotels = Hotels(scene.addresses, hospital, nights[:1], beds=_BEDS)
    pool = draw_pool(draw, hotels, wanted, valid=1, noise=scene.distractors)
    fill_up(pool.providers, scene.city, draw)
    spread(pool.providers, shown, draw, drift=0)
    book_up(pool.providers, nights[-1])
    for hotel in pool.providers:
        hotel.spot = scene.addresses.house(hotel.at)
    return pool, wanted


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("parents_visit", ("instore", "ota"), tell)
