"""What shows a trait to an agent: its tag, or the names of the things that come with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from vitagym.generation.terms import Term, word, words

_LISTS = (("food", "courses", "dishes"), ("goods", "goods", "items"), ("services", "services", "packages"))
"""Word list, its table, and the list of things in each entry of it."""


def shown(trait: str) -> tuple[Term, ...]:
    """Return the words of which one is a tag or the name of whatever has a trait; empty: nothing shows it."""
    table = words("tags")
    return (word(table[trait]),) if trait in table else _names().get(trait, ())


@cache
def _names() -> Mapping[str, tuple[Term, ...]]:
    """Return trait -> names of the things that have it, whether it is one of their own or their kind's."""
    out: dict[str, list[Term]] = {}
    for kind, thing in _things():
        for trait in (kind, *thing["fixed"]):
            out.setdefault(trait, []).append(word(thing))
    return {trait: tuple(names) for trait, names in out.items()}


def _things() -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, table, things in _LISTS:
        for kind, entry in words(name)[table].items():
            yield from ((kind, thing) for thing in entry[things])
