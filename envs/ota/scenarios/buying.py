"""How a good agent looks up and buys rooms, tickets and seats: the steps of reference solutions, and their reports."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from vitagym.envs.ota.scenarios.rides import shown_times
from vitagym.generation.geography import City
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer, ProviderSketch
from vitagym.generation.speech import calendar_day, money
from vitagym.generation.spots import Spot
from vitagym.generation.terms import Term, phrase

_REPORTS = "travel_reports"
_CREATE = {
    "hotel": ("create_hotel_order", "hotel_id", "room_id"),
    "attraction": ("create_attraction_order", "attraction_id", "ticket_id"),
    "flight": ("create_flight_order", "flight_id", "seat_id"),
    "train": ("create_train_order", "train_id", "seat_id"),
}


def look_up_user(scene: Scene) -> None:
    """Read the user's profile and habits."""
    scene.call("get_user_historical_behaviors")


def look_up_weather(scene: Scene, city: City, days: Sequence[date], after: Sequence[str] = ()) -> None:
    """Read a city's weather on some days."""
    scene.call(
        "weather",
        address=city.name,
        date_start=days[0].isoformat(),
        date_end=days[-1].isoformat(),
        after=after,
    )


def look_up_hotels(scene: Scene, city: City, hotel: ProviderSketch, after: Sequence[str] = ()) -> None:
    """Search the hotels of a city and look at one of them."""
    scene.call("hotel_search_recommand", city_name=city.name, after=after)
    scene.call("get_ota_hotel_info", hotel_id=hotel.id)


def look_up_sights(
    scene: Scene, city: City, sight: ProviderSketch, keywords: Sequence[Term], after: Sequence[str] = ()
) -> None:
    """Search the sights of a city and look at one of them."""
    scene.call("attractions_search_recommend", city_name=city.name, key_words=list(keywords), after=after)
    scene.call("get_ota_attraction_info", attraction_id=sight.id)


def look_up_train(scene: Scene, train: ProviderSketch, when: date, after: Sequence[str] = ()) -> None:
    """Search the trains between two cities on a day and look at one of them."""
    scene.call(
        "train_ticket_search",
        departure=train.fields["origin"].name,
        destination=train.fields["target"].name,
        date=when.isoformat(),
        after=after,
    )
    scene.call("get_ota_train_info", train_id=train.id)


def look_up_flight(scene: Scene, flight: ProviderSketch, after: Sequence[str] = ()) -> None:
    """Search the flights between two cities and look at one of them."""
    scene.call(
        "flight_search_recommend",
        departure=flight.fields["origin"].name,
        destination=flight.fields["target"].name,
        after=after,
    )
    scene.call("get_ota_flight_info", flight_id=flight.id)


def measure(scene: Scene, spot: Spot, provider: ProviderSketch) -> None:
    """Work out how far a provider is from a place whose coordinates are known."""
    there = provider.where
    scene.call(
        "longitude_latitude_to_distance",
        longitude1=there.longitude,
        latitude1=there.latitude,
        longitude2=spot.longitude,
        latitude2=spot.latitude,
    )


def buy(scene: Scene, offer: Offer, binds: str, count: int = 1, *, after: Sequence[str] = (), pay: bool = True) -> None:
    """Order a room, ticket or seat, and pay for it."""
    kind = offer.provider.kind
    tool, provider_id, product_id = _CREATE[kind]
    more = {} if kind == "hotel" else {"date": offer.product.facts["date"], "quantity": count}
    ids = {provider_id: offer.provider.id, product_id: offer.product.id}
    scene.call(tool, binds=binds, after=after, user_id=scene.person.user_id, **ids, **more)
    if pay:
        scene.call(f"pay_{kind}_order", order_id=binds)


def bought(offer: Offer, count: int = 1) -> Term:
    """Return what was bought as a good agent reports it: provider, product, day, times, price."""
    values = {
        "provider": offer.provider.name,
        "product": offer.product.name,
        "count": count,
        "day": calendar_day(date.fromisoformat(offer.product.facts["date"])),
        "total": money(offer.product.price * count),
    }
    if offer.provider.kind in ("train", "flight"):
        leaves, arrives = shown_times(offer.provider)
        ends = {"start": offer.provider.fields["start"].name, "end": offer.provider.fields["end"].name}
        return phrase(_REPORTS, offer.provider.kind).fill(leaves=leaves, arrives=arrives, **ends, **values)
    return phrase(_REPORTS, offer.provider.kind).fill(**values)


def report(scene: Scene, done: Sequence[Term], after: Sequence[str] = ()) -> None:
    """Tell the user that things were bought."""
    scene.tell(all_bought(done), reports="done", after=after)


def all_bought(done: Sequence[Term]) -> Term:
    """Return the sentence that says that things were bought."""
    items = Term("; ".join(term.en for term in done), "；".join(term.zh for term in done))
    return phrase(_REPORTS, "done").fill(items=items)


def report_phrase(key: str) -> Term:
    """Return a text of ``assets/text/travel_reports.toml``."""
    return phrase(_REPORTS, key)
