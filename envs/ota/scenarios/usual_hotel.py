"""The usual hotel, which only the orders of before tell: two nights there, and the trains.

- **Who**: somebody with a desk job who goes to the same city again and again.
- **What they want**: the hotel that they have stayed at most, the room of the last stay there, on two nights; a train
  there in time with a quiet coach, and one back after the work is done, with a dining car.
- **How they say it**: the city and the nights at once, "the usual" for hotel and room; the trains in turn.
- **What satisfies it**: what the orders of before say.
- **What nearly does**: a hotel stayed at once, one that sells the same; another room of the usual one, another night; a
  train too late, one that leaves too early, one without a quiet coach.
"""

from __future__ import annotations

from datetime import date, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.ota.scenarios.again import draw_known_room, rooms_like
from vitagym.envs.ota.scenarios.buying import bought, buy, look_up_train, report
from vitagym.envs.ota.scenarios.past import SameAs, draw_travel_habits, past_purchase
from vitagym.envs.ota.scenarios.rides import RideHas, Rides, Route, SeatIs, TrainIs, ride_pool
from vitagym.envs.ota.scenarios.tickets import UNIT
from vitagym.envs.ota.scenarios.travel import (
    ArrivesBy,
    LeavesFrom,
    OnDate,
    Trip,
    clock_at,
    date_of,
    days_from,
    on_day,
    plan_trip,
    share,
    sibling_pool,
)
from vitagym.generation.families import Family
from vitagym.generation.geography import rail_km
from vitagym.generation.offer_requirements import AtProvider
from vitagym.generation.pools import Pool
from vitagym.generation.record_requirements import InStatus, Pieces
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer, ProviderSketch
from vitagym.generation.speech import calendar_day
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.world.records import Status

STORY = "stories/ota_usual_hotel"


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    trip = plan_trip(scene, km=(180, 900), desk=True)
    nights = days_from(trip.first, 2)
    shown = days_from(trip.first - timedelta(days=1), 5)
    scene.weather += [weather_day(draw, trip.there, day, draw.choice((Sky.DRY, Sky.RAIN))) for day in shown]
    back_on = nights[-1] + timedelta(days=1)

    # What they want: the usual room for both nights …
    room = draw_known_room(scene, trip, shown)
    first_is, second_is = (_night(scene, room, night, shown) for night in nights)
    rooms = rooms_like(scene, trip, room, first_is, shown)
    second = sibling_pool(rooms, second_is, room.provider)
    # … and the trains.
    there, back, by, after = _trains(scene, trip, back_on, shown)
    share(there, back)
    scene.lay([*rooms.providers, *there.providers, *back.providers])
    _stays_before(scene, room, [p for p in rooms.providers if p is not room.provider])
    paid = InStatus(Meaning.PAID)
    scene.goal("first_night", _words("first_night"), RecordKind.HOTEL, [*first_is, paid], pool=rooms)
    scene.goal("second_night", _words("second_night"), RecordKind.HOTEL, [*second_is, paid], pool=second)
    one = [Pieces(1, UNIT), paid]
    scene.goal("there", _words("there"), RecordKind.TRAIN, [*there.requirements, *one], pool=there)
    scene.goal("back", _words("back"), RecordKind.TRAIN, [*back.requirements, *one], pool=back)

    draw_travel_habits(scene)

    # How they say it.
    values = {
        "origin": scene.city.name,
        "city": trip.there.name,
        "when": on_day(trip.first, scene.now),
        "back_day": calendar_day(back_on),
        "by": clock_at(by),
        "after": clock_at(after),
        "work": _words(draw.choice(("work_audit", "work_course", "work_fair"))),
    }
    also = (Slot.DESTINATION, Slot.DATE, Slot.DURATION)
    scene.opening("need", saying(STORY, "need").fill(**values), also=also)
    scene.later("usual", saying(STORY, "usual").fill(**values), Slot.HISTORY, also=(Slot.PROVIDER, Slot.ROOM))
    scene.later("there", saying(STORY, "train_there").fill(**values), Slot.TIME, also=(Slot.SEAT, Slot.ORIGIN))
    scene.later("quiet", saying(STORY, "quiet"), Slot.FACILITY)
    scene.later("back", saying(STORY, "train_back").fill(**values), Slot.OTHER)
    scene.later("pay", saying(STORY, "pay"), Slot.BUDGET)

    # What a good agent does.
    scene.call("get_user_historical_behaviors")
    scene.call("get_user_all_orders", after=("need", "usual"))
    scene.call("get_ota_hotel_info", hotel_id=room.provider.id)
    look_up_train(scene, there.chosen.provider, trip.first, after=("there",))
    look_up_train(scene, back.chosen.provider, back_on)
    buy(scene, rooms.chosen, "$first", after=scene.said())
    buy(scene, second.chosen, "$second")
    buy(scene, there.chosen, "$there")
    buy(scene, back.chosen, "$back")
    report(scene, [bought(pool.chosen) for pool in (rooms, second, there, back)])


def _night(scene: Scene, room: Offer, night: date, shown: list[date]) -> list[OfferRequirement]:
    return [
        AtProvider(room.provider, _words("the_usual")),
        SameAs(room.product.name),
        OnDate(night, [day for day in shown if day != night], scene.now),
    ]


def _stays_before(scene: Scene, room: Offer, others: list[ProviderSketch]) -> None:
    """Add stays that are over: several in the usual hotel, the last in the usual room; one in another, one called off.

    The other hotel was never stayed at as often, even with the stay that was called off.
    """
    draw = scene.stream
    ago = draw.between(15, 30)
    _stay(scene, room, ago)
    others_there = [p for p in room.provider.products if p.name != room.product.name]
    _stay(scene, Offer(room.provider, draw.choice(others_there)), ago + draw.between(25, 50))
    _stay(scene, room, ago + draw.between(55, 90))
    other = draw.choice(others)
    _stay(scene, Offer(other, draw.choice(other.products)), ago + draw.between(95, 150))
    _stay(scene, Offer(other, draw.choice(other.products)), draw.between(5, 12), Status.CANCELLED)


def _stay(scene: Scene, offer: Offer, days_ago: int, status: Status = Status.CONSUMED) -> None:
    product = offer.product.copy()
    product.facts["date"] = date_of(scene.now - timedelta(days=days_ago))
    past_purchase(scene, Offer(offer.provider, product), days_ago=days_ago + scene.stream.between(2, 9), status=status)


def _trains(scene: Scene, trip: Trip, back_on: date, shown: list[date]) -> tuple[Pool, Pool, int, int]:
    """Draw the trains there and back, by when to be there, and from when to leave again."""
    draw = scene.stream
    minutes = round((rail_km(scene.city, trip.there) or 0) / 245 * 60 * 1.15)
    by = 30 * (-(-(6 * 60 + minutes + 75) // 30) + draw.between(0, 4))
    after = 30 * draw.between(27, 34)
    there_is: list[OfferRequirement] = [
        Route(scene.city, trip.there),
        TrainIs("G"),
        ArrivesBy(by),
        RideHas("quiet"),
        SeatIs("second"),
        OnDate(trip.first, [day for day in shown if day != trip.first], scene.now),
    ]
    back_is: list[OfferRequirement] = [
        Route(trip.there, scene.city),
        TrainIs("G"),
        LeavesFrom(after),
        RideHas("dining"),
        SeatIs("second"),
        OnDate(back_on, [day for day in shown if day != back_on], scene.now),
    ]
    used: set[str] = set()
    out = Rides(scene.city, trip.there, [trip.first], seats=("first", "second"), used=used)
    home = Rides(trip.there, scene.city, [back_on], seats=("first", "second"), used=used)
    pools = []
    for rides, wanted, when in ((out, there_is, trip.first), (home, back_is, back_on)):
        days = [when, *(day for day in shown if day != when)]
        pools.append(ride_pool(draw, rides, wanted, days, valid=2, noise=scene.distractors))
    return pools[0], pools[1], by, after


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("usual_hotel", ("ota",), tell)
