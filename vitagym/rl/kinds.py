"""Candidates: what an agent may do next, each with the action's text and what it is for."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

import orjson

from vitagym.dialogue.acts import Slot
from vitagym.rl.toolroles import Deed


class Talk(StrEnum):
    """What an utterance does."""

    ASK_OPEN = "ask_open"
    ASK_SLOT = "ask_slot"
    ASK_MORE = "ask_more"
    CONFIRM = "confirm"
    """Asks whether to go ahead."""
    RECOMMEND = "recommend"
    REPORT = "report"
    """Says that one record was made, changed or cancelled, and that more is coming."""
    REPORT_ALL = "report_all"
    """Says of all records what was done with them, and asks for more."""
    NONE = "none"
    """Says that there is none of something."""
    STOP = "stop"


Kind = Talk | Deed


def call_text(tool: str, raw: str) -> str:
    """Return a tool call as the text environment takes it.

    Args:
        tool: Name of the tool.
        raw: The arguments as JSON.
    """
    return f'{{"name":"{tool}","arguments":{raw}}}'


class Fit(NamedTuple):
    """How well something meets what was heard of a goal.

    Attributes:
        met, missed, unknown: How many constraints.
        by_class: Class of constraints (see ``vitagym.rl.composing.CLASSES``) -> -1, 0 or 1.
    """

    met: int = 0
    missed: int = 0
    unknown: int = 0
    by_class: tuple[int, ...] = ()

    @property
    def score(self) -> int:
        """What candidates are ranked by."""
        return 2 * self.met - 3 * self.missed


_NO_FIT = Fit()


@dataclass(slots=True, eq=False)
class Candidate:
    """Something that the agent may do next.

    Attributes:
        kind: What it does: an utterance (``Talk``) or a tool call (``Deed``).
        action: The action as the text environment takes it.
        name: What it is, in a few words, in the task's language where it names things.
        tool: The tool, empty for utterances.
        record: Kind of the record that it is about, or of which goal it is about.
        goal: Key of the goal that it is for; empty: none.
        slot: What a question is about.
        target: Id of the record that it reports, pays, cancels or changes.
        fit: How well what it concerns meets what was heard.
        price, metres, minutes: Of what it concerns; None where that is not known.
        complete: Whether everything in it follows from what was heard or seen (nothing is guessed).
        rank: Its place among its own kind for its goal, the best first.
        raw: The arguments as the transcript keeps them: by this a call is known again.
        row: Its features that depend on nothing else, once they were worked out; nothing else of it ever changes.
    """

    kind: Kind
    action: str
    name: str
    tool: str = ""
    record: str = ""
    goal: str = ""
    slot: Slot | None = None
    target: str = ""
    fit: Fit = _NO_FIT
    price: float | None = None
    metres: float | None = None
    minutes: float | None = None
    complete: bool = True
    rank: int = 0
    raw: str = ""
    row: bytes = field(default=b"", repr=False)

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of the call, read when they are asked for; none where it is an utterance."""
        return orjson.loads(self.raw) if self.raw else {}
