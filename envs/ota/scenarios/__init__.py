"""Scenario families of online travel, each a module that tells one story."""

from vitagym.envs.ota.scenarios import (
    day_out,
    festival_trip,
    flight_home_moved,
    flight_put_off,
    hotel_stay,
    museum_day,
    night_train,
    plans_change,
    shapes,
    train_there_and_back,
    two_sights,
    usual_hotel,
)
from vitagym.generation.families import Family

__all__ = ["FAMILIES", "shapes"]
FAMILIES: tuple[Family, ...] = (
    day_out.FAMILY,
    festival_trip.FAMILY,
    flight_home_moved.FAMILY,
    flight_put_off.FAMILY,
    hotel_stay.FAMILY,
    museum_day.FAMILY,
    night_train.FAMILY,
    plans_change.FAMILY,
    train_there_and_back.FAMILY,
    two_sights.FAMILY,
    usual_hotel.FAMILY,
)
