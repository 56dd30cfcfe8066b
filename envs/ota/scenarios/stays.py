"""A night in a hotel as one part of a longer story: how it is drawn, spoken of and looked up."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from vitagym.dialogue.acts import Slot
from vitagym.envs.ota.scenarios.buying import look_up_hotels, measure
from vitagym.envs.ota.scenarios.hotels import (
    Amenity,
    Hotels,
    breakfast_included,
    fill_up,
    room_bed,
    stars_at_least,
)
from vitagym.envs.ota.scenarios.travel import OnDate, spread, with_all_products
from vitagym.generation.addresses import Addresses
from vitagym.generation.geography import City
from vitagym.generation.offer_requirements import Within
from vitagym.generation.pools import Pool, draw_pool
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import metres
from vitagym.generation.spots import Spot
from vitagym.generation.terms import Term, saying

STORY = "stories/ota_stay"
_BEDS = ("king", "twin", "suite")
_AMENITIES = ("gym", "laundry", "parking", "late_checkout", "front_desk", "charging")


def draw_stay(
    scene: Scene,
    addresses: Addresses,
    near: Spot,
    called: Term,
    night: date,
    shown: Sequence[date],
    *,
    bed: str = "king",
    breakfast: bool = True,
    amenity: str | None = None,
) -> Pool:
    """Draw the hotels around a place, and what a room for one night there has to be.

    Args:
        scene: The scene.
        addresses: Addresses of the city.
        near: The place, and ``called`` what people call it.
        night: The night.
        shown: All nights that rooms are on sale for.
        bed: What they sleep in: ``king``, ``twin`` or ``suite``.
        breakfast: Whether breakfast has to be included.
        amenity: What the hotel has to have; None: something drawn.
    """
    draw = scene.stream
    wanted: list[OfferRequirement] = [
        stars_at_least(draw.choice((3, 4, 4))),
        room_bed(bed, _BEDS),
        *([breakfast_included()] if breakfast else []),
        Within(500 * draw.between(2, 6), near, called),
        Amenity(amenity or draw.choice(_AMENITIES)),
        OnDate(night, [other for other in shown if other != night], scene.now),
    ]
    hotels = Hotels(addresses, near, [night], beds=_BEDS)
    pool = draw_pool(draw, hotels, wanted, valid=1, noise=scene.distractors)
    fill_up(pool.providers, addresses.city, draw)
    spread(pool.providers, shown, draw, drift=0)
    for hotel in pool.providers:
        hotel.spot = addresses.house(hotel.at)
    return with_all_products(pool)


def stay_values(pool: Pool) -> dict[str, object]:
    """Return what is said of a stay: stars, bed, amenity, distance, and ``stay_with_breakfast``."""
    out: dict[str, object] = {}
    for requirement in pool.requirements:
        values = requirement.values()
        if requirement.kind == "stars_at_least":
            out["stars"] = values["star"]
        elif requirement.kind == "room_bed":
            out["bed"] = values["value"]
        elif requirement.kind == "amenity":
            out["amenity"] = values["said"]
        elif isinstance(requirement, Within):
            out |= {"reach": metres(requirement.metres), "near": requirement.place}
    return out


def say_stay(scene: Scene, pool: Pool, night: Term) -> None:
    """Add the points in which a person speaks of a stay: where and when, the room, what comes with it."""
    values = {**stay_values(pool), "night": night}
    scene.later("stay", saying(STORY, "stay").fill(**values), Slot.DISTANCE, also=(Slot.DURATION, Slot.ADDRESS))
    scene.later("stay_room", saying(STORY, "room").fill(**values), Slot.ROOM, also=(Slot.RATING,))
    breakfast = any(r.kind == "room_breakfast" for r in pool.requirements)
    with_it = saying(STORY, "comforts" if breakfast else "comfort").fill(**values)
    scene.later("stay_with", with_it, Slot.FACILITY)
    for goal in scene.goals:
        if goal.pool is pool:
            scene.means("stay_with", goal, *(r for r in pool.requirements if r.name == "room_breakfast"))


def look_up_stay(scene: Scene, city: City, pool: Pool, near: Spot, after: Sequence[str] = ()) -> None:
    """Search the hotels, look at one, and measure how far it is from the place."""
    hotel = pool.chosen.provider
    scene.call("address_to_longitude_latitude", address=near.address, after=after)
    look_up_hotels(scene, city, hotel)
    measure(scene, near, hotel)
