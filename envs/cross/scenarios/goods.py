"""Goods that are delivered in stories across domains: what they are, and what is asked of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import Course
from vitagym.envs.cross.scenarios.tables import CrossTexts
from vitagym.generation.offer_requirements import Has
from vitagym.generation.sketches import Offer, ProductSketch
from vitagym.generation.terms import Term, word, words
from vitagym.randomness import Stream

_SIZED = ("adult_care", "baby_care")


@cache
def goods(key: str) -> Course:
    """Return the goods of that key, in the form of a course."""
    row = words("goods")["goods"][key]
    stores = tuple(word(store) for store in row["store"])
    return Course(key, word(row), Term("", row["unit"]), stores, tuple(row["items"]), "none")


def drawn(stream: Stream, key: str) -> ProductSketch:
    """Draw one of the goods; some come in sizes."""
    product = goods(key).dish(stream)
    if key in _SIZED:
        product.traits.add(stream.choice(tuple(words("goods")["sizes"])))
    return product


class Folds(CrossTexts, Has):
    """It can be folded: others of its kind stand in its place, or beside it."""

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Put one that folds in its place."""
        self._replace(offer, stream, folds=True)

    def deny(self, offer: Offer, stream: Stream) -> None:
        """Put one that does not fold in its place."""
        self._replace(offer, stream, folds=False)

    def _replace(self, offer: Offer, stream: Stream, *, folds: bool) -> None:
        rows = tuple(row for row in goods("walking_aid").dishes if ("folding" in row["fixed"]) == folds)
        offer.product = replace(goods("walking_aid"), dishes=rows).dish(stream)


class GoodsAre(CrossTexts, Has):
    """The goods have a trait."""


def of_size(size: str) -> Has:
    """Return the requirement that the goods are of a size."""
    sizes = words("goods")["sizes"]
    rivals = tuple(other for other in sizes if other != size)
    return GoodsAre("size", size, word(sizes[size]), rivals, slot=Slot.QUANTITY, thinking=False)


def folding() -> Has:
    """Return the requirement that something can be folded."""
    return Folds("folding", "folding", word(words("tags")["folding"]))
