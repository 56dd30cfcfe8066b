"""Who chooses among candidates: chance, or the expert; and episodes played with a policy, many at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from vitagym.analysis.intervals import wilson
from vitagym.errors import CallerError
from vitagym.rl.expert import expert_choice
from vitagym.rl.vector import Observations, SymbolicEnv, episode_scores
from vitagym.rl.view import SymbolicView

Choose = Callable[[SymbolicEnv], int]


class Policy(Protocol):
    """Chooses a candidate for each of several environments."""

    def choose(self, observations: Observations, envs: Sequence[SymbolicEnv]) -> NDArray[np.int64]:
        """Return the index of a candidate for each environment; the observations are batched in the same order."""


class RandomPolicy:
    """Chooses any candidate that there is.

    Args:
        seed: Fixes what it chooses.
    """

    def __init__(self, seed: int = 0) -> None:
        self._random = np.random.default_rng(seed)

    def choose(self, observations: Observations, envs: Sequence[SymbolicEnv]) -> NDArray[np.int64]:
        """Return the index of a candidate for each environment."""
        del envs
        keys = self._random.random(observations["mask"].shape)
        chosen: NDArray[np.int64] = np.where(observations["mask"] > 0, keys, -1.0).argmax(axis=1)
        return chosen


class ExpertPolicy:
    """Chooses what the reference agent would, where a candidate expresses it: the upper line of any learner.

    Args:
        expert: What gives the index for one environment; default: the symbolic view's expert.
        slips: How often a random candidate is taken instead, from 0 to 1, as episodes that nearly succeed need.
        seed: Fixes the slips.
    """

    def __init__(self, expert: Choose | None = None, *, slips: float = 0.0, seed: int = 0) -> None:
        self._expert = expert or _expert
        self._slips = slips
        self._random = np.random.default_rng(seed)
        self._any = RandomPolicy(seed)

    def choose(self, observations: Observations, envs: Sequence[SymbolicEnv]) -> NDArray[np.int64]:
        """Return the index of a candidate for each environment."""
        chosen = np.array([self._expert(env) for env in envs], np.int64)
        if not self._slips:
            return chosen
        slipped = self._random.random(len(envs)) < self._slips
        return np.where(slipped, self._any.choose(observations, envs), chosen)


def view_of(env: SymbolicEnv) -> SymbolicView:
    """Return the symbolic view among the wrappers of an environment; raises CallerError where there is none."""
    found: Any = env
    while not isinstance(found, SymbolicView):
        if not isinstance(found, gym.Wrapper):
            raise CallerError(f"{env!r} has no symbolic view")
        found = found.env
    return found


def _expert(env: SymbolicEnv) -> int:
    """Return the expert's choice; where nothing leads on, the first candidate, for the episode is lost anyway."""
    return expert_choice(view_of(env)) or 0


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an episode.

    Attributes:
        observation: What was seen before the action, by name.
        action: The index that was chosen.
        reward: What it brought.
        terms: The reward by term.
        text: The action as the text environment takes it.
    """

    observation: Mapping[str, NDArray[Any]]
    action: int
    reward: float
    terms: Mapping[str, float]
    text: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """An episode that was played.

    Attributes:
        seed: What it was reset with.
        task_id, family: Which task.
        is_success: Whether all rubrics were met; None where that cannot be said.
        rubric_score: Share of rubrics met.
        turns: Messages.
        reward: Sum of rewards.
        end_reason: Why it ended.
        terminated: Whether it ended by itself; False where it was cut off.
        steps: What was done, where it was asked for.
        messages: The conversation in OpenAI format, where it was asked for.
    """

    seed: int
    task_id: str
    family: str
    is_success: bool | None
    rubric_score: float
    turns: int
    reward: float
    end_reason: str
    terminated: bool
    steps: tuple[Step, ...] = ()
    messages: tuple[Mapping[str, Any], ...] = ()


def play(
    envs: Sequence[SymbolicEnv],
    policy: Policy,
    seeds: Iterable[int],
    *,
    keep: bool = False,
    watch: Callable[[Played], None] | None = None,
) -> list[Played]:
    """Play one episode a seed, as many at once as there are environments.

    Args:
        envs: The environments; the task of a seed is the same in each.
        policy: Who chooses.
        seeds: Seeds of the resets.
        keep: Also keep every step and the conversation.
        watch: Called after each episode.

    Returns:
        The episodes, in the order of the seeds.
    """
    waiting = list(enumerate(seeds))[::-1]
    done: dict[int, Played] = {}
    playing = [_Playing(env, *waiting.pop()) for env in envs if waiting]
    while playing:
        batch = {name: np.stack([p.observation[name] for p in playing]) for name in playing[0].observation}
        for one, index in zip(playing, policy.choose(batch, [p.env for p in playing]), strict=True):
            one.step(int(index), keep=keep)
        for one in [p for p in playing if p.over]:
            done[one.place] = played = one.played(keep=keep)
            if watch is not None:
                watch(played)
            playing.remove(one)
            if waiting:
                playing.append(_Playing(one.env, *waiting.pop()))
    return [done[place] for place in sorted(done)]


class _Playing:
    """An episode that is being played."""

    def __init__(self, env: SymbolicEnv, place: int, seed: int) -> None:
        self.env, self.place, self._seed = env, place, seed
        self.observation, self._info = env.reset(seed=seed)
        self._steps: list[Step] = []
        self._reward = 0.0
        self.over = self.terminated = False
        self._prompt = self._info.get("system_prompt")

    def step(self, index: int, *, keep: bool) -> None:
        seen = self.observation
        candidates = self.env.get_wrapper_attr("candidates") if keep else ()
        self.observation, reward, self.terminated, truncated, self._info = self.env.step(np.int64(index))
        self._reward += float(reward)
        self.over = self.terminated or truncated
        if keep:
            text = candidates[index].action if index < len(candidates) else ""
            self._steps.append(Step(seen, index, float(reward), dict(self._info["reward_terms"]), text))

    def played(self, *, keep: bool) -> Played:
        scores = episode_scores(self._info)
        inner: Any = self.env.unwrapped
        return Played(
            seed=self._seed,
            task_id=self._info["task_id"],
            family=getattr(inner.task, "family", ""),
            is_success=self._info["is_success"],
            rubric_score=scores["rubric_score"],
            turns=scores["turn"],
            reward=self._reward,
            end_reason=scores["end_reason"],
            terminated=self.terminated,
            steps=tuple(self._steps),
            messages=self._messages() if keep else (),
        )

    def _messages(self) -> tuple[Mapping[str, Any], ...]:
        inner: Any = self.env.unwrapped
        prompt = () if self._prompt is None else ({"role": "system", "content": self._prompt},)
        return (*prompt, *inner.messages)


@dataclass(frozen=True, slots=True)
class Score:
    """What a policy reached over several episodes.

    Attributes:
        episodes: Episodes that could be scored.
        successes: Of those, how many met all rubrics.
        rubric_score, turns, reward: Means.
        families: Family -> scored episodes, successes.
    """

    episodes: int
    successes: int
    rubric_score: float
    turns: float
    reward: float
    families: Mapping[str, tuple[int, int]]

    @property
    def success(self) -> float | None:
        """Share of successes; None where nothing could be scored."""
        return self.successes / self.episodes if self.episodes else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % Wilson interval of that share."""
        return wilson(self.successes, self.episodes) if self.episodes else None

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        return {
            "episodes": self.episodes,
            "successes": self.successes,
            "success": self.success,
            "interval": self.interval,
            "rubric_score": self.rubric_score,
            "turns": self.turns,
            "reward": self.reward,
            "families": {name: {"episodes": n, "successes": k} for name, (n, k) in self.families.items()},
        }


def score(episodes: Sequence[Played]) -> Score:
    """Sum up episodes."""
    scored = [e for e in episodes if e.is_success is not None and not e.end_reason.startswith("endpoint")]
    families = sorted({e.family for e in scored})
    number = max(1, len(episodes))
    return Score(
        episodes=len(scored),
        successes=sum(bool(e.is_success) for e in scored),
        rubric_score=sum(e.rubric_score for e in episodes) / number,
        turns=sum(e.turns for e in episodes) / number,
        reward=sum(e.reward for e in episodes) / number,
        families={
            name: (sum(e.family == name for e in scored), sum(e.family == name and bool(e.is_success) for e in scored))
            for name in families
        },
    )
