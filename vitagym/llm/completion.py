"""What a model said, read from the body of an answer in the OpenAI format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson


@dataclass(frozen=True, slots=True)
class Completion:
    """What the model said.

    Attributes:
        text: Its words, its refusal included; empty where there are none.
        refused: Whether the model, or a filter before it, declined to answer.
        cut: Whether the answer was cut off at the greatest length.
        prompt_tokens: Tokens of the request; 0 where the endpoint does not say.
        completion_tokens: Tokens of the answer; 0 where the endpoint does not say.
        attempts: Requests made until this one came, the last of them included.
        recalled: Whether it was said before and has been paid for.
        reasoning: What a thinking model thought, where the endpoint gives it in a field of its own.
        calls: The tools it calls, in OpenAI format.
    """

    text: str
    refused: bool = False
    cut: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0
    attempts: int = 1
    recalled: bool = False
    reasoning: str = ""
    calls: tuple[Mapping[str, Any], ...] = ()

    @property
    def empty(self) -> bool:
        """Whether it has neither words nor calls."""
        return not self.calls and not self.text.strip()


def read_completion(body: str, attempts: int) -> Completion:
    """Return what the body of an answer says.

    Args:
        body: JSON text.
        attempts: Requests made until it came.

    Raises:
        ValueError: It is no chat completion.
    """
    answer = orjson.loads(body)
    try:
        choice = answer["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content"), message.get("refusal")
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ValueError(f"the answer is no chat completion: {body[:200]!r}") from error
    if not isinstance(text, str | None):
        raise ValueError(f"the content of the answer is no text: {text!r:.200}")
    finish = choice.get("finish_reason")
    prompt_tokens, completion_tokens = _tokens(answer.get("usage"))
    return Completion(
        text=text or _text(refusal),
        refused=bool(refusal) or finish == "content_filter",
        cut=finish == "length",
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        attempts=attempts,
        # vLLM, SGLang and DeepSeek name the field reasoning_content, Ollama and OpenRouter reasoning.
        reasoning=_text(message.get("reasoning_content")) or _text(message.get("reasoning")),
        calls=_calls(message.get("tool_calls")),
    )


def _tokens(usage: Any) -> tuple[int, int]:
    if not isinstance(usage, dict):
        return 0, 0
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    prompt, completion = (count if isinstance(count, int) and count > 0 else 0 for count in counts)
    return prompt, completion


def _calls(calls: Any) -> tuple[Mapping[str, Any], ...]:
    if calls is None:
        return ()
    if not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls):
        raise ValueError(f"the tool calls of the answer are no list of objects: {calls!r:.200}")
    return tuple(calls)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
