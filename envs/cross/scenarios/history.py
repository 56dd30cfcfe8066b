"""What lies behind a story across domains: trips that are over, vouchers used up, deliveries that came."""

from __future__ import annotations

from vitagym.envs.delivery.scenarios.stores import STORE, past_delivery
from vitagym.envs.instore.scenarios.shops import SHOP
from vitagym.envs.instore.scenarios.visiting import past_purchase as past_voucher
from vitagym.envs.ota.scenarios.past import add_past_trips, draw_travel_habits
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer
from vitagym.world.records import Status

_SAME_CITY_M = 40_000


def add_history(scene: Scene) -> None:
    """Add habits, and closed orders from before with providers of this world. Call it when all is laid."""
    draw_travel_habits(scene)
    add_past_trips(scene)
    draw = scene.stream
    for kind in (STORE, SHOP):
        known = [p for p in scene.providers if p.kind == kind and p.products]
        for provider in draw.sample(known, min(len(known), draw.between(1, 2))):
            offer = Offer(provider, draw.choice(provider.products))
            if kind == SHOP:
                status = draw.choice((Status.CONSUMED, Status.CANCELLED))
                past_voucher(scene, offer, days_ago=draw.between(20, 260), status=status.value)
            elif provider.metres_to(scene.person.home) < _SAME_CITY_M:
                past_delivery(scene, offer, days_ago=draw.between(20, 260))
