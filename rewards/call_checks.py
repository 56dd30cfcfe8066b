"""Checks on what the agent looked up, and when: the order of events."""

from __future__ import annotations

from abc import abstractmethod
from typing import Literal

from pydantic import Field

from vitagym.dialogue.transcript import Turn
from vitagym.rewards.phrases import Groups, missing_group
from vitagym.tasks.checks import Check, Verdict


class CallCheck(Check):
    """A requirement on the agent's tool calls. Once met, it stays met."""

    @abstractmethod
    def verdict(self, turn: Turn, acted: bool) -> Verdict:
        """Return whether one result meets it.

        Args:
            turn: The tool's turn.
            acted: Whether the agent had changed any record before it.
        """


class LookedUp(CallCheck):
    """The agent looked something up, before it first ordered, booked, changed or cancelled anything.

    Attributes:
        tools: The tools that show it, any of them.
        groups: What the result has to say, as for ``told``; empty: whatever it says.
        late: Whether it also counts after the first change.
    """

    kind: Literal["looked_up"] = "looked_up"
    tools: tuple[str, ...] = Field(min_length=1)
    groups: Groups = ()
    late: bool = False

    def verdict(self, turn: Turn, acted: bool) -> Verdict:
        """Look whether the call is one of these, was accepted, and came in time."""
        call, result = turn.call, turn.result
        if call is None or result is None or not result.ok or call.name not in self.tools:
            return Verdict(False, "not looked up so far")
        if acted and not self.late:
            return Verdict(False, "not looked up before acting")
        missing = missing_group(self.groups, turn.text)
        if missing is not None:
            return Verdict(False, f"{call.name} says nothing of {' / '.join(missing)}")
        return Verdict(True, f"looked up in turn {turn.index}")
