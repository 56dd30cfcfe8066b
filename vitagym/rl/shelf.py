"""What is on offer, as far as it was seen: providers and what each sells."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy

from vitagym.rl.memory import Memory
from vitagym.rl.sightings import Thing

_NOTHING: Mapping[str, Thing] = {}


class Shelf:
    """Everything on offer that was seen, each as the result that tells most of it shows it, the latest of these.

    Args:
        memory: Of the task.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._things: dict[str, dict[str, Thing]] = {}
        self._providers: dict[str, Thing] = {}
        self._of_kind: dict[str, dict[str, Thing]] = {}
        self._sold: dict[tuple[str, str], dict[str, Thing]] = {}
        self._states: dict[str, int] = {}

    def fork(self) -> Shelf:
        """Return one that goes on from here by itself."""
        other = copy(self)
        other._providers, other._states = dict(self._providers), dict(self._states)
        other._things = {kind: dict(things) for kind, things in self._things.items()}
        other._of_kind = {kind: dict(things) for kind, things in self._of_kind.items()}
        other._sold = {owner: dict(things) for owner, things in self._sold.items()}
        return other

    def add(self, number: int, things: tuple[Thing, ...]) -> bool:
        """Take in what a result shows; returns whether it changed anything.

        Args:
            number: What stands for the result.
            things: What it shows.
        """
        changed: dict[str, None] = {}
        for thing in things:
            kind = thing.kind
            known = self._things.get(kind)
            if known is None:
                known = self._things[kind] = {}
            if (known.get(thing.id) is not thing or thing.is_product) and self._meet(thing, known):
                changed[kind] = None
        for kind in changed:
            self._states[kind] = self._memory.state("shelf", self._states.get(kind, 0), number)
        return bool(changed)

    def state(self, kind: str) -> int:
        """Return what stands for all that was seen of the providers of a kind and of what they sell."""
        return self._states.get(kind, 0)

    def thing(self, kind: str, thing_id: str) -> Thing | None:
        """Return a thing, by the kind of its provider and its id."""
        return self._things.get(kind, _NOTHING).get(thing_id)

    def provider(self, provider_id: str) -> Thing | None:
        """Return a provider, by its id."""
        return self._providers.get(provider_id)

    def providers(self, kind: str) -> list[Thing]:
        """Return the providers of a kind, in the order in which they were seen first."""
        return list(self._of_kind.get(kind, {}).values())

    def sold_by(self, provider: Thing) -> tuple[Thing, ...]:
        """Return what a provider sells, in the order in which it was seen first."""
        sold = self._sold.get((provider.kind, provider.id))
        return tuple(sold.values()) if sold else ()

    def _meet(self, thing: Thing, known: dict[str, Thing]) -> bool:
        """Take a thing in beside the known ones of its kind; returns whether that changed anything."""
        before = known.get(thing.id)
        changed = before is None or (thing is not before and _tells(thing) >= _tells(before))
        if changed:
            known[thing.id] = thing
            if not thing.is_product:
                self._providers[thing.id] = thing
                self._of_kind.setdefault(thing.kind, {})[thing.id] = thing
        if thing.is_product and thing.owner:
            sold = self._sold.setdefault((thing.kind, thing.owner), {})
            if changed or thing.id not in sold:
                sold[thing.id] = known[thing.id]
                return True
        return changed


def _tells(thing: Thing) -> int:
    """Return how much of a thing is shown."""
    return len(thing.numbers) + len(thing.words) + (thing.products is not None) * 1000
