"""Shops and what they sell: how they are drawn and how they stand in an environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import a_store_name, store_names
from vitagym.generation.offer_requirements import Avoids, Fact, Has
from vitagym.generation.requirement import Level, OfferRequirement, Purpose
from vitagym.generation.scene import Scene
from vitagym.generation.shapes import Shape, register_shape
from vitagym.generation.sketches import Offer, ProductSketch, ProviderSketch
from vitagym.generation.speech import money, number
from vitagym.generation.spots import Spot, around
from vitagym.generation.terms import Term, phrase, word, words
from vitagym.randomness import Stream
from vitagym.rewards.checks import TotalAtMost
from vitagym.tasks.checks import Check
from vitagym.tasks.constraints import Sense

SHOP = "shop"
_ANY_DISTANCE_M = (300, 6_000)
_SMALL_TALK = ("group_buy", "quiet", "free_wifi", "good_service")
_CLOSING = ("21:00", "21:30", "22:00", "22:30", "23:00", "23:30")


@dataclass(frozen=True)
class Service:
    """What a kind of shop offers.

    Attributes:
        key: Its key in ``assets/words/services.toml``; also the trait of its packages.
        name: What people look for: "a massage", "a hot pot restaurant".
        wishes: Trait of packages -> what people call it.
        minutes, people: The values that its packages come in; empty: none.
    """

    key: str
    name: Term
    dining: bool
    shops: tuple[Term, ...]
    packages: tuple[Mapping[str, Any], ...]
    wishes: Mapping[str, Term]
    minutes: tuple[int, ...]
    people: tuple[int, ...]

    def package(self, stream: Stream) -> ProductSketch:
        """Draw one of its packages."""
        row = stream.choice(self.packages)
        low, high = row["price"]
        facts: dict[str, Any] = {}
        if self.minutes:
            facts["minutes"] = stream.choice(self.minutes)
        if self.people:
            facts["people"] = stream.choice(self.people)
        return ProductSketch(
            name=word(row),
            price=float(stream.between(low, high)),
            fixed=frozenset((self.key, *row["fixed"])),
            facts=facts,
            fields={"quantity": stream.between(4, 40)},
        )


@cache
def service(key: str) -> Service:
    """Return the service of that key."""
    row = words("services")["services"][key]
    return Service(
        key=key,
        name=word(row),
        dining=row["dining"],
        shops=tuple(word(s) for s in row["shop"]),
        packages=tuple(row["packages"]),
        wishes={trait: word(wish) for trait, wish in row["wishes"].items()},
        minutes=tuple(row["minutes"]),
        people=tuple(row["people"]),
    )


class Shops:
    """Draws shops of a service around a place, each with a package; ``closings``: when they close."""

    def __init__(self, scene: Scene, centre: Spot, offered: Service, closings: Sequence[str] = _CLOSING) -> None:
        self._closings = closings
        self._names = store_names(scene.stream, offered.shops)
        self._centre = centre
        self._year = scene.now.year
        self.service = offered

    def __call__(self, stream: Stream) -> Offer:
        """Draw an offer: a new shop and one of its packages."""
        return Offer(self.shop(stream), self.service.package(stream))

    def shop(self, stream: Stream) -> ProviderSketch:
        """Draw a new shop without products."""
        fee = stream.choice((0, 0, 10, 20, 30, 50))
        return ProviderSketch(
            kind=SHOP,
            name=next(self._names),
            at=around(stream, self._centre, *_ANY_DISTANCE_M),
            score=round(4.0 + 0.1 * stream.below(10), 1),
            fixed=frozenset((self.service.key,)),
            traits={*stream.sample(_SMALL_TALK, stream.below(3)), "takes_reservations", "takes_bookings"},
            facts={"since": self._year - stream.between(1, 12), "closes": stream.choice(self._closings)},
            fields={"book_price": fee, "dining": self.service.dining},
        )


def wished(kind: str, trait: str, of: Service) -> OfferRequirement:
    """Return the requirement that the package is of a kind that people wish for."""
    return Wished(kind, trait, of)


@dataclass
class Wished(OfferRequirement):
    """The package includes something (a fixed trait of packages)."""

    kind: str
    trait: str
    service: Service
    slot: Slot = Slot.PRODUCT
    thinking: bool = False

    def values(self) -> dict[str, object]:
        """Return what people call it."""
        return {"wish": self.service.wishes[self.trait]}

    def conveys(self) -> Mapping[str, Any]:
        """Say what the packages that include it are called."""
        words = [word(row) for row in self.service.packages if self.trait in row["fixed"]]
        wish = self.service.wishes[self.trait]
        return {"sense": Sense.SHOWS.value, "level": self.level, "words": words, "called": wish}

    def met_by(self, offer: Offer) -> bool:
        """Return whether the package includes it."""
        return offer.product.has(self.trait)

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Put such a package in its place, its values kept."""
        self._replace(offer, stream, True)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Put another package of the service in its place, its values kept."""
        self._replace(offer, stream, False)

    def _replace(self, offer: Offer, stream: Stream, made: bool) -> None:
        rows = tuple(row for row in self.service.packages if (self.trait in row["fixed"]) == made)
        kept = offer.product.facts
        offer.product = replace(self.service, packages=rows).package(stream)
        offer.product.facts = dict(kept)


@dataclass
class OfService(OfferRequirement):
    """The shop is of a kind; what misses it is of one of the ``others``."""

    wanted: Service
    others: tuple[Service, ...]
    kind: str = "service"
    level: Level = "provider"
    slot: Slot = Slot.PROVIDER
    thinking: bool = False

    def values(self) -> dict[str, object]:
        """Return what people look for."""
        return {"service": self.wanted.name}

    def conveys(self) -> Mapping[str, Any]:
        """Say what such shops call themselves."""
        return {
            "sense": Sense.MENTIONS.value,
            "level": self.level,
            "words": list(self.wanted.shops),
            "called": self.wanted.name,
        }

    def met_by(self, offer: Offer) -> bool:
        """Return whether the shop is of the kind."""
        return offer.provider.has(self.wanted.key)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Make it a shop of another kind, with another name and package."""
        other = stream.choice(self.others)
        offer.provider.fixed = frozenset((other.key,))
        offer.provider.name = a_store_name(stream, other.shops)
        offer.product = other.package(stream)


def amenity(trait: str, rivals: tuple[str, ...] = (), level: Level = "provider", kind: str = "amenity") -> Has:
    """Return the requirement that the shop has something; its words go by ``kind``."""
    return Has(kind, trait, word(words("services")["amenities"][trait]), rivals, level, Slot.FACILITY)


def welcomes_pets() -> Has:
    """Return the requirement that pets may come in."""
    return amenity("pets_welcome", kind="pets_allowed")


def has_parking() -> Has:
    """Return the requirement that parking is free there."""
    return amenity("parking", rivals=("paid_parking",), kind="has_parking")


def not_residential() -> Avoids:
    """Return the requirement that the shop is not in a residential building."""
    traits = ("residential",)
    return Avoids("not_residential", traits, Term.same(""), traits, "provider", Slot.FACILITY)


def usable_on_holidays() -> Avoids:
    """Return the requirement that the package can be used on public holidays."""
    traits = ("festival_only",)
    return Avoids("usable_on_holidays", traits, Term.same(""), traits, "product", Slot.DATE)


def lasting(minutes: int, of: Service) -> Fact:
    """Return the requirement that the package lasts so long at least."""
    return Fact(
        "lasts_at_least",
        "minutes",
        lambda value: value >= minutes,
        good=[m for m in of.minutes if m >= minutes],
        bad=[m for m in of.minutes if m < minutes],
        shown={"minutes": minutes},
        slot=Slot.DURATION,
    )


def for_so_many(people: int, of: Service) -> Fact:
    """Return the requirement that the package is for so many people."""
    return Fact(
        "package_for",
        "people",
        lambda value: value == people,
        good=[people],
        bad=[p for p in of.people if p != people],
        shown={"people": people, "count": number(people)},
        slot=Slot.PEOPLE,
        thinking=False,
    )


def established(years: int, year: int) -> Fact:
    """Return the requirement that the shop has existed for so many years; no shop is right on the line."""
    return Fact(
        "established",
        "since",
        lambda value: year - value > years,
        good=[year - years - n for n in range(1, 6)],
        bad=[year - n for n in range(1, years)],
        shown={"years": years, "count": number(years), "since": year - years},
        level="provider",
        slot=Slot.RATING,
    )


def open_until(time: str) -> Fact:
    """Return the requirement that the shop is open until a time of day (``HH:MM``) at least."""
    return Fact(
        "open_until",
        "closes",
        lambda value: value >= time,
        good=[c for c in _CLOSING if c >= time],
        bad=[c for c in _CLOSING if c < time],
        shown={"time": time},
        level="provider",
        slot=Slot.TIME,
    )


@dataclass
class FeeAtMost(OfferRequirement):
    """The booking fee is no more than so many yuan."""

    yuan: int
    kind: str = "book_fee_at_most"
    level: Level = "provider"
    slot: Slot = Slot.BUDGET

    def values(self) -> dict[str, object]:
        """Return the limit."""
        return {"price": money(self.yuan)}

    def conveys(self) -> Mapping[str, Any]:
        """Say the limit."""
        return {"sense": Sense.AT_MOST.value, "level": self.level, "field": "book_price", "number": float(self.yuan)}

    def met_by(self, offer: Offer) -> bool:
        """Compare the fee."""
        return bool(offer.provider.fields["book_price"] <= self.yuan)

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Lower the fee."""
        offer.provider.fields["book_price"] = stream.choice((0, 10, self.yuan))

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Raise the fee."""
        offer.provider.fields["book_price"] = self.yuan + stream.choice((10, 20))

    def check(self, purpose: Purpose) -> Check:
        """Compare the fee of the booking."""
        return TotalAtMost(record=purpose.record, yuan=self.yuan)


def takes(what: str) -> Has:
    """Return the requirement that the shop takes ``reservations`` or ``bookings``."""
    return Has(f"takes_{what}", f"takes_{what}", Term.same(""), (), "provider", Slot.OTHER)


def _shop(provider: ProviderSketch) -> dict[str, Any]:
    books, reserves = provider.has("takes_bookings"), provider.has("takes_reservations")
    products = [
        {
            "product_id": product.id,
            "name": product.name,
            "price": product.price,
            "shop_id": provider.id,
            "tags": product.tags,
            "quantity": product.fields["quantity"],
        }
        for product in provider.products
    ]
    return {
        "shop_id": provider.id,
        "shop_name": provider.name,
        "score": provider.score,
        "location": provider.where.data(),
        "tags": provider.tags,
        "enable_book": books,
        "book_price": float(provider.fields["book_price"]) if books else 0.0,
        "enable_reservation": reserves,
        "category": phrase("habits", "dining" if provider.fields["dining"] else "services"),
        "products": products,
    }


register_shape(SHOP, Shape("shops", _shop))
