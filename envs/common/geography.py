"""General tools on places, distances and weather."""

from __future__ import annotations

from typing import Annotated, Any

from vitagym.envs.common.conditions import (
    CITY,
    COORDINATES,
    DISTANCE,
    City,
    DateText,
    KnownAddress,
    Latitude,
    Longitude,
    known_place,
)
from vitagym.envs.common.listing import listing
from vitagym.tools.conditions import gives
from vitagym.tools.results import Refused
from vitagym.tools.tool import Kind, tool
from vitagym.world.geography import geography
from vitagym.world.times import distance_m
from vitagym.world.world import World

DistanceResult = Annotated[dict[str, Any], gives(DISTANCE)]
PlaceResult = Annotated[dict[str, Any], gives(COORDINATES)]
WeatherResult = Annotated[dict[str, Any], gives()]


@tool(Kind.GENERAL)
def longitude_latitude_to_distance(
    world: World, longitude1: Longitude, latitude1: Latitude, longitude2: Longitude, latitude2: Latitude
) -> DistanceResult:
    """Great-circle distance between two points, in whole metres."""
    return {"distance": round(distance_m(longitude1, latitude1, longitude2, latitude2))}


@tool(Kind.GENERAL)
def weather(world: World, address: City, date_start: DateText, date_end: DateText) -> WeatherResult:
    """Weather of the address's city on each day from one date to another, both included."""
    known = geography(world.catalogue)
    city = known.city(address)
    if city is None:
        raise Refused("unknown_city", fact=CITY.name, parameter="address", value=address)
    days = [
        {
            "city": day.city,
            "datetime": day.date,
            "category": day.category,
            "temperature": [day.low, day.high],
            "humidity": day.humidity,
        }
        for day in known.weather_of[city]
        if date_start <= day.date <= date_end
    ]
    return listing(world, weather=days)


@tool(Kind.GENERAL)
def address_to_longitude_latitude(world: World, address: KnownAddress) -> PlaceResult:
    """Coordinates of an address."""
    place = known_place(world, address)
    return {"longitude": place.longitude, "latitude": place.latitude}
