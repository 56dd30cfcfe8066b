"""Scenario families that need several domains, each a module that tells one story."""

from vitagym.envs.cross.scenarios import (
    before_the_ship,
    business_trip,
)
from vitagym.envs.ota.scenarios import shapes
from vitagym.generation.families import Family

__all__ = ["FAMILIES", "shapes"]
FAMILIES: tuple[Family, ...] = (
    before_the_ship.FAMILY,
    business_trip.FAMILY,
)
