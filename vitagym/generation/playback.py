"""Playback: the reference solution, or a spoilt one, run on the world and judged by the rules, with no user."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from vitagym.dialogue.transcript import Role, ToolCall, Transcript
from vitagym.domains import toolset
from vitagym.rewards.rubrics import RubricStates, RubricStatus, success
from vitagym.rewards.rule_judge import RuleJudge
from vitagym.tasks.checks import Evidence
from vitagym.tasks.task import CallStep, Step, Task
from vitagym.tools.results import Strictness
from vitagym.world.records import Record
from vitagym.world.world import World

_RECORD_KEYS = ("order_id", "book_id", "reservation_id")


@dataclass(frozen=True)
class Playback:
    """What came of running some steps.

    Attributes:
        refusals: The calls that were refused, each with its reason.
        unseen: Arguments (ids, addresses) that had not occurred in an earlier result or in the user's words.
        states: States of the rubrics at the end.
        records: Every record that was made or changed, as it is at the end.
    """

    refusals: tuple[str, ...]
    unseen: tuple[str, ...]
    states: RubricStates
    records: tuple[Record, ...]

    @property
    def success(self) -> bool | None:
        """Whether all rubrics are met."""
        return success(self.states)

    @property
    def unmet(self) -> tuple[str, ...]:
        """Ids of the rubrics that are not met."""
        return tuple(key for key, state in self.states.items() if state.status is not RubricStatus.MET)


def play(
    task: Task, steps: Sequence[Step], *, strictness: Strictness = Strictness.STATE, traced: bool = False
) -> Playback:
    """Run steps on a fresh world of the task; the points that a step waits for are said before it.

    Args:
        task: The task.
        steps: What the agent does.
        strictness: Whether ids must have been observed.
        traced: Whether to look for arguments that were used untold; else ``unseen`` stays empty.
    """
    world = World(task.catalogue, toolset(task.domains), strictness=strictness)
    transcript = Transcript()
    points = {point.id: point for point in task.points}
    trace = _Trace(_names(task) if traced else frozenset())
    bound: dict[str, str] = {}
    refusals: list[str] = []
    said: set[str] = set()
    for number, step in enumerate(steps):
        for point_id in step.after:
            if point_id not in said:
                said.add(point_id)
                words = points[point_id].wordings[0]
                world.hear(words)
                trace.hear(words)
                transcript.add(Role.USER, words)
        if not isinstance(step, CallStep):
            transcript.add(Role.ASSISTANT, _filled(step.text, bound))
            continue
        arguments = {key: _filled(value, bound) for key, value in step.arguments.items()}
        trace.use(step.tool, arguments)
        call = ToolCall(f"call_{number}", step.tool, arguments, json.dumps(arguments, ensure_ascii=False))
        transcript.add(Role.ASSISTANT, "", calls=(call,))
        result = world.call(step.tool, arguments)
        transcript.add(Role.TOOL, result.text, call=call, result=result)
        trace.hear(result.text)
        if not result.ok:
            refusals.append(f"{step.tool}: {result.text}")
        elif step.binds is not None:
            bound[step.binds] = next(_record_ids(result.data), "")
    states = RuleJudge(task).update(Evidence(world, transcript), final=True)
    records = {change.after.id: change.after for change in world.ledger.changes}
    return Playback(tuple(refusals), tuple(trace.unseen), states, tuple(records.values()))


class _Trace:
    """Follows which names the agent has been told, and which it uses untold."""

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names
        self._heard: list[str] = []
        self.unseen: list[str] = []

    def hear(self, words: str) -> None:
        self._heard.append(words)

    def use(self, tool: str, arguments: dict[str, Any]) -> None:
        if not self._names:
            return
        for value in _strings(arguments):
            if value in self._names and not any(value in words for words in self._heard):
                self.unseen.append(f"{tool}: {value}")


def _names(task: Task) -> frozenset[str]:
    """Return every id and address of the world."""
    catalogue = task.catalogue
    ids = [*catalogue.providers, *catalogue.orders, *catalogue.bookings, *catalogue.reservations]
    products = [product.id for provider in catalogue.providers.values() for product in provider.products]
    return frozenset([*ids, *products, *(place.address for place in catalogue.all_places), catalogue.user_id])


def _filled(value: Any, bound: dict[str, str]) -> Any:
    if isinstance(value, str):
        for name in sorted(bound, key=len, reverse=True):
            value = value.replace(name, bound[name])
        return value
    if isinstance(value, list | tuple):
        return [_filled(item, bound) for item in value]
    return value


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)


def _record_ids(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        yield from (str(data[key]) for key in _RECORD_KEYS if isinstance(data.get(key), str))
        for inner in data.values():
            yield from _record_ids(inner)
    elif isinstance(data, list):
        for inner in data:
            yield from _record_ids(inner)
