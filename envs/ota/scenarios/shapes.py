"""How hotels, attractions, flights and trains stand in an environment of the public JSON shape."""

from __future__ import annotations

from typing import Any

from vitagym.envs.ota.scenarios.hotels import AMENITIES
from vitagym.envs.ota.scenarios.rides import shown_times
from vitagym.envs.ota.scenarios.sights import description
from vitagym.envs.ota.scenarios.travel import hhmm, word_of
from vitagym.generation.shapes import Shape, register_shape
from vitagym.generation.sketches import ProductSketch, ProviderSketch
from vitagym.generation.terms import Term, words


def _hotel(hotel: ProviderSketch) -> dict[str, Any]:
    return {
        "hotel_id": hotel.id,
        "hotel_name": hotel.name,
        "score": hotel.score,
        "star_rating": hotel.facts["star"],
        "location": _location(hotel),
        "tags": [word_of("hotels", "amenities", trait) for trait in AMENITIES if hotel.has(trait)],
        "products": [_product(product, "room_type") for product in hotel.products],
    }


def _attraction(sight: ProviderSketch) -> dict[str, Any]:
    facts = sight.facts
    return {
        "attraction_id": sight.id,
        "attraction_name": sight.name,
        "location": _location(sight),
        "description": description(sight),
        "score": sight.score,
        "opening_hours": f"{hhmm(facts['opens'])}-{hhmm(facts['closes'])}",
        "ticket_price": facts["base"],
        "products": [_product(product, "ticket_type") for product in sight.products],
    }


def _flight(flight: ProviderSketch) -> dict[str, Any]:
    return {"flight_id": flight.id, "flight_number": flight.name, **_ride(flight, "airport", "flights")}


def _train(train: ProviderSketch) -> dict[str, Any]:
    return {"train_id": train.id, "train_number": train.name, **_ride(train, "station", "trains")}


def _ride(ride: ProviderSketch, terminal: str, section: str) -> dict[str, Any]:
    leaves, arrives = shown_times(ride)
    tags = [word_of(section, "tags", trait) for trait in words("travel")[section]["tags"] if ride.has(trait)]
    kind: list[Term] = [word_of("trains", "kinds", ride.facts["type"])] if section == "trains" else []
    return {
        "departure_city": ride.fields["origin"].name,
        "arrival_city": ride.fields["target"].name,
        f"departure_{terminal}_location": ride.fields["start"].spot.data(),
        f"arrival_{terminal}_location": ride.fields["end"].spot.data(),
        "departure_time": leaves,
        "arrival_time": arrives,
        "tags": [*kind, *tags],
        "products": [_product(product, "seat_type") for product in ride.products],
    }


def _product(product: ProductSketch, type_field: str) -> dict[str, Any]:
    return {
        "product_id": product.id,
        "price": product.price,
        "quantity": product.facts["left"],
        "date": product.facts["date"],
        type_field: product.name,
    }


def _location(provider: ProviderSketch) -> dict[str, Any]:
    return provider.where.data()


register_shape("hotel", Shape("hotels", _hotel))
register_shape("attraction", Shape("attractions", _attraction))
register_shape("flight", Shape("flights", _flight))
register_shape("train", Shape("trains", _train))
