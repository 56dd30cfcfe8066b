"""Overnight by sleeper if there is one that fits; otherwise a morning flight.

- **Who**: somebody who likes to sleep on the train and to wake up where they have to be.
- **What they want**: a berth of a class, leaving in the evening, there in the morning, with a dining car; if no train
  offers that, to hear so, and a flight on the morning after with checked baggage, landing by some hour. Either way a
  room for the night after, near where they have to be.
- **How they say it**: the night train at once, its times and the berth in turn; what to do if there is none later.
- **What satisfies it**: the berth, where a train offers it; else the flight, and to be told why.
- **What nearly does**: a night train that leaves too early or arrives too late, another class, the night after; a
  flight that lands too late, with hand baggage only, in another class.
"""

from __future__ import annotations

from datetime import date, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.ota.scenarios.buying import bought, buy, look_up_flight, look_up_train, look_up_user, report
from vitagym.envs.ota.scenarios.past import add_past_trips, draw_travel_habits
from vitagym.envs.ota.scenarios.rides import RideHas, Rides, Route, SeatIs, ride_pool
from vitagym.envs.ota.scenarios.stays import draw_stay, look_up_stay, say_stay
from vitagym.envs.ota.scenarios.travel import (
    ArrivesBy,
    LeavesFrom,
    OnDate,
    Trip,
    clock_at,
    on_day,
    plan_trip,
    with_all_products,
    word_of,
)
from vitagym.generation.families import Family
from vitagym.generation.geography import rail_km
from vitagym.generation.goals import Goal
from vitagym.generation.pools import CannotBuild, Pool
from vitagym.generation.record_requirements import InStatus, Pieces, SaysThereIsNone
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind

STORY = "stories/ota_night_train"
_UNIT = Term("", "张")
_DAY = 24 * 60
_KM = (700, 1150)
"""How far by rail: what a night train covers between evening and morning."""


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    trip = plan_trip(scene, km=_KM)
    if not (scene.city.airports and trip.there.airports):
        raise CannotBuild("no airports")
    days = trip.days()
    scene.weather += [weather_day(draw, trip.there, day, draw.choice((Sky.DRY, Sky.RAIN))) for day in days]
    morning = trip.first + timedelta(days=1)
    there_is_one = draw.random() < 0.5

    # What they want: the night train, or else the flight.
    berth = draw.choice(("soft_sleeper", "hard_sleeper"))
    trains, evening, by = _trains(scene, trip, berth, there_is_one=there_is_one)
    landing = by + 60 * draw.between(1, 3) - _DAY
    flights = _flights(scene, trip, morning, landing)
    where = trip.addresses.house()
    scene.places.append(where)
    rooms = draw_stay(scene, trip.addresses, where, where.address, morning, trip.days(before=0, after=3))
    scene.lay([*trains.providers, *flights.providers, *rooms.providers])
    paid = InStatus(Meaning.PAID)
    ticket = Goal("flight", _words("flight"), RecordKind.FLIGHT, [])
    if there_is_one:
        wanted = [*trains.requirements, Pieces(1, _UNIT), paid]
        night = scene.goal("train", _words("train"), RecordKind.TRAIN, wanted, pool=trains)
    else:
        none = SaysThereIsNone(_words("night_train"), [("train", "列车", "火车")])
        night = scene.goal("train", _words("train"), RecordKind.TRAIN, [none])
        wanted = [*flights.requirements, Pieces(1, _UNIT), paid]
        ticket = scene.goal("flight", _words("flight"), RecordKind.FLIGHT, wanted, pool=flights)

    scene.goal("hotel", _words("hotel"), RecordKind.HOTEL, [*rooms.requirements, paid], pool=rooms)

    draw_travel_habits(scene)
    add_past_trips(scene)

    # How they say it.
    values = {
        "origin": scene.city.name,
        "city": trip.there.name,
        "when": on_day(trip.first, scene.now),
        "evening": clock_at(evening),
        "morning": clock_at(by),
        "berth": word_of("trains", "said_seats", berth),
        "landing": clock_at(landing),
        "reason": _words(draw.choice(("reason_wedding", "reason_exam", "reason_client"))),
    }
    scene.opening("need", saying(STORY, "need").fill(**values), also=(Slot.ORIGIN, Slot.DESTINATION, Slot.DATE))
    scene.later("times", saying(STORY, "times").fill(**values), Slot.TIME)
    scene.later("berth", saying(STORY, "berth").fill(**values), Slot.SEAT, also=(Slot.QUANTITY, Slot.PEOPLE))
    scene.later("otherwise", saying(STORY, "otherwise").fill(**values), Slot.OTHER, also=(Slot.FACILITY,))
    scene.means("need", night, trains.requirements[0], OnDate(trip.first, (), scene.now), optional=True)
    scene.means("times", night, *trains.requirements[1:3], optional=True)
    scene.means("berth", night, RideHas("dining"), SeatIs(berth), optional=True)
    scene.means("otherwise", ticket, *flights.requirements, instead_of="train")
    say_stay(scene, rooms, _words("night"))
    scene.later("pay", saying(STORY, "pay"), Slot.BUDGET)

    # What a good agent does.
    look_up_user(scene)
    seen = trains.chosen if there_is_one else next(iter(trains.near.values()))
    look_up_train(scene, seen.provider, trip.first, after=("need", "times", "berth"))
    if there_is_one:
        buy(scene, trains.chosen, "$train", after=scene.said())
        look_up_stay(scene, trip.there, rooms, where)
        buy(scene, rooms.chosen, "$room")
        report(scene, [bought(trains.chosen), bought(rooms.chosen)])
        return
    look_up_flight(scene, flights.chosen.provider)
    buy(scene, flights.chosen, "$flight", after=scene.said())
    scene.tell(_words("no_train").fill(**values), reports="impossible")
    look_up_stay(scene, trip.there, rooms, where)
    buy(scene, rooms.chosen, "$room")
    report(scene, [bought(flights.chosen), bought(rooms.chosen)])


def _trains(scene: Scene, trip: Trip, berth: str, *, there_is_one: bool) -> tuple[Pool, int, int]:
    """Draw night trains; return them, when they may leave and by when they have to be there."""
    draw = scene.stream
    on_the_way = round((rail_km(scene.city, trip.there) or 0) / 88 * 60)
    evening = 30 * draw.between(38, 41)
    by = 30 * -(-(evening + round(on_the_way * 1.14) + 75) // 30)
    others = [day for day in trip.days() if day != trip.first]
    wanted: list[OfferRequirement] = [Route(scene.city, trip.there), LeavesFrom(evening), ArrivesBy(by)]
    if there_is_one:
        wanted += [RideHas("dining"), SeatIs(berth), OnDate(trip.first, others, scene.now)]
    # Every train sells all berths on all days: where none fits, its times alone can be what is wrong with it.
    rides = Rides(scene.city, trip.there, [trip.first], types=("K",), after=evening - 90, before=evening + 120)
    days = [trip.first, *others]
    pool = ride_pool(draw, rides, wanted, days, valid=1 if there_is_one else 0, noise=scene.distractors)
    return (with_all_products(pool) if there_is_one else pool), evening, by


def _flights(scene: Scene, trip: Trip, morning: date, landing: int) -> Pool:
    """Draw the flights of the morning after."""
    others = [day for day in trip.days(before=0, after=2) if day != morning]
    wanted: list[OfferRequirement] = [
        Route(scene.city, trip.there),
        ArrivesBy(landing),
        RideHas("bag", rival="no_bag"),
        RideHas("meal", rival="no_meal"),
        SeatIs("economy"),
        OnDate(morning, others, scene.now),
    ]
    rides = Rides(scene.city, trip.there, [morning], types=("flight",), seats=("economy", "premium"))
    pool = ride_pool(scene.stream, rides, wanted, [morning, *others], valid=2, noise=scene.distractors)
    return with_all_products(pool)


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("night_train", ("ota",), tell)
