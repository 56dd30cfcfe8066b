"""An episode's log: the first-class record that everything else (metrics, report, replay, training data) is made from.

A run is a folder with ``run.json`` and ``episodes.jsonl``; ``episodes.jsonl`` has one JSON object a line, UTF-8. A line
of a later attempt at an episode stands in the place of the earlier one. ``docs/log.md`` describes the fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from vitagym.dialogue.transcript import Role
from vitagym.errors import CallerError

SCHEMA = "vitagym.episode/1"
EPISODES = "episodes.jsonl"
"""The file of a run's folder that has the episodes."""
HUMAN = "human"
"""What a log calls a person."""
_ENDPOINT = "endpoint"

Row = dict[str, Any]
"""An episode's log as JSON says it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeLog:
    """Everything about one episode that is needed to show it, to count it, to learn from it, and to play it again.

    Turns are numbered from 0 as in the transcript, so turn k is ``messages[k + 1]``: the system prompt is no turn.

    Attributes:
        env_id: Id of the environment.
        agent: Who acted.
        user: Who the agent talked with, as ``user=`` of the environment names it.
        judge: Who judged, as ``judge=`` of the environment names it.
        task_id: Id of the task.
        trial: Which repetition on this task it is, from 0.
        attempt: How often the episode was tried before and cut off by a failing endpoint.
        split: The split of the task.
        domain: ``delivery``, ``instore``, ``ota`` or ``cross``.
        family: The scenario family that made the task; empty for public tasks.
        language: ``en`` or ``zh``.
        persona: The persona that the user played.
        seed: What the environment was reset with.
        settings: What the environment was made with.
        agent_options: What the agent was made with.
        complexity: The task's complexity vector; null where it was not computed.
        task_time: The world's clock, which stands still.
        versions: Versions of vitagym, Python and the packages that bear on the result.
        models: Role -> the model that its endpoint was asked for.
        prompts: Role -> SHA-256 of the instructions that its model was given.
        started: Wall-clock time of the reset, ISO 8601 in UTC; null where no clock was used.
        seconds: Wall-clock seconds from the reset to the end; null where no clock was used.
        seconds_by_role: Seconds of ``agent`` (deciding), ``user`` and ``judge`` (waiting for their models) and ``env``
            (the rest); empty where no clock was used.
        messages: The system prompt, then every turn in OpenAI format.
        actions: What the agent sent, in order; what JSON cannot say as an object that says so.
        action_turns: For each action the turn of the first message it made; its reward belongs to the messages from
            there to the next action.
        rewards: The reward of each action.
        reward_terms: The terms that each of them is the sum of.
        reward: The sum of the rewards.
        rubrics: Rubric id -> ``sentence``, ``status``, ``turn`` (since when; -1: from the start) and ``reason``, at the
            end.
        rubric_changes: Every change of a rubric in order: ``turn``, ``rubric``, ``status``, ``reason``.
        rubric_score: Share of rubrics met, whether the rest is unscored or not met.
        is_success: Whether all rubrics are met; null where one is unscored or there are none.
        scores: What the judge reported beside the rubrics at the end, by name.
        acts: The user's dialogue acts, where known: ``turn``, ``kind``, ``point`` (of the task) and ``slot``.
        world_changes: Every record made or changed: ``turn``, ``tool``, ``record`` (its id), ``kind``, ``before``
            (null: new) and ``after``.
        places: Providers and addresses that tool results showed: ``id``, ``name``, ``kind``, ``longitude``,
            ``latitude``.
        replies: Role -> what its model said, in order; enough to play the episode again without it. Empty for a user or
            judge that is no model.
        terminated: Whether agent or user ended it.
        truncated: Whether it was cut off.
        end_reason: Why it ended.
        error: What the endpoint's fault was; null where there was none.
        turns: Messages of agent, user and tools.
        usage: Counts of ``actions``, ``utterances``, ``tool_calls``, ``refused_calls``, ``refused_actions``; ``roles``:
            role -> ``requests``, ``failed_requests``, ``prompt_tokens``, ``completion_tokens``, ``cost``; ``priced``:
            whether a price is known for every model that was used.
    """

    env_id: str
    agent: str
    user: str
    judge: str
    task_id: str
    trial: int
    attempt: int
    split: str
    domain: str
    family: str
    language: str
    persona: str
    seed: int
    settings: Mapping[str, Any]
    agent_options: Mapping[str, Any]
    complexity: Mapping[str, Any] | None
    task_time: str
    versions: Mapping[str, str]
    models: Mapping[str, str]
    prompts: Mapping[str, str]
    started: str | None
    seconds: float | None
    seconds_by_role: Mapping[str, float]
    messages: tuple[Mapping[str, Any], ...]
    actions: tuple[Any, ...]
    action_turns: tuple[int, ...]
    rewards: tuple[float, ...]
    reward_terms: tuple[Mapping[str, float], ...]
    rubrics: Mapping[str, Mapping[str, Any]]
    rubric_changes: tuple[Mapping[str, Any], ...]
    rubric_score: float
    is_success: bool | None
    scores: Mapping[str, float | bool | None]
    acts: tuple[Mapping[str, Any], ...]
    world_changes: tuple[Mapping[str, Any], ...]
    places: tuple[Mapping[str, Any], ...]
    replies: Mapping[str, tuple[Mapping[str, Any], ...]]
    terminated: bool
    truncated: bool
    end_reason: str
    error: str | None
    usage: Mapping[str, Any]

    @property
    def key(self) -> str:
        """What the episode is called in a run: environment, agent, user, judge, task and trial."""
        return episode_key((self.env_id, self.agent, self.user, self.judge), self.task_id, self.trial)

    @property
    def reward(self) -> float:
        """The sum of the rewards."""
        return sum(self.rewards)

    @property
    def turns(self) -> int:
        """Messages of agent, user and tools."""
        return sum(message["role"] != Role.SYSTEM for message in self.messages)

    @property
    def endpoint_failed(self) -> bool:
        """Whether a failing endpoint cut it off: then it counts neither as success nor as failure."""
        return self.end_reason.startswith(_ENDPOINT)

    def data(self) -> Row:
        """Return the log as JSON can say it."""
        return {
            "schema": SCHEMA,
            "key": self.key,
            **{name: getattr(self, name) for name in self.__slots__},
            "reward": self.reward,
            "turns": self.turns,
        }

    def line(self) -> bytes:
        """Return the log as one line of JSON."""
        return orjson.dumps(self.data(), option=orjson.OPT_APPEND_NEWLINE)


def episode_key(played: tuple[str, str, str, str], task_id: str, trial: int) -> str:
    """Return what an episode is called in a run.

    Args:
        played: Environment id, agent, user and judge.
        task_id: Id of the task.
        trial: Which repetition on this task it is.
    """
    return "|".join((*played, task_id, str(trial)))


def endpoint_failed(row: Mapping[str, Any]) -> bool:
    """Return whether a failing endpoint cut an episode off: then it counts neither as success nor as failure."""
    return str(row["end_reason"]).startswith(_ENDPOINT)


class _Line(Row):
    """An episode as it was read: a field that it lacks is named with its file and line."""

    __slots__ = ("place",)
    place: str

    def __missing__(self, field: str) -> Any:
        raise CallerError(f"{self.place} has no field {field!r}, which every episode of {SCHEMA} has")


def read_logs(path: str | Path) -> list[Row]:
    """Return the episodes of a run, the latest attempt of each, in the order in which they first ended.

    Args:
        path: A run's folder, any other folder of ``.jsonl`` files, or one such file.

    Raises:
        CallerError: There is no such path, or a line of it is no episode of this schema. A last line that was broken
            off (the writer was killed) is left out.
    """
    latest: dict[tuple[str, str], Row] = {}
    for file in log_files(Path(path)):
        for row in read_rows(file):
            # Logs of one folder may come from different seeds; those are different episodes of the same name.
            latest[(row["key"], str(row["seed"]))] = row
    return list(latest.values())


def some(rows: list[Row], *paths: str | Path) -> list[Row]:
    """Return the episodes of logs; raises CallerError where there are none."""
    if not rows:
        raise CallerError(f"no episode has ended yet in {', '.join(repr(str(path)) for path in paths)}")
    return rows


def log_files(path: Path) -> list[Path]:
    """Return the files with episodes at a path; raises CallerError where there are none."""
    if path.is_file():
        return [path]
    if not path.exists():
        raise CallerError(f"there is no log at {str(path)!r}")
    if (path / EPISODES).exists():
        return [path / EPISODES]
    files = sorted(path.glob("*.jsonl"))
    if not files:
        raise CallerError(f"there is no log in the folder {str(path)!r}: expected {EPISODES}, or files *.jsonl")
    return files


def read_rows(file: Path) -> Iterator[Row]:
    """Yield every line of a file with episodes, earlier attempts too."""
    with file.open("rb") as lines:
        yield from _rows(lines, str(file))


def _rows(lines: Iterable[bytes], name: str) -> Iterator[Row]:
    for number, line in enumerate(lines, 1):
        if not line.endswith(b"\n"):
            return
        if line.isspace():
            continue
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise CallerError(f"line {number} of {name!r} is no JSON: {error}") from None
        schema = row.get("schema") if isinstance(row, dict) else None
        if schema != SCHEMA:
            raise CallerError(f"line {number} of {name!r} is no episode: its schema is {schema!r}, expected {SCHEMA!r}")
        read = _Line(row)
        read.place = f"line {number} of {name!r}"
        yield read
