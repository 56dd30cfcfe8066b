"""Ranking of texts by fuzzy partial match, as the public benchmark recorded it, with ties in stored order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from rapidfuzz import fuzz
from rapidfuzz.utils import default_process

T = TypeVar("T")
_REMEMBERED = 256
_LONGEST = 1000


class Index(Generic[T]):
    """Entries ranked by how well their texts match a query.

    Args:
        entries: What is ranked, in stored order.
        texts: The text matched for each entry.
    """

    def __init__(self, entries: Sequence[T], texts: Sequence[str]) -> None:
        self._entries = tuple(entries)
        self._texts = tuple(default_process(text) for text in texts)
        self._ranked: dict[str, tuple[T, ...]] = {}

    def ranked(self, keywords: Sequence[str]) -> tuple[T, ...]:
        """Return all entries, best match first; the query is the keywords with nothing between, cut if very long."""
        query = default_process("".join(keywords)[:_LONGEST])
        known = self._ranked.get(query)
        if known is None:
            scores = [fuzz.partial_ratio(query, text) for text in self._texts]
            order = sorted(range(len(scores)), key=lambda i: -scores[i])
            known = tuple(self._entries[i] for i in order)
            if len(self._ranked) >= _REMEMBERED:
                self._ranked.clear()
            self._ranked[query] = known
        return known
