"""What a language model sees of a symbolic environment: transcript and candidates as tokens (transformers)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import gymnasium as gym
import numpy as np
from transformers import AutoTokenizer, PreTrainedTokenizerBase

from vitagym.errors import CallerError
from vitagym.rl.vector import Observations, SymbolicEnv

ABSENT = -1
"""Stands where there is no token."""


class TokenView(gym.Wrapper[Observations, np.int64, Observations, np.int64]):
    """Gives tokens in place of features, under the same names.

    ``ctx`` is the end of the transcript, [prompt_tokens], filled up at its beginning; ``cand`` holds the candidates'
    actions as an agent would write them, [K, candidate_tokens], filled up at their ends; ``mask`` is as it was.

    Args:
        env: A symbolic environment.
        path: Folder of the model, with its tokenizer.
        prompt_tokens: How much of the transcript is seen.
        candidate_tokens: How much of each action is seen.

    Raises:
        CallerError: There is no tokenizer in that folder.
    """

    def __init__(self, env: SymbolicEnv, path: str, *, prompt_tokens: int = 512, candidate_tokens: int = 64) -> None:
        super().__init__(env)
        self._tokenizer = tokenizer_of(path)
        seen: Any = env.observation_space
        size = int(seen["mask"].shape[0])
        most = max(len(self._tokenizer), 2) - 1
        shown: Any = gym.spaces.Dict(
            {
                "ctx": gym.spaces.Box(ABSENT, most, (prompt_tokens,), np.int32),
                "cand": gym.spaces.Box(ABSENT, most, (size, candidate_tokens), np.int32),
                "mask": seen["mask"],
            }
        )
        self.observation_space = shown
        self._shape = (prompt_tokens, candidate_tokens)
        self._known: dict[str, list[int]] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._known.clear()
        return self._tokens(observation), info

    def step(self, action: np.int64) -> tuple[Observations, float, bool, bool, dict[str, Any]]:
        """Take the candidate of that number."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._tokens(observation), float(reward), terminated, truncated, info

    def _tokens(self, observation: Observations) -> Observations:
        prompt_tokens, candidate_tokens = self._shape
        inner: Any = self.env.unwrapped
        prompt = self._prompt(inner.messages)[-prompt_tokens:]
        ctx = np.full(prompt_tokens, ABSENT, np.int32)
        ctx[prompt_tokens - len(prompt) :] = prompt
        mask = observation["mask"]
        cand = np.full((len(mask), candidate_tokens), ABSENT, np.int32)
        for row, candidate in zip(cand, self.env.get_wrapper_attr("candidates"), strict=False):
            written = self._written(candidate.action)[:candidate_tokens]
            row[: len(written)] = written
        return {"ctx": ctx, "cand": cand, "mask": mask}

    def _prompt(self, messages: Sequence[Mapping[str, Any]]) -> list[int]:
        if self._tokenizer.chat_template is not None:
            return list(
                self._tokenizer.apply_chat_template(list(messages), add_generation_prompt=True, return_dict=False)
            )
        return [token for message in messages for token in self._written(_line(message))] + self._written("assistant: ")

    def _written(self, words: str) -> list[int]:
        """Return the tokens of a text; an episode says the same again and again."""
        if words not in self._known:
            self._known[words] = self._tokenizer.encode(words, add_special_tokens=False)
        return self._known[words]


@cache
def tokenizer_of(path: str) -> PreTrainedTokenizerBase:
    """Return the tokenizer in a folder; raises CallerError where there is none."""
    try:
        made: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(path, local_files_only=True)
    except (OSError, ValueError) as error:
        raise CallerError(f"{path}: no tokenizer can be loaded from there: {error}") from None
    return made


def _line(message: Mapping[str, Any]) -> str:
    calls = "".join(
        f" {call['function']['name']}({call['function']['arguments']})" for call in message.get("tool_calls") or ()
    )
    return f"{message['role']}: {message.get('content') or ''}{calls}\n"
