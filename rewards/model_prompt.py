"""What a language-model judge is given to read: its rules, and one window fenced off so that nothing in it instructs.

Every message is one line of JSON between two lines that begin with a mark made from the window itself: text in the
conversation can neither end the fence nor foresee its mark. The same window and states give the same prompt.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from string import Template
from typing import Any

from vitagym.dialogue.transcript import Role, Turn
from vitagym.language import Language, text
from vitagym.rewards.rubrics import RubricStates, RubricStatus
from vitagym.tasks.task import Rubric, Task

LONGEST_RESULT = 6000
"""How much of one message is shown, in characters; what is cut off is said."""

Message = dict[str, str]


def keyed(task: Task) -> dict[str, Rubric]:
    """Return the task's rubrics under the keys by which they are asked about, which say nothing."""
    return {f"R{number}": rubric for number, rubric in enumerate(task.rubrics, 1)}


def judge_messages(task: Task, window: Sequence[Turn], states: RubricStates, *, whole: bool = False) -> list[Message]:
    """Return the messages to a model that judges one window.

    Args:
        task: The task.
        window: The turns to be judged.
        states: Rubric id -> state before the window.
        whole: Whether the window is the whole conversation.
    """
    language = task.language
    lines = [json.dumps(_shown(turn, language), ensure_ascii=False) for turn in window]
    mark = "=" * 3 + hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    rules = Template(prompt_text(language)).substitute(fence=mark, example=text("judge_prompt", "example", language))
    heading = text("judge_prompt", "whole" if whole else "window", language)
    parts = [
        text("judge_prompt", "environment", language),
        *_environment(task),
        "",
        text("judge_prompt", "instruction", language),
        task.instruction,
        "",
        text("judge_prompt", "requirements", language),
        *_requirements(task, states),
        "",
        heading.format(first=window[0].index, last=window[-1].index),
        mark,
        *lines,
        mark,
    ]
    return [{"role": "system", "content": rules}, {"role": "user", "content": "\n".join(parts)}]


@cache
def prompt_text(language: Language) -> str:
    """Return the rules of judging in a language, with ``$fence`` and ``$example`` to be filled in."""
    source = resources.files("vitagym.assets").joinpath("prompts", f"judge_{language.value}.md")
    return source.read_text(encoding="utf-8")


def _environment(task: Task) -> list[str]:
    language, world = task.language, task.environment
    known: dict[str, Any] = {**task.profile.public, **task.profile.hidden}
    lines = [
        text("judge_prompt", "time", language).format(time=task.time),
        text("judge_prompt", "profile", language).format(profile=json.dumps(known, ensure_ascii=False)),
    ]
    for key, field in (("places", "location"), ("weather", "weather")):
        if world.get(field):
            value = json.dumps(world[field], ensure_ascii=False)
            lines.append(text("judge_prompt", key, language).format(**{key: value}))
    return lines


def _requirements(task: Task, states: RubricStates) -> list[str]:
    unknown = text("judge_prompt", "unknown", task.language)
    status = {RubricStatus.MET: "true", RubricStatus.UNSCORED: unknown}
    rows = []
    for key, rubric in keyed(task).items():
        so_far = status.get(states[rubric.id].status, "false")
        row = {"key": key, "rubric": rubric.sentence(task.language), "meetExpectation": so_far}
        rows.append(json.dumps(row, ensure_ascii=False))
    return rows


def _shown(turn: Turn, language: Language) -> dict[str, Any]:
    out: dict[str, Any] = {"n": turn.index, "from": turn.role.value}
    if turn.role is Role.TOOL and turn.call is not None:
        out["tool"] = turn.call.name
    if turn.text:
        out["text"] = _cut(turn.text, language)
    if turn.calls:
        out["calls"] = [{"tool": call.name, "arguments": _cut(call.raw, language)} for call in turn.calls]
    return out


def _cut(words: str, language: Language) -> str:
    if len(words) <= LONGEST_RESULT:
        return words
    left = text("judge_prompt", "cut", language).format(left=len(words) - LONGEST_RESULT)
    return words[:LONGEST_RESULT] + left
