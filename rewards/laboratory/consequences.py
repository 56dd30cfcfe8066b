"""What follows from a change of a solution (too late, too dear), worked out from the generator's own plan of a task."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Protocol, runtime_checkable

from vitagym.domains import toolset
from vitagym.generation.drafts import Draft
from vitagym.generation.record_requirements import TotalWithin, WithProvider
from vitagym.generation.sketches import Offer, ProviderSketch
from vitagym.generation.speech import stamp
from vitagym.rewards.laboratory.structure import CannotTell, Deed, Structure
from vitagym.rewards.records import RecordKind
from vitagym.tasks.task import CallStep
from vitagym.world.times import distance_m, parse_time
from vitagym.world.world import World


@runtime_checkable
class _Budget(Protocol):
    """A requirement that several kinds of record together cost at most so many yuan."""

    yuan: float
    records: tuple[RecordKind, ...]


class Consequences:
    """Says which requirements a change misses besides the one that it is made for.

    Args:
        draft: What the task was made from.
        whole: Its solution, taken apart.
    """

    def __init__(self, draft: Draft, whole: Structure) -> None:
        self._whole, self._now = whole, draft.scene.now
        self._catalogue = whole.task.catalogue
        self._world = World(self._catalogue, toolset(whole.task.domains))
        self._stores = {provider.id: provider for provider in draft.scene.providers}
        self._prices = {product.id: product.price for p in draft.scene.providers for product in p.products}

    def elsewhere(self, deed: Deed, offer: Offer) -> set[str]:
        """Return the requirements of a certain provider that another one misses."""
        asked = ((i, r) for i, r in deed.requirements if isinstance(r, WithProvider))
        return {i for i, r in asked if r.provider is not offer.provider}

    def sent_from(self, deed: Deed, call: CallStep, store: ProviderSketch, address: str) -> tuple[str, set[str]]:
        """Return when an order has to go out to arrive when it did, and the times that it misses all the same.

        Args:
            deed: The order.
            call: How it was placed.
            store: The store that it comes from now.
            address: Where it goes now.
        """
        out = parse_time(call.arguments["dispatch_time"])
        if out is None:
            raise CannotTell(f"{call.arguments['dispatch_time']!r} is no time")
        before = self._stores[call.arguments["store_id"]]
        arrival = out + timedelta(minutes=self._minutes(before, call.arguments["address"]))
        way = timedelta(minutes=self._minutes(store, address))
        dispatch = max(self._now, arrival - way)
        return stamp(dispatch), {i for i, r in deed.requirements if _missed(r, dispatch + way)}

    def _minutes(self, store: ProviderSketch, address: str) -> int:
        """Return the minutes from a store to an address, as the agent's tool gives them."""
        place = next(p for p in self._catalogue.all_places if p.address == address)
        metres = round(distance_m(*store.at, place.longitude, place.latitude))
        result = self._world.call("delivery_distance_to_time", {"distance": metres})
        return int(result.data["minutes"])

    def too_dear(self, deed: Deed, before: Mapping[str, Any], after: Mapping[str, Any]) -> set[str]:
        """Return the limits on what is spent that are broken by ordering something else or more."""
        more = self.cost(after) - self.cost(before)
        missed = {i for i, r in deed.requirements if isinstance(r, TotalWithin) and self.cost(after) > r.yuan}
        return missed | self.over_budgets(deed, more)

    def over_budgets(self, deed: Deed, more: float) -> set[str]:
        """Return the limits on several records together that are broken when a deed costs so much more."""
        out = set()
        for rubric, limit in (pair for other in self._whole.deeds for pair in other.requirements):
            if isinstance(limit, _Budget) and deed.record in limit.records:
                spent = sum(self._spent(other) for other in self._whole.deeds if other.record in limit.records)
                out |= {rubric} if spent + more > limit.yuan else set()
        return out

    def _spent(self, deed: Deed) -> float:
        return 0.0 if deed.made is None else self.cost(self._whole.call(deed.made).arguments)

    def cost(self, arguments: Mapping[str, Any]) -> float:
        """Return what an order costs, in yuan; a booking or reservation nothing."""
        if "product_ids" in arguments:
            counted = zip(arguments["product_ids"], arguments["product_cnts"], strict=True)
            return sum((self._prices[product] * count for product, count in counted), 0.0)
        ids = [arguments[key] for key in ("product_id", "room_id", "ticket_id", "seat_id") if key in arguments]
        return sum((self._prices[product] for product in ids), 0.0) * int(arguments.get("quantity", 1))


def _missed(requirement: object, arrival: datetime) -> bool:
    """Return whether a time of arrival misses a requirement; one that is not about arrival is never missed."""
    earliest, latest = (getattr(requirement, end, None) for end in ("earliest", "latest"))
    early = isinstance(earliest, datetime) and arrival < earliest
    return early or (isinstance(latest, datetime) and arrival > latest)
