"""Dials: what a caller can set about a made task, and how near a scene comes to what is set.

``family``, ``families``, ``domains``, ``persona``, ``distractors`` and ``size`` are kept exactly. The others are aims:
several scenes are drawn, of several families, and the one nearest to all aims together is the task. So every dial works
with every family, as far as the family can go, and the task of a seed is still fixed by seed and dials.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from vitagym.errors import CallerError, UnknownName
from vitagym.generation.people import PERSONAS
from vitagym.tasks.size import Size
from vitagym.tasks.task import Complexity, Persona

LEVELS = {"easy": 0.1, "medium": 0.4, "hard": 0.7, "expert": 1.0}
"""Difficulties by name."""
AIMS = ("difficulty", "subgoals", "constraints", "hidden", "changes")
_DEFAULT_DISTRACTORS = 2
_MOST_DISTRACTORS = 8
_EASIEST, _HARDEST = 0.35, 0.92
"""Predicted difficulties that ``difficulty`` 0 and 1 aim at."""
_WIDTH = {"difficulty": 0.1, "subgoals": 1.0, "constraints": 3.0, "hidden": 1.0, "changes": 0.6}
"""How far off counts as one, aim by aim."""


@dataclass(frozen=True, slots=True)
class Dials:
    """What a caller can set about a task; None leaves it to the seed.

    Attributes:
        family: Name of the family.
        families: Names of the families to choose among.
        domains: For cross tasks: the domains that the task needs, no more and no fewer.
        persona: The user's personality.
        distractors: How many more wrong offers each goal gets beside the near-misses (0 to 8; default 2).
        size: How much there is to be in its world; None: as much as the family draws.
        difficulty: From 0 to 1: aims at a predicted difficulty, and sets ``distractors`` where they are not set.
        subgoals: Aims at so many records that the person wants.
        constraints: Aims at so many requirements.
        hidden: Aims at so many points that only a question or an event brings out.
        changes: Aims at so many changes of mind.
    """

    family: str | None = None
    families: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    persona: Persona | None = None
    distractors: int | None = None
    size: Size | None = None
    difficulty: float | None = None
    subgoals: int | None = None
    constraints: int | None = None
    hidden: int | None = None
    changes: int | None = None

    @property
    def digest(self) -> str:
        """A few letters that tell what is set from anything else that could be; empty where nothing is."""
        set_ones = [(field.name, str(getattr(self, field.name))) for field in fields(self)]
        told = repr([(name, value) for name, value in set_ones if value not in ("None", "()")])
        return "" if told == "[]" else hashlib.sha256(told.encode()).hexdigest()[:8]

    @property
    def noise(self) -> int:
        """How many more wrong offers each goal gets."""
        if self.distractors is not None:
            return self.distractors
        if self.difficulty is not None:
            return round(1 + (_MOST_DISTRACTORS - 3) * self.difficulty)
        return _DEFAULT_DISTRACTORS

    @property
    def aims(self) -> dict[str, float]:
        """What scenes are held against, by name."""
        wanted = {name: getattr(self, name) for name in AIMS if getattr(self, name) is not None}
        if self.difficulty is not None:
            wanted["difficulty"] = _EASIEST + (_HARDEST - _EASIEST) * self.difficulty
        return wanted

    def distance(self, complexity: Complexity) -> float:
        """Return how far a scene is from the aims; 0 where nothing is aimed at."""
        measured = {
            "difficulty": complexity.difficulty,
            "subgoals": complexity.goals,
            "constraints": complexity.constraints,
            "hidden": complexity.hidden,
            "changes": complexity.changes,
        }
        return sum(abs(measured[name] - wanted) / _WIDTH[name] for name, wanted in self.aims.items())


def read_dials(given: Mapping[str, Any]) -> Dials:
    """Return dials from a caller's arguments.

    Raises:
        UnknownName: No such dial, level, or persona.
        CallerError: A value is of another type, or out of range.
    """
    known = [field.name for field in fields(Dials)]
    for name in given:
        if name not in known:
            raise UnknownName("dial", name, known)
    set_ones = {name: value for name, value in given.items() if value is not None}
    return Dials(**{name: _READERS.get(name, _as_it_is)(name, value) for name, value in set_ones.items()})


def _as_it_is(_: str, value: Any) -> Any:
    return value


def _persona(_: str, value: Any) -> Persona:
    names = [str(persona) for persona in PERSONAS]
    if str(value) not in (*names, Persona.NEUTRAL.value):
        raise UnknownName("persona", value, [*names, Persona.NEUTRAL.value])
    return Persona(str(value))


def _names(name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, Iterable):
        raise CallerError(f"{name}={value!r}: expected a name or a list of names")
    return (value,) if isinstance(value, str) else tuple(value)


def _share(name: str, value: Any) -> float:
    if isinstance(value, str):
        if value not in LEVELS:
            raise UnknownName(name, value, LEVELS)
        return LEVELS[value]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise CallerError(f"{name}={value!r}: expected a number from 0 to 1, or one of {', '.join(LEVELS)}")
    return float(value)


def _count(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise CallerError(f"{name}={value!r}: expected a whole number from 0")
    if name == "distractors" and value > _MOST_DISTRACTORS:
        raise CallerError(f"distractors={value}: at most {_MOST_DISTRACTORS}")
    return value


_READERS: dict[str, Callable[[str, Any], Any]] = {
    "persona": _persona,
    "families": _names,
    "domains": _names,
    "difficulty": _share,
    "distractors": _count,
    "subgoals": _count,
    "constraints": _count,
    "hidden": _count,
    "changes": _count,
}
