"""An early train, and breakfast at the door before it leaves.

- **Who**: somebody who has to be in another city in the morning and cannot travel on an empty stomach.
- **What they want**: a seat on a high-speed train that is there in time; breakfast brought home so long before it
  leaves.
- **How they say it**: where to be and by when at once; breakfast once the ticket is bought, by the train's departure.
  What they do not eat comes only when asked.
- **What satisfies it**: one train; a dish that arrives around the hour that follows from its departure.
- **What nearly does**: a train that is late, slower, of another class or day; a dish of another sort, with what they do
  not eat, too dear.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import OfCourse, course, diet
from vitagym.envs.cross.scenarios.history import add_history
from vitagym.envs.cross.scenarios.parts import TICKET
from vitagym.envs.delivery.scenarios.arrival import around_time
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, place
from vitagym.envs.delivery.scenarios.ordering import report as delivery_report
from vitagym.envs.delivery.scenarios.stores import Kitchens
from vitagym.envs.ota.scenarios.buying import bought, buy, look_up_train, report
from vitagym.envs.ota.scenarios.rides import RideHas, Rides, Route, SeatIs, TrainIs, ride_pool
from vitagym.envs.ota.scenarios.travel import (
    ArrivesBy,
    OnDate,
    Trip,
    clock_at,
    hhmm,
    on_day,
    plan_trip,
    with_all_products,
)
from vitagym.generation.families import Family
from vitagym.generation.geography import rail_km
from vitagym.generation.offer_requirements import PriceAtMost
from vitagym.generation.pools import Pool, draw_pool
from vitagym.generation.record_requirements import DeliverTo, InStatus, Pieces
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/cross_early_train"
_DIETS = ("peanut", "cilantro", "shellfish", "egg", "fried")
_COURSES = ("porridge", "noodles", "dumplings", "rice_noodles")
_NOT_BEFORE = 7 * 60 + 20
_FARTHEST_EARLY = 95
"""How many minutes before the hour that was asked for a train may arrive (see ``ArrivesBy``)."""


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    avoided = draw.choice(_DIETS)
    trip = plan_trip(scene, km=(120, 650), avoided=avoided)
    days = trip.days()
    home = scene.person.home
    scene.weather += [weather_day(draw, trip.there, day, draw.choice((Sky.DRY, Sky.RAIN))) for day in days]
    on_the_way = round((rail_km(scene.city, trip.there) or 0) / 245 * 60 * 1.15)
    by = 30 * (-(-(_NOT_BEFORE + on_the_way + _FARTHEST_EARLY) // 30) + draw.below(3))
    before = draw.choice((60, 90))
    dish = draw.choice(_COURSES)

    # What they want: the seat …
    trains = _trains(scene, trip, by)
    scene.decides(trains)
    leaves = trains.chosen.provider.facts["leaves"]
    # … and breakfast before it leaves.
    breakfast_at = datetime.combine(trip.first, time(leaves // 60, leaves % 60)) - timedelta(minutes=before)
    breakfast_is: list[OfferRequirement] = [
        OfCourse(course(dish), tuple(course(other) for other in _COURSES if other != dish)),
        diet(avoided),
        PriceAtMost(float(draw.between(20, 28))),
    ]
    breakfasts = draw_pool(draw, Kitchens(scene, home, course(dish)), breakfast_is, noise=scene.distractors)
    scene.lay([*trains.providers, *breakfasts.providers])
    paid = InStatus(Meaning.PAID)
    scene.goal("train", _words("train"), RecordKind.TRAIN, [*trains.requirements, Pieces(1, TICKET), paid], pool=trains)
    window = around_time(breakfast_at, scene.now, 20)
    on_order = [DeliverTo(home, _words("home")), window, Pieces(1, course(dish).unit), paid]
    breakfast = scene.goal(
        "breakfast", _words("breakfast"), RecordKind.DELIVERY, [*breakfast_is, *on_order], pool=breakfasts
    )

    add_history(scene)

    # How they say it.
    why = draw.choice(("interview", "meeting", "exam", "check_up"))
    values = {
        "origin": scene.city.name,
        "city": trip.there.name,
        "when": on_day(trip.first, scene.now),
        "why": _words(f"why_{why}"),
        "why_told": _words(f"why_{why}_told"),
        "by": clock_at(by),
        "dish": course(dish).name,
        "unit": course(dish).unit,
        "before": _words(f"before_{before}"),
        "price": breakfast_is[2].values()["price"],
        "avoided": breakfast_is[1].values()["avoided"],
    }
    also = (Slot.DESTINATION, Slot.DATE, Slot.OCCASION)
    scene.opening("need", saying(STORY, "need").fill(**values), also=also)
    scene.later("train", saying(STORY, "train_wish").fill(**values), Slot.SEAT, also=(Slot.ORIGIN, Slot.TIME))
    if any(requirement.kind == "ride_has" for requirement in trains.requirements):
        scene.later("quiet", saying(STORY, "quiet"), Slot.FACILITY)
    scene.later("pay", saying(STORY, "pay"), Slot.OTHER)
    said = scene.said()
    about = [_words("about_train"), _words("about_ticket")]
    wish = saying(STORY, "breakfast_wish").fill(**values)
    scene.when(EventKind.REPORTED, about, "breakfast_wish", wish, Slot.PRODUCT, also=(Slot.BUDGET, Slot.ADDRESS))
    scene.means("breakfast_wish", breakfast, window, shown_by=[hhmm(leaves)])
    scene.asked("diet", saying("requirements", "diet").fill(subject=_words("breakfast"), **values), Slot.DIET)

    # What a good agent does.
    scene.call("get_user_historical_behaviors")
    look_up_train(scene, trains.chosen.provider, trip.first, after=("need", "train"))
    buy(scene, trains.chosen, "$train", after=said)
    report(scene, [bought(trains.chosen)])
    basket = Basket.of(breakfasts.chosen, 1, home, arrival=breakfast_at, keywords=[course(dish).plain])
    look_up(scene, basket, after=("breakfast_wish", "diet"))
    place(scene, basket, "$breakfast")
    scene.tell(delivery_report(scene, basket), reports="done")


def _trains(scene: Scene, trip: Trip, by: int) -> Pool:
    """Draw the trains, of which one is right: breakfast goes by when it leaves."""
    draw = scene.stream
    others = [day for day in trip.days() if day != trip.first]
    wanted: list[OfferRequirement] = [
        Route(scene.city, trip.there),
        TrainIs("G"),
        ArrivesBy(by),
        *([RideHas("quiet")] if draw.random() < 0.5 else []),
        SeatIs("second"),
        OnDate(trip.first, others, scene.now),
    ]
    rides = Rides(scene.city, trip.there, [trip.first], seats=("first", "second"))
    pool = ride_pool(draw, rides, wanted, [trip.first, *others], valid=1, noise=scene.distractors)
    return with_all_products(pool)


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("early_train", ("delivery", "ota"), tell)
