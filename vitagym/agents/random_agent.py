"""An agent that calls tools and talks at random, with values that it has seen."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import gymnasium as gym

from vitagym.env.actions import STOP
from vitagym.language import Language, text, texts
from vitagym.randomness import Stream

_STOP_CHANCE, _TALK_CHANCE, _OPTIONAL_CHANCE = 0.01, 0.15, 0.3


class RandomAgent:
    """Draws tool calls from the schemas, arguments from what it has seen, and now and then an utterance.

    Args:
        seed: Fixes what it draws; every episode goes on from where the one before left off.
    """

    def __init__(self, seed: int = 0) -> None:
        self._stream = Stream(seed, "agent")
        self._env: gym.Env[Any, Any] | None = None
        self._tools: list[dict[str, Any]] = []
        self._seen: dict[str, list[Any]] = {}

    def start(self, env: gym.Env[Any, Any]) -> None:
        """Get ready for a new episode."""
        self._env = env
        self._tools, self._seen = [], {}

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Return a random tool call or utterance; ``###STOP###`` once in a hundred times."""
        self._tools = info.get("tools") or self._tools
        for message in info["messages"]:
            self._look(message)
        drawn = self._stream.random()
        if drawn < _STOP_CHANCE:
            return STOP
        if drawn < _STOP_CHANCE + _TALK_CHANCE or not self._tools:
            return self._utterance()
        function = self._stream.choice(self._tools)["function"]
        schema = function["parameters"]
        arguments = {
            name: self._value(name, shape)
            for name, shape in schema["properties"].items()
            if name in schema["required"] or self._stream.random() < _OPTIONAL_CHANCE
        }
        return json.dumps({"name": function["name"], "arguments": arguments}, ensure_ascii=False)

    def _utterance(self) -> str:
        keys = sorted(key for key in texts("agents") if key.startswith("random_"))
        language = Language.EN if self._env is None else self._env.unwrapped.task.language  # type: ignore[attr-defined]
        return text("agents", self._stream.choice(keys), language)

    def _value(self, name: str, shape: Mapping[str, Any]) -> Any:
        if "enum" in shape:
            return self._stream.choice(shape["enum"])
        kind = shape["type"]
        if kind == "array":
            one = name.removesuffix("s")
            return [self._value(one, shape["items"]) for _ in range(self._stream.between(1, 2))]
        known = [v for v in self._seen.get(name, ()) if _fits(v, kind)]
        if known:
            return self._stream.choice(known)
        if kind == "integer":
            return self._stream.between(1, 3)
        if kind == "number":
            return self._stream.between(1, 5000)
        words = [v for values in self._seen.values() for v in values if isinstance(v, str)]
        return self._stream.choice(words) if words else name

    def _look(self, message: Mapping[str, Any]) -> None:
        """Remember values by the key under which a tool's result shows them, and the words that are said."""
        content = message.get("content")
        if not isinstance(content, str):
            return
        if message["role"] != "tool":
            self._remember("said", content)
            return
        try:
            self._look_into("result", json.loads(content))
        except ValueError:
            return

    def _look_into(self, key: str, value: Any) -> None:
        if isinstance(value, dict):
            for inner_key, inner in value.items():
                self._look_into(inner_key, inner)
        elif isinstance(value, list):
            for inner in value:
                self._look_into(key, inner)
        else:
            self._remember(key, value)

    def _remember(self, key: str, value: Any) -> None:
        values = self._seen.setdefault(key, [])
        if value not in values:
            values.append(value)


def _fits(value: Any, kind: str) -> bool:
    if kind == "string":
        return isinstance(value, str)
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, int | float) and not isinstance(value, bool)
