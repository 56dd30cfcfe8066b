"""A trip for a festival: when that is has to be looked up; train, hotel, then tickets for the evening's lights.

- **Who**: somebody who spends a festival in another city with a friend or partner.
- **What they want**: two seats there on the day of the festival, in time; a room for that night near the station; once
  that is settled, two tickets for a sight with a light show that evening.
- **How they say it**: the festival and the city at once, never the date; train and hotel in turn, the lights once the
  hotel is booked.
- **What satisfies it**: everything on the day that the calendar gives.
- **What nearly does**: the days around it; a train too late or without a quiet coach; a hotel too far away, a star
  short; a sight without a light show, one that is rated too low.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.ota.scenarios.buying import bought, buy, look_up_sights, look_up_train, look_up_user, report
from vitagym.envs.ota.scenarios.past import add_past_trips, draw_travel_habits
from vitagym.envs.ota.scenarios.rides import RideHas, Rides, Route, SeatIs, TrainIs, ride_pool
from vitagym.envs.ota.scenarios.sights import OUTDOOR, SightHas, SightRated
from vitagym.envs.ota.scenarios.stays import draw_stay, look_up_stay, say_stay
from vitagym.envs.ota.scenarios.tickets import UNIT, draw_sights
from vitagym.envs.ota.scenarios.travel import (
    ArrivesBy,
    OnDate,
    another_city,
    clock_at,
    days_from,
    with_all_products,
)
from vitagym.generation.addresses import Addresses
from vitagym.generation.families import Family
from vitagym.generation.geography import City, rail_km
from vitagym.generation.people import draw_person
from vitagym.generation.pools import Pool
from vitagym.generation.record_requirements import InStatus, Pieces
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.randomness import Stream
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.task import EventKind
from vitagym.world.calendar_cn import feasts_of

STORY = "stories/ota_festival_trip"
_FEASTS = ("mid_autumn", "dragon_boat", "qingming", "double_ninth", "lantern", "qixi", "winter_solstice")
_YEARS = (2024, 2026)
_RATINGS = (4.3, 4.4, 4.5)


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    scene.in_city()
    scene.person = draw_person(draw, scene.addresses, persona=scene.persona, families=("couple", "married"))
    scene.places.append(scene.person.home)
    there = another_city(draw, scene.city, low=150, high=900)
    addresses = Addresses(Stream(draw.below(1 << 30), "there"), there)
    feast = draw.choice(_FEASTS)
    year = draw.between(*_YEARS)
    festival = scene.feast = feasts_of(year, feast)[0].date
    scene.now = datetime.combine(festival - timedelta(days=draw.between(8, 25)), time(draw.between(9, 20)))
    days = days_from(festival - timedelta(days=2), 5)
    scene.weather += [weather_day(draw, there, day, draw.choice((Sky.DRY, Sky.RAIN))) for day in days]

    # What they want: the train, the room, the lights.
    trains, by = _trains(scene, there, festival, days)
    station = there.station
    rooms = draw_stay(scene, addresses, station.spot, station.name, festival, days)
    sight_is: list[OfferRequirement] = [SightHas("lights"), SightRated(draw.choice(_RATINGS))]
    shows = draw_sights(scene, addresses, sight_is, festival, days, ("adult", "child", "senior"), sorts=OUTDOOR)
    scene.lay([*trains.providers, *rooms.providers, *shows.providers])
    paid = InStatus(Meaning.PAID)
    two = [Pieces(2, UNIT), paid]
    scene.goal("train", _words("train"), RecordKind.TRAIN, [*trains.requirements, *two], pool=trains)
    scene.goal("hotel", _words("hotel"), RecordKind.HOTEL, [*rooms.requirements, paid], pool=rooms)
    scene.goal("lights", _words("lights"), RecordKind.ATTRACTION, [*shows.requirements, *two], pool=shows)

    draw_travel_habits(scene)
    add_past_trips(scene)

    # How they say it.
    name = phrase("feasts", feast)
    values = {
        "origin": scene.city.name,
        "city": there.name,
        "festival": name,
        "by": clock_at(by),
        "score": sight_is[1].values()["score"],
    }
    scene.opening("need", saying(STORY, "need").fill(**values), also=(Slot.DESTINATION, Slot.DATE, Slot.OCCASION))
    scene.later("train", saying(STORY, "train_wish").fill(**values), Slot.TIME, also=(Slot.SEAT, Slot.ORIGIN))
    scene.later("quiet", saying(STORY, "quiet"), Slot.OTHER)
    say_stay(scene, rooms, _words("night"))
    scene.later("pay", saying(STORY, "pay"), Slot.BUDGET)
    about = [phrase(STORY, "about_hotel"), phrase(STORY, "about_room")]
    wish = saying(STORY, "lights_wish").fill(**values)
    scene.when(EventKind.REPORTED, about, "lights_wish", wish, Slot.TICKET, also=(Slot.QUANTITY,))

    # What a good agent does.
    look_up_user(scene)
    scene.call("get_holiday_date", year=str(year), holiday_name=name, after=("need",))
    look_up_train(scene, trains.chosen.provider, festival)
    look_up_stay(scene, there, rooms, station.spot)
    buy(scene, trains.chosen, "$train", 2, after=scene.said())
    buy(scene, rooms.chosen, "$room")
    report(scene, [bought(trains.chosen, 2), bought(rooms.chosen)])
    look_up_sights(scene, there, shows.chosen.provider, [_words("light_show")], after=("lights_wish",))
    buy(scene, shows.chosen, "$lights", 2)
    report(scene, [bought(shows.chosen, 2)])


def _trains(scene: Scene, there: City, festival: date, days: list[date]) -> tuple[Pool, int]:
    """Draw the trains of the day, and by when theirs has to be there."""
    minutes = round((rail_km(scene.city, there) or 0) / 245 * 60 * 1.15)
    by = 60 * (-(-(6 * 60 + minutes + 60) // 60) + scene.stream.between(0, 3))
    others = [day for day in days if day != festival]
    wanted: list[OfferRequirement] = [
        Route(scene.city, there),
        TrainIs("G"),
        ArrivesBy(by),
        RideHas("quiet"),
        SeatIs("second"),
        OnDate(festival, others, scene.now),
    ]
    rides = Rides(scene.city, there, [festival], seats=("first", "second"))
    pool = ride_pool(scene.stream, rides, wanted, [festival, *others], valid=2, noise=scene.distractors)
    return with_all_products(pool), by


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("festival_trip", ("ota",), tell)
