"""To an occasion in another city by train, in time for it, and back again on another day.

- **Who**: somebody who has to be elsewhere at a certain hour: a wedding, an interview, a reunion, a talk.
- **What they want**: high-speed seats of a class for one to three people, there in time for the occasion with some time
  to spare, perhaps within a price or on a train with a quiet coach; a room for the night in
  between; afterwards the way back, not before some hour, with a dining car.
- **How they say it**: route, day and occasion at once, the rest later; the way back comes up once the first tickets are
  bought.
- **What satisfies it**: trains that are right in all of this; when to arrive has to be worked out.
- **What nearly does**: a train a little too late or too early, an EMU train, another class or day, one too dear or
  one that goes the other way.
"""

from __future__ import annotations

from datetime import date, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.ota.scenarios.buying import bought, buy, look_up_train, look_up_user, report
from vitagym.envs.ota.scenarios.past import add_past_trips, draw_travel_habits
from vitagym.envs.ota.scenarios.rides import RideHas, Rides, Route, SeatIs, TrainIs, ride_pool
from vitagym.envs.ota.scenarios.stays import draw_stay, look_up_stay, say_stay
from vitagym.envs.ota.scenarios.travel import (
    ArrivesBy,
    LeavesFrom,
    OnDate,
    Trip,
    clock_at,
    days_from,
    on_day,
    plan_trip,
    share,
)
from vitagym.generation.families import Family
from vitagym.generation.geography import rail_km
from vitagym.generation.offer_requirements import PriceAtMost
from vitagym.generation.pools import Pool
from vitagym.generation.record_requirements import InStatus, Pieces
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import number
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/ota_train_there_and_back"
_OCCASIONS = ("wedding", "reunion", "interview", "talk", "concert")
_UNIT = Term("", "张")
_POINTS = {
    "arrives_by": "deadline",
    "pieces": "people",
    "seat_is": "seat",
    "train_is": "type",
    "price_at_most": "budget",
    "has_quiet": "quiet",
    "paid": "pay",
}


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    trip = plan_trip(scene, km=(180, 1250))
    days = trip.days()
    scene.weather += [weather_day(draw, trip.there, day, draw.choice((Sky.DRY, Sky.RAIN))) for day in days]
    occasion = draw.choice(_OCCASIONS)
    spare = draw.choice((60, 90, 120))
    starts = _starts(scene, trip, spare)
    people = 1 if occasion == "interview" else draw.between(1, 3)
    seat = draw.choice(("first", "second", "second"))

    # What they want: there …
    wanted: list[OfferRequirement] = [
        Route(scene.city, trip.there),
        TrainIs("G"),
        ArrivesBy(starts - spare),
        SeatIs(seat),
        OnDate(trip.first, [day for day in days if day != trip.first], scene.now),
    ]
    if draw.random() < 0.5:
        wanted.append(RideHas("quiet"))
    if draw.random() < 0.4:
        km = rail_km(scene.city, trip.there) or 0
        wanted.append(PriceAtMost(float(10 * round(km * (0.08 if seat == "first" else 0.05)))))
    there = _pool(
        scene, Rides(scene.city, trip.there, [trip.first], seats=("first", "second")), wanted, trip, trip.first
    )
    # … and back.
    back_on = trip.first + timedelta(days=1)
    after = 60 * draw.between(12, 16)
    back_wanted: list[OfferRequirement] = [
        Route(trip.there, scene.city),
        TrainIs("G"),
        LeavesFrom(after),
        RideHas("dining"),
        SeatIs(seat),
        OnDate(back_on, [trip.first], scene.now),
    ]
    home = Rides(trip.there, scene.city, [back_on], seats=("first", "second"), used=set())
    back = _pool(scene, home, back_wanted, trip, back_on)
    share(there, back)
    # In between, a night near the station.
    station = trip.there.station
    bed = "suite" if people > 2 else "king"
    rooms = draw_stay(scene, trip.addresses, station.spot, station.name, trip.first, days, bed=bed)
    scene.lay([*there.providers, *back.providers, *rooms.providers])
    bought_right = [Pieces(people, _UNIT), InStatus(Meaning.PAID)]
    outward = scene.goal("there", _words("there"), RecordKind.TRAIN, [*wanted, *bought_right], pool=there)
    scene.goal("back", _words("back"), RecordKind.TRAIN, [*back_wanted, *bought_right], pool=back)
    scene.goal("hotel", _words("hotel"), RecordKind.HOTEL, [*rooms.requirements, InStatus(Meaning.PAID)], pool=rooms)

    draw_travel_habits(scene)
    add_past_trips(scene)

    # How they say it.
    values = {
        "origin": scene.city.name,
        "city": trip.there.name,
        "when": on_day(trip.first, scene.now),
        "occasion": _words(f"occasion_{occasion}"),
        "occasion_told": _words(f"occasion_{occasion}_told"),
        "starts": clock_at(starts),
        "spare": _words(f"spare_{spare}"),
        "party": _words(f"party_{people}"),
        "party_told": _words(f"party_{people}_told"),
    }
    also = (Slot.ORIGIN, Slot.DESTINATION, Slot.DATE, Slot.OCCASION)
    scene.opening("need", saying(STORY, "need").fill(**values), also=also)
    scene.say_requirements(outward, STORY, _POINTS, names=values)
    say_stay(scene, rooms, _words("night"))
    wish = saying(STORY, "back_wish").fill(
        **values, back=on_day(back_on, scene.now), after=clock_at(after), count=number(people)
    )
    about = [_words("about_train"), _words("about_ticket")]
    scene.when(EventKind.REPORTED, about, "back_wish", wish, Slot.TIME, also=(Slot.DATE, Slot.ORIGIN))

    # What a good agent does.
    look_up_user(scene)
    look_up_train(scene, there.chosen.provider, trip.first, after=("need",))
    look_up_stay(scene, trip.there, rooms, station.spot)
    buy(scene, there.chosen, "$there", people, after=scene.said())
    buy(scene, rooms.chosen, "$room")
    report(scene, [bought(there.chosen, people), bought(rooms.chosen)])
    look_up_train(scene, back.chosen.provider, back_on, after=("back_wish",))
    buy(scene, back.chosen, "$back", people)
    report(scene, [bought(back.chosen, people)])


def _starts(scene: Scene, trip: Trip, spare: int) -> int:
    """Draw when the occasion starts: late enough to get there on the same day."""
    on_the_way = round((rail_km(scene.city, trip.there) or 0) / 245 * 60 * 1.15)
    earliest = 6 * 60 + on_the_way + 75 + spare
    half_hours = range(-(-max(earliest, 10 * 60 + 30) // 30), 20 * 2 + 1)
    return 30 * scene.stream.choice(half_hours)


def _pool(scene: Scene, rides: Rides, wanted: list[OfferRequirement], trip: Trip, when: date) -> Pool:
    days = [when, *(day for day in days_from(trip.first - timedelta(days=1), 5) if day != when)]
    return ride_pool(scene.stream, rides, wanted, days, valid=2, noise=scene.distractors)


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("train_there_and_back", ("ota",), tell)
