"""An aunt is in hospital in another city: a train in visiting hours, a hotel near her, a meal brought to the ward.

- **Who**: somebody who goes to see a sick aunt for a night.
- **What they want**: a seat on a high-speed train with a quiet coach, there before visits begin; a room for the night
  near the hospital; porridge or noodles brought to the hospital around supper, as she may eat it, for both of them.
- **How they say it**: the visit and the hospital at once, train and hotel in turn; the meal once the hotel is booked.
  What the aunt may not have comes only when asked.
- **What satisfies it**: a train in time, a hotel near the hospital, a dish that suits her from a store rated well.
- **What nearly does**: a train too late or without a quiet coach; a hotel too far away, a star short; a dish with what
  she may not have, of another sort, from a store rated too low; the home address.
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
from vitagym.envs.ota.scenarios.buying import bought, buy, look_up_train, report
from vitagym.envs.ota.scenarios.stays import draw_stay, look_up_stay, say_stay
from vitagym.envs.ota.scenarios.travel import clock_at, on_day, plan_trip
from vitagym.generation.families import Family
from vitagym.generation.record_requirements import DeliverTo, InStatus, Pieces
from vitagym.generation.scene import Scene
from vitagym.generation.speech import clock
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/cross_aunt_in_hospital"
_DIETS = ("egg", "shellfish", "purine")


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    trip = plan_trip(scene, km=(150, 900))
    days = trip.days()
    scene.weather += [weather_day(draw, trip.there, day, draw.choice((Sky.DRY, Sky.RAIN))) for day in days]
    hospital = trip.addresses.place(_words(f"hospital_{draw.below(2)}").fill(city=trip.there.name))
    scene.places.append(hospital)
    visits = 30 * (-(-(earliest_arrival(scene.city, trip.there) + 60) // 30) + draw.between(0, 3))
    supper = datetime.combine(trip.first, time(draw.between(17, 18), draw.choice((0, 30))))
    avoided = draw.choice(_DIETS)
    dish = draw.choice(("porridge", "noodles"))

    # What they want: the train, the room, the meal.
    trains = draw_trains(scene, scene.city, trip.there, trip.first, days, visits - 60)
    rooms = draw_stay(scene, trip.addresses, hospital, _words("the_hospital"), trip.first, days, breakfast=False)
    meals = draw_meal(scene, trip.addresses, hospital, dish, avoided)
    scene.lay([*trains.providers, *rooms.providers, *meals.providers])
    paid = InStatus(Meaning.PAID)
    scene.goal("train", _words("train"), RecordKind.TRAIN, [*trains.requirements, Pieces(1, TICKET), paid], pool=trains)
    scene.goal("hotel", _words("hotel"), RecordKind.HOTEL, [*rooms.requirements, paid], pool=rooms)
    on_order = [
        DeliverTo(hospital, hospital.address),
        around_time(supper, scene.now),
        Pieces(2, course(dish).unit),
        paid,
    ]
    scene.goal("meal", _words("meal"), RecordKind.DELIVERY, [*meals.requirements, *on_order], pool=meals)

    add_history(scene)

    # How they say it.
    values = {
        "origin": scene.city.name,
        "city": trip.there.name,
        "when": on_day(trip.first, scene.now),
        "hospital": hospital.address,
        "visits": clock_at(visits),
        "dish": course(dish).name,
        "unit": course(dish).unit,
        "supper": clock(supper),
        **meals.requirements[1].values(),
        **meals.requirements[2].values(),
    }
    also = (Slot.DESTINATION, Slot.DATE, Slot.OCCASION, Slot.ADDRESS)
    scene.opening("need", saying(STORY, "need").fill(**values), also=also)
    scene.later("train", saying(STORY, "train_wish").fill(**values), Slot.TIME, also=(Slot.SEAT, Slot.ORIGIN))
    say_stay(scene, rooms, _words("that_night"))
    scene.later("pay", saying(STORY, "pay"), Slot.BUDGET)
    about = [_words("about_hotel"), _words("about_room")]
    before = scene.said()
    wish = saying(STORY, "meal_wish").fill(**values)
    scene.when(EventKind.REPORTED, about, "meal_wish", wish, Slot.PRODUCT, also=(Slot.QUANTITY,))
    scene.asked("diet", saying(STORY, "diet").fill(**values), Slot.DIET)

    # What a good agent does.
    scene.call("get_user_historical_behaviors")
    look_up_train(scene, trains.chosen.provider, trip.first, after=("need", "train"))
    look_up_stay(scene, trip.there, rooms, hospital)
    buy(scene, trains.chosen, "$train", after=before)
    buy(scene, rooms.chosen, "$room")
    report(scene, [bought(trains.chosen), bought(rooms.chosen)])
    basket = Basket.of(meals.chosen, 2, hospital, arrival=supper, keywords=[course(dish).name])
    look_up(scene, basket, after=("meal_wish", "diet"))
    place(scene, basket, "$meal")
    scene.tell(delivery_report(scene, basket), reports="done")


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("aunt_in_hospital", ("delivery", "ota"), tell)
