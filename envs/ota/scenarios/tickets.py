"""Tickets for a sight, for everybody who comes along: one order for each sort of visitor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from vitagym.envs.ota.scenarios.sights import OpenOn, Sights, VisitorIs, closed_some_day, with_all_tickets
from vitagym.envs.ota.scenarios.travel import OnDate, sibling_pool, with_all_products
from vitagym.generation.addresses import Addresses
from vitagym.generation.offer_requirements import AtProvider
from vitagym.generation.pools import Pool, draw_pool
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.terms import Term

UNIT = Term("", "张")


def draw_sights(
    scene: Scene,
    addresses: Addresses,
    sight_is: Sequence[OfferRequirement],
    when: date,
    shown: Sequence[date],
    visitors: Sequence[str],
    *,
    sorts: Sequence[str] = (),
) -> Pool:
    """Draw sights that sell tickets for some visitors on some days, and what the first visitor's ticket has to be.

    Args:
        scene: The scene.
        addresses: Addresses of the city.
        sight_is: What the sight has to be.
        when: The day of the visit.
        shown: All days that tickets are on sale for.
        visitors: Sorts of visitors; the first is the one that the sight is chosen for.
        sorts: Sorts of sights that are drawn; empty: any.
    """
    wanted = [*sight_is, VisitorIs(visitors[0], when, others=tuple(visitors)), _on(scene, when, shown)]
    sights = Sights(addresses, [when], sorts=sorts)
    by_weekday = any(isinstance(requirement, OpenOn) for requirement in sight_is)
    sketch = closed_some_day(sights) if by_weekday else sights
    pool = draw_pool(scene.stream, sketch, wanted, valid=1, noise=scene.distractors)
    with_all_tickets(pool.providers, shown, tuple(visitors))
    for sight in pool.providers:
        sight.spot = addresses.place(sight.name, sight.at)
    return with_all_products(pool)


def tickets_for_all(
    scene: Scene, first: Pool, when: date, shown: Sequence[date], visitors: Sequence[str], same: Term
) -> Mapping[str, Pool]:
    """Return the pools of every visitor's tickets, those of the others at the sight of the first.

    Args:
        scene: The scene.
        first: The pool of the first visitor.
        when: The day of the visit.
        shown: All days that tickets are on sale for.
        visitors: Sorts of visitors.
        same: What people call the sight of the first.
    """
    pools = {visitors[0]: first}
    for visitor in visitors[1:]:
        wanted = [
            AtProvider(first.chosen.provider, same),
            VisitorIs(visitor, when, others=tuple(visitors)),
            _on(scene, when, shown),
        ]
        pools[visitor] = sibling_pool(first, wanted)
    return pools


def _on(scene: Scene, when: date, shown: Sequence[date]) -> OnDate:
    return OnDate(when, [day for day in shown if day != when], scene.now)
