"""How a good agent buys vouchers, books tables and reserves visits: the steps of reference solutions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer, ProviderSketch
from vitagym.generation.speech import clock, day, money, stamp
from vitagym.generation.spots import Spot
from vitagym.generation.terms import Term, phrase


def look_up_user(scene: Scene) -> None:
    """Read the user's profile and habits."""
    scene.call("get_user_historical_behaviors")


def look_up(scene: Scene, offer: Offer, keyword: Term, near: Spot | None = None, after: Sequence[str] = ()) -> None:
    """Search for shops and packages, and measure how far the shop is from a place."""
    scene.call("instore_shop_search_recommend", keywords=[keyword], after=after)
    scene.call("instore_product_search_recommend", keywords=[offer.product.name])
    spot = offer.provider.spot
    if near is None or spot is None:
        return
    scene.call("address_to_longitude_latitude", address=near.address)
    scene.call(
        "longitude_latitude_to_distance",
        longitude1=spot.longitude,
        latitude1=spot.latitude,
        longitude2=near.longitude,
        latitude2=near.latitude,
    )


def buy(scene: Scene, offer: Offer, binds: str, count: int = 1, after: Sequence[str] = ()) -> None:
    """Buy a package and pay for it."""
    scene.call(
        "create_instore_product_order",
        binds=binds,
        after=after,
        user_id=scene.person.user_id,
        shop_id=offer.provider.id,
        product_id=offer.product.id,
        quantity=count,
    )
    scene.call("pay_instore_order", order_id=binds)


def book(
    scene: Scene, shop: ProviderSketch, time: datetime, people: int, binds: str, after: Sequence[str] = ()
) -> None:
    """Book a table, and pay the fee where there is one."""
    scene.call(
        "instore_book",
        binds=binds,
        after=after,
        user_id=scene.person.user_id,
        shop_id=shop.id,
        time=stamp(time),
        customer_count=people,
    )
    if shop.fields["book_price"]:
        scene.call("pay_instore_book", book_id=binds)


def reserve(
    scene: Scene, shop: ProviderSketch, time: datetime, people: int, binds: str, after: Sequence[str] = ()
) -> None:
    """Reserve a visit."""
    scene.call(
        "instore_reservation",
        binds=binds,
        after=after,
        user_id=scene.person.user_id,
        shop_id=shop.id,
        time=stamp(time),
        customer_count=people,
    )


def bought(offer: Offer, count: int = 1) -> Term:
    """Return how a purchase is reported."""
    return phrase("reports", "voucher_bought").fill(
        count=count, product=offer.product.name, shop=offer.provider.name, total=money(offer.product.price * count)
    )


def booked(scene: Scene, shop: ProviderSketch, time: datetime, people: int) -> Term:
    """Return how a table booking is reported."""
    key = "table_booked" if shop.fields["book_price"] else "table_booked_free"
    fee = money(float(shop.fields["book_price"]))
    return phrase("reports", key).fill(shop=shop.name, people=people, fee=fee, **_when(scene, time))


def reserved(scene: Scene, shop: ProviderSketch, time: datetime, people: int) -> Term:
    """Return how a reservation is reported."""
    return phrase("reports", "visit_reserved").fill(shop=shop.name, people=people, **_when(scene, time))


def moved(scene: Scene, shop: ProviderSketch, time: datetime, people: int) -> Term:
    """Return how a moved reservation is reported."""
    return phrase("reports", "visit_moved").fill(shop=shop.name, people=people, **_when(scene, time))


def past_purchase(scene: Scene, offer: Offer, *, days_ago: int, status: str = "paid", count: int = 1) -> str:
    """Put a voucher bought before the episode into the world, and return the order's id."""
    created = stamp(scene.now - timedelta(days=days_ago, minutes=scene.stream.between(10, 400)))
    return scene.past_order(
        "instore",
        offer.provider,
        {
            "note": "",
            "location": None,
            "dispatch_time": "",
            "shipping_time": 0,
            "delivery_time": "",
            "total_price": offer.product.price * count,
            "create_time": created,
            "update_time": created,
            "status": status,
            "products": [
                {
                    "product_id": offer.product.id,
                    "name": offer.product.name,
                    "price": offer.product.price,
                    "quantity": count,
                }
            ],
        },
    )


def past_reservation(scene: Scene, shop: ProviderSketch, time: datetime, people: int, days_ago: int) -> str:
    """Put a reservation made before the episode into the world, and return its id."""
    row: dict[str, Any] = {
        "reservation_time": stamp(time),
        "customer_count": people,
        "status": "unconsumed",
        "update_time": stamp(scene.now - timedelta(days=days_ago, minutes=scene.stream.between(10, 400))),
    }
    return scene.past_visit("reservations", shop, row)


def _when(scene: Scene, time: datetime) -> dict[str, Term]:
    return {"day": day(time, scene.now), "time": clock(time)}
