"""Checks on what must not have happened to the records. They never pay by themselves.

The judge counts each as met only while the positive rubrics of its goal (with no goal: of the whole task) are met.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from vitagym.rewards.records import RecordKind, amount_of, is_live, kind_of
from vitagym.tasks.checks import Check, Verdict
from vitagym.world.records import Order, Record


class AbsenceCheck(Check):
    """A requirement on all records together."""

    forbids: ClassVar[bool] = True

    @abstractmethod
    def verdict(self, new: Mapping[str, Record], touched: Mapping[str, Record]) -> Verdict:
        """Return whether it holds.

        Args:
            new: The records made in this episode by id, as they stand, cancelled ones too.
            touched: Those from before the episode that were changed in it.
        """


class NoOther(AbsenceCheck):
    """At most so many records of these kinds were made and stand; the empty tuple is every kind.

    Attributes:
        pieces: How many pieces the orders among them may be of altogether; None: any number.
    """

    kind: Literal["no_other"] = "no_other"
    records: tuple[RecordKind, ...] = ()
    at_most: int = Field(ge=0)
    pieces: int | None = Field(default=None, ge=0)

    def verdict(self, new: Mapping[str, Record], touched: Mapping[str, Record]) -> Verdict:
        """Count the new records that stand, and their pieces."""
        del touched
        found = _live(new, self.records)
        if len(found) > self.at_most:
            return Verdict(False, f"{len(found)} made, at most {self.at_most} wanted")
        pieces = sum(line.quantity for record in found if isinstance(record, Order) for line in record.lines)
        if self.pieces is not None and pieces > self.pieces:
            return Verdict(False, f"{pieces} pieces ordered, at most {self.pieces} wanted")
        return Verdict(True, f"{len(found)} made, at most {self.at_most} wanted")


class NoneOfKind(AbsenceCheck):
    """No record of these kinds was made and stands."""

    kind: Literal["none_of_kind"] = "none_of_kind"
    records: tuple[RecordKind, ...] = Field(min_length=1)

    def verdict(self, new: Mapping[str, Record], touched: Mapping[str, Record]) -> Verdict:
        """Look for a new record that stands."""
        del touched
        found = _live(new, self.records)
        return Verdict(not found, f"{found[0].id} was made" if found else "none was made")


class Untouched(AbsenceCheck):
    """A record from before the episode is as it was; with no id, every one is."""

    kind: Literal["untouched"] = "untouched"
    id: str | None = None

    def verdict(self, new: Mapping[str, Record], touched: Mapping[str, Record]) -> Verdict:
        """Look whether it was changed."""
        del new
        changed = [key for key in touched if self.id in (None, key)]
        return Verdict(not changed, f"{changed[0]} was changed" if changed else "nothing was changed")


class SpentAtMost(AbsenceCheck):
    """All records of these kinds together cost at most so many yuan; the empty tuple is every kind."""

    kind: Literal["spent_at_most"] = "spent_at_most"
    records: tuple[RecordKind, ...] = ()
    yuan: float

    def verdict(self, new: Mapping[str, Record], touched: Mapping[str, Record]) -> Verdict:
        """Add up the prices of the new records that stand."""
        del touched
        total = sum(amount_of(record) for record in _live(new, self.records))
        return Verdict(round(total, 2) <= self.yuan, f"{total:g} spent, at most {self.yuan:g} wanted")


def _live(new: Mapping[str, Record], kinds: tuple[RecordKind, ...]) -> list[Record]:
    return [r for r in new.values() if is_live(r) and (not kinds or kind_of(r) in kinds)]
