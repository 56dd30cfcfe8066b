"""Checks on what the user was told and asked: the agent's utterances without tool calls, which the user hears."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Literal

from pydantic import Field

from vitagym.rewards.phrases import Groups, Said
from vitagym.tasks.checks import Check, Verdict


class TalkCheck(Check):
    """A requirement on what the agent says. What was heard cannot be unheard.

    Once met it stays met; one that forbids is met from the start, and once broken stays broken.
    """

    @abstractmethod
    def verdict(self, said: Said) -> Verdict:
        """Return whether one utterance meets it."""


class Told(TalkCheck):
    """The user was told something, all of it in one utterance.

    Numbers, dates, times, durations, distances and money are recognised in the usual written forms of both languages:
    a wording such as "18:30", "2025-07-27", "1200 yuan" or "25 minutes" is told by 6:30 pm, July 27, ¥1,200, 25分钟.

    Attributes:
        groups: One thing a group, each with its wordings; a wording of every group must be heard. Times of day are on
            the 24-hour clock unless they say otherwise.
        found: Whether it only counts once a wording of every group has been in a result, or in the user's own words:
            a guess that happens to be right tells nothing.
    """

    kind: Literal["told"] = "told"
    groups: Groups = Field(min_length=1)
    found: bool = False

    def verdict(self, said: Said) -> Verdict:
        """Look for every group in the utterance."""
        missing = said.missing(self.groups)
        if missing is None:
            guessed = self.found and next((g for g in self.groups if not any(map(said.was_known, g))), None)
            if guessed:
                return Verdict(False, f"{' / '.join(guessed)} was told before it was found")
            return Verdict(True, f"told in turn {said.turn}")
        return Verdict(False, f"nothing told of {' / '.join(missing)}")


class ToldNone(TalkCheck):
    """The user was told that there is none of something, or that it cannot be had.

    Attributes:
        groups: What there is none of, as for ``told``; empty: whatever it is.
    """

    kind: Literal["told_none"] = "told_none"
    groups: Groups = ()

    def verdict(self, said: Said) -> Verdict:
        """Look for a sentence that denies it."""
        if any(s.denies and s.missing(self.groups) is None for s in said.sentences):
            return Verdict(True, f"told in turn {said.turn} that there is none")
        return Verdict(False, "not told that there is none")


class NotInvented(TalkCheck):
    """None of these was told before it was found in a result, or said by the user.

    Attributes:
        wordings: Names, prices, times …, as for ``told``.
    """

    kind: Literal["not_invented"] = "not_invented"
    forbids: ClassVar[bool] = True
    wordings: tuple[str, ...] = Field(min_length=1)

    def verdict(self, said: Said) -> Verdict:
        """Look for one that is told and was not known."""
        for wording in self.wordings:
            if said.says(wording) and not said.was_known(wording):
                return Verdict(False, f"turn {said.turn} tells {wording}, which was nowhere before")
        return Verdict(True, "nothing invented")


class AskedBefore(TalkCheck):
    """The user was asked something before the agent first ordered, booked, changed or cancelled anything.

    Attributes:
        groups: What was asked about, as for ``told``; empty: whatever it is.
    """

    kind: Literal["asked_before"] = "asked_before"
    groups: Groups = ()

    def verdict(self, said: Said) -> Verdict:
        """Look for a question about it."""
        if said.acted:
            return Verdict(False, "not asked before acting")
        if any(s.asks and s.missing(self.groups) is None for s in said.sentences):
            return Verdict(True, f"asked in turn {said.turn}")
        return Verdict(False, "not asked so far")
