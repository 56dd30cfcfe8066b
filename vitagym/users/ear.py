"""The expressions by which a user understands an agent, compiled from ``assets/text/user_heard.toml``."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache

from vitagym.dialogue.acts import Slot
from vitagym.language import Language, texts

Search = Callable[[str], re.Match[str] | None]


@dataclass(frozen=True, slots=True)
class Ear:
    """The expressions of one language; each field is the search of the meaning of that name.

    Attributes:
        slots: For each slot that can be asked about, the search for it.
    """

    request: Search
    wh: Search
    alternative: Search
    rhetorical: Search
    ask_more: Search
    ask_open: Search
    confirm: Search
    dissuade: Search
    offer: Search
    choice: Search
    announce: Search
    claim: Search
    claim_not: Search
    everything: Search
    impossible: Search
    impossible_not: Search
    trouble: Search
    farewell: Search
    agreed: Search
    extra: Search
    whole_address: Search
    home: Search
    work: Search
    slots: tuple[tuple[Slot, Search], ...]

    def asked(self, sentence: str) -> list[Slot]:
        """Return the slots that a question, or a request, is about."""
        return [slot for slot, search in self.slots if search(sentence)]


@cache
def ear(language: Language) -> Ear:
    """Return the expressions of a language."""
    table = texts("user_heard")

    def search(meaning: str) -> Search:
        return re.compile("|".join(table[meaning][language.value])).search

    signs = {field.name: search(field.name) for field in fields(Ear) if field.name != "slots"}
    slots = tuple((slot, search(f"slot_{slot.value}")) for slot in Slot if f"slot_{slot.value}" in table)
    return Ear(**signs, slots=slots)
