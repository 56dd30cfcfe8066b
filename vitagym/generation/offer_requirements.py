"""Requirements on what is on offer, for any domain: traits, facts, price, rating, distance, a certain provider."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from vitagym.dialogue.acts import Slot
from vitagym.generation.requirement import Level, OfferRequirement
from vitagym.generation.showing import shown
from vitagym.generation.sketches import Offer, ProviderSketch, tags
from vitagym.generation.speech import metres, money
from vitagym.generation.spots import Spot, around
from vitagym.generation.terms import Term
from vitagym.randomness import Stream
from vitagym.tasks.constraints import Sense

_FIRST_YEAR = 1900


@dataclass
class Has(OfferRequirement):
    """It has a trait (``word``: what people call that); ``rivals`` are traits that exclude it, taken to make it miss.

    With no rivals, what misses it simply lacks the trait.
    """

    kind: str
    trait: str
    word: Term
    rivals: tuple[str, ...] = ()
    level: Level = "product"
    slot: Slot = Slot.PRODUCT
    thinking: bool = True

    def values(self) -> dict[str, object]:
        """Return the word for the trait."""
        return {"trait": self.word}

    def conveys(self) -> Mapping[str, Any] | None:
        """Say what shows the trait."""
        words = shown(self.trait)
        return {"sense": Sense.SHOWS.value, "level": self.level, "words": words} if words else None

    def met_by(self, offer: Offer) -> bool:
        """Return whether it has the trait and none of its rivals."""
        part = offer.part(self.level)
        return part.has(self.trait) and not any(part.has(r) for r in self.rivals)

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Give it the trait."""
        del stream
        part = offer.part(self.level)
        part.traits.difference_update(self.rivals)
        part.traits.add(self.trait)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Put a rival in the trait's place."""
        part = offer.part(self.level)
        part.traits.discard(self.trait)
        if self.rivals and not any(part.has(r) for r in self.rivals):
            part.traits.add(stream.choice(self.rivals))


@dataclass
class Avoids(OfferRequirement):
    """It has none of some traits (an allergy, a dislike); ``word`` names what is avoided."""

    kind: str
    traits: tuple[str, ...]
    word: Term
    addable: tuple[str, ...] = ()
    level: Level = "product"
    slot: Slot = Slot.DIET
    thinking: bool = True

    def values(self) -> dict[str, object]:
        """Return what is avoided."""
        return {"avoided": self.word}

    def conveys(self) -> Mapping[str, Any]:
        """Say what shows that it has one of them."""
        words = [word for trait in self.traits for word in shown(trait)]
        return {"sense": Sense.SHOWS_NOT.value, "level": self.level, "words": words}

    def met_by(self, offer: Offer) -> bool:
        """Return whether it has none of them."""
        part = offer.part(self.level)
        return not any(part.has(t) for t in self.traits)

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Take away those that do not come with what it is."""
        del stream
        offer.part(self.level).traits.difference_update(self.traits)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Add one that can be added."""
        if self.addable:
            offer.part(self.level).traits.add(stream.choice(self.addable))


@dataclass
class Fact(OfferRequirement):
    """One of its facts is right; ``good`` and ``bad`` are values that do and do not do.

    Attributes:
        fact: Which fact.
        does: Whether a value does; None (the fact is missing) never does.
        shown: What its texts mention.
    """

    kind: str
    fact: str
    does: Callable[[Any], bool]
    good: Sequence[Any]
    bad: Sequence[Any]
    shown: Mapping[str, object]
    level: Level = "product"
    slot: Slot = Slot.OTHER
    thinking: bool = True

    def values(self) -> dict[str, object]:
        """Return what its texts mention."""
        return dict(self.shown)

    def conveys(self) -> Mapping[str, Any] | None:
        """Say what shows a right value, of those that there may be."""
        words = tags_of(self.fact, [value for value in _near((*self.good, *self.bad)) if self.does(value)])
        return {"sense": Sense.SHOWS.value, "level": self.level, "words": words}

    def met_by(self, offer: Offer) -> bool:
        """Return whether the fact is known and right."""
        value = offer.part(self.level).facts.get(self.fact)
        return value is not None and self.does(value)

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Set a value that does."""
        offer.part(self.level).facts[self.fact] = stream.choice(self.good)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Set a value that does not."""
        offer.part(self.level).facts[self.fact] = stream.choice(self.bad)


@dataclass
class PriceAtMost(OfferRequirement):
    """One of it costs at most so many yuan."""

    yuan: float
    kind: str = "price_at_most"
    slot: Slot = Slot.BUDGET

    def values(self) -> dict[str, object]:
        """Return the limit."""
        return {"price": money(self.yuan)}

    def conveys(self) -> Mapping[str, Any]:
        """Say the limit."""
        return {"sense": Sense.AT_MOST.value, "level": self.level, "field": "price", "number": self.yuan}

    def met_by(self, offer: Offer) -> bool:
        """Compare the price."""
        return offer.product.price <= self.yuan

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Make it cheap enough."""
        offer.product.price = float(round(self.yuan * (0.7 + 0.3 * stream.random())))

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Make it a little too dear."""
        offer.product.price = float(round(self.yuan * (1.08 + 0.3 * stream.random())) + 1)


@dataclass
class RatedAtLeast(OfferRequirement):
    """Its provider is rated so high at least."""

    score: float
    kind: str = "rated_at_least"
    late: ClassVar[bool] = True
    level: Level = "provider"
    slot: Slot = Slot.RATING

    def values(self) -> dict[str, object]:
        """Return the score."""
        return {"score": f"{self.score:g}"}

    def conveys(self) -> Mapping[str, Any]:
        """Say the score."""
        return {"sense": Sense.AT_LEAST.value, "level": self.level, "field": "score", "number": self.score}

    def met_by(self, offer: Offer) -> bool:
        """Compare the rating."""
        return offer.provider.score >= self.score

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Rate it high enough."""
        offer.provider.score = round(min(5.0, self.score + 0.1 * stream.below(4)), 1)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Rate it a little too low."""
        offer.provider.score = round(self.score - 0.1 * stream.between(1, 5), 1)


@dataclass
class Within(OfferRequirement):
    """Its provider lies within some metres of a place; ``place`` says what the place is called."""

    metres: int
    spot: Spot
    place: Term
    kind: str = "within"
    level: Level = "provider"
    slot: Slot = Slot.DISTANCE

    def values(self) -> dict[str, object]:
        """Return the distance and the place."""
        return {"distance": metres(self.metres), "place": self.place, "address": self.spot.address}

    def conveys(self) -> Mapping[str, Any]:
        """Say how far from where."""
        near = {"sense": Sense.NEAR.value, "level": self.level, "number": float(self.metres)}
        return {**near, "spot": self.spot, "place": self.place}

    def met_by(self, offer: Offer) -> bool:
        """Measure the distance."""
        return offer.provider.metres_to(self.spot) <= self.metres

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Move it near enough, with some metres to spare."""
        offer.provider.at = around(stream, self.spot, self.metres * 0.2, self.metres * 0.92)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Move it a little too far away."""
        offer.provider.at = around(stream, self.spot, self.metres * 1.12, self.metres * 1.9)


@dataclass
class AtProvider(OfferRequirement):
    """It is sold by a certain provider (``word``: what the person calls that; the rubric names it)."""

    provider: ProviderSketch
    word: Term
    kind: str = "at_provider"
    level: Level = "provider"
    slot: Slot = Slot.PROVIDER

    def values(self) -> dict[str, object]:
        """Return the provider's name, and what the person calls it."""
        return {"provider": self.provider.name, "called": self.word}

    def conveys(self) -> Mapping[str, Any]:
        """Say which provider."""
        return {"sense": Sense.SOLD_BY.value, "level": self.level, "provider": self.provider}

    def met_by(self, offer: Offer) -> bool:
        """Compare the provider."""
        return offer.provider is self.provider

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Sell it there."""
        del stream
        offer.provider = self.provider

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Nothing to do: an offer is drawn with a provider of its own."""


def tags_of(fact: str, values: Sequence[Any]) -> list[Term]:
    """Return the tags that show a fact, for some values."""
    return [tag for value in values for tag in tags((), {fact: value})]


def _near(values: Sequence[Any]) -> list[Any]:
    """Return values, and where they are years those some way before and after them: there may be such offers too."""
    years = [value for value in values if type(value) is int and value > _FIRST_YEAR]
    return list(range(min(years) - 12, max(years) + 13)) if years else sorted(set(values))
