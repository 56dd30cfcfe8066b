"""Parts that stories across domains share: a train there, a meal brought somewhere, a table near a place."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from vitagym.envs.common.dishes import OfCourse, course, diet
from vitagym.envs.cross.scenarios.tables import Tables, for_guests, settle_shops
from vitagym.envs.delivery.scenarios.stores import Kitchens
from vitagym.envs.instore.scenarios.shops import service, takes
from vitagym.envs.ota.scenarios.rides import RideHas, Rides, Route, SeatIs, TrainIs, ride_pool
from vitagym.envs.ota.scenarios.travel import ArrivesBy, OnDate, with_all_products
from vitagym.generation.addresses import Addresses
from vitagym.generation.geography import City, rail_km
from vitagym.generation.offer_requirements import RatedAtLeast, Within
from vitagym.generation.pools import Pool, draw_pool
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.spots import Spot
from vitagym.generation.terms import Term

TICKET = Term("", "张")
_COURSES = ("noodles", "rice_bowl", "rice_noodles", "porridge", "dumplings")
_SORTS = ("dim_sum", "western", "hot_pot")


def earliest_arrival(start: City, end: City) -> int:
    """Return when the first fast trains are there for certain, in minutes since midnight."""
    return 6 * 60 + round((rail_km(start, end) or 0) / 245 * 60 * 1.15) + 60


def draw_trains(scene: Scene, start: City, end: City, when: date, shown: Sequence[date], by: int) -> Pool:
    """Draw high-speed trains, of which one with a quiet coach is there in time, with second-class seats."""
    others = [day for day in shown if day != when]
    wanted: list[OfferRequirement] = [
        Route(start, end),
        TrainIs("G"),
        ArrivesBy(by),
        RideHas("quiet"),
        SeatIs("second"),
        OnDate(when, others, scene.now),
    ]
    rides = Rides(start, end, [when], seats=("first", "second"))
    pool = ride_pool(scene.stream, rides, wanted, [when, *others], valid=2, noise=scene.distractors)
    return with_all_products(pool)


def draw_meal(scene: Scene, addresses: Addresses, to: Spot, key: str, avoided: str) -> Pool:
    """Draw kitchens around a place whose dish is of a course, suits a diet and comes from a well-rated store."""
    wanted: list[OfferRequirement] = [
        OfCourse(course(key), tuple(course(other) for other in _COURSES if other != key)),
        diet(avoided),
        RatedAtLeast(scene.stream.choice((4.3, 4.4, 4.5))),
    ]
    pool = draw_pool(scene.stream, Kitchens(scene, to, course(key)), wanted, noise=scene.distractors)
    settle_shops(addresses, pool.providers)
    return pool


def draw_table(
    scene: Scene, addresses: Addresses, near: Spot, called: Term, reach: int, guests: Sequence[str]
) -> tuple[Pool, list[OfferRequirement]]:
    """Draw restaurants around a place, and what the one must have that is booked: some things for guests, a rating."""
    wanted: list[OfferRequirement] = [
        Within(reach, near, called),
        *(for_guests(trait) for trait in guests),
        RatedAtLeast(scene.stream.choice((4.3, 4.4, 4.5))),
    ]
    tables = Tables(scene, near, [service(key) for key in _SORTS])
    pool = draw_pool(scene.stream, tables, [*wanted, takes("bookings")], valid=1, noise=scene.distractors)
    settle_shops(addresses, pool.providers)
    return pool, wanted
