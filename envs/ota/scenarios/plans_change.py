"""A business trip is put off: the flight is moved (or given up for a train), the hotel cancelled and booked anew.

- **Who**: somebody with a desk job whose flight and hotel room are paid for already.
- **What they want**: the flight moved to the new day, if the difference is no more than some yuan; otherwise the flight
  cancelled and a high-speed train taken that day, there by some hour. Then the old room cancelled, and the same sort of
  room in the same hotel for the new night.
- **How they say it**: the new day at once, the limit and the hotel later.
- **What satisfies it**: what the orders and the prices of the new day demand.
- **What nearly does**: the other branch; a room of another sort or in another hotel, the night of before; a train too
  late, of another class, the other way.
"""

from __future__ import annotations

from datetime import date, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.ota.scenarios.again import draw_known_room, rooms_like
from vitagym.envs.ota.scenarios.buying import bought, buy, look_up_train, report, report_phrase
from vitagym.envs.ota.scenarios.past import MovedTo, SameAs, add_past_trips, draw_travel_habits, past_purchase
from vitagym.envs.ota.scenarios.rides import Rides, Route, SeatIs, TrainIs, on_another_day, ride_pool
from vitagym.envs.ota.scenarios.travel import (
    ArrivesBy,
    OnDate,
    Trip,
    clock_at,
    date_of,
    on_day,
    plan_trip,
    spread,
    with_all_products,
)
from vitagym.generation.families import Family
from vitagym.generation.geography import rail_km
from vitagym.generation.offer_requirements import AtProvider
from vitagym.generation.pools import CannotBuild, Pool
from vitagym.generation.record_requirements import InStatus, TheExisting
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer
from vitagym.generation.speech import calendar_day, day, money
from vitagym.generation.terms import Term, phrase, saying
from vitagym.rewards.checks import Meaning, RecordKind

STORY = "stories/ota_plans_change"


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    trip = plan_trip(scene, km=(450, 1250), flies=True, desk=True)
    if rail_km(scene.city, trip.there) is None:
        raise CannotBuild("no railway")
    new_day = trip.first + timedelta(days=draw.between(1, 3))
    days = trip.days(before=0, after=(new_day - trip.first).days + 1)
    fly = draw.random() < 0.5
    limit = 10 * draw.between(8, 20)

    # What was there before: a flight and a room.
    flights = _flights(scene, trip, days)
    flown = flights[0]
    _price_of_the_change(flown, new_day, limit + 10 * (-draw.between(1, 6) if fly else draw.between(2, 12)))
    room = draw_known_room(scene, trip, days)
    # What they want.
    night: list[OfferRequirement] = [
        AtProvider(room.provider, _words("same_hotel")),
        SameAs(room.product.name),
        OnDate(new_day, [day for day in days if day != new_day], scene.now),
    ]
    rooms = rooms_like(scene, trip, room, night, days)
    trains = None if fly else _trains(scene, trip, new_day, days)
    scene.lay([*(f.provider for f in flights), *rooms.providers, *([] if trains is None else trains.providers)])
    flight_order = past_purchase(scene, flown, days_ago=draw.between(3, 8))
    hotel_order = past_purchase(scene, room, days_ago=draw.between(1, 3))
    flight_words = _words("old_flight").fill(city=trip.there.name, old=calendar_day(trip.first))
    hotel_words = _words("old_room").fill(city=trip.there.name, old=calendar_day(trip.first))
    first = TheExisting(flight_order, flight_words)
    cancelled = InStatus(Meaning.CANCELLED, kind="cancelled")
    if trains is None:
        moved = [first, MovedTo(new_day, scene.now), InStatus(Meaning.PAID)]
        change = scene.goal("flight", _words("flight"), RecordKind.FLIGHT, moved)
    else:
        change = scene.goal("flight", _words("flight"), RecordKind.FLIGHT, [first, cancelled])
        wanted = [*trains.requirements, InStatus(Meaning.PAID)]
        instead = scene.goal("train", _words("train"), RecordKind.TRAIN, wanted, pool=trains)
    scene.goal("old_room", _words("old_hotel"), RecordKind.HOTEL, [TheExisting(hotel_order, hotel_words), cancelled])
    scene.goal("room", _words("hotel"), RecordKind.HOTEL, [*night, InStatus(Meaning.PAID)], pool=rooms)

    draw_travel_habits(scene)
    add_past_trips(scene)

    # How they say it.
    by = _arrival(scene, trip)
    values = {
        "city": trip.there.name,
        "origin": scene.city.name,
        "old": calendar_day(trip.first),
        "new": on_day(new_day, scene.now),
        "new_day": day(new_day, scene.now),
        "price": money(limit),
        "time": clock_at(by),
        "trouble": _words(draw.choice(("client_ill", "fair_moved", "room_taken"))),
    }
    scene.opening("need", saying(STORY, "need").fill(**values), also=(Slot.DATE, Slot.HISTORY, Slot.DESTINATION))
    scene.later("limit", saying(STORY, "limit").fill(**values), Slot.BUDGET)
    scene.later("otherwise", saying(STORY, "otherwise").fill(**values), Slot.SEAT, also=(Slot.TIME,))
    scene.later("room", saying(STORY, "room").fill(**values), Slot.ROOM, also=(Slot.PROVIDER,))
    scene.later("pay", saying(STORY, "pay"), Slot.OTHER)
    # What the change costs shows once the flight was looked at.
    seen = [on_another_day(flown, new_day).product.id]
    if trains is None:
        scene.means("need", change, moved[1], shown_by=seen)
    else:
        scene.means("otherwise", change, cancelled, shown_by=seen)
        scene.means("otherwise", instead, *trains.requirements, shown_by=seen)

    # What a good agent does.
    scene.call("get_user_historical_behaviors")
    scene.call("get_user_all_orders", after=("need",))
    scene.call("get_ota_flight_info", flight_id=flown.provider.id)
    user = scene.person.user_id
    if trains is None:
        scene.call(
            "modify_flight_order",
            order_id=flight_order,
            user_id=user,
            new_date=date_of(new_day),
            after=scene.said(),
        )
        if on_another_day(flown, new_day).product.price > flown.product.price:
            scene.call("pay_flight_order", order_id=flight_order)
        done = [report_phrase("moved").fill(what=flight_words, day=calendar_day(new_day))]
    else:
        scene.call("cancel_flight_order", order_id=flight_order, user_id=user, after=scene.said())
        look_up_train(scene, trains.chosen.provider, new_day)
        buy(scene, trains.chosen, "$train", 1)
        gone = report_phrase("cancelled").fill(what=flight_words, total=money(flown.product.price))
        done = [gone, bought(trains.chosen)]
    scene.call("cancel_hotel_order", order_id=hotel_order, user_id=user)
    scene.call("get_ota_hotel_info", hotel_id=room.provider.id)
    buy(scene, rooms.chosen, "$room")
    done.append(report_phrase("cancelled").fill(what=hotel_words, total=money(room.product.price)))
    report(scene, [*done, bought(rooms.chosen)])


def _flights(scene: Scene, trip: Trip, days: list[date]) -> list[Offer]:
    """Draw the flight that was booked, and others of the same route."""
    rides = Rides(scene.city, trip.there, [trip.first], types=("flight",), seats=("economy",))
    offers = [rides(scene.stream) for _ in range(2 + scene.distractors)]
    for offer in offers:
        offer.provider.products.append(offer.product)
    spread([offer.provider for offer in offers], days, scene.stream, drift=0.3)
    return offers


def _price_of_the_change(flown: Offer, new_day: date, difference: int) -> None:
    """Let a flight cost so much more on the new day."""
    on_another_day(flown, new_day).product.price = flown.product.price + max(difference, 10)


def _trains(scene: Scene, trip: Trip, new_day: date, days: list[date]) -> Pool:
    wanted: list[OfferRequirement] = [
        Route(scene.city, trip.there),
        TrainIs("G"),
        ArrivesBy(_arrival(scene, trip)),
        SeatIs("second"),
        OnDate(new_day, [day for day in days if day != new_day], scene.now),
    ]
    rides = Rides(scene.city, trip.there, [new_day], seats=("first", "second"))
    on = [new_day, *(day for day in days if day != new_day)]
    return with_all_products(ride_pool(scene.stream, rides, wanted, on, valid=2, noise=scene.distractors))


def _arrival(scene: Scene, trip: Trip) -> int:
    """Return by when the train has to be there: an hour in the afternoon that trains can make."""
    on_the_way = (rail_km(scene.city, trip.there) or 0) / 245 * 60 * 1.15
    return min(20, 3 + int(6 * 60 + on_the_way) // 60 + 1) * 60


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("plans_change", ("ota",), tell)
