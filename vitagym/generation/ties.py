"""Ties: a goal that goes by what another one chose (the child's ticket at the same sight, dinner near that hotel).

What follows is checked for the provider that the reference solution takes. So that nobody fails for another choice that
is as right, exactly one provider is left right for a goal that others go by: its rivals are made to miss one thing.
"""

from __future__ import annotations

from collections.abc import Iterator

from vitagym.generation.goals import Goal
from vitagym.generation.pools import CannotBuild, Pool, same_name
from vitagym.generation.requirement import OfferRequirement, Requirement
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer, ProviderSketch
from vitagym.generation.spots import Spot
from vitagym.generation.trimming import pools_of_goals

_MOVING = ("train", "flight")


def tied(scene: Scene, goal: Goal) -> bool:
    """Return whether goals about other records go by which provider this one chooses."""
    pool = goal.pool
    if pool is None or not pool.valid:
        return False
    own = {id(requirement) for requirement in goal.requirements}
    others = (r for other in scene.goals if other.key != goal.key for r in other.requirements if id(r) not in own)
    return any(pool is one for one in scene.deciding) or any(_names(r, pool.chosen.provider) for r in others)


def rivals_of(pool: Pool) -> list[ProviderSketch]:
    """Return the providers beside the chosen one that have a valid offer, each once."""
    found = {id(offer.provider): offer.provider for offer in pool.valid}
    return [provider for provider in found.values() if provider is not pool.chosen.provider]


def settle(scene: Scene) -> None:
    """Leave one provider right for each goal that others go by.

    Raises:
        CannotBuild: A rival cannot be made to miss anything, or a near-miss is lost by it.
    """
    for goal in scene.goals:
        pool = goal.pool
        if pool is not None and tied(scene, goal):
            for rival in rivals_of(pool):
                _deny(scene, pool, rival)


def _names(requirement: Requirement, provider: ProviderSketch) -> bool:
    """Return whether a requirement is about a provider, or where it is."""
    return any(value is provider or _is_at(provider, value) for value in vars(requirement).values())


def _is_at(provider: ProviderSketch, value: object) -> bool:
    if not isinstance(value, Spot) or provider.spot is None or provider.kind in _MOVING:
        return False
    return (value.longitude, value.latitude) == (provider.spot.longitude, provider.spot.latitude)


def _deny(scene: Scene, pool: Pool, rival: ProviderSketch) -> None:
    """Let a rival miss one requirement on providers, and put what this leaves open right in every pool."""
    ways: list[OfferRequirement] = [r for r in pool.requirements if r.late and r.level == "provider"]
    if not ways:
        raise CannotBuild(f"{rival.name.en} cannot be made to miss anything")
    scene.settling.choice(ways).deny(next(o for o in pool.valid if o.provider is rival), scene.settling)
    for other in pools_of_goals(scene):
        if other.valid and other.misses(other.chosen):
            raise CannotBuild(f"{rival.name.en} is chosen elsewhere")
        other.noise += [offer for offer in other.valid if other.misses(offer)]
        other.valid[:] = [offer for offer in other.valid if not other.misses(offer)]
        for name, offer in list(other.near.items()):
            if other.misses(offer) != [name]:
                other.noise.append(offer)
                other.near[name] = _near(scene, other, name, offer)


def _near(scene: Scene, pool: Pool, name: str, lost: Offer) -> Offer:
    """Return another near-miss in place of a lost one: one of the noise, or the same with who sells something valid."""
    for offer in _sold(pool):
        if pool.misses(offer) == [name]:
            pool.noise[:] = [noise for noise in pool.noise if noise.product is not offer.product]
            return offer
    seller = pool.chosen.provider
    moved = [Offer(seller, p.copy()) for p in lost.provider.products if p.name == lost.product.name]
    if any(same_name(offer) for offer in moved):
        raise CannotBuild(f"no other offer misses {name} alone")
    for offer in moved:
        offer.product.id = scene.product_id()
        seller.products.append(offer.product)
        for other in pools_of_goals(scene):
            if any(provider is seller for provider in other.providers):
                (other.noise if other.misses(offer) else other.valid).append(offer)
    found = next((offer for offer in moved if pool.misses(offer) == [name]), None)
    if found is None:
        raise CannotBuild(f"no other offer misses {name} alone")
    pool.noise[:] = [noise for noise in pool.noise if noise.product is not found.product]
    return found


def _sold(pool: Pool) -> Iterator[Offer]:
    for provider in pool.providers:
        for product in provider.products:
            yield Offer(provider, product)
