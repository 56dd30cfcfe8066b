"""Scenario families of the delivery domain, each a module that tells one story."""

from vitagym.envs.delivery.scenarios import (
    birthday_gift,
    child_supper,
    family_dinner,
    forgotten_note,
    meeting_moved,
    midnight_snack,
    office_lunch,
    rain_or_shine,
    team_lunch,
    the_usual,
    two_tables,
)
from vitagym.generation.families import Family

FAMILIES: tuple[Family, ...] = (
    office_lunch.FAMILY,
    the_usual.FAMILY,
    birthday_gift.FAMILY,
    two_tables.FAMILY,
    meeting_moved.FAMILY,
    rain_or_shine.FAMILY,
    family_dinner.FAMILY,
    forgotten_note.FAMILY,
    midnight_snack.FAMILY,
    child_supper.FAMILY,
    team_lunch.FAMILY,
)
