"""Hotels, attractions, flights and trains with their dated products, read from the public JSON shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from vitagym.world.entities import Place, Product, Provider

_PRODUCT_FIELDS = ("product_id", "price", "quantity", "date")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hotel(Provider):
    """A hotel; its products are rooms, each for one night.

    Attributes:
        tags: What it is known for.
    """

    kind: ClassVar[str] = "hotel"
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attraction(Provider):
    """A sight; its products are tickets, each for one day.

    Attributes:
        description: What there is to see.
    """

    kind: ClassVar[str] = "attraction"
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Journey(Provider):
    """A flight or train; its products are seats, each for one day; its places are both ends, departure first."""

    departure_city: str
    arrival_city: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Flight(Journey):
    """A flight."""

    kind: ClassVar[str] = "flight"


@dataclass(frozen=True, slots=True, kw_only=True)
class Train(Journey):
    """A train."""

    kind: ClassVar[str] = "train"


PRODUCT_TYPE = {"hotel": "room_type", "attraction": "ticket_type", "flight": "seat_type", "train": "seat_type"}
"""Kind of provider -> the field that says what type of room, ticket or seat its product is."""


def read_providers(environment: Mapping[str, Any]) -> Iterator[Provider]:
    """Yield the hotels, attractions, flights and trains of an environment, in stored order."""
    for row in environment.get("hotels", {}).values():
        yield _hotel(row)
    for row in environment.get("attractions", {}).values():
        yield _attraction(row)
    for row in environment.get("flights", {}).values():
        yield _flight(row)
    for row in environment.get("trains", {}).values():
        yield _train(row)


def _hotel(row: Mapping[str, Any]) -> Hotel:
    return Hotel(
        id=row["hotel_id"],
        name=row["hotel_name"],
        places=(_place(row["location"]),),
        products=_products(row["hotel_id"], "hotel", row),
        data=_shown(row, ("hotel_id", "hotel_name", "score", "star_rating", "location", "tags")),
        tags=tuple(row.get("tags") or ()),
    )


def _attraction(row: Mapping[str, Any]) -> Attraction:
    fields = ("attraction_id", "attraction_name", "location", "description", "score", "opening_hours", "ticket_price")
    return Attraction(
        id=row["attraction_id"],
        name=row["attraction_name"],
        places=(_place(row["location"]),),
        products=_products(row["attraction_id"], "attraction", row),
        data=_shown(row, fields),
        description=row.get("description") or "",
    )


def _flight(row: Mapping[str, Any]) -> Flight:
    ends = ("departure_airport_location", "arrival_airport_location")
    return Flight(
        id=row["flight_id"],
        name=row["flight_number"],
        places=tuple(_place(row[end]) for end in ends),
        products=_products(row["flight_id"], "flight", row),
        data=_shown(row, ("flight_id", "flight_number", *_JOURNEY_FIELDS[:2], *ends, *_JOURNEY_FIELDS[2:])),
        departure_city=row["departure_city"],
        arrival_city=row["arrival_city"],
    )


def _train(row: Mapping[str, Any]) -> Train:
    ends = ("departure_station_location", "arrival_station_location")
    return Train(
        id=row["train_id"],
        name=row["train_number"],
        places=tuple(_place(row[end]) for end in ends),
        products=_products(row["train_id"], "train", row),
        data=_shown(row, ("train_id", "train_number", *_JOURNEY_FIELDS[:2], *ends, *_JOURNEY_FIELDS[2:])),
        departure_city=row["departure_city"],
        arrival_city=row["arrival_city"],
    )


_JOURNEY_FIELDS = ("departure_city", "arrival_city", "departure_time", "arrival_time", "tags")


def _products(provider_id: str, kind: str, row: Mapping[str, Any]) -> tuple[Product, ...]:
    type_field = PRODUCT_TYPE[kind]
    return tuple(
        Product(
            id=product["product_id"],
            provider_id=provider_id,
            name=product[type_field],
            price=float(product["price"]),
            quantity=int(product["quantity"]),
            date=product["date"],
            data=_shown(product, (*_PRODUCT_FIELDS, type_field)),
        )
        for product in row["products"]
    )


def _shown(row: Mapping[str, Any], fields: tuple[str, ...]) -> dict[str, Any]:
    return {field: row[field] for field in fields if field in row}


def _place(row: Mapping[str, Any]) -> Place:
    return Place(row["address"], float(row["longitude"]), float(row["latitude"]))
