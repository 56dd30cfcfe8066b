"""What constraints are about, in a few classes: a feature each."""

from __future__ import annotations

from vitagym.tasks.constraints import Constraint, Sense

CLASSES = (
    "product",
    "avoided",
    "provider",
    "price",
    "number",
    "near",
    "sold_by",
    "date",
    "route",
    "time",
    "place",
    "count",
    "note",
    "total",
    "existing",
)
"""What constraints are about; a feature each."""
_CLASS_OF_SENSE = {
    Sense.SHOWS_NOT: "avoided",
    Sense.MENTIONS_NOT: "avoided",
    Sense.BEST: "number",
    Sense.NEAR: "near",
    Sense.SOLD_BY: "sold_by",
    Sense.NOT_SOLD_BY: "sold_by",
    Sense.ROUTE: "route",
    Sense.ON_DATE: "date",
    Sense.FREE_ON: "date",
    Sense.TO: "place",
    Sense.BETWEEN: "time",
    Sense.PEOPLE: "count",
    Sense.PIECES: "count",
    Sense.NOTE: "note",
    Sense.TOTAL: "total",
    Sense.EXISTING: "existing",
    Sense.CANCELLED: "existing",
}


def class_of(constraint: Constraint) -> int:
    """Return the number of the class that a constraint belongs to."""
    name = _CLASS_OF_SENSE.get(constraint.sense)
    if name is None and constraint.sense in (Sense.SHOWS, Sense.MENTIONS):
        name = "product" if constraint.level == "product" else "provider"
    if name is None:
        name = "price" if constraint.field == "price" else "number"
    return CLASSES.index(name)
