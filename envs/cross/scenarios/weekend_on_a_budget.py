"""A weekend for two in another city, all of it within one budget: train, hotel, dinner, a light show if there is one.

- **Who**: somebody in a couple who counts the money.
- **What they want**: two seats there in the morning, a room for one night near the station, a dinner package for two
  near the hotel, all of it together for no more than some yuan; tickets for a sight with a light show if there is any.
- **How they say it**: trip and budget at once, the parts in turn; the light show once hotel and train are booked.
- **What satisfies it**: the cheap ones among those that are right; where there is no light show, to hear so.
- **What nearly does**: what is right but too dear together; a train too late, another class; a hotel too far or without
  what they need; a package for one or of another sort; sights without a light show.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from vitagym.dialogue.acts import Slot
from vitagym.envs.cross.scenarios.history import add_history
from vitagym.envs.cross.scenarios.tables import CrossTexts, settle_shops, tell_done
from vitagym.envs.instore.scenarios.shops import Service, Shops, for_so_many, service, wished
from vitagym.envs.instore.scenarios.visiting import bought as package_bought
from vitagym.envs.instore.scenarios.visiting import buy as buy_package
from vitagym.envs.instore.scenarios.visiting import look_up as look_up_shop
from vitagym.envs.ota.scenarios.buying import (
    all_bought,
    bought,
    buy,
    look_up_hotels,
    look_up_sights,
    look_up_train,
    measure,
    report,
)
from vitagym.envs.ota.scenarios.hotels import Amenity, Hotels, fill_up, room_bed, stars_at_least
from vitagym.envs.ota.scenarios.rides import Rides, Route, SeatIs, TrainIs, ride_pool
from vitagym.envs.ota.scenarios.sights import OUTDOOR, SightHas, Sights, VisitorIs, with_all_tickets
from vitagym.envs.ota.scenarios.travel import (
    ArrivesBy,
    OnDate,
    Trip,
    on_day,
    plan_trip,
    spread,
    with_all_products,
)
from vitagym.generation.families import Family
from vitagym.generation.geography import rail_km
from vitagym.generation.offer_requirements import Within
from vitagym.generation.pools import CannotBuild, Pool, draw_pool
from vitagym.generation.record_requirements import InStatus, Pieces, SaysThereIsNone
from vitagym.generation.requirement import OfferRequirement, Purpose, Requirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import metres, money
from vitagym.generation.spots import Spot
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind, SpentAtMost
from vitagym.tasks.checks import Check
from vitagym.tasks.constraints import Sense
from vitagym.tasks.task import EventKind

STORY = "stories/cross_weekend_on_a_budget"
_BEDS = ("king", "twin", "suite")
_AMENITIES = ("gym", "laundry", "late_checkout", "front_desk")
_DINNERS = ("hot_pot", "dim_sum", "western")
_UNIT, _PACKAGE = Term("", "张"), Term("", "份")
_LEAST_SAVED = 25


@dataclass
class BudgetOfAll(CrossTexts, Requirement):
    """Train, hotel and dinner together cost no more than some yuan."""

    yuan: float
    records: tuple[RecordKind, ...] = (RecordKind.TRAIN, RecordKind.HOTEL, RecordKind.INSTORE)
    kind: str = "budget_of_all"
    slot: Slot = Slot.BUDGET

    def values(self) -> dict[str, object]:
        """Return the limit."""
        return {"price": money(self.yuan)}

    def conveys(self) -> Mapping[str, Any]:
        """Say the limit."""
        return {"sense": Sense.TOTAL.value, "number": self.yuan, "text": "all"}

    def check(self, purpose: Purpose) -> Check:
        """Add up what is spent."""
        return SpentAtMost(records=self.records, yuan=self.yuan)


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    trip = plan_trip(scene, km=(150, 700), families=("couple", "married"))
    days = trip.days()
    scene.weather += [weather_day(draw, trip.there, day, draw.choice((Sky.DRY, Sky.RAIN))) for day in days]
    others = [day for day in days if day != trip.first]

    # What they want: seats, a room, dinner …
    trains = _trains(scene, trip, others)
    near = 1000 * draw.between(2, 4)
    rooms = _rooms(scene, trip, near, others)
    hotel = rooms.chosen.provider
    menu = service(draw.choice(_DINNERS))
    close = draw.choice((800, 1000, 1500))
    dinners = _dinners(scene, menu, hotel.where, close)
    settle_shops(trip.addresses, dinners.providers)
    total = _total(trains, rooms, dinners)
    # … and a light show, if there is one.
    shown = draw.random() < 0.5
    sights = _sights(scene, trip, others, shown=shown)
    scene.lay([*trains.providers, *rooms.providers, *dinners.providers, *sights.providers])
    paid = InStatus(Meaning.PAID)
    seats = [*trains.requirements, Pieces(2, _UNIT), paid]
    scene.goal("train", _words("train"), RecordKind.TRAIN, seats, pool=trains)
    scene.goal("hotel", _words("hotel"), RecordKind.HOTEL, [*rooms.requirements, paid], pool=rooms)
    package = [*dinners.requirements, Pieces(1, _PACKAGE), paid, BudgetOfAll(total)]
    scene.goal("dinner", _words("dinner"), RecordKind.INSTORE, package, pool=dinners)
    if shown:
        tickets = [*sights.requirements, Pieces(2, _UNIT), paid]
        show = scene.goal("show", _words("tickets"), RecordKind.ATTRACTION, tickets, pool=sights)
    else:
        none = SaysThereIsNone(_words("light_show"), [("light show", "灯光秀")])
        show = scene.goal("show", _words("tickets"), RecordKind.ATTRACTION, [none])

    add_history(scene)

    # How they say it.
    values = {
        "origin": scene.city.name,
        "city": trip.there.name,
        "when": on_day(trip.first, scene.now),
        "total": money(total),
        "time": trains.requirements[2].values()["time"],
        "station": trip.there.station.name,
        "star": rooms.requirements[0].values()["star"],
        "bed": rooms.requirements[1].values()["value"],
        "amenity": rooms.requirements[2].values()["said"],
        "distance": metres(near),
        "place": menu.name,
        "wish": dinners.requirements[0].values()["wish"],
        "close": metres(close),
    }
    scene.opening("need", saying(STORY, "need").fill(**values), also=(Slot.DESTINATION, Slot.DATE, Slot.BUDGET))
    scene.later("train", saying(STORY, "train_wish").fill(**values), Slot.TIME, also=(Slot.ORIGIN, Slot.SEAT))
    scene.later("room", saying(STORY, "room").fill(**values), Slot.ROOM, also=(Slot.RATING, Slot.DISTANCE))
    scene.later("amenity", saying(STORY, "amenity_wish").fill(**values), Slot.FACILITY)
    scene.later("dinner", saying(STORY, "dinner_wish").fill(**values), Slot.PRODUCT, also=(Slot.PROVIDER,))
    scene.later("pay", saying(STORY, "pay"), Slot.OTHER)
    about = [_words("about_hotel"), _words("about_train")]
    two = [SightHas("lights"), VisitorIs("adult", trip.first), OnDate(trip.first, others, scene.now), Pieces(2, _UNIT)]
    scene.means("show_wish", show, *two, optional=True)
    wish = saying(STORY, "show_wish").fill(**values)
    scene.when(EventKind.REPORTED, about, "show_wish", wish, Slot.TICKET)

    # What a good agent does.
    scene.call("get_user_historical_behaviors")
    look_up_train(scene, trains.chosen.provider, trip.first, after=("need", "train"))
    station = trip.there.station
    scene.call("address_to_longitude_latitude", address=station.name)
    look_up_hotels(scene, trip.there, hotel)
    measure(scene, station.spot, hotel)
    look_up_shop(scene, dinners.chosen, menu.name, near=hotel.where, after=("dinner",))
    buy(scene, trains.chosen, "$train", 2, after=scene.said())
    buy(scene, rooms.chosen, "$room")
    buy_package(scene, dinners.chosen, "$dinner")
    done = [all_bought([bought(trains.chosen, 2), bought(rooms.chosen)]), package_bought(dinners.chosen)]
    tell_done(scene, done)
    seen = sights.chosen if shown else next(iter(sights.near.values()))
    look_up_sights(scene, trip.there, seen.provider, [_words("light_show")], after=("show_wish",))
    if shown:
        buy(scene, seen, "$show", 2)
        report(scene, [bought(seen, 2)])
    else:
        scene.tell(_words("no_show").fill(city=trip.there.name), reports="impossible")


def _trains(scene: Scene, trip: Trip, others: list[date]) -> Pool:
    on_the_way = round((rail_km(scene.city, trip.there) or 0) / 245 * 60 * 1.15)
    by = 60 * max(scene.stream.between(10, 12), -(-(6 * 60 + on_the_way + 60) // 60))
    wanted: list[OfferRequirement] = [
        Route(scene.city, trip.there),
        TrainIs("G"),
        ArrivesBy(by),
        SeatIs("second"),
        OnDate(trip.first, others, scene.now),
    ]
    rides = Rides(scene.city, trip.there, [trip.first], seats=("first", "second"))
    pool = ride_pool(scene.stream, rides, wanted, [trip.first, *others], valid=2, noise=scene.distractors)
    return _cheapest_first(with_all_products(pool))


def _rooms(scene: Scene, trip: Trip, near: int, others: list[date]) -> Pool:
    draw = scene.stream
    station = trip.there.station
    wanted: list[OfferRequirement] = [
        stars_at_least(draw.choice((3, 4))),
        room_bed("king", _BEDS),
        Amenity(draw.choice(_AMENITIES)),
        Within(near, station.spot, station.name),
        OnDate(trip.first, others, scene.now),
    ]
    hotels = Hotels(trip.addresses, station.spot, [trip.first], beds=_BEDS)
    pool = draw_pool(draw, hotels, wanted, valid=1, noise=scene.distractors)
    fill_up(pool.providers, trip.there, draw)
    spread(pool.providers, trip.days(), draw, drift=0.1)
    for hotel in pool.providers:
        hotel.spot = trip.addresses.house(hotel.at)
    return _cheapest_first(with_all_products(pool))


def _dinners(scene: Scene, menu: Service, hotel: Spot, close: int) -> Pool:
    draw = scene.stream
    wanted: list[OfferRequirement] = [
        wished("wish", draw.choice([w for w in menu.wishes if not all(w in p["fixed"] for p in menu.packages)]), menu),
        for_so_many(2, menu),
        Within(close, hotel, _words("the_hotel")),
    ]
    return _cheapest_first(draw_pool(draw, Shops(scene, hotel, menu), wanted, valid=2, noise=scene.distractors))


def _sights(scene: Scene, trip: Trip, others: list[date], *, shown: bool) -> Pool:
    """Draw sights, of which one has a light show, or none."""
    draw = scene.stream
    wanted: list[OfferRequirement] = [SightHas("lights")]
    if shown:
        wanted += [VisitorIs("adult", trip.first), OnDate(trip.first, others, scene.now)]
    sights = Sights(trip.addresses, [trip.first], sorts=OUTDOOR)
    pool = draw_pool(draw, sights, wanted, valid=1 if shown else 0, noise=scene.distractors)
    with_all_tickets(pool.providers, trip.days(), ("adult", "child", "student"))
    for sight in pool.providers:
        sight.spot = trip.addresses.place(sight.name, sight.at)
    return with_all_products(pool)


def _cheapest_first(pool: Pool) -> Pool:
    """Let the reference solution take the cheapest of what is right."""
    pool.valid.sort(key=lambda offer: offer.product.price)
    return pool


def _total(trains: Pool, rooms: Pool, dinners: Pool) -> float:
    """Return a budget that the cheapest of each keep to, and no dearer dinner does.

    Raises:
        CannotBuild: No dinner stands out as the cheapest.
    """
    least = 2 * trains.chosen.product.price + rooms.chosen.product.price + dinners.chosen.product.price
    saved = dinners.valid[1].product.price - dinners.chosen.product.price
    if saved < _LEAST_SAVED:
        raise CannotBuild("no price stands out")
    return float((least + saved * 0.6) // 10 * 10)


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("weekend_on_a_budget", ("instore", "ota"), tell)
