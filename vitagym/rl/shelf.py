"""What is on offer, as far as it was seen: providers and what each sells."""

from __future__ import annotations

from copy import copy

from vitagym.rl.memory import Memory
from vitagym.rl.sightings import Thing


class Shelf:
    """Everything on offer that was seen, each as the result that tells most of it shows it, the latest of these.

    Args:
        memory: Of the task.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._things: dict[tuple[str, str], Thing] = {}
        self._providers: dict[str, Thing] = {}
        self._of_kind: dict[str, dict[str, Thing]] = {}
        self._sold: dict[tuple[str, str], dict[str, Thing]] = {}
        self._states: dict[str, int] = {}

    def fork(self) -> Shelf:
        """Return one that goes on from here by itself."""
        other = copy(self)
        other._things, other._providers, other._states = dict(self._things), dict(self._providers), dict(self._states)
        other._of_kind = {kind: dict(things) for kind, things in self._of_kind.items()}
        other._sold = {owner: dict(things) for owner, things in self._sold.items()}
        return other

    def add(self, number: int, things: tuple[Thing, ...]) -> bool:
        """Take in what a result shows; returns whether it changed anything.

        Args:
            number: What stands for the result.
            things: What it shows.
        """
        known = self._things.get
        changed = {
            thing.kind: None
            for thing in things
            if (known((thing.kind, thing.id)) is not thing or thing.is_product) and self._meet(thing)
        }
        for kind in changed:
            self._states[kind] = self._memory.state("shelf", self._states.get(kind, 0), number)
        return bool(changed)

    def state(self, kind: str) -> int:
        """Return what stands for all that was seen of the providers of a kind and of what they sell."""
        return self._states.get(kind, 0)

    def thing(self, kind: str, thing_id: str) -> Thing | None:
        """Return a thing, by the kind of its provider and its id."""
        return self._things.get((kind, thing_id))

    def provider(self, provider_id: str) -> Thing | None:
        """Return a provider, by its id."""
        return self._providers.get(provider_id)

    def providers(self, kind: str) -> list[Thing]:
        """Return the providers of a kind, in the order in which they were seen first."""
        return list(self._of_kind.get(kind, {}).values())

    def sold_by(self, provider: Thing) -> tuple[Thing, ...]:
        """Return what a provider sells, in the order in which it was seen first."""
        return tuple(self._sold.get((provider.kind, provider.id), {}).values())

    def _meet(self, thing: Thing) -> bool:
        """Take a thing in; returns whether that changed anything."""
        key = (thing.kind, thing.id)
        before = self._things.get(key)
        changed = before is None or (thing is not before and _tells(thing) >= _tells(before))
        if changed:
            self._things[key] = thing
            if not thing.is_product:
                self._providers[thing.id] = thing
                self._of_kind.setdefault(thing.kind, {})[thing.id] = thing
        if thing.is_product and thing.owner:
            sold = self._sold.setdefault((thing.kind, thing.owner), {})
            if changed or thing.id not in sold:
                sold[thing.id] = self._things[key]
                return True
        return changed


def _tells(thing: Thing) -> int:
    """Return how much of a thing is shown."""
    return len(thing.numbers) + len(thing.words) + (thing.products is not None) * 1000
