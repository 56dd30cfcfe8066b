"""How a good agent orders a delivery: the steps of reference solutions, look-ups first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from vitagym.envs.delivery.tools import shipping_minutes
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer, ProductSketch, ProviderSketch
from vitagym.generation.speech import clock, day, money, stamp
from vitagym.generation.spots import Spot
from vitagym.generation.terms import Term, joined, phrase


@dataclass
class Basket:
    """An order to be placed.

    Attributes:
        products: What is ordered, with how many of each; all of one store.
        arrival: When it should arrive; None: as soon as it can.
        note: The note, or None.
    """

    store: ProviderSketch
    products: list[tuple[ProductSketch, int]]
    to: Spot
    arrival: datetime | None = None
    note: Term | None = None
    keywords: list[Term] = field(default_factory=list)

    @classmethod
    def of(cls, offer: Offer, count: int, to: Spot, **rest: object) -> Basket:
        """Return the order of one offer."""
        return cls(offer.provider, [(offer.product, count)], to, **rest)  # type: ignore[arg-type]

    @property
    def minutes(self) -> int:
        """Minutes on the way."""
        return shipping_minutes(self.store.metres_to(self.to))

    @property
    def total(self) -> float:
        """What it costs, in yuan."""
        return round(sum(product.price * count for product, count in self.products), 2)

    def dispatch(self, now: datetime) -> datetime:
        """Return when it has to go out."""
        return now if self.arrival is None else self.arrival - timedelta(minutes=self.minutes)

    def arrives(self, now: datetime) -> datetime:
        """Return when it arrives."""
        return self.dispatch(now) + timedelta(minutes=self.minutes)


def look_up_user(scene: Scene) -> None:
    """Read the user's profile and habits."""
    scene.call("get_user_historical_behaviors")


def look_up(scene: Scene, basket: Basket, after: Sequence[str] = ()) -> None:
    """Search for what is wanted, look at the store, and work out how long the way takes."""
    scene.call("delivery_product_search_recommand", keywords=basket.keywords, after=after)
    scene.call("get_delivery_store_info", store_id=basket.store.id)
    scene.call("address_to_longitude_latitude", address=basket.to.address)
    spot = basket.store.where
    scene.call(
        "longitude_latitude_to_distance",
        longitude1=spot.longitude,
        latitude1=spot.latitude,
        longitude2=basket.to.longitude,
        latitude2=basket.to.latitude,
    )
    scene.call("delivery_distance_to_time", distance=basket.store.metres_to(basket.to))


def place(scene: Scene, basket: Basket, binds: str, after: Sequence[str] = ()) -> None:
    """Place the order and pay for it."""
    more = {} if basket.note is None else {"note": basket.note}
    scene.call(
        "create_delivery_order",
        binds=binds,
        after=after,
        user_id=scene.person.user_id,
        store_id=basket.store.id,
        product_ids=[product.id for product, _ in basket.products],
        product_cnts=[count for _, count in basket.products],
        address=basket.to.address,
        dispatch_time=stamp(basket.dispatch(scene.now)),
        **more,
    )
    scene.call("pay_delivery_order", order_id=binds)


def report(scene: Scene, basket: Basket) -> Term:
    """Return how the order is reported: what, from where, how much, to where and when."""
    items = [phrase("reports", "delivery_items").fill(product=p.name, count=n) for p, n in basket.products]
    arrives = basket.arrives(scene.now)
    when = Term("{time} ({day})", "{day}{time}").fill(time=clock(arrives), day=day(arrives, scene.now))
    return phrase("reports", "delivery_ordered").fill(
        items=joined(items), store=basket.store.name, total=money(basket.total), address=basket.to.address, arrival=when
    )
