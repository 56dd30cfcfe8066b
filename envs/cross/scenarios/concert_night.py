"""A concert in another city: there in time, a hotel near the hall, a late supper that depends on the weather.

- **Who**: somebody who travels for one evening and does not eat everything.
- **What they want**: a seat on a high-speed train that is there two hours before it starts; a room near the hall; after
  the concert something to eat at the hotel: one thing if it rains that day, another if it stays dry.
- **How they say it**: concert and hall at once, train and hotel in turn; the supper once the hotel is booked. What they
  do not eat comes only when asked.
- **What satisfies it**: the supper for the weather of the day, around the hour, at the hotel that was booked.
- **What nearly does**: the other supper, one with what they do not eat, from a store rated too low; a train too late, a
  hotel too far away or a star short.
"""

from __future__ import annotations

from datetime import datetime, time

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import course
from vitagym.envs.cross.scenarios.history import add_history
from vitagym.envs.cross.scenarios.parts import TICKET, draw_meal, draw_trains, earliest_arrival
from vitagym.envs.delivery.scenarios.arrival import around_time
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, place
from vitagym.envs.delivery.scenarios.ordering import report as delivery_report
from vitagym.envs.ota.scenarios.buying import bought, buy, look_up_train, look_up_weather, report
from vitagym.envs.ota.scenarios.stays import draw_stay, look_up_stay, say_stay
from vitagym.envs.ota.scenarios.travel import clock_at, on_day, plan_trip
from vitagym.generation.families import Family
from vitagym.generation.pools import CannotBuild
from vitagym.generation.record_requirements import DeliverTo, InStatus, Pieces
from vitagym.generation.scene import Scene
from vitagym.generation.speech import clock
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/cross_concert_night"
_DIETS = ("peanut", "cilantro", "shellfish", "egg")
_WHEN_WET = ("porridge", "noodles")
_WHEN_DRY = ("dumplings", "rice_bowl")
_STARTS = (19 * 60, 19 * 60 + 30, 20 * 60)


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    avoided = draw.choice(_DIETS)
    trip = plan_trip(scene, km=(150, 1000), avoided=avoided)
    days = trip.days()
    sky = draw.choice((Sky.DRY, Sky.RAIN))
    other = Sky.RAIN if sky is Sky.DRY else Sky.DRY
    scene.weather += [weather_day(draw, trip.there, day, sky if day == trip.first else other) for day in days]
    hall = trip.addresses.place(_words(f"hall_{draw.below(2)}").fill(city=trip.there.name))
    scene.places.append(hall)
    starts = draw.choice(_STARTS)
    if earliest_arrival(scene.city, trip.there) > starts - 120:
        raise CannotBuild("too far for the day")
    supper = datetime.combine(trip.first, time(22, draw.choice((15, 30, 45))))
    wet, dry = draw.choice(_WHEN_WET), draw.choice(_WHEN_DRY)
    dish = wet if sky is Sky.RAIN else dry

    # What they want: the train, the room, the supper.
    trains = draw_trains(scene, scene.city, trip.there, trip.first, days, starts - 120)
    rooms = draw_stay(scene, trip.addresses, hall, _words("the_hall"), trip.first, days)
    hotel = rooms.chosen.provider
    meals = draw_meal(scene, trip.addresses, hotel.where, dish, avoided)
    scene.lay([*trains.providers, *rooms.providers, *meals.providers])
    paid = InStatus(Meaning.PAID)
    scene.goal("train", _words("train"), RecordKind.TRAIN, [*trains.requirements, Pieces(1, TICKET), paid], pool=trains)
    scene.goal("hotel", _words("hotel"), RecordKind.HOTEL, [*rooms.requirements, paid], pool=rooms)
    on_order = [DeliverTo(hotel.where, hotel.name), around_time(supper, scene.now), Pieces(1, course(dish).unit), paid]
    scene.goal("supper", _words("supper"), RecordKind.DELIVERY, [*meals.requirements, *on_order], pool=meals)

    add_history(scene)

    # How they say it.
    values = {
        "origin": scene.city.name,
        "city": trip.there.name,
        "when": on_day(trip.first, scene.now),
        "hall": hall.address,
        "starts": clock_at(starts),
        "wet": course(wet).name,
        "dry": course(dry).name,
        "supper": clock(supper),
        **meals.requirements[1].values(),
        **meals.requirements[2].values(),
    }
    also = (Slot.DESTINATION, Slot.DATE, Slot.OCCASION, Slot.ADDRESS)
    scene.opening("need", saying(STORY, "need").fill(**values), also=also)
    scene.later("train", saying(STORY, "train_wish").fill(**values), Slot.TIME, also=(Slot.SEAT, Slot.ORIGIN))
    say_stay(scene, rooms, _words("that_night"))
    scene.later("pay", saying(STORY, "pay"), Slot.BUDGET)
    before = scene.said()
    about = [_words("about_hotel"), _words("about_room")]
    wish = saying(STORY, "supper_wish").fill(**values)
    scene.when(EventKind.REPORTED, about, "supper_wish", wish, Slot.PRODUCT, also=(Slot.WEATHER,))
    scene.asked("diet", saying("requirements", "diet").fill(subject=_words("supper"), **values), Slot.DIET)

    # What a good agent does.
    scene.call("get_user_historical_behaviors")
    look_up_train(scene, trains.chosen.provider, trip.first, after=("need", "train"))
    look_up_stay(scene, trip.there, rooms, hall)
    buy(scene, trains.chosen, "$train", after=before)
    buy(scene, rooms.chosen, "$room")
    report(scene, [bought(trains.chosen), bought(rooms.chosen)])
    look_up_weather(scene, trip.there, [trip.first], after=("supper_wish", "diet"))
    basket = Basket.of(meals.chosen, 1, hotel.where, arrival=supper, keywords=[course(dish).name])
    look_up(scene, basket)
    place(scene, basket, "$supper")
    scene.tell(delivery_report(scene, basket), reports="done")


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("concert_night", ("delivery", "ota"), tell)
