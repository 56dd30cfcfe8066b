"""Goals: one record that the person wants, what it must meet, and the rubrics and checks that follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vitagym.generation.pools import Pool
from vitagym.generation.requirement import Purpose, Requirement
from vitagym.generation.sketches import Offer
from vitagym.generation.terms import Term
from vitagym.language import Language
from vitagym.rewards.checks import AbsenceCheck, RecordKind
from vitagym.tasks.task import Rubric


@dataclass
class Goal:
    """One record that the person wants.

    Attributes:
        key: Its id in the task.
        subject: What rubrics call it, e.g. "the noodle order".
        record: Kind of the record.
        requirements: What it must meet, each of which becomes a rubric.
        pool: The offers it chooses among; None where it chooses among none.
        part: Where several goals are about one record: which part of it this is; empty: the whole.
    """

    key: str
    subject: Term
    record: RecordKind
    requirements: list[Requirement]
    pool: Pool | None = None
    part: str = ""

    @property
    def offers(self) -> Sequence[Offer]:
        """The offers it chooses among."""
        return () if self.pool is None else self.pool.offers

    def rubrics(self) -> list[Rubric]:
        """Return the rubric of each requirement, sentence and check made from the same object."""
        purpose = Purpose(self.record, self.offers)
        return [self._rubric(requirement, purpose) for requirement in self.requirements]

    def rubric_id(self, requirement: str) -> str:
        """Return the id of the rubric of a requirement, by its name."""
        return ".".join(part for part in (self.key, self.part, requirement) if part)

    def _rubric(self, requirement: Requirement, purpose: Purpose) -> Rubric:
        sentence = requirement.saying.in_rubric.fill(subject=self.subject, **requirement.values())
        check = requirement.check(purpose)
        return Rubric(
            id=self.rubric_id(requirement.name),
            sentences={language.value: sentence.text(language) for language in Language},
            check=check,
            goal=self.key,
            prohibition=isinstance(check, AbsenceCheck),
            requirement=requirement.kind,
        )
