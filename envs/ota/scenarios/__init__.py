"""Scenario families of online travel, each a module that tells one story."""

from vitagym.envs.ota.scenarios import (
    hotel_stay,
    shapes,
    train_there_and_back,
)
from vitagym.generation.families import Family

__all__ = ["FAMILIES", "shapes"]
FAMILIES: tuple[Family, ...] = (
    hotel_stay.FAMILY,
    train_there_and_back.FAMILY,
)
