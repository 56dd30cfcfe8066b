"""Constraints ready for judging: what each looks at, and what it was already found to say of things.

Most constraints judge a thing by itself, so that each is asked about each thing once a task.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vitagym.rl.classes import class_of
from vitagym.rl.judging import BY_ITSELF, MET, MISSED, OPEN, WITH_OTHERS
from vitagym.rl.sightings import Thing
from vitagym.tasks.constraints import ON_RECORD, Constraint, Sense

if TYPE_CHECKING:
    from vitagym.rl.belief import Belief

_POINTS_MET, _POINTS_MISSED = 2, 3
"""What a verdict counts for in the ranking."""


class Clause:
    """A constraint.

    Attributes:
        constraint: The constraint.
        class_number: Number of the class that it belongs to.
        on_record: Whether it is about a record's own fields.
        of_product: Whether it is about products, rather than their providers.
        dated: Whether it is about the date of products, whatever its level.
        by_itself: Whether it judges a thing by itself.
    """

    __slots__ = (
        "_beside",
        "_check",
        "_known",
        "by_itself",
        "class_number",
        "constraint",
        "dated",
        "of_product",
        "on_record",
    )

    def __init__(self, constraint: Constraint) -> None:
        self.constraint = constraint
        self.class_number = class_of(constraint)
        self.on_record = constraint.sense in ON_RECORD
        self.dated = constraint.sense is Sense.ON_DATE
        self.of_product = constraint.level == "product"
        self._check = BY_ITSELF.get(constraint.sense)
        self._beside = WITH_OTHERS.get(constraint.sense)
        self.by_itself = self._beside is None
        self._known: dict[Thing | None, int] = {None: OPEN}

    def verdict(self, belief: Belief, thing: Thing | None) -> int:
        """Return what it says of a thing; open where that was never shown."""
        found = self._known.get(thing)
        if found is None and thing is not None:
            if self._check is None:
                return OPEN if self._beside is None else self._beside(belief, self.constraint, thing)
            found = self._known[thing] = self._check(self.constraint, thing)
        return found or OPEN

    def verdicts(self, belief: Belief, things: Sequence[Thing | None]) -> list[int]:
        """Return what it says of each thing."""
        if self._check is None:
            return [self.verdict(belief, thing) for thing in things]
        known = self._known
        found = list(map(known.get, things))
        if None in found:
            for thing in things:
                if thing is not None and thing not in known:
                    known[thing] = self._check(self.constraint, thing)
            found = list(map(known.get, things))
        return found  # type: ignore[return-value]  # None of them is None.


def points(belief: Belief, clauses: Sequence[Clause], things: Sequence[Thing]) -> list[int]:
    """Return for each thing how well it meets some constraints together."""
    if not clauses:
        return [0] * len(things)
    rows = zip(*[clause.verdicts(belief, things) for clause in clauses], strict=True)
    return [_POINTS_MET * row.count(MET) - _POINTS_MISSED * row.count(MISSED) for row in rows]
