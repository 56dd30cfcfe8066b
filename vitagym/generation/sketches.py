"""Sketches: providers and products while a world is being drawn, in facts that no language touches.

A *trait* is a yes-or-no fact (``"contains_peanut"``, ``"parking"``), a *fact* has a value (``minutes = 90``). What of
them an agent sees as a tag is written in ``assets/words/tags.toml``; a trait without an entry there is not shown as a
tag (the name shows it, or a field of its own does).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any

from vitagym.generation.spots import Spot
from vitagym.generation.terms import Term, word, words
from vitagym.world.times import distance_m


@dataclass(slots=True, kw_only=True)
class ProductSketch:
    """Something on sale.

    Attributes:
        name: What it is called.
        price: Yuan.
        fixed: Traits that come with what it is and cannot be taken away (a shrimp dumpling contains shellfish).
        traits: Further traits.
        facts: Facts with values.
        fields: Further fields of the public JSON shape, as they stand.
        id: Given by the scene when the world is laid out.
    """

    name: Term
    price: float
    fixed: frozenset[str] = frozenset()
    traits: set[str] = field(default_factory=set)
    facts: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    id: str = ""

    def has(self, trait: str) -> bool:
        """Return whether it has a trait, fixed or not."""
        return trait in self.fixed or trait in self.traits

    def copy(self) -> ProductSketch:
        """Return a copy that can be changed by itself."""
        return ProductSketch(
            name=self.name,
            price=self.price,
            fixed=self.fixed,
            traits=set(self.traits),
            facts=dict(self.facts),
            fields=dict(self.fields),
            id=self.id,
        )

    @property
    def tags(self) -> list[Term]:
        """What an agent sees of its traits and facts."""
        return tags([*sorted(self.fixed), *sorted(self.traits)], self.facts)


@dataclass(slots=True, kw_only=True)
class ProviderSketch:
    """A store, shop, hotel, attraction, flight or train.

    Attributes:
        kind: Which of these.
        at: Where it is: longitude, latitude (a flight or train: where it leaves from).
        spot: The same with its address; None until it is laid out, when a shop's address is made for it.
        score: Its rating.
        products: What it sells, in the order of the listing.
    """

    kind: str
    name: Term
    at: tuple[float, float]
    spot: Spot | None = None
    score: float = 4.5
    fixed: frozenset[str] = frozenset()
    traits: set[str] = field(default_factory=set)
    facts: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    products: list[ProductSketch] = field(default_factory=list)
    id: str = ""

    @property
    def where(self) -> Spot:
        """Its place, once it was laid out.

        Raises:
            ValueError: It was not.
        """
        if self.spot is None:
            raise ValueError(f"{self.kind} {self.name.en} was not laid out")
        return self.spot

    def has(self, trait: str) -> bool:
        """Return whether it has a trait, fixed or not."""
        return trait in self.fixed or trait in self.traits

    def metres_to(self, spot: Spot) -> int:
        """Return how far it is from a spot, in whole metres, as the agent's tool gives it."""
        return round(distance_m(*self.at, spot.longitude, spot.latitude))

    def copy(self) -> ProviderSketch:
        """Return a copy without products that can be changed by itself."""
        return replace(self, traits=set(self.traits), facts=dict(self.facts), fields=dict(self.fields), products=[])

    @property
    def tags(self) -> list[Term]:
        """What an agent sees of its traits and facts."""
        return tags([*sorted(self.fixed), *sorted(self.traits)], self.facts)


Sketch = ProductSketch | ProviderSketch


@dataclass(slots=True)
class Offer:
    """A product of a provider: what a requirement on offers looks at."""

    provider: ProviderSketch
    product: ProductSketch

    def part(self, level: str) -> Sketch:
        """Return its product or its provider."""
        return self.product if level == "product" else self.provider


def tags(traits: Iterable[str], facts: dict[str, Any]) -> list[Term]:
    """Return the tags of traits and facts, in their order; those without a word in ``tags.toml`` are left out."""
    table = _tags()
    shown = [table[trait] for trait in traits if trait in table]
    shown += [_of_fact(name, value) for name, value in facts.items() if name in table and value is not None]
    return shown


@cache
def _tags() -> Mapping[str, Term]:
    """Return trait or fact -> its tag, that of a fact with its value left open."""
    return {name: word(row) for name, row in words("tags").items()}


@lru_cache(maxsize=4096)
def _of_fact(name: str, value: Hashable) -> Term:
    return _tags()[name].fill(value=value)
