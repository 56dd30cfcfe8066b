"""An agent that performs a task's reference solution and talks as a good agent would: the ceiling of what can be had.

It knows what to aim at: the task's solution, and which points the user has conveyed. Everything it passes to a tool it
takes from its own observations all the same, so it also succeeds where ids must have been observed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import gymnasium as gym

from vitagym.dialogue.transcript import Role, Transcript, Turn
from vitagym.domains import tool_named
from vitagym.env.actions import STOP
from vitagym.errors import CallerError
from vitagym.language import text
from vitagym.tasks.task import CallStep, EventKind, Point, Release, SayStep, Task
from vitagym.tools.tool import Kind
from vitagym.users.phrasing import joined

if TYPE_CHECKING:
    from vitagym.env.environment import VitaEnv

_RECORD_KEYS = ("order_id", "book_id", "reservation_id")
_TRIES_PER_POINT = 6
_CLOSING_ROUNDS = 8
_EVENT_TEXTS = {
    EventKind.REPORTED: "report_event",
    EventKind.HEARD: "mention_event",
    EventKind.OFFERED: "offer_event",
}


class ReferenceAgent:
    """Performs ``task.solution``: asks for what a step waits for, calls, reports, and lets the user end."""

    def __init__(self) -> None:
        self._env: VitaEnv | None = None
        self._play: _Play | None = None

    def start(self, env: gym.Env[Any, Any]) -> None:
        """Get ready for a new episode."""
        self._env = env.unwrapped  # type: ignore[assignment]
        self._play = None

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Return the next step of the solution, or what it takes to get there.

        Raises:
            CallerError: ``start`` was not called, or the task has no reference solution.
        """
        if self._env is None:
            raise CallerError("the reference agent acts after start(env)")
        if self._play is None:
            self._play = _Play(self._env.task)
        return self._play.next(self._env.transcript)


class _Play:
    """How far one episode has come."""

    def __init__(self, task: Task) -> None:
        if not task.solution:
            raise CallerError(f"task {task.id} has no reference solution for the reference agent to perform")
        self._task = task
        self._points = {point.id: point for point in task.points}
        self._at = 0
        self._bound: dict[str, str] = {}
        self._tries: Counter[str] = Counter()
        self._confirmed = False
        self._reported = False
        self._closing = 0

    def next(self, transcript: Transcript) -> str:
        self._bind(transcript.turns)
        said = {act.point for turn in transcript.turns for act in turn.acts if act.point is not None}
        if self._at < len(self._task.solution):
            step = self._task.solution[self._at]
            wanted = self._first_missing(step.after, said)
            if wanted is not None:
                return self._elicit(wanted)
            if isinstance(step, CallStep) and not self._confirmed and tool_named(step.tool).kind is Kind.WRITE:
                self._confirmed = True
                return self._text("confirm")
            self._at += 1
            return self._call(step) if isinstance(step, CallStep) else self._say(step)
        return self._close(said)

    def _close(self, said: set[str]) -> str:
        """Everything is performed: hear the rest, say that all is done, and let the user end."""
        volunteered = (p.id for p in self._task.points if p.release is not Release.ASKED)
        wanted = self._first_missing(volunteered, said)
        if wanted is not None:
            return self._elicit(wanted)
        self._closing += 1
        if self._closing > _CLOSING_ROUNDS:
            return STOP
        if self._reported and self._closing % 2:
            return self._text("ask_more")
        self._reported = True
        return joined([self._text("done"), self._text("ask_more")], self._task.language)

    def _first_missing(self, wanted: Iterable[str], said: set[str]) -> Point | None:
        for point_id in wanted:
            if point_id not in said and self._tries[point_id] < _TRIES_PER_POINT:
                return self._points[point_id]
        return None

    def _elicit(self, point: Point) -> str:
        """Say what brings a point out: its event, or a question about it, in turn with open questions."""
        tries = self._tries[point.id]
        self._tries[point.id] += 1
        if point.event is not None:
            if not point.event.mention:
                return self._text("done" if point.event.kind is EventKind.REPORTED else "ask_more")
            mention = point.event.mention[tries % len(point.event.mention)]
            return self._text(_EVENT_TEXTS[point.event.kind]).format(mention=mention)
        questions = [f"ask_{slot.value}" for slot in (point.slot, *point.also)]
        if point.release is not Release.ASKED:
            questions += ["ask_more", "ask_other", "ask_open"]
        return self._text(questions[tries % len(questions)])

    def _call(self, step: CallStep) -> str:
        arguments = {name: self._filled(value) for name, value in step.arguments.items()}
        return json.dumps({"name": step.tool, "arguments": arguments}, ensure_ascii=False)

    def _say(self, step: SayStep) -> str:
        """Tell the user; where there is more to do, say so, or a user who hears a report may take it for the last."""
        said = str(self._filled(step.text))
        self._reported = self._reported or step.reports is not None
        left = self._task.solution[self._at :]
        acts = any(isinstance(later, CallStep) and tool_named(later.tool).kind is Kind.WRITE for later in left)
        if not acts or said.endswith(("?", "？")):
            return said
        return joined([said, self._text("more_to_do")], self._task.language)

    def _filled(self, value: Any) -> Any:
        if isinstance(value, str):
            for name in sorted(self._bound, key=len, reverse=True):
                value = value.replace(name, self._bound[name])
            return value
        if isinstance(value, list | tuple):
            return [self._filled(item) for item in value]
        return value

    def _bind(self, turns: list[Turn]) -> None:
        """Bind the name of the last call's new record to its id, as the result shows it."""
        if not self._at:
            return
        step = self._task.solution[self._at - 1]
        if not isinstance(step, CallStep) or step.binds is None or step.binds in self._bound:
            return
        results = [turn.result for turn in turns if turn.role is Role.TOOL]
        if results and results[-1] is not None and (found := _record_id(results[-1].data)):
            self._bound[step.binds] = found

    def _text(self, key: str) -> str:
        return text("reference_agent", key, self._task.language)


def _record_id(data: Any) -> str | None:
    """Return the id of the first record in a result."""
    if isinstance(data, dict):
        for key in _RECORD_KEYS:
            if isinstance(data.get(key), str):
                return str(data[key])
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return next((found for value in inner if (found := _record_id(value)) is not None), None)
