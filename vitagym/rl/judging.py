"""How well what is on offer meets what was heard: met (1), missed (-1), or not to be told yet (0)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from vitagym.rl.sightings import Thing
from vitagym.tasks.constraints import Constraint, Sense
from vitagym.world.times import distance_m

if TYPE_CHECKING:
    from vitagym.rl.belief import Belief

MET, MISSED, OPEN = 1, -1, 0


def _shows(constraint: Constraint, thing: Thing) -> int:
    if not _listed(thing):
        return MET if thing.name in constraint.words else OPEN
    return _told(not thing.words.isdisjoint(constraint.words))


def _shows_not(constraint: Constraint, thing: Thing) -> int:
    if not _listed(thing):
        return MISSED if thing.name in constraint.words else OPEN
    return _told(thing.words.isdisjoint(constraint.words))


def _mentions(constraint: Constraint, thing: Thing) -> int:
    return _told(any(word in thing.prose for word in constraint.words))


def _mentions_not(constraint: Constraint, thing: Thing) -> int:
    return _told(not any(word in thing.prose for word in constraint.words))


def _at_least(constraint: Constraint, thing: Thing) -> int:
    value = thing.numbers.get(constraint.field)
    return OPEN if value is None or constraint.number is None else _told(value >= constraint.number)


def _at_most(constraint: Constraint, thing: Thing) -> int:
    value = thing.numbers.get(constraint.field)
    return OPEN if value is None or constraint.number is None else _told(value <= constraint.number)


def _near(belief: Belief, constraint: Constraint, thing: Thing) -> int:
    place = belief.where(constraint)
    if place is None or thing.at is None or constraint.number is None:
        return OPEN
    return _told(round(distance_m(*thing.at, *place)) <= constraint.number)


def _sold_by(belief: Belief, constraint: Constraint, thing: Thing) -> int:
    if constraint.same_as:
        chosen = belief.chosen(constraint.same_as)
        return OPEN if chosen is None else _told(chosen.id == thing.id)
    return _told(constraint.text in (thing.id, thing.name))


def _not_sold_by(constraint: Constraint, thing: Thing) -> int:
    return _told(constraint.text not in (thing.id, thing.name))


def _route(constraint: Constraint, thing: Thing) -> int:
    return _told(thing.ends == constraint.words) if thing.ends[0] else OPEN


def _on_date(constraint: Constraint, thing: Thing) -> int:
    return _told(thing.date == constraint.text) if thing.date else OPEN


def _free_on(belief: Belief, constraint: Constraint, thing: Thing) -> int:
    """Whether it has one sort of product left on all of the dates."""
    if thing.products is None:
        return OPEN
    sold = [belief.shelf.thing(thing.kind, one) for one in thing.products]
    free: dict[str, set[str]] = {}
    for product in sold:
        if product is not None and product.numbers.get("quantity", 0) > 0:
            free.setdefault(product.name, set()).add(product.date)
    return _told(any(set(constraint.words) <= dates for dates in free.values()))


BY_ITSELF: Mapping[Sense, Callable[[Constraint, Thing], int]] = {
    Sense.SHOWS: _shows,
    Sense.SHOWS_NOT: _shows_not,
    Sense.MENTIONS: _mentions,
    Sense.MENTIONS_NOT: _mentions_not,
    Sense.AT_LEAST: _at_least,
    Sense.AT_MOST: _at_most,
    Sense.NOT_SOLD_BY: _not_sold_by,
    Sense.ROUTE: _route,
    Sense.ON_DATE: _on_date,
}
"""What can be judged of a thing by itself, and so only once."""
WITH_OTHERS: Mapping[Sense, Callable[[Belief, Constraint, Thing], int]] = {
    Sense.NEAR: _near,
    Sense.SOLD_BY: _sold_by,
    Sense.FREE_ON: _free_on,
}
"""What depends on what else is known."""


def _listed(thing: Thing) -> bool:
    """Return whether a result showed the thing itself, its tags too, and not only its name."""
    return bool(thing.numbers)


def _told(holds: bool) -> int:
    return MET if holds else MISSED
