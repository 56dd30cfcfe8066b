"""Playing whole episodes, for tests of the environment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gymnasium as gym

import vitagym
from vitagym.users.user import Reply

DOMAINS = {"delivery": "Delivery", "instore": "InStore", "ota": "OTA", "cross": "Cross"}
MAIN_IDS = {domain: f"VitaBench-{name}-v0" for domain, name in DOMAINS.items()}
Step = tuple[str, float, bool, bool, dict[str, Any]]


def make(domain: str = "delivery", **arguments: Any) -> gym.Env:
    """The environment of a domain, with Gymnasium's checker and order enforcer around it."""
    return gym.make(MAIN_IDS[domain], **arguments)


def play(env: gym.Env, actions: Iterable[Any]) -> list[Step]:
    """Run actions until the episode ends."""
    steps = []
    for action in actions:
        steps.append(env.step(action))
        if steps[-1][2] or steps[-1][3]:
            break
    return steps


def play_agent(env: gym.Env, name: str = "reference", seed: int = 0, **options: Any) -> list[Any]:
    """Reset, let an agent play to the end, and return what reset and each step gave."""
    observation, info = env.reset(seed=seed)
    agent = vitagym.make_agent(name, **options)
    agent.start(env)
    given: list[Any] = [(observation, info)]
    while True:
        step = env.step(agent.act(observation, info))
        given.append(step)
        observation, _, terminated, truncated, info = step
        if terminated or truncated:
            return given


class SayingUser:
    """A user that says given replies, one after the other, and may fail on the way; it ends with the last."""

    def __init__(self, *replies: str | Reply | Exception) -> None:
        self.replies = list(replies)
        self.heard: list[str] = []

    def open(self) -> Reply:
        return self._next()

    def reply(self, message: str) -> Reply:
        self.heard.append(message)
        return self._next()

    def fork(self) -> SayingUser:
        other = SayingUser(*self.replies)
        other.heard = self.heard  # shared, so that a test sees what the episode's own user heard
        return other

    def _next(self) -> Reply:
        said = self.replies.pop(0) if self.replies else Reply("Go on.")
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, Reply) else Reply(said)
