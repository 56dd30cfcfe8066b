"""Plays episodes of a log again without any model, and compares every byte with what the log says.

The agent's actions are those of the log; where user or judge is a model, what it said is given to them again, through
the same code; a person who played the user says the same words again. Times, versions and the agent's own prompt are
not compared: they are not the episode's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import gymnasium as gym
import orjson

from vitagym.dialogue.transcript import Role
from vitagym.env.ends import EndReason
from vitagym.errors import CallerError, EndpointError
from vitagym.evaluation.answers import Answers, Replayed
from vitagym.evaluation.comparing import Parting, parting
from vitagym.evaluation.log import HUMAN, EpisodeLog, Row
from vitagym.evaluation.recorder import Labels, Recorder, given_action
from vitagym.language import as_language, text
from vitagym.llm.asking import ModelRole
from vitagym.llm.endpoint import Endpoint
from vitagym.rewards.model_judge import ModelJudge
from vitagym.users.replay import ReplayedUser
from vitagym.users.user import Reply

if TYPE_CHECKING:
    from vitagym.env.environment import VitaEnv

_LANGUAGE_MODEL = "llm"
_NOT_THE_EPISODES_OWN = ("started", "seconds", "seconds_by_role", "versions", "models")
_ROLES_PLAYED_AGAIN = (ModelRole.USER.value, ModelRole.JUDGE.value)


@dataclass(frozen=True, slots=True)
class Verified:
    """An episode that was played again.

    Attributes:
        row: The log's episode.
        parting: Where the log and the episode played again differ; None: nowhere.
    """

    row: Row
    parting: Parting | None


Environments = dict[bytes, gym.Env[Any, Any]]
"""Environments that were made already, by what they were made with."""


def replay(row: Row, environments: Environments | None = None) -> EpisodeLog:
    """Play an episode of a log again.

    Args:
        row: The episode.
        environments: Those that were made for earlier episodes, to be used again.

    Raises:
        CallerError: It cannot be: there is no such task any more, or the log lacks a reply that is asked for.
    """
    env = _environment(row, {} if environments is None else environments)
    inner = cast("VitaEnv", env.unwrapped)
    answers = Answers(source=Replayed(row["replies"]))
    inner.answering = answers
    _, info = env.reset(seed=row["seed"], options={"task_id": row["task_id"]})
    labels = Labels(
        agent=row["agent"],
        agent_options=row["agent_options"],
        user=row["user"],
        judge=row["judge"],
        trial=row["trial"],
        attempt=row["attempt"],
        settings=row["settings"],
    )
    recorder = Recorder(env, info, labels, answers=answers)
    for action in map(given_action, row["actions"]):
        if info["end_reason"] is not None:
            raise CallerError(f"{row['key']}: ended ({info['end_reason']}) before the log's last action")
        turn = len(inner.transcript)
        _, reward, _, _, info = env.step(action)
        recorder.acted(action, turn, float(reward), info)
    if info["end_reason"] is not None:
        return recorder.log()
    if row["error"] is None:
        raise CallerError(f"{row['key']}: did not end after the log's last action; the log says {row['end_reason']}")
    return recorder.log(EndpointError(row["error"], timed_out=row["end_reason"] == "endpoint_timed_out"))


def verify(rows: Iterable[Row]) -> Iterator[Verified]:
    """Play episodes again, and yield for each where it differs from the log."""
    environments: Environments = {}
    for row in rows:
        try:
            again = orjson.loads(replay(row, environments).line())
        except CallerError as error:
            yield Verified(row, Parting("episode", "played to its end", str(error)))
        else:
            yield Verified(row, parting(_own(row), _own(again)))


def _environment(row: Row, made: Environments) -> gym.Env[Any, Any]:
    """Return an environment as the episode had it; models that are never asked stand for those that were."""
    settings: dict[str, Any] = {**row["settings"], "user": row["user"], "judge": row["judge"]}
    said = row["messages"] if row["user"] == HUMAN else None
    name = orjson.dumps([row["env_id"], settings, row["models"], said], option=orjson.OPT_SORT_KEYS)
    if name in made:
        return made[name]
    for role in _ROLES_PLAYED_AGAIN:
        if settings[role].partition(":")[0] == _LANGUAGE_MODEL:
            model = Endpoint(row["models"].get(role, ""))
            settings[role] = model if role == ModelRole.USER else ModelJudge(model)
    if said is not None:
        settings["user"] = _person(row)
    made[name] = gym.make(row["env_id"], disable_env_checker=True, **settings)
    return made[name]


def _person(row: Row) -> ReplayedUser:
    """Return a user that says what a person said, and ends as the person did: with words or without any."""
    language = as_language(row["language"])
    silence = {"role": Role.SYSTEM.value, "content": text("notices", "silent_user", language)}
    turns = row["messages"][1:]
    said = [
        Reply("" if turn == silence else turn["content"])
        for turn in turns
        if turn["role"] == Role.USER or turn == silence
    ]
    if row["end_reason"] == EndReason.USER_DONE:
        last = said.pop() if turns[-1]["role"] == Role.USER else Reply("")
        said.append(replace(last, done=True))
    return ReplayedUser(said, language)


def _own(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of a log is the episode's own."""
    own = {name: value for name, value in row.items() if name not in _NOT_THE_EPISODES_OWN}
    prompts = {role: name for role, name in row["prompts"].items() if role in _ROLES_PLAYED_AGAIN}
    return {**own, "prompts": prompts}
