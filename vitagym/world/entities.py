"""What the world is made of: places, weather, providers and their products. All frozen.

A domain subclasses ``Provider`` and ``Product`` with the fields that its tools read. ``data`` is what an agent sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Place:
    """An address and where it is (degrees, longitude first)."""

    address: str
    longitude: float
    latitude: float

    def data(self) -> dict[str, Any]:
        """Return the place as an agent sees it."""
        return {"address": self.address, "longitude": self.longitude, "latitude": self.latitude}


@dataclass(frozen=True, slots=True)
class WeatherDay:
    """The weather of one city on one day; temperatures in °C, humidity in per cent."""

    city: str
    date: str
    category: str
    low: float
    high: float
    humidity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """Something that a provider sells.

    Attributes:
        id: Id of the product.
        provider_id: Id of its provider.
        name: What it is called: dish, voucher, room type, seat type or ticket type.
        price: Price of one, in yuan.
        quantity: How many there are to begin with; None where stock is not counted.
        date: The day it is for (``YYYY-MM-DD``), or None.
        data: The product as an agent sees it, quantity as at the start. Never a label such as "target".
    """

    id: str
    provider_id: str
    name: str
    price: float
    quantity: int | None = None
    date: str | None = None
    data: Mapping[str, Any]

    @property
    def key(self) -> str:
        """The key of its stock in a ledger."""
        return f"{self.provider_id}/{self.id}/{self.date or ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A store, shop, hotel, attraction, flight or train.

    Attributes:
        kind: Which of these (class attribute).
        id: Id of the provider.
        name: Name as shown.
        places: Where it is; a flight or train has two, departure first.
        products: What it sells, in stored order.
        data: The provider as an agent sees it, without its products. Never a label such as "target".
    """

    kind: ClassVar[str] = "provider"
    id: str
    name: str
    places: tuple[Place, ...]
    products: tuple[Product, ...]
    data: Mapping[str, Any]

    def product(self, product_id: str, date: str | None = None) -> Product | None:
        """Return its product of that id (and, where given, date), or None."""
        for product in self.products:
            if product.id == product_id and (date is None or product.date == date):
                return product
        return None
