"""The world of one episode: ``call(tool, arguments)`` gives a result or a refusal, never an exception."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vitagym.tools.results import Feedback, Refused, Result, Strictness
from vitagym.tools.toolset import Toolset
from vitagym.world.catalogue import Catalogue
from vitagym.world.ledger import Ledger


class World:
    """A catalogue, a ledger and the tools that may be used on them.

    Args:
        catalogue: Shared with every other world of the task; never changed.
        tools: The tools on offer.
        feedback: How much a refusal says.
        strictness: Whether an id must have been seen in this episode, or only exist.
    """

    __slots__ = ("_seen", "catalogue", "feedback", "ledger", "strictness", "tools")

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

    def call(self, name: str, arguments: Mapping[str, Any]) -> Result:
        """Run a tool.

        Args:
            name: Name of the tool.
            arguments: Its arguments by name, as parsed from JSON.

        Returns:
            The result; where it was refused, ``ok`` is False and the ledger is as before.
        """
        try:
            tool = self.tools.named(name)
            checked = tool.validated(arguments)
            tool.require(self, checked)
            data = tool.function(self, **checked)
        except Refused as refusal:
            return Result.refusal(refusal, self)
        if self.strictness is Strictness.OBSERVED:
            self._see(data)
        return Result.accepted(data, len(self.ledger.changes))

    def hear(self, words: str) -> None:
        """Count the ids in what the agent was told (system prompt, user's words) as seen."""
        if self.strictness is Strictness.OBSERVED:
            self._seen.update(words.replace(",", " ").replace(".", " ").replace("，", " ").replace("。", " ").split())

    def has_seen(self, entity_id: str) -> bool:
        """Return whether an id may be used: always, unless it must have been observed and was not."""
        return self.strictness is not Strictness.OBSERVED or entity_id in self._seen

    def fork(self) -> World:
        """Return a world that goes on from here by itself; only the ledger is copied."""
        other = World.__new__(World)
        other.catalogue, other.tools = self.catalogue, self.tools
        other.feedback, other.strictness = self.feedback, self.strictness
        other.ledger = self.ledger.fork()
        other._seen = set(self._seen)
        return other

    def _see(self, data: Any) -> None:
        if isinstance(data, dict):
            for key, value in data.items():
                if isinstance(value, str):
                    if key.endswith(("_id", " id")):
                        self._seen.add(value)
                else:
                    self._see(value)
        elif isinstance(data, list | tuple):
            for value in data:
                self._see(value)
