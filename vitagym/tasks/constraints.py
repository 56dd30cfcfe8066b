"""Constraints: what a point of the user's says, in a form that a program can hold against what it has observed.

A constraint says no more than the words of its point: of what is on offer only what tools show of it (names, tags,
numbers, places, dates), of a record only what its own fields show. What words leave to a look-up ("on Qingming", "my
usual", "if it rains") is in it, but counts as understood only once a tool's result has shown it (``shown_by``).
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class Sense(StrEnum):
    """What sort of thing a constraint says."""

    SHOWS = "shows"
    """Of what is on offer: its name, its type or one of its tags is one of ``words``."""
    SHOWS_NOT = "shows_not"
    """None of them is."""
    MENTIONS = "mentions"
    """Its name, type, description or addresses contain one of ``words``."""
    MENTIONS_NOT = "mentions_not"
    """They contain none of them."""
    AT_LEAST = "at_least"
    """Its ``field`` is ``number`` or more."""
    AT_MOST = "at_most"
    """Its ``field`` is ``number`` or less."""
    BEST = "best"
    """Its ``field`` is the highest of those that meet everything else."""
    NEAR = "near"
    """Its provider lies within ``number`` metres of a place."""
    SOLD_BY = "sold_by"
    """Its provider is called ``text``, or is that of another goal (``same_as``)."""
    NOT_SOLD_BY = "not_sold_by"
    """Its provider is not called ``text``."""
    ROUTE = "route"
    """It goes from the first of ``words`` to the second."""
    ON_DATE = "on_date"
    """It is for the date ``text``."""
    FREE_ON = "free_on"
    """Its provider has such a product left on each of the dates ``words``."""
    TO = "to"
    """The record: it is delivered to a place."""
    BETWEEN = "between"
    """The record: it arrives, or is for a time, between ``earliest`` and ``latest``."""
    PEOPLE = "people"
    """The record: it is for ``number`` people."""
    PIECES = "pieces"
    """The record: it is of ``number`` pieces."""
    NOTE = "note"
    """The record: its note says ``text``."""
    TOTAL = "total"
    """The record costs ``number`` yuan at most."""
    EXISTING = "existing"
    """The record is the one with the id ``text``, from before."""
    CANCELLED = "cancelled"
    """The record is to be cancelled."""


ON_RECORD = frozenset(
    {Sense.TO, Sense.BETWEEN, Sense.PEOPLE, Sense.PIECES, Sense.NOTE, Sense.TOTAL, Sense.EXISTING, Sense.CANCELLED}
)
"""What is said of the record, not of what is on offer."""


class Constraint(BaseModel):
    """One thing that a point says of one of the records that the person wants.

    Attributes:
        goal: Which of them; ``part``: which part of it, where it has several.
        record: Kind of the record.
        kind: What kind of requirement it comes from, e.g. ``taste``.
        sense: What sort of thing it says; the attributes below are those that the sense speaks of.
        level: Whether it is about the ``product`` or its ``provider``; for the rest ``record``.
        home: ``home`` or ``work``: the place is the user's own, whose address the profile shows.
        place: Name or address of the place, where the user said it.
        same_as: The place, or the provider, is that of this goal.
        called: What people call what is wanted: what an agent can search for.
        shown_by: Texts that must all stand in one result before it is understood; empty: the words say it all.
        optional: Whether the goal is wanted only if there is something that would do.
        instead_of: The goal is wanted only if nothing would do for this one; empty: it is wanted anyway.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    goal: str
    part: str = ""
    record: str
    kind: str
    sense: Sense
    level: str = "record"
    words: tuple[str, ...] = ()
    field: str = ""
    number: float | None = None
    text: str = ""
    earliest: str = ""
    latest: str = ""
    home: str = ""
    place: str = ""
    same_as: str = ""
    called: str = ""
    shown_by: tuple[str, ...] = ()
    optional: bool = False
    instead_of: str = ""
