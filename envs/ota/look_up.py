"""Travel tools that look up hotels, attractions, flights and trains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from vitagym.envs.common.conditions import DateText, known_provider
from vitagym.envs.common.listing import listing
from vitagym.envs.ota.cities import cities, serves
from vitagym.envs.ota.conditions import (
    AttractionId,
    AttractionResult,
    AttractionsResult,
    CityName,
    FlightId,
    FlightResult,
    FlightsResult,
    HotelId,
    HotelResult,
    HotelsResult,
    TrainId,
    TrainResult,
    TrainsResult,
)
from vitagym.envs.ota.entities import Attraction, Hotel
from vitagym.tools.tool import Kind, tool
from vitagym.world.catalogue import Catalogue
from vitagym.world.entities import Provider
from vitagym.world.search import Index
from vitagym.world.world import World

MOST_RESULTS = 100


@tool(Kind.READ)
def get_ota_hotel_info(world: World, hotel_id: HotelId) -> HotelResult:
    """One hotel with its rooms."""
    return _whole(world, known_provider(world, "hotel", hotel_id))


@tool(Kind.READ)
def get_ota_attraction_info(world: World, attraction_id: AttractionId) -> AttractionResult:
    """One attraction with its tickets."""
    return _whole(world, known_provider(world, "attraction", attraction_id))


@tool(Kind.READ)
def get_ota_flight_info(world: World, flight_id: FlightId) -> FlightResult:
    """One flight with its seats."""
    return _whole(world, known_provider(world, "flight", flight_id))


@tool(Kind.READ)
def get_ota_train_info(world: World, train_id: TrainId) -> TrainResult:
    """One train with its seats."""
    return _whole(world, known_provider(world, "train", train_id))


@tool(Kind.READ)
def hotel_search_recommand(world: World, city_name: CityName, key_words: list[str] | None = None) -> HotelsResult:
    """Hotels of a city, best match first."""
    ranked = world.catalogue.built("hotel_index", _hotel_index).ranked(key_words or [])
    return listing(world, hotels=_shown(_in_city(world, city_name, ranked)))


@tool(Kind.READ)
def attractions_search_recommend(world: World, city_name: CityName, key_words: list[str]) -> AttractionsResult:
    """Attractions of a city, best match first."""
    ranked = world.catalogue.built("attraction_index", _attraction_index).ranked(key_words)
    return listing(world, attractions=_shown(_in_city(world, city_name, ranked)))


@tool(Kind.READ)
def flight_search_recommend(world: World, departure: CityName, destination: CityName) -> FlightsResult:
    """Flights from one city to another."""
    flights = world.catalogue.of_kind("flight").values()
    return listing(world, flights=_shown(f for f in flights if serves(world, f, departure, destination)))


@tool(Kind.READ)
def train_ticket_search(world: World, departure: CityName, destination: CityName, date: DateText) -> TrainsResult:
    """Trains from one city to another that sell seats for a date, each once."""
    trains = (
        train for train in world.catalogue.of_kind("train").values() if any(p.date == date for p in train.products)
    )
    return listing(world, trains=_shown(t for t in trains if serves(world, t, departure, destination)))


def _whole(world: World, provider: Provider) -> dict[str, Any]:
    stock = world.ledger.stock
    return {
        **provider.data,
        "products": [{**product.data, "quantity": stock(product)} for product in provider.products],
    }


def _shown(providers: Iterable[Provider]) -> list[Any]:
    return [provider.data for provider in providers]


def _in_city(world: World, city: str, ranked: Sequence[Provider]) -> list[Provider]:
    there = cities(world).addresses_in(city)
    return [one for one in ranked if one.places[0].address in there][:MOST_RESULTS]


def _hotel_index(catalogue: Catalogue) -> Index[Provider]:
    hotels = [one for one in catalogue.of_kind("hotel").values() if isinstance(one, Hotel)]
    return Index(hotels, [hotel.name + " ".join(hotel.tags) for hotel in hotels])


def _attraction_index(catalogue: Catalogue) -> Index[Provider]:
    sights = [one for one in catalogue.of_kind("attraction").values() if isinstance(one, Attraction)]
    return Index(sights, [",".join((sight.name, sight.description, sight.places[0].address)) for sight in sights])
