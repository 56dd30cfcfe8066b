"""The symbolic view: a wrapper that shows an episode as candidate actions with features, and takes the number of one.

It shows what an agent has observed and nothing else (see ``vitagym.rl.belief``).
"""

from __future__ import annotations

from copy import copy
from typing import Any, TypeAlias

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from vitagym.dialogue.transcript import Role
from vitagym.env.actions import WrittenCall
from vitagym.env.environment import VitaEnv
from vitagym.env.spaces import Action
from vitagym.errors import CallerError
from vitagym.randomness import Stream
from vitagym.rl.belief import Belief
from vitagym.rl.features import Features
from vitagym.rl.kinds import Candidate, Talk
from vitagym.rl.listing import Listing, listed
from vitagym.rl.rows import candidate_names, context_names
from vitagym.rl.toolroles import Role as ToolRole
from vitagym.rl.toolroles import roles

CANDIDATES = 128
_MOST = 255
Observation: TypeAlias = dict[str, NDArray[Any]]
_LOW, _HIGH = -8.0, 8.0
_NOT_LISTED = ""
"""What an action that stands for no candidate does: nothing that can be used."""


class SymbolicView(gym.Wrapper[Observation, np.int64, str, Action]):
    """Shows an episode as candidates with features; the reward, its terms and the info are the environment's own.

    ## Action space
    `Discrete(candidates)`: the number of a candidate. A number whose `mask` is 0 is an action that cannot be used.

    ## Observation space
    | key | what |
    |---|---|
    | `ctx` | `float32[C]`: how far the episode is, see `context_names()` |
    | `cand` | `float32[K, D]`: one row a candidate, see `candidate_names()`; the same for all domains |
    | `mask` | `int8[K]`: 1 where there is a candidate |

    Every observation is its own copy.

    Args:
        env: A vitagym environment whose user says what its utterances do (the scripted user does).
        candidates: K: how many candidates there may be.

    Attributes:
        belief: What was observed so far.
        history: The candidates chosen so far, oldest first; None for a number that stood for none.

    Raises:
        CallerError: The environment is none of vitagym's, or ``candidates`` is not from 64 to 255.
    """

    def __init__(self, env: gym.Env[str, Action], candidates: int = CANDIDATES) -> None:
        super().__init__(env)  # type: ignore[arg-type]  # It changes what an action is.
        if not isinstance(env.unwrapped, VitaEnv):
            raise CallerError(f"{env!r} is no vitagym environment: the symbolic view reads their transcripts")
        if isinstance(candidates, bool) or not isinstance(candidates, int) or not 64 <= candidates <= _MOST:
            raise CallerError(f"candidates={candidates!r}: expected a whole number from 64 to {_MOST}")
        self._most = candidates
        self._features = Features(candidates)
        shape = (candidates, len(candidate_names()))
        self.observation_space = spaces.Dict(  # type: ignore[assignment]  # A dict of arrays.
            {
                "ctx": spaces.Box(_LOW, _HIGH, (len(context_names()),), np.float32),
                "cand": spaces.Box(_LOW, _HIGH, shape, np.float32),
                "mask": spaces.Box(0, 1, (candidates,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(candidates)
        self._shown: tuple[Candidate, ...] | None = ()
        self._listing: Listing | None = None
        self._belief_version = -1
        self.history: list[Candidate | None] = []
        self._belief: Belief | None = None
        self._offered: dict[str, ToolRole] = {}
        self._read = 0

    @property
    def vita(self) -> VitaEnv:
        """The environment below."""
        env = self.env.unwrapped
        if not isinstance(env, VitaEnv):
            raise CallerError(f"{env!r} is no vitagym environment")
        return env

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The current candidates, in the order of the rows."""
        if self._shown is None:
            self._shown = self._features.candidates
        return self._shown

    @property
    def belief(self) -> Belief:
        """What was observed so far."""
        if self._belief is None:
            raise CallerError("there is no belief before reset()")
        return self._belief

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode.

        Raises:
            CallerError: The user does not say what its utterances do.
        """
        _, info = self.env.reset(seed=seed, options=options)
        env = self.vita
        for turn in env.transcript.turns:
            if turn.role is Role.USER and not turn.acts:
                raise CallerError(
                    "the symbolic view reads the user's dialogue acts, and this user gives none; "
                    "make the environment with user='scripted'"
                )
        self._belief = Belief(env.task)
        stream = Stream(env.episode_seed, "candidates")
        order = np.argsort([stream.random() for _ in range(self._most)])
        self._features = Features(self._most, bytes(order.tolist()))
        self._offered = {tool.name: roles()[tool.name] for tool in env.world.tools}
        self.history = []
        self._listing = None
        self._read = 0
        return self._look(None), info

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take the candidate of that number."""
        number = int(action)
        chosen = self._features.candidate(number)
        below: gym.Env[str, Action] = self.env  # type: ignore[assignment]
        _, reward, terminated, truncated, info = below.step(_NOT_LISTED if chosen is None else _action(chosen))
        self.history.append(chosen)
        if chosen is not None:
            _note(self.belief, chosen)
        return self._look(chosen), float(reward), terminated, truncated, info

    def fork(self) -> SymbolicView:
        """Return a view, with an environment of its own, that goes on from here by itself."""
        other = copy(self)
        other.env = self.vita.fork()  # type: ignore[assignment]
        other._belief = self.belief.fork()
        other._features = self._features.fork()
        other.history = list(self.history)
        return other

    def _look(self, chosen: Candidate | None) -> Observation:
        turns, belief = self.vita.transcript.turns, self.belief
        belief.observe(turns[self._read :], chosen.goal if chosen else None)
        self._read = len(turns)
        if self._listing is None or self._belief_version != belief.version:
            self._listing = listed(belief, self._offered, self._most)
            self._belief_version = belief.version
        self._shown = None
        return self._features.of(belief, self._listing)


def _action(chosen: Candidate) -> str:
    """Return what the environment below takes; a call with its parts at hand, so that it need not be read."""
    return WrittenCall(chosen.action, chosen.tool, chosen.arguments, chosen.raw) if chosen.tool else chosen.action


def _note(belief: Belief, chosen: Candidate) -> None:
    """Note what the agent itself has said."""
    if chosen.tool:
        return
    belief.utterances += 1
    if chosen.slot is not None:
        belief.asked += (chosen.slot,)
    reported = [chosen.target] if chosen.kind is Talk.REPORT else list(belief.records)
    if chosen.kind in (Talk.REPORT, Talk.REPORT_ALL):
        belief.reported |= {one: belief.records[one] for one in reported}


__all__ = ["CANDIDATES", "Observation", "SymbolicView", "candidate_names", "context_names"]
