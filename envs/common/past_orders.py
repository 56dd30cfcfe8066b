"""How orders from before the episode are written when they are noise: closed long ago, and nobody speaks of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from vitagym.envs.delivery.tools import shipping_minutes
from vitagym.generation.past import register_past
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer
from vitagym.generation.speech import stamp

_TYPE_FIELD = {"hotel": "room_type", "attraction": "ticket_type", "flight": "seat_type", "train": "seat_type"}


def _delivered(scene: Scene, offer: Offer, days_ago: int) -> dict[str, Any]:
    created = scene.now - timedelta(days=days_ago, minutes=scene.filling.between(5, 200))
    minutes = shipping_minutes(offer.provider.metres_to(scene.person.home))
    return {
        **_closed(offer, stamp(created), "delivered"),
        "location": scene.person.home.data(),
        "dispatch_time": stamp(created),
        "shipping_time": minutes,
        "delivery_time": stamp(created + timedelta(minutes=minutes)),
        "products": [{**_line(offer), "name": offer.product.name, "attributes": ""}],
    }


def _used_in_shop(scene: Scene, offer: Offer, days_ago: int) -> dict[str, Any]:
    created = stamp(scene.now - timedelta(days=days_ago, minutes=scene.filling.between(5, 400)))
    return {
        **_closed(offer, created, "consumed"),
        "location": None,
        "dispatch_time": "",
        "shipping_time": 0,
        "delivery_time": "",
        "products": [{**_line(offer), "name": offer.product.name}],
    }


def _travelled(scene: Scene, offer: Offer, days_ago: int) -> dict[str, Any]:
    created = scene.now - timedelta(days=days_ago + 9, minutes=scene.filling.between(5, 400))
    used = scene.now - timedelta(days=days_ago)
    line = {**_line(offer), "date": used.date().isoformat(), _TYPE_FIELD[offer.provider.kind]: offer.product.name}
    return {**_closed(offer, stamp(created), "consumed"), "products": [line]}


def _closed(offer: Offer, created: str, status: str) -> dict[str, Any]:
    price = offer.product.price
    return {"note": "", "total_price": price, "create_time": created, "update_time": created, "status": status}


def _line(offer: Offer) -> dict[str, Any]:
    return {"product_id": offer.product.id, "price": offer.product.price, "quantity": 1}


register_past("store", "delivery", _delivered)
register_past("shop", "instore", _used_in_shop)
for _kind in _TYPE_FIELD:
    register_past(_kind, _kind, _travelled)
