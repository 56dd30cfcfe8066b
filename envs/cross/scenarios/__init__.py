"""Scenario families that need several domains, each a module that tells one story."""

from vitagym.envs.cross.scenarios import (
    after_the_game,
    anniversary,
    aunt_in_hospital,
    before_the_ship,
    business_trip,
    child_birthday,
    concert_night,
    dinner_put_off,
    early_train,
    festival_home,
    moving_day,
    old_friend,
    parents_visit,
    team_event,
    trip_called_off,
    weekend_on_a_budget,
)
from vitagym.envs.ota.scenarios import shapes
from vitagym.generation.families import Family

__all__ = ["FAMILIES", "shapes"]
FAMILIES: tuple[Family, ...] = (
    after_the_game.FAMILY,
    anniversary.FAMILY,
    aunt_in_hospital.FAMILY,
    before_the_ship.FAMILY,
    business_trip.FAMILY,
    child_birthday.FAMILY,
    concert_night.FAMILY,
    dinner_put_off.FAMILY,
    early_train.FAMILY,
    festival_home.FAMILY,
    moving_day.FAMILY,
    old_friend.FAMILY,
    parents_visit.FAMILY,
    team_event.FAMILY,
    trip_called_off.FAMILY,
    weekend_on_a_budget.FAMILY,
)
