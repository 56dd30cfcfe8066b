"""Arrival times: the way from the store to the door counted in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from vitagym.dialogue.acts import Slot
from vitagym.envs.delivery.tools import BASE_MINUTES, MINUTES_PER_METRE, shipping_minutes
from vitagym.generation.record_requirements import Arrives
from vitagym.generation.requirement import Level, OfferRequirement, Purpose
from vitagym.generation.sketches import Offer
from vitagym.generation.spots import Spot, around
from vitagym.randomness import Stream
from vitagym.tasks.checks import Check


@dataclass
class ArrivesBy(OfferRequirement):
    """It arrives by a time: some stores are too far away, even when the order goes out at once."""

    latest: datetime
    now: datetime
    to: Spot
    kind: str = "arrives_by"
    level: Level = "provider"
    slot: Slot = Slot.TIME

    def values(self) -> dict[str, object]:
        """Return the deadline as people say it, and to the minute."""
        return self._window.values()

    def conveys(self) -> Mapping[str, Any]:
        """Say until when."""
        return self._window.conveys()

    def met_by(self, offer: Offer) -> bool:
        """Return whether it can be there in time."""
        return self.now + timedelta(minutes=shipping_minutes(offer.provider.metres_to(self.to))) <= self.latest

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Move the store near enough, with a few minutes to spare."""
        offer.provider.at = around(stream, self.to, 250, max(300.0, self._reach * 0.9))

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Move the store a little too far away."""
        offer.provider.at = around(stream, self.to, self._reach + 400, self._reach + 2500)

    def check(self, purpose: Purpose) -> Check:
        """Check when it arrives."""
        return self._window.check(purpose)

    @property
    def _reach(self) -> float:
        """How far away a store may be, in metres."""
        minutes = (self.latest - self.now).total_seconds() / 60
        return (minutes - BASE_MINUTES) / MINUTES_PER_METRE

    @property
    def _window(self) -> Arrives:
        return Arrives(None, self.latest, self.now, kind="arrives_by")


def around_time(time: datetime, now: datetime, minutes: int = 15) -> Arrives:
    """Return the requirement to arrive around a time."""
    slack = timedelta(minutes=minutes)
    return Arrives(time - slack, time + slack, now, said=time, kind="arrives_around")
