"""Dishes and drinks: the courses of ``assets/words/food.toml``, and the requirements that people have of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from vitagym.dialogue.acts import Slot
from vitagym.generation.offer_requirements import Avoids, Has
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.sketches import Offer, ProductSketch
from vitagym.generation.terms import Term, word, words
from vitagym.randomness import Stream
from vitagym.tasks.constraints import Sense


@dataclass(frozen=True)
class Course:
    """A kind of food or drink.

    Attributes:
        key: Its key in the word list; also the trait of its dishes.
        name: What people call it.
        unit: The Chinese measure word.
        stores: Second words of the names of stores that make it.
        dishes: Its dishes as they stand in the word list.
        tastes: Which group of tastes its dishes come in: ``spice``, ``cup`` (sweetness and warmth), ``cake``, ``none``.
    """

    key: str
    name: Term
    unit: Term
    stores: tuple[Term, ...]
    dishes: tuple[Mapping[str, Any], ...]
    tastes: str

    @property
    def plain(self) -> Term:
        """What people call it, without an article: "rice bowl"."""
        return Term(self.name.en.removeprefix("a "), self.name.zh)

    def dish(self, stream: Stream) -> ProductSketch:
        """Draw one of its dishes, with a price and tastes of its own."""
        row = stream.choice(self.dishes)
        low, high = row["price"]
        product = ProductSketch(
            name=word(row),
            price=float(stream.between(low, high)),
            fixed=frozenset((self.key, *row["fixed"])),
        )
        for group in _GROUPS[self.tastes]:
            product.traits.add(stream.choice(tuple(tastes(group))))
        return product


_GROUPS: dict[str, tuple[str, ...]] = {
    "spice": ("spice",),
    "cup": ("sweet", "warmth"),
    "cake": ("sweet",),
    "none": (),
}


@cache
def course(key: str) -> Course:
    """Return the course of that key."""
    row = words("food")["courses"][key]
    return Course(
        key, word(row), Term("", row["unit"]), tuple(word(s) for s in row["store"]), tuple(row["dishes"]), row["tastes"]
    )


@cache
def tastes(group: str) -> Mapping[str, Term]:
    """Return a group of tastes that exclude one another: trait -> what people call it."""
    return {key: word(row) for key, row in words("food")["tastes"][group].items()}


def tasting(group: str, trait: str) -> Has:
    """Return the requirement of a taste: ``spice``, ``sweet``, ``warmth`` or ``size``."""
    kind, slot = _TASTE_KINDS[group]
    known = tastes(group)
    return Has(kind, trait, known[trait], rivals=tuple(t for t in known if t != trait), slot=slot)


_TASTE_KINDS = {
    "spice": ("taste", Slot.TASTE),
    "sweet": ("sweetness", Slot.TASTE),
    "warmth": ("warmth", Slot.TASTE),
    "size": ("portion", Slot.QUANTITY),
}


def diet(key: str) -> Avoids:
    """Return the requirement of a diet."""
    row = words("food")["diets"][key]
    return Avoids("diet", tuple(row["avoids"]), word(row), addable=tuple(row["addable"]))


def diet_profile(key: str) -> Term:
    """Return how the hidden profile writes a diet."""
    return word(words("food")["diets"][key]["profile"])


@dataclass
class OfCourse(OfferRequirement):
    """It is of a course; what misses it is of one of the ``others``."""

    wanted: Course
    others: tuple[Course, ...]
    kind: str = "course"
    slot: Slot = Slot.PRODUCT

    def values(self) -> dict[str, object]:
        """Return what people call it."""
        return {"course": self.wanted.name}

    def conveys(self) -> Mapping[str, Any]:
        """Say what its dishes are called."""
        return {
            "sense": Sense.SHOWS.value,
            "level": self.level,
            "words": [word(row) for row in self.wanted.dishes],
            "called": self.wanted.plain,
        }

    def met_by(self, offer: Offer) -> bool:
        """Return whether it is of the course."""
        return offer.product.has(self.wanted.key)

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Put a dish of the course in its place."""
        offer.product = self.wanted.dish(stream)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Put a dish of another course in its place, its tastes kept."""
        kept = offer.product.traits
        offer.product = stream.choice(self.others).dish(stream)
        offer.product.traits = set(kept)


@dataclass
class MadeWith(OfferRequirement):
    """It is a dish of a course that is made with something (a fixed trait of dishes), or of which it is the kind."""

    kind: str
    trait: str
    word: Term
    course: Course
    slot: Slot = Slot.PRODUCT
    thinking: bool = False

    def values(self) -> dict[str, object]:
        """Return what it is made with."""
        return {"trait": self.word}

    def conveys(self) -> Mapping[str, Any]:
        """Say what its dishes with that are called."""
        return {"sense": Sense.SHOWS.value, "level": self.level, "words": self._called(made=True), "called": self.word}

    def met_by(self, offer: Offer) -> bool:
        """Return whether it is made with it."""
        return offer.product.has(self.trait)

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Put such a dish in its place, its tastes kept."""
        self._replace(offer, stream, True)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Put another dish of the course in its place, its tastes kept."""
        self._replace(offer, stream, False)

    def _called(self, *, made: bool) -> list[Term]:
        return [word(row) for row in self.course.dishes if (self.trait in row["fixed"]) == made]

    def _replace(self, offer: Offer, stream: Stream, made: bool) -> None:
        rows = tuple(row for row in self.course.dishes if (self.trait in row["fixed"]) == made)
        kept = offer.product.traits
        offer.product = replace(self.course, dishes=rows).dish(stream)
        offer.product.traits = set(kept)


@dataclass
class SameDish(OfferRequirement):
    """It is a certain dish, by name."""

    dish: ProductSketch
    kind: str = "dish"

    def values(self) -> dict[str, object]:
        """Return the name of the dish."""
        return {"dish": self.dish.name}

    def conveys(self) -> Mapping[str, Any]:
        """Say what it is called."""
        return {"sense": Sense.SHOWS.value, "level": self.level, "words": [self.dish.name], "called": self.dish.name}

    def met_by(self, offer: Offer) -> bool:
        """Compare the names."""
        return offer.product.name == self.dish.name

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Put the dish in its place, at a price of its own."""
        price = offer.product.price
        offer.product = self.dish.copy()
        offer.product.price = round(self.dish.price + stream.between(-2, 3), 1) if price else self.dish.price

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Nothing to do: an offer is drawn with a dish of its own."""


def another_dish(stream: Stream, of: Course, than: ProductSketch) -> ProductSketch:
    """Draw a dish of a course with another name than one has."""
    return replace(of, dishes=tuple(row for row in of.dishes if word(row) != than.name)).dish(stream)


def store_names(stream: Stream, second: tuple[Term, ...]) -> Iterator[Term]:
    """Yield names for stores, each once, for as long as there are any; then they are drawn again.

    They tell nothing but what sort of store it is. The scene refuses to lay out two stores of one name.
    """
    names = list(_store_names(second))
    while True:
        for end in range(len(names), 0, -1):
            chosen = stream.below(end)
            names[chosen], names[end - 1] = names[end - 1], names[chosen]
            yield names[end - 1]


def a_store_name(stream: Stream, second: tuple[Term, ...]) -> Term:
    """Draw one name for a store."""
    return stream.choice(_store_names(second))


@cache
def _store_names(second: tuple[Term, ...]) -> tuple[Term, ...]:
    first = [word(row) for row in words("stores")["first"]]
    return tuple(Term(f"{a.en} {b.en}", f"{a.zh}{b.zh}") for a in first for b in second)
