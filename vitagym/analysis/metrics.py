"""The metrics of an episode, each defined once: what it counts, in what unit, and where the paper speaks of it.

A metric is a function of a row; None says that the row does not tell it, and such a row is left out of its figure and
not taken as zero. How rows become a figure (mean over tasks, interval) stands in ``summary``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from vitagym.analysis.rows import Outcome, Row, ended, outcome
from vitagym.dialogue.acts import Slot
from vitagym.dialogue.transcript import Role
from vitagym.language import Language, as_language
from vitagym.llm.asking import ModelRole
from vitagym.rewards.rubrics import RubricStatus
from vitagym.users.understanding import hear

Value = Callable[[Row], float | None]


@dataclass(frozen=True, slots=True)
class Metric:
    """A number that an episode has.

    Attributes:
        name: What it is called in tables and JSON.
        unit: What it counts; ``share`` for a share between 0 and 1.
        section: Where the paper speaks of it; empty where it does not.
        value: Gives it for a row; None where the row does not tell it.
    """

    name: str
    unit: str
    section: str
    value: Value

    @property
    def definition(self) -> str:
        """What it is, in one paragraph."""
        return " ".join((inspect.getdoc(self.value) or "").split())

    @property
    def is_share(self) -> bool:
        """Whether it lies between 0 and 1."""
        return self.unit == "share"


METRICS: dict[str, Metric] = {}
"""All metrics of an episode by name, in the order of tables."""


def _metric(unit: str, section: str = "") -> Callable[[Value], Value]:
    def register(value: Value) -> Value:
        name: str = getattr(value, "__name__", "")
        METRICS[name] = Metric(name, unit, section, value)
        return value

    return register


@_metric("share", "3.3, 4.1")
def success(row: Row) -> float | None:
    """Whether all rubrics are met: its mean over trials and tasks is Avg@k. Unscored episodes are left out."""
    match outcome(row):
        case Outcome.SUCCESS:
            return 1.0
        case Outcome.FAILURE:
            return 0.0
        case _:
            return None


@_metric("share", "3.3")
def rubric_score(row: Row) -> float | None:
    """Share of the task's rubrics that are met at the end. Episodes with an unscored rubric, or with none, are left
    out.
    """
    statuses = [str(state["status"]) for state in row["rubrics"].values()]
    if not ended(row) or not statuses or RubricStatus.UNSCORED in statuses:
        return None
    return statuses.count(RubricStatus.MET) / len(statuses)


@_metric("messages", "4.2, figure 5")
def turns(row: Row) -> float | None:
    """Messages of agent, user and tools."""
    return float(row["turns"]) if ended(row) else None


@_metric("calls", "4.2")
def calls(row: Row) -> float | None:
    """Tool calls of the agent, refused ones too."""
    return _counted(row, "tool_calls")


@_metric("calls", "5.3")
def refused_calls(row: Row) -> float | None:
    """Tool calls that were refused, or that could not be read."""
    return _counted(row, "refused_calls")


@_metric("questions", "appendix B")
def repeated_questions(row: Row) -> float | None:
    """Questions about something that was asked about before and that brought out nothing new. Episodes whose user's
    dialogue acts are not known are left out.
    """
    if not ended(row) or not row.get("acts"):
        return None
    return float(sum(len(slots) for slots in questions_again(row).values()))


@_metric("tokens")
def tokens(row: Row) -> float | None:
    """Tokens of the agent's model, read and written. Episodes that no model was asked in are left out."""
    agent = _role(row, ModelRole.AGENT)
    if not ended(row) or not agent.get("requests"):
        return None
    return float(agent.get("prompt_tokens", 0) + agent.get("completion_tokens", 0))


@_metric("money")
def cost(row: Row) -> float | None:
    """What the models of agent, user and judge cost together, in the money of the price list. Episodes with a model
    whose price is not known are left out.
    """
    if not ended(row) or not _priced(row):
        return None
    return spent(row)


@_metric("seconds")
def seconds(row: Row) -> float | None:
    """Wall-clock time from the reset to the end. Episodes played without a clock are left out."""
    return None if not ended(row) or row.get("seconds") is None else float(row["seconds"])


@_metric("reward")
def reward(row: Row) -> float | None:
    """Sum of the episode's rewards. What they are made of is a setting of the environment."""
    return float(row["reward"]) if ended(row) else None


def spent(row: Row) -> float:
    """Return what an episode cost, whatever became of it; a model without a known price costs nothing here."""
    roles: Mapping[str, Any] = row["usage"].get("roles") or {}
    return float(sum(role.get("cost", 0.0) for role in roles.values()))


def questions_again(row: Row) -> dict[int, list[Slot]]:
    """Return turn -> what the agent asked about there once more, to no new answer.

    A question is one about a slot that an earlier utterance of the agent asked about; it counts where what the user
    says next conveys no point for the first time. So asking for the time of a second order is none, as long as the
    user has not told it.
    """
    language = as_language(str(row.get("language") or Language.EN))
    fresh = _turns_with_news(row["acts"])
    asked: set[Slot] = set()
    found: dict[int, list[Slot]] = {}
    turns_of_user = [turn for turn, message in enumerated(row) if message["role"] == Role.USER]
    for turn, message in enumerated(row):
        if message["role"] != Role.ASSISTANT or message.get("tool_calls") or not message.get("content"):
            continue
        answered = next((later for later in turns_of_user if later > turn), None)
        about = hear(str(message["content"]), language).asked
        if answered is not None and answered not in fresh:
            again = [slot for slot in about if slot in asked]
            if again:
                found[turn] = again
        asked.update(about)
    return found


def enumerated(row: Row) -> Iterable[tuple[int, Mapping[str, Any]]]:
    """Return the messages with their turns; the system prompt, which is no turn, is left out."""
    return enumerate(row["messages"][1:])


def _turns_with_news(acts: Iterable[Mapping[str, Any]]) -> set[int]:
    said: set[str] = set()
    found: set[int] = set()
    for act in acts:
        if act["point"] is not None and act["point"] not in said:
            said.add(act["point"])
            found.add(act["turn"])
    return found


def _counted(row: Row, name: str) -> float | None:
    return float(row["usage"][name]) if ended(row) else None


def _role(row: Row, role: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = (row["usage"].get("roles") or {}).get(role) or {}
    return found


def _priced(row: Row) -> bool:
    return bool(row["usage"].get("priced", False))
