"""A toy environment of the symbolic view's contract, for tests of trainers: small, fast, and learnable.

The context says which of four wishes the person has now; every candidate grants one wish. Granting three wishes in a
row of ten steps is success. Nothing else has to be known, so a scorer that compares the two learns it at once.
"""

from dataclasses import dataclass
from types import SimpleNamespace

import gymnasium as gym
import numpy as np

WISHES = 4
K, C, D = 12, WISHES + 1, WISHES + 1
STEPS = 10
GOAL = 3
NAMES = ("bread", "water", "a book", "a lamp")


@dataclass(frozen=True)
class ToyCandidate:
    """What a candidate of the toy is: text for a language model."""

    kind: str
    action: str
    text: str


class ToySymbolic(gym.Env):
    """See the module. With ``size`` candidates of which some are masked."""

    reward_names = ("success", "rubric")

    def __init__(self, size=K, **_):
        self.size = size
        self.observation_space = gym.spaces.Dict(
            {
                "ctx": gym.spaces.Box(-1, 1, (C,), np.float32),
                "cand": gym.spaces.Box(-1, 1, (size, D), np.float32),
                "mask": gym.spaces.Box(0, 1, (size,), np.int8),
            }
        )
        self.action_space = gym.spaces.Discrete(size)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.turn = self.granted = 0
        self.task = SimpleNamespace(id="toy", family=("odd", "even")[int(self.np_random.integers(2))])
        self._draw()
        return self._observation(), self._info(0.0, None)

    def step(self, action):
        self.turn += 1
        right = self.grants[action] == self.wish
        self.granted += bool(right)
        success = self.granted >= GOAL
        over = self.turn >= STEPS
        self._draw()
        terms = {"success": float(success), "rubric": bool(right) / GOAL}
        info = self._info(sum(terms.values()), "user_done" if success else "max_turns" if over else None)
        info["reward_terms"] = terms
        return self._observation(), sum(terms.values()), success, over and not success, info

    @property
    def candidates(self):
        """The candidates, as the symbolic view has them."""
        return [ToyCandidate("grant", NAMES[wish], f"give {NAMES[wish]}") for wish in self.grants]

    @property
    def messages(self):
        """The conversation, as the environment has it."""
        return [{"role": "user", "content": f"I want {NAMES[self.wish]}"}]

    def expert(self):
        """Index of a right candidate."""
        return int(np.flatnonzero(self.grants == self.wish)[0])

    def _draw(self):
        rng = self.np_random
        self.wish = int(rng.integers(WISHES))
        self.valid = int(rng.integers(WISHES, self.size + 1))
        self.grants = np.concatenate([np.arange(WISHES), rng.integers(WISHES, size=self.valid - WISHES)])
        rng.shuffle(self.grants)

    def _observation(self):
        ctx = np.zeros(C, np.float32)
        ctx[self.wish], ctx[-1] = 1, self.granted / GOAL
        cand = np.zeros((self.size, D), np.float32)
        cand[np.arange(self.valid), self.grants] = 1
        cand[: self.valid, -1] = 0.5
        mask = np.zeros(self.size, np.int8)
        mask[: self.valid] = 1
        return {"ctx": ctx, "cand": cand, "mask": mask}

    def _info(self, _, end):
        met = min(self.granted, GOAL)
        return {
            "task_id": "toy",
            "turn": self.turn,
            "reward_terms": dict.fromkeys(self.reward_names, 0.0),
            "rubrics": {f"r{i}": {"status": "met" if i < met else "pending", "turn": 0} for i in range(GOAL)},
            "is_success": self.granted >= GOAL,
            "end_reason": end,
        }
