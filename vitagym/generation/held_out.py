"""What training never shows: families, cities and words that are held out for an out-of-distribution split.

They stand in ``assets/held_out.toml``. A task of ``train`` or ``dev`` has none of them; a task of ``ood`` lies in a
held-out city, or speaks of a held-out word, and half of them are told by a held-out family. The benchmark has both.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from vitagym.generation.geography import cities
from vitagym.generation.scene import PointSketch, Scene
from vitagym.generation.terms import Term
from vitagym.tasks.splits import DEV_SPLIT, OOD_SPLIT, TRAIN_SPLIT


@dataclass(frozen=True, slots=True)
class HeldOut:
    """What is held out.

    Attributes:
        families: Domain -> names of families.
        cities: Keys of cities.
        words: English words that the user never says in training (each stands for its Chinese twin as well).
    """

    families: dict[str, tuple[str, ...]]
    cities: frozenset[str]
    words: tuple[str, ...]


@cache
def held_out() -> HeldOut:
    """Return what is held out."""
    table = tomllib.loads(resources.files("vitagym.assets").joinpath("held_out.toml").read_text(encoding="utf-8"))
    families = {domain: tuple(names) for domain, names in table["families"].items()}
    return HeldOut(families, frozenset(table["cities"]), tuple(table["words"]))


def open_cities(split: str) -> tuple[str, ...]:
    """Return the keys of the cities that a task of a split may lie in."""
    outside = held_out().cities
    if split in (TRAIN_SPLIT, DEV_SPLIT):
        return tuple(key for key in cities() if key not in outside)
    return tuple(key for key in cities() if key in outside) if split == OOD_SPLIT else tuple(cities())


def belongs(scene: Scene, split: str) -> bool:
    """Return whether a finished scene may be a task of a split."""
    if split not in (TRAIN_SPLIT, DEV_SPLIT, OOD_SPLIT):
        return True
    strange = _is_strange(scene)
    return strange if split == OOD_SPLIT else not strange


def _is_strange(scene: Scene) -> bool:
    """Return whether it lies in, or leads to, a held-out city, or the person speaks of a held-out word."""
    names = [cities()[key].name.en for key in held_out().cities]
    said = "\n".join(term.en for point in scene.points for term in _terms(point))
    weather = [str(row["city"].en) for row in scene.weather]
    where = scene.city.key in held_out().cities or any(name in city for name in names for city in weather)
    return where or any(word in said for word in (*names, *held_out().words))


def _terms(point: PointSketch) -> Iterator[Term]:
    """Yield all in which a point is told or said."""
    saying = point.saying
    yield from (*saying.say, *saying.told, *saying.answer)
    yield from (term for term in (saying.rubric, point.told) if term is not None)
