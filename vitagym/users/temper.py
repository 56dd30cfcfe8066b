"""How a persona deals with information and with being tried: its pace, its order, its patience."""

from __future__ import annotations

from dataclasses import dataclass

from vitagym.tasks.task import Persona

FULL_PATIENCE = 10
"""Patience is counted from 0 to this."""
SHORT_PATIENCE = 3
"""At this much patience or less the user is curt: one point a turn, and says that it is tired of it."""


@dataclass(frozen=True, slots=True)
class Temper:
    """Traits of a persona.

    Attributes:
        opening: How many points come with the first words, at most; never all of them.
        pace: How many points are volunteered in one turn, at most.
        reach: Among how many of the next points one is drawn: 1 keeps the order of the task.
        patience: Patience at the start.
        strain: How much patience a repeated question, an error or a silence costs.
        ease: How much patience comes back with a message that brings things on.
    """

    opening: int = 2
    pace: int = 1
    reach: int = 1
    patience: int = FULL_PATIENCE
    strain: int = 2
    ease: int = 1


_TEMPERS = {
    Persona.NEUTRAL: Temper(),
    Persona.IMPATIENT: Temper(pace=2, patience=5, strain=3),
    Persona.ANXIOUS: Temper(patience=8),
    Persona.COLD: Temper(opening=1, patience=6),
    Persona.DETAILED: Temper(patience=8),
    Persona.LOGICAL: Temper(pace=2, patience=8),
    Persona.DEPENDENT: Temper(strain=1, ease=2),
    Persona.SCATTERED: Temper(reach=3, patience=8),
    Persona.COOPERATIVE: Temper(pace=2, strain=1, ease=2),
    Persona.EMOTIONAL: Temper(patience=7, strain=3, ease=3),
    Persona.CONTROLLING: Temper(opening=3, pace=2, patience=6),
}


def temper(persona: Persona) -> Temper:
    """Return the traits of a persona."""
    return _TEMPERS[persona]
