"""A business trip: the train there, a hotel near the client, and dinner brought to that hotel.

- **Who**: somebody with a desk job who visits a client in another city.
- **What they want**: a seat on a high-speed train that is there in time, a room within reach of the client's office,
  and a dish sent to the hotel on the evening of arrival.
- **How they say it**: trip and client at once, train and room in turn; dinner once the hotel is booked. What they must
  not eat comes only when asked.
- **What satisfies it**: one hotel that is right in all of this, a train that makes it, a dish that meets them there.
- **What nearly does**: a hotel too far from the client, a star short, without the amenity, another bed; a train too
  late or of another class or day; a dish of another taste, with what they must not eat, from a lesser store.
"""

from __future__ import annotations

from datetime import datetime, time

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import OfCourse, course, diet, tasting
from vitagym.envs.cross.scenarios.history import add_history
from vitagym.envs.cross.scenarios.tables import settle_shops
from vitagym.envs.delivery.scenarios.arrival import around_time
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, place
from vitagym.envs.delivery.scenarios.ordering import report as delivery_report
from vitagym.envs.delivery.scenarios.stores import Kitchens
from vitagym.envs.ota.scenarios.buying import bought, buy, look_up_hotels, look_up_train, measure, report
from vitagym.envs.ota.scenarios.hotels import (
    Amenity,
    Hotels,
    breakfast_included,
    fill_up,
    room_bed,
    stars_at_least,
)
from vitagym.envs.ota.scenarios.rides import Rides, Route, SeatIs, TrainIs, ride_pool
from vitagym.envs.ota.scenarios.travel import (
    ArrivesBy,
    OnDate,
    Trip,
    clock_at,
    on_day,
    plan_trip,
    spread,
    with_all_products,
)
from vitagym.generation.families import Family
from vitagym.generation.geography import rail_km
from vitagym.generation.offer_requirements import PriceAtMost, RatedAtLeast, Within
from vitagym.generation.pools import Pool, draw_pool
from vitagym.generation.record_requirements import DeliverTo, InStatus, Pieces
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import clock
from vitagym.generation.spots import Spot
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/cross_business_trip"
_COURSES = ("noodles", "rice_bowl", "rice_noodles", "porridge", "dumplings")
_DIETS = ("peanut", "cilantro", "shellfish", "egg", "fried")
_LIMITS = {3: (330, 420), 4: (560, 700)}
_UNIT = Term("", "张")
_ROOM_POINTS = {
    "stars_at_least": "stars",
    "room_bed": "bed",
    "room_breakfast": "breakfast",
    "within": "distance",
    **{f"has_{trait}": "amenity" for trait in ("meeting", "gym", "laundry", "front_desk")},
    "price_at_most": "limit",
}
_DISH_POINTS = {"diet": "diet"}


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    avoided = draw.choice(_DIETS)
    trip = plan_trip(scene, km=(200, 1000), desk=True, avoided=avoided)
    days = trip.days()
    scene.weather += [weather_day(draw, trip.there, day, draw.choice((Sky.DRY, Sky.RAIN))) for day in days]
    client = trip.addresses.office()
    scene.places.append(client)
    by = 60 * draw.between(-(-(6 * 60 + round((rail_km(scene.city, trip.there) or 0) / 245 * 69)) // 60) + 2, 17)

    # What they want: the train, the room …
    trains, train_is = _trains(scene, trip, by)
    rooms, room_is = _rooms(scene, trip, client)
    hotel = rooms.chosen.provider
    # … and dinner.
    wanted = course(draw.choice(_COURSES))
    others = tuple(course(key) for key in _COURSES if key != wanted.key)
    dish_is: list[OfferRequirement] = [OfCourse(wanted, others), diet(avoided)]
    if wanted.tastes == "spice":
        dish_is.insert(1, tasting("spice", draw.choice(("no_spice", "mild_spice"))))
    dish_is.append(RatedAtLeast(draw.choice((4.3, 4.5))))
    dishes = draw_pool(draw, Kitchens(scene, hotel.where, wanted), dish_is, noise=scene.distractors)
    settle_shops(trip.addresses, dishes.providers)
    dinner = datetime.combine(trip.first, time(draw.between(18, 20), draw.choice((0, 30))))
    scene.lay([*trains.providers, *rooms.providers, *dishes.providers])
    paid = InStatus(Meaning.PAID)
    scene.goal(
        "train", _words("train"), RecordKind.TRAIN, [*train_is, Pieces(1, _UNIT), paid], pool=with_all_products(trains)
    )
    room = scene.goal("hotel", _words("hotel"), RecordKind.HOTEL, [*room_is, paid], pool=with_all_products(rooms))
    on_order = [DeliverTo(hotel.where, hotel.name), around_time(dinner, scene.now), Pieces(1, wanted.unit), paid]
    meal = scene.goal("dinner", _words("dinner"), RecordKind.DELIVERY, [*dish_is, *on_order], pool=dishes)

    add_history(scene)

    # How they say it.
    values = {
        "origin": scene.city.name,
        "city": trip.there.name,
        "when": on_day(trip.first, scene.now),
        "client": client.address,
        "time": clock_at(by),
        "course": wanted.name,
        "dinner": clock(dinner),
        "score": dish_is[-1].values()["score"],
        "taste": _taste(dish_is),
    }
    also = (Slot.DESTINATION, Slot.DATE, Slot.ADDRESS)
    scene.opening("need", saying(STORY, "need").fill(**values), also=also)
    scene.later("train", saying(STORY, "train_wish").fill(**values), Slot.SEAT, also=(Slot.TIME, Slot.ORIGIN))
    scene.say_requirements(room, STORY, _ROOM_POINTS, names=values)
    scene.later("pay", saying(STORY, "pay"), Slot.OTHER)
    about = [_words("about_hotel"), _words("about_room")]
    wish = saying(STORY, "dinner_wish").fill(**values)
    scene.when(EventKind.REPORTED, about, "dinner_wish", wish, Slot.PRODUCT)
    before_dinner = scene.said()
    scene.say_requirements(meal, STORY, _DISH_POINTS, asked=("diet",))

    # What a good agent does.
    scene.call("get_user_historical_behaviors")
    look_up_train(scene, trains.chosen.provider, trip.first, after=("need", "train"))
    scene.call("address_to_longitude_latitude", address=client.address)
    look_up_hotels(scene, trip.there, hotel)
    measure(scene, client, hotel)
    buy(scene, trains.chosen, "$train", after=before_dinner)
    buy(scene, rooms.chosen, "$room")
    report(scene, [bought(trains.chosen), bought(rooms.chosen)])
    basket = Basket.of(dishes.chosen, 1, hotel.where, arrival=dinner, keywords=[wanted.name])
    look_up(scene, basket, after=("dinner_wish", *scene.said()))
    place(scene, basket, "$dinner")
    scene.tell(delivery_report(scene, basket), reports="done")


def _taste(dish_is: list[OfferRequirement]) -> Term:
    """Return how the taste of the dish is put in, where there is one."""
    for requirement in dish_is:
        if requirement.kind == "taste":
            return _words("with_taste").fill(**requirement.values())
    return Term("", "")


def _trains(scene: Scene, trip: Trip, by: int) -> tuple[Pool, list[OfferRequirement]]:
    """Draw the trains there, and what the one taken has to be."""
    days = trip.days()
    others = [day for day in days if day != trip.first]
    wanted: list[OfferRequirement] = [
        Route(scene.city, trip.there),
        TrainIs("G"),
        ArrivesBy(by),
        SeatIs("second"),
        OnDate(trip.first, others, scene.now),
    ]
    rides = Rides(scene.city, trip.there, [trip.first], seats=("first", "second"))
    return ride_pool(scene.stream, rides, wanted, [trip.first, *others], valid=2, noise=scene.distractors), wanted


def _rooms(scene: Scene, trip: Trip, client: Spot) -> tuple[Pool, list[OfferRequirement]]:
    """Draw the hotels around the client, and what the room has to be."""
    draw = scene.stream
    star = draw.choice((3, 4))
    beds = ("king", "twin", "suite")
    wanted: list[OfferRequirement] = [
        stars_at_least(star),
        room_bed("king", beds),
        breakfast_included(),
        Within(1000 * draw.between(1, 3), client, _words("client_office")),
        Amenity(draw.choice(("meeting", "gym", "laundry", "front_desk"))),
        PriceAtMost(float(10 * (draw.between(*_LIMITS[star]) // 10))),
        OnDate(trip.first, [day for day in trip.days() if day != trip.first], scene.now),
    ]
    hotels = Hotels(trip.addresses, client, [trip.first], beds=beds)
    pool = draw_pool(draw, hotels, wanted, valid=1, noise=scene.distractors)
    fill_up(pool.providers, trip.there, draw)
    spread(pool.providers, trip.days(), draw, drift=0)
    for hotel in pool.providers:
        hotel.spot = trip.addresses.house(hotel.at)
    return pool, wanted


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("business_trip", ("delivery", "ota"), tell)
