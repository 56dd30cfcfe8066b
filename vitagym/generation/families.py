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
from vitagym.generation.dials import Dials
from vitagym.generation.drafts import Draft
from vitagym.generation.filling import fill
from vitagym.generation.held_out import belongs, held_out, open_cities
from vitagym.generation.people import PERSONAS
from vitagym.generation.pools import CannotBuild
from vitagym.generation.scene import Scene
from vitagym.generation.ties import settle
from vitagym.language import Language
from vitagym.randomness import Stream
from vitagym.tasks.digests import packed_texts, text_digest
from vitagym.tasks.splits import DEV_SPLIT, OOD_SPLIT, TEST_SPLIT, TRAIN_SPLIT

_ATTEMPTS = 40
_CHOICES = 6
"""How many drafts are drawn where the dials aim at something."""
_TRAINING = (TRAIN_SPLIT, DEV_SPLIT)


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

    Draws of different splits come from different streams. A draw that leads nowhere, or is not of the split, is dropped
    and drawn again. Where the dials aim at something, several drafts are drawn, and the nearest is the one.

    Raises:
        UnknownName: No such family or domain.
        CannotBuild: Nothing could be drawn, or not of the size that was asked for.
    """
    told_by = choice(domain, split, dials)
    stream = Stream(seed, f"{split}/{domain}/family")
    draw = _Draw(domain, split, seed, task_id, dials)
    if not dials.aims:
        return draw.told_by(stream.choice(told_by), 0)
    drawn = [draw.told_by(stream.choice(told_by), number) for number in range(_CHOICES)]
    return min(drawn, key=lambda draft: dials.distance(draft.complexity()))


@dataclass(frozen=True, slots=True)
class _Draw:
    """What is asked for, but for the family."""

    domain: str
    split: str
    seed: int
    task_id: str
    dials: Dials

    def told_by(self, family: Family, number: int) -> Draft:
        """Return the draft that a family tells; another ``number`` is another one."""
        reason = ""
        for attempt in range(number * _ATTEMPTS, (number + 1) * _ATTEMPTS):
            scene = self._scene(f"{self.split}/{self.domain}/{family.name}/{attempt}")
            try:
                family.tell(scene)
                settle(scene)
                if self.dials.size is not None:
                    fill(scene, self.dials.size)
            except CannotBuild as failure:
                reason = str(failure)
                continue
            reason = f"none of them is of the split {self.split!r}"
            if belongs(scene, self.split):
                draft = Draft(self.task_id, self.split, family.domains, family.name, scene)
                if not self._is_known(draft):
                    return draft
        raise CannotBuild(f"family {family.name}, seed {self.seed}: nothing in {_ATTEMPTS} attempts: {reason}")

    def _scene(self, name: str) -> Scene:
        persona = self.dials.persona or PERSONAS[self.seed % len(PERSONAS)]
        scene = Scene(name, self.seed, persona, self.dials.noise)
        scene.cities = open_cities(self.split)
        return scene

    def _is_known(self, draft: Draft) -> bool:
        """Return whether a task of the benchmark says the same."""
        if self.split == TEST_SPLIT:
            return False
        return any(text_digest(draft.instruction(language)) in packed_texts() for language in Language)


def choice(domain: str, split: str, dials: Dials) -> list[Family]:
    """Return the families that a task of a split may be told by; those that are named may always."""
    known = families(domain)
    named = (dials.family,) if dials.family is not None else dials.families
    for name in named:
        if name not in known:
            raise UnknownName(f"family of {domain}", name, known)
    strange = held_out().families.get(domain, ())
    listed = [
        f for f in known.values() if f.name in named or (not named and not (split in _TRAINING and f.name in strange))
    ]
    if dials.domains:
        listed = _needing(domain, listed, dials.domains)
    if split == OOD_SPLIT and not named:
        # Half of them are told by a held-out family.
        apart = [family for family in listed if family.name in strange]
        listed += apart * max(0, len(listed) // max(1, len(apart)) - 2)
    return listed


def _needing(domain: str, listed: list[Family], wanted: tuple[str, ...]) -> list[Family]:
    for name in wanted:
        if name not in domains():
            raise UnknownName("domain", name, domains())
    found = [family for family in listed if set(family.domains) == set(wanted)]
    if not found:
        known = sorted({"+".join(sorted(family.domains)) for family in families(domain).values()})
        raise UnknownName(f"combination of domains of {domain}", "+".join(sorted(wanted)), known)
    return found
