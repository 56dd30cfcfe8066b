"""A trip falls through: train and hotel are cancelled, another trip stays, and supper comes home instead.

- **Who**: somebody who was to leave in a few days, has paid for it all, and will stay at home now.
- **What they want**: the train and the room of that trip cancelled, not those of another one; something to eat
  delivered home this evening.
- **How they say it**: what fell through at once, the other trip later; supper once all is cancelled. What they do not
  eat comes only when asked.
- **What satisfies it**: the two orders that belong to the trip, found by city and date; a dish for the evening.
- **What nearly does**: the orders of the other trip; a dish of another sort, with what they do not eat, from a store
  rated too low.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import OfCourse, course, diet, diet_profile
from vitagym.envs.cross.scenarios.history import add_history
from vitagym.envs.delivery.scenarios.arrival import around_time
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, place
from vitagym.envs.delivery.scenarios.ordering import report as delivery_report
from vitagym.envs.delivery.scenarios.stores import Kitchens
from vitagym.envs.ota.scenarios.buying import report, report_phrase
from vitagym.envs.ota.scenarios.hotels import Hotels, fill_up
from vitagym.envs.ota.scenarios.past import past_purchase
from vitagym.envs.ota.scenarios.rides import Rides, with_all_seats
from vitagym.envs.ota.scenarios.travel import another_city, spread
from vitagym.generation.addresses import Addresses
from vitagym.generation.calendar import a_day
from vitagym.generation.families import Family
from vitagym.generation.geography import City
from vitagym.generation.offer_requirements import RatedAtLeast
from vitagym.generation.people import draw_person
from vitagym.generation.pools import draw_pool
from vitagym.generation.record_requirements import DeliverTo, InStatus, Pieces, StaysAsItIs, TheExisting
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer
from vitagym.generation.speech import calendar_day, clock, money
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.randomness import Stream
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/cross_trip_called_off"
_DIETS = ("peanut", "cilantro", "shellfish", "egg", "fried")
_COURSES = ("porridge", "noodles", "dumplings", "rice_bowl", "rice_noodles")


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    avoided = draw.choice(_DIETS)
    scene.in_city()
    scene.person = draw_person(draw, scene.addresses, persona=scene.persona, diet=diet_profile(avoided))
    home = scene.person.home
    scene.places.append(home)
    scene.now = datetime.combine(a_day(draw), time(draw.between(9, 15), draw.below(60)))
    today = scene.now.date()
    supper = datetime.combine(today, time(draw.between(18, 19), draw.choice((0, 30))))
    dish = draw.choice(_COURSES)
    there = another_city(draw, scene.city, low=120, high=900)
    first, again = today + timedelta(days=draw.between(2, 6)), today + timedelta(days=draw.between(12, 25))
    scene.weather += [
        weather_day(draw, there, first + timedelta(days=n), draw.choice((Sky.DRY, Sky.RAIN))) for n in range(2)
    ]

    # What was there before: train and room of this trip, and of the next to the same city.
    trains = _trains(scene, there, [first, again])
    rooms = _rooms(scene, there, [first, again])
    # What they want.
    supper_is: list[OfferRequirement] = [
        OfCourse(course(dish), tuple(course(other) for other in _COURSES if other != dish)),
        diet(avoided),
        RatedAtLeast(draw.choice((4.3, 4.4, 4.5))),
    ]
    meals = draw_pool(draw, Kitchens(scene, home, course(dish)), supper_is, noise=scene.distractors)
    scene.lay([*(offer.provider for offer in (*trains, *rooms)), *meals.providers])
    ago = draw.between(3, 9)
    train_order = past_purchase(scene, _on(trains[0], first), days_ago=ago)
    hotel_order = past_purchase(scene, _on(rooms[0], first), days_ago=ago)
    next_train = past_purchase(scene, _on(draw.choice(trains), again), days_ago=draw.between(1, 2))
    next_hotel = past_purchase(scene, _on(draw.choice(rooms), again), days_ago=draw.between(1, 2))

    dates = {"city": there.name, "first": calendar_day(first), "again": calendar_day(again)}
    train, room = (_words(key).fill(**dates) for key in ("old_train", "old_room"))
    cancelled = InStatus(Meaning.CANCELLED, kind="cancelled")
    scene.goal("train", _words("train"), RecordKind.TRAIN, [TheExisting(train_order, train), cancelled])
    scene.goal("hotel", _words("hotel"), RecordKind.HOTEL, [TheExisting(hotel_order, room), cancelled])
    kept = [StaysAsItIs(next_train, _words("next_train").fill(**dates))]
    scene.goal("next_train", _words("train"), RecordKind.TRAIN, kept)
    kept = [StaysAsItIs(next_hotel, _words("next_room").fill(**dates))]
    scene.goal("next_hotel", _words("hotel"), RecordKind.HOTEL, kept)
    on_order = [
        DeliverTo(home, _words("home")),
        around_time(supper, scene.now),
        Pieces(1, course(dish).unit),
        InStatus(Meaning.PAID),
    ]
    scene.goal("supper", _words("supper"), RecordKind.DELIVERY, [*supper_is, *on_order], pool=meals)

    add_history(scene)

    # How they say it.
    trouble = draw.below(4)
    values = {
        **dates,
        "trouble": _words(f"trouble_{trouble}"),
        "trouble_told": _words(f"told_{trouble}"),
        "dish": course(dish).name,
        "unit": course(dish).unit,
        "supper": clock(supper),
        "score": supper_is[2].values()["score"],
        "avoided": supper_is[1].values()["avoided"],
    }
    also = (Slot.DESTINATION, Slot.DATE, Slot.HISTORY)
    scene.opening("need", saying(STORY, "need").fill(**values), also=also)
    scene.later("again", saying(STORY, "again").fill(**values), Slot.OTHER)
    before = scene.said()
    about = [_words("about_train"), _words("about_hotel")]
    wish = saying(STORY, "supper_wish").fill(**values)
    scene.when(EventKind.REPORTED, about, "supper_wish", wish, Slot.PRODUCT, also=(Slot.RATING, Slot.ADDRESS))
    scene.asked("diet", saying("requirements", "diet").fill(subject=_words("supper"), **values), Slot.DIET)

    # What a good agent does.
    scene.call("get_user_historical_behaviors")
    scene.call("get_user_all_orders", after=("need",))
    user = scene.person.user_id
    scene.call("cancel_train_order", order_id=train_order, user_id=user, after=before)
    scene.call("cancel_hotel_order", order_id=hotel_order, user_id=user)
    done = [
        report_phrase("cancelled").fill(what=what, total=money(_on(offers[0], first).product.price))
        for what, offers in ((train, trains), (room, rooms))
    ]
    report(scene, done)
    basket = Basket.of(meals.chosen, 1, home, arrival=supper, keywords=[course(dish).plain])
    look_up(scene, basket, after=("supper_wish", "diet"))
    place(scene, basket, "$supper")
    scene.tell(delivery_report(scene, basket), reports="done")


def _trains(scene: Scene, there: City, days: list[date]) -> list[Offer]:
    """Draw trains to the city that sell seats on some days."""
    rides = Rides(scene.city, there, days[:1], types=("G",), seats=("second",))
    offers = [rides(scene.stream) for _ in range(2)]
    for offer in offers:
        offer.provider.products.append(offer.product)
    with_all_seats([offer.provider for offer in offers], days[0], scene.stream)
    spread([offer.provider for offer in offers], days, scene.stream)
    return offers


def _rooms(scene: Scene, there: City, days: list[date]) -> list[Offer]:
    """Draw hotels of the city that sell rooms on some nights."""
    addresses = Addresses(Stream(scene.stream.below(1 << 30), "there"), there)
    hotels = Hotels(addresses, there.station.spot, days[:1], beds=("king", "twin"))
    offers = [hotels(scene.stream) for _ in range(2)]
    for offer in offers:
        offer.provider.products.append(offer.product)
        offer.provider.spot = addresses.house(offer.provider.at)
    fill_up([offer.provider for offer in offers], there, scene.stream, rooms=2)
    spread([offer.provider for offer in offers], days, scene.stream, drift=0.08)
    return offers


def _on(offer: Offer, day: date) -> Offer:
    """Return the same product on a day."""
    name, when = offer.product.name, day.isoformat()
    same = next(p for p in offer.provider.products if p.name == name and p.facts["date"] == when)
    return Offer(offer.provider, same)


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("trip_called_off", ("delivery", "ota"), tell)
