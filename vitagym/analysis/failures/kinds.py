"""What can go wrong, by type and by the paper's four categories (paper: section 5.3, figure 9)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from vitagym.language import Language, text


class Category(StrEnum):
    """The paper's categories of failures."""

    REASONING = "reasoning"
    TOOL_USE = "tool_use"
    INTERACTION = "interaction"
    USER = "user"


class FailureType(StrEnum):
    """Types of failures; which rule decides on each stands in ``behaviours`` and ``causes``."""

    CONSTRAINT_IGNORED = "constraint_ignored"
    """The record is there and the user had said the constraint, and it is not kept."""
    WRONG_ENTITY = "wrong_entity"
    """The record is for another thing than the one that was named, or there is one that nobody wanted."""
    LEFT_UNDONE = "left_undone"
    """Everything that it takes was said, and it was not done, nor claimed, nor tried in vain."""
    CLAIMED_UNDONE = "claimed_undone"
    """The agent said that it is done, and it is not."""
    UNDONE = "undone"
    """It was right and the agent undid it."""
    REFUSAL_REPEATED = "refusal_repeated"
    """A refused call was sent again unchanged while nothing had changed."""
    REFUSED = "refused"
    """All calls that would have done it were refused, none of them twice."""
    WRONG_DOMAIN_TOOL = "wrong_domain_tool"
    """A tool of a domain was called that the task does not need."""
    NEVER_ASKED = "never_asked"
    """It rests on something that the user says only when asked, and nobody asked."""
    NOT_HEARD_OUT = "not_heard_out"
    """It rests on something that the user had not said yet when the agent acted for the last time, or ended."""
    NOT_TOLD = "not_told"
    """The user was to be told something and was not."""
    USER_BROKE_RULE = "user_broke_rule"
    """The user ended too early, said something too early, or said what it was not told."""
    UNEXPLAINED = "unexplained"
    """No rule decides."""

    @property
    def category(self) -> Category | None:
        """The category that it belongs to; None for what no rule explains."""
        return _CATEGORIES.get(self)


_CATEGORIES = {
    FailureType.CONSTRAINT_IGNORED: Category.REASONING,
    FailureType.WRONG_ENTITY: Category.REASONING,
    FailureType.LEFT_UNDONE: Category.REASONING,
    FailureType.CLAIMED_UNDONE: Category.REASONING,
    FailureType.UNDONE: Category.REASONING,
    FailureType.REFUSAL_REPEATED: Category.TOOL_USE,
    FailureType.REFUSED: Category.TOOL_USE,
    FailureType.WRONG_DOMAIN_TOOL: Category.TOOL_USE,
    FailureType.NEVER_ASKED: Category.INTERACTION,
    FailureType.NOT_HEARD_OUT: Category.INTERACTION,
    FailureType.NOT_TOLD: Category.INTERACTION,
    FailureType.USER_BROKE_RULE: Category.USER,
}


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that went wrong in an episode.

    Attributes:
        type: What.
        turns: The turns that show it, in order.
        rubrics: The rubrics that are not met because of it; empty: it went wrong, and no rubric is put down to it.
        about: What it is about: a tool, a point, a record, a slot or a fact; empty where the type says all.
    """

    type: FailureType
    turns: tuple[int, ...]
    rubrics: tuple[str, ...] = ()
    about: str = ""

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        category = self.type.category
        return {
            "type": self.type.value,
            "category": None if category is None else category.value,
            "turns": list(self.turns),
            "rubrics": list(self.rubrics),
            "about": self.about,
        }


def title(what: FailureType | Category, language: Language = Language.EN) -> str:
    """Return what a type or category of failures is called in a language."""
    return text("failures", what.value, language)
