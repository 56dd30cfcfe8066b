"""The same room again: a hotel where a person has booked before, and what may be taken for it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from vitagym.envs.ota.scenarios.hotels import Hotels, fill_up
from vitagym.envs.ota.scenarios.travel import Trip, sibling_pool, spread
from vitagym.generation.pools import Pool
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer


def draw_known_room(scene: Scene, trip: Trip, days: Sequence[date]) -> Offer:
    """Draw the room that the person knows, in a hotel with other rooms, on sale on some days."""
    hotels = Hotels(trip.addresses, trip.there.station.spot, [trip.first], beds=("king", "twin"))
    room = hotels(scene.stream)
    room.provider.products.append(room.product)
    fill_up([room.provider], trip.there, scene.stream, rooms=4)
    spread([room.provider], days, scene.stream, drift=0.08)
    return room


def rooms_like(scene: Scene, trip: Trip, room: Offer, night: Sequence[OfferRequirement], days: Sequence[date]) -> Pool:
    """Sort what the hotel sells, and hotels that sell the same, by what a night there has to be."""
    hotels = Hotels(trip.addresses, trip.there.station.spot, days[:1], used={room.provider.name.en})
    others = [hotels(scene.stream).provider for _ in range(1 + scene.distractors)]
    for other in others:
        other.products += [product.copy() for product in room.provider.products]
        for product in other.products:
            product.price = float(round(product.price * (0.8 + 0.3 * scene.stream.random())))
    every = Pool(night, noise=[Offer(p, p.products[0]) for p in (room.provider, *others)])
    return sibling_pool(every, night, room.provider)
