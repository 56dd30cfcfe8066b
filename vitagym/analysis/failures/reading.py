"""What the rules for failures read off a row: calls, claims, what the user said and when, and records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from vitagym.analysis.metrics import enumerated
from vitagym.analysis.rows import Row
from vitagym.dialogue.acts import AgentActKind
from vitagym.dialogue.transcript import Role
from vitagym.language import Language, as_language, text
from vitagym.tasks.task import Point, Task
from vitagym.users.agenda import brief_of
from vitagym.users.understanding import Heard, hear
from vitagym.world.records import Status


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call with what became of it.

    Attributes:
        turn: The turn of the agent that has the call.
        result_turn: The turn of its result.
        name: The tool, as the agent wrote it.
        arguments: The arguments as JSON with sorted keys, or as the agent wrote them where they are none.
        refused: Whether it was refused.
    """

    turn: int
    result_turn: int
    name: str
    arguments: str
    refused: bool


@dataclass(frozen=True, slots=True)
class Made:
    """A record that was made or changed in the episode.

    Attributes:
        id: Its id.
        kind: Its kind, as checks name it.
        is_new: Whether it was made in the episode.
        stands: Whether it was not cancelled in the end.
        turns: Turns of the results that made or changed it.
        last: What it was in the end.
    """

    id: str
    kind: str
    is_new: bool
    stands: bool
    turns: tuple[int, ...]
    last: Mapping[str, Any]


class Reading:
    """A row, read for the rules.

    Args:
        row: The row.
        task: Its task; None where it is not known: rules that need it then find nothing.

    Attributes:
        language: The language of the episode.
        last_turn: The last turn.
    """

    def __init__(self, row: Row, task: Task | None) -> None:
        self.row, self.task = row, task
        self.language: Language = as_language(str(row.get("language") or Language.EN))
        self.last_turn = len(row["messages"]) - 2

    @cached_property
    def calls(self) -> list[Call]:
        """All calls, in order; a call without a result is left out."""
        start = text("feedback", "refused", self.language).partition("{")[0]
        results = {m["tool_call_id"]: (turn, m) for turn, m in enumerated(self.row) if m["role"] == Role.TOOL}
        found = []
        for turn, message in enumerated(self.row):
            for call in message.get("tool_calls") or ():
                if call["id"] in results:
                    result_turn, result = results[call["id"]]
                    refused = str(result["content"]).startswith(start)
                    function = call["function"]
                    found.append(Call(turn, result_turn, function["name"], _canonical(function["arguments"]), refused))
        return found

    @cached_property
    def utterances(self) -> list[tuple[int, str, Heard]]:
        """What the agent said to the user: turn, words, and what is understood of them."""
        return [
            (turn, str(message["content"]), hear(str(message["content"]), self.language))
            for turn, message in enumerated(self.row)
            if message["role"] == Role.ASSISTANT and not message.get("tool_calls") and message.get("content")
        ]

    @cached_property
    def user_turns(self) -> list[tuple[int, str]]:
        """What the user said."""
        return [(turn, str(m["content"])) for turn, m in enumerated(self.row) if m["role"] == Role.USER]

    @cached_property
    def claims(self) -> list[tuple[int, str, Heard]]:
        """The utterances that say that something has been done."""
        return [one for one in self.utterances if one[2].has(AgentActKind.REPORT_DONE)]

    @cached_property
    def said(self) -> dict[str, int]:
        """Point -> the turn at which the user first conveyed it."""
        found: dict[str, int] = {}
        for act in self.row.get("acts") or ():
            if act["point"] is not None:
                found.setdefault(act["point"], act["turn"])
        return found

    @property
    def tells_points(self) -> bool:
        """Whether it is known which points the user conveyed."""
        return bool(self.said) and self.task is not None and bool(self.points)

    @cached_property
    def points(self) -> dict[str, Point]:
        """The task's points by id."""
        return {} if self.task is None else {point.id: point for point in brief_of(self.task).points}

    @cached_property
    def instructed(self) -> frozenset[str]:
        """Ids of the points that the user has to say unasked."""
        return frozenset() if self.task is None else brief_of(self.task).instructed

    @cached_property
    def made(self) -> list[Made]:
        """The records that were made or changed, in order."""
        changes: dict[str, list[Mapping[str, Any]]] = {}
        for change in self.row.get("world_changes") or ():
            changes.setdefault(change["record"], []).append(change)
        return [_made(record, found) for record, found in changes.items()]

    def made_of(self, kind: str) -> list[Made]:
        """Return the records of a kind that were made and stand, and old ones that were changed."""
        return [one for one in self.made if one.kind == kind and (one.stands or not one.is_new)]

    def changed_between(self, first: int, last: int) -> bool:
        """Return whether the world changed after one turn and before another."""
        return any(first < turn < last for one in self.made for turn in one.turns)

    def changed_before(self, turn: int) -> bool:
        """Return whether the world had changed before a turn."""
        return self.changed_between(-1, turn)


def refused_again(calls: Iterable[Call], reading: Reading) -> list[tuple[Call, Call]]:
    """Return pairs of the same call, both refused, with no change of the world between them."""
    last: dict[tuple[str, str], Call] = {}
    found = []
    for call in calls:
        if not call.refused:
            continue
        key = (call.name, call.arguments)
        before = last.get(key)
        if before is not None and call.turn > before.turn and not reading.changed_between(before.turn, call.turn):
            found.append((before, call))
        last[key] = call
    return found


def _made(record: str, changes: Sequence[Mapping[str, Any]]) -> Made:
    last = changes[-1]["after"] or {}
    return Made(
        id=record,
        kind=str(changes[0]["kind"]),
        is_new=changes[0]["before"] is None,
        stands=last.get("status") != Status.CANCELLED,
        turns=tuple(dict.fromkeys(change["turn"] for change in changes)),
        last=last,
    )


def _canonical(arguments: str) -> str:
    try:
        return json.dumps(json.loads(arguments), sort_keys=True, ensure_ascii=False)
    except (TypeError, ValueError):
        return str(arguments)
