"""Takes an episode down while it is played. It only looks: what is played does not depend on it."""

from __future__ import annotations

import hashlib
import platform
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import gymnasium as gym
import orjson

from vitagym.dialogue.transcript import Role, Turn
from vitagym.env.ends import EndReason
from vitagym.errors import EndpointError
from vitagym.evaluation.answers import Answers, Reply
from vitagym.evaluation.clock import Clock
from vitagym.evaluation.log import EpisodeLog
from vitagym.llm.asking import ModelRole
from vitagym.rewards.records import kind_of
from vitagym.rewards.rubrics import RubricStates, satisfied_fraction
from vitagym.world.ledger import Change

if TYPE_CHECKING:
    from vitagym.env.environment import VitaEnv
    from vitagym.world.world import World

_ID_IN_RESULT = re.compile(r'"[^"\\]*_id":"([^"\\]+)"')
_UNPAIRED, _NO_JSON = "text_with_lone_surrogates_utf16", "no_json"
_PACKAGES = ("vitagym", "gymnasium", "numpy", "openai")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What the log says of an episode that the environment does not know.

    Attributes:
        agent: What the agent is called.
        agent_options: What it was made with.
        user: What the user is called; None: as the settings say.
        judge: What the judge is called; None: as the settings say.
        trial: Which repetition it is.
        attempt: How often it was tried before.
        settings: What the environment was made with.
    """

    agent: str = ""
    agent_options: Mapping[str, Any] = field(default_factory=dict)
    user: str | None = None
    judge: str | None = None
    trial: int = 0
    attempt: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)


class Recorder:
    """Takes one episode down.

    Args:
        env: The environment, reset for the episode.
        info: What the reset gave.
        labels: What the environment does not know.
        answers: What models were asked and said.
        clock: Tells the time; None: the log has no times, so that the same episode gives the same bytes.
        started: What the clock said before the reset: time of day and seconds.
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        info: Mapping[str, Any],
        labels: Labels,
        *,
        answers: Answers | None = None,
        clock: Clock | None = None,
        started: tuple[str, float] | None = None,
    ) -> None:
        self._env_id = "" if env.spec is None else env.spec.id
        self._inner: VitaEnv = env.unwrapped  # type: ignore[assignment]
        self._labels = labels
        self._answers = answers or Answers()
        self._clock = clock
        self._started = started
        self._agent_seconds = 0.0
        self._prompt = {"role": Role.SYSTEM.value, "content": info["system_prompt"]}
        self._actions: list[Any] = []
        self._action_turns: list[int] = []
        self._rewards: list[float] = []
        self._terms: list[Mapping[str, float]] = []
        self._changes: list[dict[str, Any]] = []
        self._states: RubricStates = {}
        self._info = info
        self._agent_model = ""
        self._follow_rubrics()

    def decided(self, seconds: float) -> None:
        """Take down how long the agent took for an action."""
        self._agent_seconds += seconds

    def acted(self, action: Any, turn: int, reward: float, info: Mapping[str, Any]) -> None:
        """Take down a step.

        Args:
            action: What the agent sent.
            turn: How many turns there were before it.
            reward: What it was paid.
            info: What the step gave.
        """
        self._actions.append(kept_action(action))
        self._action_turns.append(turn)
        self._rewards.append(reward)
        self._terms.append(dict(info["reward_terms"]))
        if isinstance(action, Mapping) and isinstance(action.get("usage"), Mapping):
            self._agent_model = action["usage"].get("model") or self._agent_model
        self._info = info
        self._follow_rubrics()

    def log(self, fault: EndpointError | None = None, prompt: str | None = None) -> EpisodeLog:
        """Return the log of the episode.

        Args:
            prompt: The instructions that the agent's model was given; None: those of the environment.
            fault: The fault of the agent's endpoint that cut it off; None: it ended as the environment says.
        """
        reason = EndReason(self._info["end_reason"]) if fault is None else EndReason.of_fault(fault)
        inner, task, labels = self._inner, self._inner.task, self._labels
        turns = inner.transcript.turns
        return EpisodeLog(
            env_id=self._env_id,
            agent=labels.agent,
            user=labels.user or str(labels.settings.get("user", "scripted")),
            judge=labels.judge or str(labels.settings.get("judge", "rules")),
            task_id=task.id,
            trial=labels.trial,
            attempt=labels.attempt,
            split=task.split,
            domain=task.domain,
            family=task.family,
            language=task.language.value,
            persona=str(labels.settings.get("persona") or task.persona.value),
            seed=inner.episode_seed,
            settings=dict(labels.settings),
            agent_options=dict(labels.agent_options),
            complexity=None if task.complexity is None else task.complexity.model_dump(mode="json"),
            task_time=task.time,
            versions=versions(),
            models=self._models(),
            prompts=self._prompts(prompt or self._prompt["content"]),
            started=None if self._started is None else self._started[0],
            seconds=self._seconds(),
            seconds_by_role=self._seconds_by_role(),
            messages=(self._prompt, *inner.messages),
            actions=tuple(self._actions),
            action_turns=tuple(self._action_turns),
            rewards=tuple(self._rewards),
            reward_terms=tuple(self._terms),
            rubrics=_rubrics(inner),
            rubric_changes=tuple(self._changes),
            rubric_score=satisfied_fraction(inner.rubrics),
            is_success=self._info["is_success"],
            scores=dict(self._info["scores"]),
            acts=tuple(_acts(turns)),
            world_changes=tuple(_world_changes(turns, inner.world.ledger.changes)),
            places=tuple(_places(turns, inner.world)),
            replies={role.value: self._replies(role) for role in (ModelRole.USER, ModelRole.JUDGE)},
            terminated=reason.terminated,
            truncated=not reason.terminated,
            end_reason=reason.value,
            error=inner.fault if fault is None else str(fault),
            usage=dict(self._info["usage"]),
        )

    def _follow_rubrics(self) -> None:
        states = self._inner.rubrics
        for rubric, state in states.items():
            before = self._states.get(rubric, state)
            if before.status is not state.status:
                changed = {"turn": state.turn, "rubric": rubric, "status": state.status.value, "reason": state.reason}
                self._changes.append(changed)
        self._states = states

    def _replies(self, role: ModelRole) -> tuple[Reply, ...]:
        return tuple(self._answers.replies.get(role, ()))

    def _models(self) -> dict[str, str]:
        asked = {role.value: model for role, model in self._answers.models.items()}
        return {**({ModelRole.AGENT.value: self._agent_model} if self._agent_model else {}), **asked}

    def _prompts(self, of_agent: str) -> dict[str, str]:
        """Return role -> hash of its instructions; those of user and judge are what their model was first sent."""
        told = {ModelRole.AGENT.value: of_agent}
        for role, messages in self._answers.first.items():
            if messages and messages[0]["role"] == Role.SYSTEM:
                told[role.value] = messages[0]["content"]
        return {
            role: hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest() for role, words in told.items()
        }

    def _seconds(self) -> float | None:
        if self._clock is None or self._started is None:
            return None
        return self._clock.seconds() - self._started[1]

    def _seconds_by_role(self) -> dict[str, float]:
        total = self._seconds()
        if total is None:
            return {}
        waited = self._answers.seconds
        user, judge = waited.get(ModelRole.USER, 0.0), waited.get(ModelRole.JUDGE, 0.0)
        rest = total - self._agent_seconds - user - judge
        return {"agent": self._agent_seconds, "user": user, "judge": judge, "env": rest}


def kept_action(action: Any) -> Any:
    """Return an action as JSON can say it; ``given_action`` makes of it what the environment takes for the same."""
    try:
        orjson.dumps(action)
    except TypeError:
        if isinstance(action, str):
            return {_UNPAIRED: action.encode("utf-16-le", "surrogatepass").hex()}
        return {_NO_JSON: repr(action)[:200]}
    return action


def given_action(kept: Any) -> Any:
    """Return the action that a log has, as the agent sent it."""
    if isinstance(kept, dict) and list(kept) == [_UNPAIRED]:
        return bytes.fromhex(kept[_UNPAIRED]).decode("utf-16-le", "surrogatepass")
    return kept


@cache
def versions() -> dict[str, str]:
    """Return the versions of what bears on an episode."""
    return {"python": platform.python_version(), **{package: version(package) for package in _PACKAGES}}


def _rubrics(env: VitaEnv) -> dict[str, dict[str, Any]]:
    sentences = {rubric.id: rubric.sentence(env.task.language) for rubric in env.task.rubrics}
    return {
        rubric_id: {
            "sentence": sentences.get(rubric_id, ""),
            "status": state.status.value,
            "turn": state.turn,
            "reason": state.reason,
        }
        for rubric_id, state in env.rubrics.items()
    }


def _acts(turns: Sequence[Turn]) -> Iterator[dict[str, Any]]:
    for turn in turns:
        for act in turn.acts:
            slot = None if act.slot is None else act.slot.value
            yield {"turn": turn.index, "kind": act.kind.value, "point": act.point, "slot": slot}


def _world_changes(turns: Sequence[Turn], changes: Sequence[Change]) -> Iterator[dict[str, Any]]:
    seen = 0
    for turn in turns:
        if turn.result is None or turn.call is None:
            continue
        for change in changes[seen : turn.result.changes]:
            yield {
                "turn": turn.index,
                "tool": turn.call.name,
                "record": change.after.id,
                "kind": kind_of(change.after),
                "before": None if change.before is None else change.before.data(),
                "after": change.after.data(),
            }
        seen = max(seen, turn.result.changes)


def _places(turns: Sequence[Turn], world: World) -> Iterator[dict[str, Any]]:
    """Yield where the providers and the task's own addresses are that accepted results showed."""
    shown = [turn.text for turn in turns if turn.result is not None and turn.result.ok]
    ids = dict.fromkeys(found for text in shown for found in _ID_IN_RESULT.findall(text))
    providers = world.catalogue.providers
    for provider in (providers[found] for found in ids if found in providers):
        for place in provider.places:
            yield _at(provider.id, provider.name, provider.kind, place.longitude, place.latitude)
    for place in world.catalogue.places:
        if any(place.address in text for text in shown):
            yield _at(place.address, place.address, "address", place.longitude, place.latitude)


def _at(place_id: str, name: str, kind: str, longitude: float, latitude: float) -> dict[str, Any]:
    return {"id": place_id, "name": name, "kind": kind, "longitude": longitude, "latitude": latitude}


Watch = Callable[[list[dict[str, Any]]], None]
"""Is called with the new messages after the reset and after every step."""
