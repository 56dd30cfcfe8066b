"""Kept at work: the train given back for a later one, the dinner reserved put off with it, a hotel near the restaurant.

- **Who**: somebody with a desk job who has a train and a dinner in another city on the same day.
- **What they want**: the old ticket cancelled; a high-speed seat on a train that leaves after work and is there an hour
  before the new time of the dinner; the reservation put off by an hour and a half; a room for the night near there.
- **How they say it**: what came up and the two bookings at once; when dinner is now, the train and the room in turn;
  that there will be one more at the table, once the new train is bought.
- **What satisfies it**: times worked out from the reservation that stands; both old records changed, not made anew.
- **What nearly does**: a train that leaves too early or gets in too late, one without a quiet coach, the day after; a
  hotel too far from the restaurant, a star short, without breakfast.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.cross.scenarios.history import add_history
from vitagym.envs.cross.scenarios.parts import TICKET
from vitagym.envs.cross.scenarios.tables import at, settle_shops, tell_done
from vitagym.envs.instore.scenarios.shops import Shops, service
from vitagym.envs.instore.scenarios.visiting import moved, past_reservation
from vitagym.envs.ota.scenarios.buying import all_bought, bought, buy, look_up_train, report, report_phrase
from vitagym.envs.ota.scenarios.past import past_purchase
from vitagym.envs.ota.scenarios.rides import RideHas, Rides, Route, SeatIs, TrainIs, ride_pool, with_all_seats
from vitagym.envs.ota.scenarios.stays import draw_stay, look_up_stay, say_stay
from vitagym.envs.ota.scenarios.travel import (
    ArrivesBy,
    LeavesFrom,
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
from vitagym.generation.pools import Pool
from vitagym.generation.record_requirements import ForPeople, InStatus, Pieces, TheExisting, Visits
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer, ProviderSketch
from vitagym.generation.speech import calendar_day, money
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/cross_dinner_put_off"
_SORTS = ("hot_pot", "western", "dim_sum", "seafood")
_PUT_OFF = timedelta(minutes=90)
_SPARE = timedelta(minutes=60)


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    trip = plan_trip(scene, km=(150, 450), desk=True)
    days = trip.days()
    scene.weather += [weather_day(draw, trip.there, day, draw.choice((Sky.DRY, Sky.RAIN))) for day in days]
    dinner = datetime.combine(trip.first, draw.choice((time(17, 30), time(18), time(18, 30))))
    later = dinner + _PUT_OFF
    people = draw.between(2, 5)

    # What was there before: a dinner and a train to it.
    restaurants = _restaurants(scene, trip)
    restaurant = restaurants[0]
    arrival = later - _SPARE
    trains, old, leaves = _trains(scene, trip, days, arrival.hour * 60 + arrival.minute)
    # What they want beside the changes: a room near the dinner.
    rooms = draw_stay(scene, trip.addresses, at(restaurant), restaurant.name, trip.first, days)
    scene.lay([*restaurants, *trains.providers, *rooms.providers])
    reservation = past_reservation(scene, restaurant, dinner, people, draw.between(1, 4))
    ticket = past_purchase(scene, old, days_ago=draw.between(2, 6))
    old_train = _words("old_train").fill(city=trip.there.name, day=calendar_day(trip.first))
    old_dinner = _words("old_dinner").fill(shop=restaurant.name, day=calendar_day(trip.first))
    paid = InStatus(Meaning.PAID)
    given_back = [TheExisting(ticket, old_train), InStatus(Meaning.CANCELLED, kind="cancelled")]
    scene.goal("old_train", _words("old_ticket"), RecordKind.TRAIN, given_back)
    seat = [*trains.requirements, Pieces(1, TICKET), paid]
    scene.goal("train", _words("train"), RecordKind.TRAIN, seat, pool=trains)
    visit = Visits(later, later, scene.now, kind="moved_to")
    put_off = [TheExisting(reservation, old_dinner), visit, ForPeople(people + 1)]
    table = scene.goal("dinner", _words("dinner"), RecordKind.RESERVATION, put_off)
    scene.goal("hotel", _words("hotel"), RecordKind.HOTEL, [*rooms.requirements, paid], pool=rooms)

    add_history(scene)

    # How they say it.
    values = {
        "origin": scene.city.name,
        "city": trip.there.name,
        "when": on_day(trip.first, scene.now),
        "shop": restaurant.name,
        "leaves": clock_at(leaves),
        "trouble": _words(draw.choice(("trouble_client", "trouble_boss", "trouble_deadline"))),
    }
    also = (Slot.DATE, Slot.HISTORY, Slot.DESTINATION)
    scene.opening("need", saying(STORY, "need").fill(**values), also=also)
    scene.later("put_off", saying(STORY, "put_off").fill(**values), Slot.TIME)
    scene.later("train", saying(STORY, "train_wish").fill(**values), Slot.SEAT, also=(Slot.ORIGIN,))
    say_stay(scene, rooms, _words("that_night"))
    scene.later("pay", saying(STORY, "pay"), Slot.BUDGET)
    before = scene.said()
    about = [_words("about_train"), _words("about_ticket")]
    scene.when(EventKind.REPORTED, about, "one_more", saying(STORY, "one_more"), Slot.PEOPLE)
    # When the dinner was shows in the history; what is said counts from there.
    scene.means("put_off", table, visit, shown_by=[reservation])
    scene.means("one_more", table, put_off[2], shown_by=[reservation])

    # What a good agent does.
    user = scene.person.user_id
    scene.call("get_user_historical_behaviors")
    scene.call("get_user_all_orders", after=("need",))
    scene.call("get_instore_reservations", user_id=user)
    scene.call("instore_shop_search_recommend", keywords=[restaurant.name])
    look_up_train(scene, trains.chosen.provider, trip.first, after=("put_off", "train"))
    look_up_stay(scene, trip.there, rooms, at(restaurant))
    scene.call("cancel_train_order", order_id=ticket, user_id=user, after=before)
    buy(scene, trains.chosen, "$train")
    gone = report_phrase("cancelled").fill(what=old_train, total=money(old.product.price))
    report(scene, [gone, bought(trains.chosen)])
    scene.call(
        "instore_modify_reservation",
        reservation_id=reservation,
        time=visit.stamped,
        customer_count=people + 1,
        after=("one_more",),
    )
    buy(scene, rooms.chosen, "$room")
    tell_done(scene, [moved(scene, restaurant, later, people + 1), all_bought([bought(rooms.chosen)])])


def _restaurants(scene: Scene, trip: Trip) -> list[ProviderSketch]:
    """Draw the restaurant of the dinner, and others of its sort, each with some packages."""
    sort = service(scene.stream.choice(_SORTS))
    shops = Shops(scene, trip.addresses.house(), sort)
    found = [shops.shop(scene.stream) for _ in range(2 + scene.distractors)]
    for shop in found:
        shop.products.append(sort.package(scene.stream))
    settle_shops(trip.addresses, found)
    return found


def _trains(scene: Scene, trip: Trip, days: list[date], by: int) -> tuple[Pool, Offer, int]:
    """Draw the trains, the one that was booked among them; return also when work is over."""
    draw = scene.stream
    minutes = round((rail_km(scene.city, trip.there) or 0) / 245 * 60 * 1.15)
    leaves = 30 * ((by - minutes - 75) // 30)
    others = [day for day in days if day != trip.first]
    wanted: list[OfferRequirement] = [
        Route(scene.city, trip.there),
        TrainIs("G"),
        LeavesFrom(leaves),
        ArrivesBy(by),
        RideHas("quiet"),
        SeatIs("second"),
        OnDate(trip.first, others, scene.now),
    ]
    used: set[str] = set()
    early = Rides(scene.city, trip.there, [trip.first], ("G",), ("second",), 8 * 60, 11 * 60, used)
    old = early(draw)
    old.provider.products.append(old.product)
    with_all_seats([old.provider], trip.first, draw)
    spread([old.provider], days, draw)
    rides = Rides(scene.city, trip.there, [trip.first], seats=("first", "second"), used=used)
    pool = ride_pool(draw, rides, wanted, [trip.first, *others], valid=2, noise=scene.distractors)
    return with_all_products(pool, [*pool.providers, old.provider]), old, leaves


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("dinner_put_off", ("instore", "ota"), tell)
