"""Requirements: one object gives what the user says, the rubric's sentence, the typed check and the near-misses.

``Requirement`` is about the record that an agent makes (address, time, note …). ``OfferRequirement`` is about what is
on offer; it can also make an offer meet it or miss it, which is how distractors come to miss exactly one constraint.
The texts of a kind of requirement stand in ``assets/text/requirements.toml``; its numbers and names come from
``values`` both in what is said and in what is checked, so that the two cannot disagree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from vitagym.dialogue.acts import Slot
from vitagym.generation.sketches import Offer
from vitagym.generation.terms import Saying, saying
from vitagym.randomness import Stream
from vitagym.rewards.checks import Includes, Provided, RecordKind
from vitagym.tasks.checks import Check

Level = Literal["product", "provider"]


@dataclass(frozen=True)
class Purpose:
    """What a check is made for: the record of one goal, and the offers it chooses among.

    Attributes:
        record: Kind of the record.
        offers: The offers in question.
    """

    record: RecordKind
    offers: Sequence[Offer] = ()


class Requirement(ABC):
    """One atomic requirement.

    Attributes:
        kind: Its key in ``assets/text/requirements.toml``.
        slot: What a question that it answers is about.
        thinking: Whether it needs a look-up, a calculation or an inference (a reasoning point).
    """

    kind: str
    slot: Slot = Slot.OTHER
    thinking: bool = True

    def values(self) -> dict[str, object]:
        """Return what its texts mention."""
        return {}

    @property
    def name(self) -> str:
        """Its name within a goal: the part of a rubric's id."""
        return self.kind

    @property
    def saying(self) -> Saying:
        """How it is said, told and put in a rubric; the rubric still has its ``{subject}``."""
        return saying("requirements", self.kind)

    @abstractmethod
    def check(self, purpose: Purpose) -> Check:
        """Return the typed check of it."""

    def conveys(self) -> Mapping[str, Any] | None:
        """Return what it says as fields of ``vitagym.tasks.constraints.Constraint``, texts still terms.

        A place stands under ``spot`` (and what it is called under ``place``), a provider under ``provider``: what of
        them was said is seen once the point is known that says it. None: nobody says it (it goes without saying, or
        the agent finds out).
        """
        return None


class OfferRequirement(Requirement):
    """A requirement on what is chosen.

    Attributes:
        level: Whether it is about the product or its provider; then it looks at nothing but the provider.
        late: Whether a provider can still be made to miss it once its address, names and menus stand.
    """

    level: Level = "product"
    late: ClassVar[bool] = False

    @abstractmethod
    def met_by(self, offer: Offer) -> bool:
        """Return whether an offer meets it."""

    def grant(self, offer: Offer, stream: Stream) -> None:
        """Change an offer so that it meets this (where that can be done)."""

    @abstractmethod
    def deny(self, offer: Offer, stream: Stream) -> None:
        """Change an offer so that it misses this, and nothing else if possible."""

    def check(self, purpose: Purpose) -> Check:
        """Return the check that the record has products (or a provider) that meet this, and none of those that miss."""
        if self.level == "provider":
            of_each = {id(offer.provider): offer for offer in purpose.offers}.values()
            ids = _unique(offer.provider.id for offer in of_each if self.met_by(offer))
            return Provided(record=purpose.record, ids=ids)
        ids = _unique(offer.product.id for offer in purpose.offers if self.met_by(offer))
        if purpose.record is not RecordKind.DELIVERY:  # No other order holds several products.
            return Includes(record=purpose.record, ids=ids)
        missed = _unique(offer.product.id for offer in purpose.offers if offer.product.id not in ids)
        return Includes(record=purpose.record, ids=ids, none_of=missed)


def _unique(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))
