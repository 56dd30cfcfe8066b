"""Scenario families and how a seed becomes a draft.

A domain lists its families as ``FAMILIES`` in ``vitagym.envs.<domain>.scenarios``; nothing else makes them known.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from vitagym.domains import CROSS, domains
from vitagym.errors import UnknownName
from vitagym.generation.drafts import Draft
from vitagym.generation.filling import fill
from vitagym.generation.people import PERSONAS
from vitagym.generation.pools import CannotBuild
from vitagym.generation.scene import Scene
from vitagym.randomness import Stream
from vitagym.tasks.size import Size
from vitagym.tasks.task import Persona

_ATTEMPTS = 40


@dataclass(frozen=True, slots=True)
class Family:
    """A scenario family.

    Attributes:
        name: Its name, unique in its domain.
        domains: The domains that its tasks need.
        tell: Tells its story on an empty scene; raises CannotBuild where the draws lead nowhere.
    """

    name: str
    domains: tuple[str, ...]
    tell: Callable[[Scene], None]


@dataclass(frozen=True, slots=True)
class Dials:
    """What a caller can set about a task; None leaves it to the seed.

    Attributes:
        family: Name of the family.
        persona: The user's personality.
        distractors: How many more wrong offers each goal gets beside the near-misses.
        size: How much there is to be in its world; None: as much as the family draws.
    """

    family: str | None = None
    persona: Persona | None = None
    distractors: int = 2
    size: Size | None = None


@cache
def families(domain: str) -> dict[str, Family]:
    """Return the families of a domain (or ``cross``) by name, in their order."""
    known = (*domains(), CROSS)
    if domain not in known:
        raise UnknownName("domain", domain, known)
    importlib.import_module("vitagym.envs.common.past_orders")
    module = importlib.import_module(f"vitagym.envs.{domain}.scenarios")
    return {family.name: family for family in module.FAMILIES}


def draft_of(domain: str, split: str, seed: int, task_id: str, dials: Dials) -> Draft:
    """Return the draft of a seed of a split: same arguments, same draft.

    Draws of different splits come from different streams. A draw that leads nowhere is dropped and drawn again.
    """
    known = families(domain)
    family = _family(known, domain, split, seed, dials)
    persona = dials.persona or PERSONAS[seed % len(PERSONAS)]
    for attempt in range(_ATTEMPTS):
        scene = Scene(f"{split}/{domain}/{family.name}/{attempt}", seed, persona, dials.distractors)
        try:
            family.tell(scene)
            if dials.size is not None:
                fill(scene, dials.size)
        except CannotBuild as failure:
            reason = failure
            continue
        return Draft(task_id, split, family.domains, family.name, scene)
    raise RuntimeError(f"family {family.name}, seed {seed}: nothing could be drawn in {_ATTEMPTS} attempts: {reason}")


def _family(known: dict[str, Family], domain: str, split: str, seed: int, dials: Dials) -> Family:
    if dials.family is not None:
        if dials.family not in known:
            raise UnknownName(f"family of {domain}", dials.family, known)
        return known[dials.family]
    names = tuple(known)
    if split == "test":
        # Every family comes up equally often in the fixed split.
        return known[names[seed % len(names)]]
    return known[Stream(seed, f"{split}/{domain}/family").choice(names)]
