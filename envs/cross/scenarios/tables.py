"""Tables in restaurants: how restaurants are drawn, what is asked of them, and how a good agent looks them up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vitagym.dialogue.acts import Slot
from vitagym.envs.instore.scenarios.shops import Service, Shops
from vitagym.generation.addresses import Addresses
from vitagym.generation.geography import City
from vitagym.generation.offer_requirements import Has
from vitagym.generation.record_requirements import InStatus
from vitagym.generation.requirement import OfferRequirement, Requirement
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer, ProviderSketch
from vitagym.generation.spots import Spot
from vitagym.generation.terms import Saying, Term, saying, sentences, word, words
from vitagym.randomness import Stream
from vitagym.rewards.checks import Meaning
from vitagym.tasks.constraints import Sense

TEXTS = "cross"


class CrossTexts:
    """Requirements whose texts stand with those of stories across domains."""

    kind: str

    @property
    def saying(self) -> Saying:
        """How it is said, told and put in a rubric."""
        return saying(TEXTS, self.kind)


class Tables:
    """Draws restaurants of some sorts around a place, each with a set menu.

    Args:
        sorts: The services drawn.
    """

    def __init__(self, scene: Scene, centre: Spot, sorts: Sequence[Service]) -> None:
        self._shops = [Shops(scene, centre, sort) for sort in sorts]

    def __call__(self, stream: Stream) -> Offer:
        """Draw one."""
        offer = stream.choice(self._shops)(stream)
        offer.provider.traits.update(stream.sample(GUESTS, stream.below(3)))
        return offer


GUESTS = tuple(words("goods")["guests"])


@dataclass
class Serves(CrossTexts, OfferRequirement):
    """The restaurant is of one sort; what misses it is of another sort that is drawn."""

    service: Service
    kind: str = "serves"
    level = "provider"
    slot: Slot = Slot.PROVIDER
    thinking: bool = False

    def values(self) -> dict[str, object]:
        """Return what people call it."""
        return {"service": self.service.name}

    def conveys(self) -> Mapping[str, Any]:
        """Say what such restaurants call themselves."""
        return {
            "sense": Sense.MENTIONS.value,
            "level": self.level,
            "words": list(self.service.shops),
            "called": self.service.name,
        }

    def met_by(self, offer: Offer) -> bool:
        """Compare the sort."""
        return offer.provider.has(self.service.key)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Nothing to do: the next one that is drawn may be of another sort."""


@dataclass
class ServesNot(CrossTexts, OfferRequirement):
    """The restaurant is not of a sort that somebody cannot eat at; ``word`` says what they cannot have."""

    service: Service
    word: Term
    kind: str = "serves_not"
    level = "provider"
    slot: Slot = Slot.DIET

    def values(self) -> dict[str, object]:
        """Return what people call the sort, and what cannot be had."""
        return {"service": self.service.name, "avoided": self.word}

    def conveys(self) -> Mapping[str, Any]:
        """Say what such restaurants call themselves."""
        return {"sense": Sense.MENTIONS_NOT.value, "level": self.level, "words": list(self.service.shops)}

    def met_by(self, offer: Offer) -> bool:
        """Compare the sort."""
        return not offer.provider.has(self.service.key)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Nothing to do: the next one that is drawn may be of that sort."""


def for_guests(trait: str) -> Has:
    """Return the requirement that the restaurant has something for certain guests."""
    return GuestsHave("guests", trait, word(words("goods")["guests"][trait]), level="provider", slot=Slot.FACILITY)


class GuestsHave(CrossTexts, Has):
    """The restaurant has something for certain guests."""

    @property
    def name(self) -> str:
        """Its name within a goal."""
        return f"has_{self.trait}"


def settle_shops(addresses: Addresses, providers: Sequence[ProviderSketch]) -> None:
    """Give shops and stores of a city addresses, where they have none yet."""
    for provider in providers:
        provider.spot = provider.spot or addresses.shop(provider.at)


def said_as(name: Term, city: City) -> Term:
    """Return how an agent looks up a named place that it only heard of: name and city."""
    return Term(f"{name.en}, {city.name.en}", f"{city.name.zh}{name.zh}")


def look_up_tables(
    scene: Scene, keywords: Sequence[Term], place: Term, near: Spot, shop: ProviderSketch, after: Sequence[str] = ()
) -> None:
    """Search restaurants, and work out how far one of them is from a place that is known by ``place``."""
    scene.call("instore_shop_search_recommend", keywords=list(keywords), after=after)
    scene.call("address_to_longitude_latitude", address=place)
    there = at(shop)
    scene.call(
        "longitude_latitude_to_distance",
        longitude1=there.longitude,
        latitude1=there.latitude,
        longitude2=near.longitude,
        latitude2=near.latitude,
    )


def fee_paid(shop: ProviderSketch) -> list[Requirement]:
    """Return the requirement that the booking fee is paid, where there is one."""
    return [InStatus(Meaning.PAID)] if shop.fields["book_price"] else []


def tell_done(scene: Scene, done: Sequence[Term]) -> None:
    """Report that things are arranged, each in a sentence of its own."""
    scene.tell(sentences(done), reports="done")


def at(shop: ProviderSketch) -> Spot:
    """Return where a shop is, once it has an address."""
    if shop.spot is None:
        raise ValueError(f"{shop.name.en} has no address yet")
    return shop.spot
