"""Spots: an address in both languages and where it is. Distances are metres, coordinates degrees, longitude first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from vitagym.generation.terms import Term
from vitagym.randomness import Stream
from vitagym.world.times import EARTH_RADIUS_M, distance_m


@dataclass(frozen=True, slots=True)
class Spot:
    """An address in both languages, and where it is."""

    address: Term
    longitude: float
    latitude: float

    def metres_to(self, other: Spot) -> int:
        """Return the distance as the agent's tool gives it: whole metres."""
        return round(distance_m(self.longitude, self.latitude, other.longitude, other.latitude))

    def data(self) -> dict[str, Any]:
        """Return it in the public JSON shape, its address still a term."""
        return {"address": self.address, "longitude": self.longitude, "latitude": self.latitude}


def moved(longitude: float, latitude: float, metres: float, bearing: float) -> tuple[float, float]:
    """Return the point that lies so many metres away in a direction (degrees from north), to six decimals."""
    turn = math.radians(bearing)
    north, east = metres * math.cos(turn), metres * math.sin(turn)
    lat = latitude + math.degrees(north / EARTH_RADIUS_M)
    lon = longitude + math.degrees(east / (EARTH_RADIUS_M * math.cos(math.radians(latitude))))
    return round(lon, 6), round(lat, 6)


def around(stream: Stream, centre: Spot, low: float, high: float) -> tuple[float, float]:
    """Draw a point between ``low`` and ``high`` metres from a spot."""
    return moved(centre.longitude, centre.latitude, low + (high - low) * stream.random(), 360 * stream.random())
