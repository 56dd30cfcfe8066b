"""The records that the user wants, as far as they were heard of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from vitagym.rl.clauses import Clause
from vitagym.rl.memory import Memory
from vitagym.tasks.constraints import Constraint, Sense

_SEVERAL = (Sense.SHOWS, Sense.MENTIONS)


class Need(NamedTuple):
    """What is known of a goal: the attributes of ``Goal`` of these names."""

    numbers: tuple[int, ...]
    clauses: tuple[Clause, ...]
    heard: tuple[Constraint, ...]
    classes: tuple[int, ...]
    parts: tuple[str, ...]
    others: tuple[str, ...]
    served_with: frozenset[str]
    by_sense: Mapping[Sense, Constraint]


@dataclass(slots=True)
class Goal:
    """One of the records that the user wants, as far as it was heard.

    Attributes:
        key: Its key; it tells nothing.
        record: Kind of the record.
        heard: The constraints, each the latest of its sort.
        clauses: The same, ready for judging.
        made: Ids of the records that were made for it, oldest first.
        numbers: What stands for ``heard``: numbers of the constraints, the same in all episodes of the task.
        classes: The numbers of the classes that they belong to.
        parts: The parts of it about which something was said; the whole alone where it has none.
        others: The keys of the goals that its constraints refer to.
        served_with: Of these, the keys of those whose provider it is to be served by.
    """

    key: str
    record: str
    heard: tuple[Constraint, ...] = ()
    clauses: tuple[Clause, ...] = ()
    made: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    classes: tuple[int, ...] = ()
    parts: tuple[str, ...] = ("",)
    others: tuple[str, ...] = ()
    served_with: frozenset[str] = frozenset()
    _by_sense: Mapping[Sense, Constraint] = field(default_factory=dict)

    def take(self, number: int, clause: Clause, memory: Memory) -> None:
        """Take a constraint in; it replaces an earlier one of its sort."""
        need = memory.remembered(("need", self.numbers, number), lambda: self._with(number, clause))
        self.numbers, self.clauses, self.heard, self.classes = need.numbers, need.clauses, need.heard, need.classes
        self.parts, self.others, self.served_with = need.parts, need.others, need.served_with
        self._by_sense = need.by_sense

    def _with(self, number: int, clause: Clause) -> Need:
        new = clause.constraint
        kept = [
            (old, known)
            for old, known in zip(self.numbers, self.clauses, strict=True)
            if not _of_one_sort(known.constraint, new)
        ]
        clauses = (*[known for _, known in kept], clause)
        heard = tuple([one.constraint for one in clauses])
        return Need(
            numbers=(*[old for old, _ in kept], number),
            clauses=clauses,
            heard=heard,
            classes=tuple([one.class_number for one in clauses]),
            parts=tuple(dict.fromkeys([c.part for c in heard if c.part])) or ("",),
            others=tuple([c.same_as for c in heard if c.same_as]),
            served_with=frozenset([c.same_as for c in heard if c.same_as and c.sense is Sense.SOLD_BY]),
            by_sense={c.sense: c for c in reversed(heard)},
        )

    def of(self, sense: Sense) -> Constraint | None:
        """Return the constraint of a sense, the first of several, or None."""
        return self._by_sense.get(sense)

    def of_part(self, sense: Sense, part: str) -> Constraint | None:
        """Return the constraint of a sense on one part, or None."""
        return next((c for c in self.heard if c.sense is sense and c.part == part), None)


def _of_one_sort(old: Constraint, new: Constraint) -> bool:
    """Return whether a constraint takes the place of an older one; there may be several amenities or tags at a time."""
    if (old.part, old.sense, old.kind, old.level) != (new.part, new.sense, new.kind, new.level):
        return False
    return not (old.sense in _SEVERAL and old.level == "provider" and old.words != new.words)
