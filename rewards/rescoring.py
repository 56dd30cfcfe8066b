"""Scoring a saved episode again, with any judge, without playing its dialogue again.

A log holds messages, not the ledger. Accepted calls are made again in a fresh world of the task, which gives the same
results (they are compared with the log) and so the same ledger at every turn; nobody is asked to speak again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vitagym.dialogue.transcript import Role, ToolCall, Transcript
from vitagym.domains import CROSS, toolset
from vitagym.errors import CallerError
from vitagym.language import text
from vitagym.llm.asking import arun
from vitagym.rewards.judge import Judge, Scores, updating
from vitagym.rewards.judges import JudgeMaker, make_judge
from vitagym.rewards.rubrics import RubricStates, satisfied_fraction, success
from vitagym.tasks.checks import Evidence
from vitagym.tasks.task import Task
from vitagym.tools.results import Result
from vitagym.world.world import World

Message = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Rescored:
    """What a judge says of a saved episode.

    Attributes:
        states: Of the rubrics, at the end.
        scores: What it reports beside them.
    """

    states: RubricStates
    scores: Scores

    @property
    def is_success(self) -> bool | None:
        """Whether all rubrics are met; None where that cannot be said."""
        return success(self.states)

    @property
    def rubric_score(self) -> float:
        """The share of rubrics that are met."""
        return satisfied_fraction(self.states)


def rescore(messages: Sequence[Message], task: Task, judge: str | JudgeMaker | Judge) -> Rescored:
    """Judge a saved episode.

    Args:
        messages: The conversation in OpenAI format, with or without a system prompt.
        task: The task that was played.
        judge: As ``judge=`` of the environment takes it.

    Raises:
        CallerError: The messages are no episode on this task.
        EndpointError: A language model gave no answer.
    """
    judging = make_judge(judge, task)
    states = judging.update(evidence_of(messages, task), final=True)
    return Rescored(states, judging.scores)


def rescore_all(
    episodes: Iterable[tuple[Sequence[Message], Task]], judge: str | JudgeMaker | Judge, *, at_once: int = 16
) -> list[Rescored]:
    """Judge many saved episodes, in order; those of a language model some at a time.

    Args:
        episodes: Messages and task of each.
        judge: As ``judge=`` of the environment takes it.
        at_once: How many episodes a language model judges at the same time.
    """
    return asyncio.run(_rescore_all(list(episodes), judge, at_once))


async def _rescore_all(
    episodes: Sequence[tuple[Sequence[Message], Task]], judge: str | JudgeMaker | Judge, at_once: int
) -> list[Rescored]:
    places = asyncio.Semaphore(at_once)

    async def one(messages: Sequence[Message], task: Task) -> Rescored:
        async with places:
            judging = make_judge(judge, task)
            evidence = evidence_of(messages, task)
            states = await arun(updating(judging, evidence, final=True))
            return Rescored(states, judging.scores)

    return list(await asyncio.gather(*(one(messages, task) for messages, task in episodes)))


def evidence_of(messages: Sequence[Message], task: Task) -> Evidence:
    """Return transcript and world of a saved episode as they stood at its end; raises CallerError as ``rescore``."""
    world = World(task.catalogue, toolset((CROSS,)))
    transcript = Transcript()
    calls: dict[str, ToolCall] = {}
    for number, message in enumerate(messages):
        role = message.get("role")
        content = str(message.get("content") or "")
        if role == Role.SYSTEM.value:
            # The first one is the prompt, which is no turn; a later one is what the environment answered to an action.
            if number:
                transcript.add(Role.SYSTEM, content)
        elif role == Role.TOOL.value:
            call = calls.get(str(message.get("tool_call_id")))
            if call is None:
                raise CallerError(f"message {number} answers no tool call before it")
            transcript.add(Role.TOOL, content, call=call, result=_again(world, call, content, number))
        elif role == Role.ASSISTANT.value:
            made = tuple(_call(call) for call in message.get("tool_calls") or ())
            calls.update((call.id, call) for call in made)
            transcript.add(Role.ASSISTANT, content, calls=made)
        elif role == Role.USER.value:
            transcript.add(Role.USER, content)
        else:
            raise CallerError(f"message {number} is from {role!r}; allowed: system, user, assistant, tool")
    return Evidence(world, transcript)


def _call(message: Message) -> ToolCall:
    function = message["function"]
    raw = str(function["arguments"])
    try:
        arguments = json.loads(raw)
    except ValueError:
        arguments = None
    return ToolCall(str(message["id"]), str(function["name"]), arguments if isinstance(arguments, dict) else None, raw)


def _again(world: World, call: ToolCall, content: str, number: int) -> Result:
    """Return the result that a log shows; an accepted call is made again, and must give the same."""
    language = world.catalogue.language
    refusal = text("feedback", "refused", language).split("{code}")[0]
    if content.startswith(refusal):
        code = content[len(refusal) :].partition("]")[0]
        return Result(False, None, content, code)
    result = world.call(call.name, call.arguments or {})
    if result.text != content:
        raise CallerError(
            f"message {number}: {call.name} gave {content[:200]!r}, and gives {result.text[:200]!r} on task "
            f"{world.catalogue.task_id}: the messages are of another task, or of another version of it"
        )
    return result
