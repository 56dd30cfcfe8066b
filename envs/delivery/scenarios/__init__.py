"""Scenario families of the delivery domain, each a module that tells one story."""

from vitagym.envs.delivery.scenarios import office_lunch, the_usual
from vitagym.generation.families import Family

FAMILIES: tuple[Family, ...] = (office_lunch.FAMILY, the_usual.FAMILY)
