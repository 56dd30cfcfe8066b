"""The world of one episode: ``call(tool, arguments)`` gives a result or a refusal, never an exception."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from vitagym.tools.results import Feedback, Refused, Result, Strictness
from vitagym.tools.tool import Kind
from vitagym.tools.toolset import Toolset
from vitagym.world.catalogue import Catalogue
from vitagym.world.ledger import Ledger
from vitagym.world.readings import Asked, Readings

_SHOWN_ID = re.compile(r'"[^"\\]*[ _]id":"([^"\\]+)"')
"""A key that names an id, and the id, in JSON: a quote within a text is escaped, so nothing else looks like it."""
_ID_LETTER = re.compile(r"[A-Za-z0-9_-]")


class World:
    """A catalogue, a ledger and the tools that may be used on them.

    Args:
        catalogue: Shared with every other world of the task; never changed.
        tools: The tools on offer.
        feedback: How much a refusal says.
        strictness: Whether an id must have been seen in this episode, or only exist.
    """

    __slots__ = (
        "_changes",
        "_heard",
        "_readings",
        "_seen",
        "_state",
        "catalogue",
        "feedback",
        "ledger",
        "strictness",
        "tools",
    )

    def __init__(
        self,
        catalogue: Catalogue,
        tools: Toolset,
        *,
        feedback: Feedback = Feedback.PLAIN,
        strictness: Strictness = Strictness.STATE,
        ledger: Ledger | None = None,
    ) -> None:
        self.catalogue = catalogue
        self.tools = tools
        self.feedback = feedback
        self.strictness = strictness
        self.ledger = catalogue.new_ledger() if ledger is None else ledger
        self._seen: set[str] = set()
        self._heard: tuple[str, ...] = ()
        self._readings: Readings = catalogue.built("readings", _readings)
        # What led to a ledger that was given is not known, nor, where ids must be seen, what a tool would refuse.
        self._state = 0 if ledger is None and strictness is Strictness.STATE else None
        self._changes = 0

    def call(self, name: str, arguments: Mapping[str, Any], written: str | None = None) -> Result:
        """Run a tool.

        Args:
            name: Name of the tool.
            arguments: Its arguments by name, as parsed from JSON.
            written: The arguments as they were written, where that is known: the same again are answered from memory.

        Returns:
            The result; where it was refused, ``ok`` is False and the ledger is as before.
        """
        asked = self._asked(name, written)
        if asked is not None and (known := self._readings.answer(asked)) is not None and name in self.tools:
            return Result(True, None, known, changes=self._changes)
        try:
            tool = self.tools.named(name)
            if tool.kind is Kind.WRITE:
                self._state = None if asked is None else self._readings.after(asked)
            checked = tool.validated(arguments)
            tool.require(self, checked)
            data = tool.function(self, **checked)
        except Refused as refusal:
            return Result.refusal(refusal, self)
        self._changes = len(self.ledger.changes)
        result = Result.accepted(data, self._changes)
        if asked is not None and tool.kind is not Kind.WRITE:
            self._readings.keep(asked, result.text)
        if self.strictness is Strictness.OBSERVED:
            self._seen.update(_SHOWN_ID.findall(result.text))
        return result

    def _asked(self, name: str, written: str | None) -> Asked | None:
        """Return what an answer is remembered by; None where it cannot be."""
        if self._state is None or written is None or len(self.ledger.changes) != self._changes:
            return None
        return (self._state, name, written)

    def hear(self, words: str) -> None:
        """Count the ids in what the agent was told (system prompt, user's words) as seen."""
        if self.strictness is Strictness.OBSERVED:
            self._heard += (words,)

    def has_seen(self, entity_id: str) -> bool:
        """Return whether an id may be used: always, unless it must have been observed and was not.

        Seen is what stood under an id's key in an accepted result, and what was heard as a word of its own. An id that
        only came back in a refusal, or that the agent wrote into a note itself, was not seen.
        """
        if self.strictness is not Strictness.OBSERVED or entity_id in self._seen:
            return True
        return any(_stands_in(entity_id, words) for words in self._heard)

    def fork(self) -> World:
        """Return a world that goes on from here by itself; only the ledger is copied."""
        other = World.__new__(World)
        other.catalogue, other.tools = self.catalogue, self.tools
        other.feedback, other.strictness = self.feedback, self.strictness
        other.ledger = self.ledger.fork()
        other._seen, other._heard = set(self._seen), self._heard
        other._readings, other._state, other._changes = self._readings, self._state, self._changes
        return other


def _readings(catalogue: Catalogue) -> Readings:
    del catalogue
    return Readings()


def _stands_in(entity_id: str, words: str) -> bool:
    """Return whether an id stands in a text as a word of its own, not as a part of a longer id."""
    start = words.find(entity_id) if entity_id else -1
    while start >= 0:
        end = start + len(entity_id)
        if not _ID_LETTER.match(words[start - 1 : start]) and not _ID_LETTER.match(words[end : end + 1]):
            return True
        start = words.find(entity_id, start + 1)
    return False
