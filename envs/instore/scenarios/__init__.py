"""Scenario families of the in-store domain, each a module that tells one story."""

from vitagym.envs.instore.scenarios import (
    after_work,
    class_moved,
    evening_for_two,
    holiday_match,
    or_skip,
    table_first,
    two_appointments,
    unused_voucher,
    weather_permitting,
    with_the_dog,
)
from vitagym.generation.families import Family

FAMILIES: tuple[Family, ...] = (
    after_work.FAMILY,
    table_first.FAMILY,
    weather_permitting.FAMILY,
    evening_for_two.FAMILY,
    or_skip.FAMILY,
    unused_voucher.FAMILY,
    with_the_dog.FAMILY,
    two_appointments.FAMILY,
    holiday_match.FAMILY,
    class_moved.FAMILY,
)
