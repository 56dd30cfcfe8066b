"""One chat completion at a time, or many in flight, with retries within a budget; then EndpointError.

Tried again: time-outs, cut connections, 408, 409, 425, 429 (after the time the endpoint asks for) and 5xx, answers that
are no chat completion. Not tried again: all other refusals of the endpoint, such as a wrong key, an unknown model, or a
conversation that is longer than the model's context.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import orjson

from vitagym.errors import EndpointError
from vitagym.llm.clients import JSON_BODY, PATH, async_lines, client
from vitagym.llm.completion import Completion, read_completion
from vitagym.llm.endpoint import Endpoint

__all__ = ["Chat", "ChatUsage", "Completion", "Message"]

Message = Mapping[str, Any]
_LONGEST_WAIT_S = 30.0
_PASSING = frozenset({408, 409, 425, 429})
_TOO_LONG = 413
_OVERFLOW_CODES = frozenset({"context_length_exceeded", "exceed_context_size_error", "string_above_max_length"})
_OVERFLOW = re.compile(
    r"context (?:length|window|size)|maximum context|max_model_len|prompt is too long|input is too long"
    r"|exceeds? the (?:model's )?maximum (?:number of )?(?:input )?tokens|too many (?:input )?tokens in",
    re.IGNORECASE,
)


@dataclass(slots=True)
class ChatUsage:
    """What a chat has used so far."""

    requests: int = 0
    failed_requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Chat:
    """A model to talk with.

    Args:
        endpoint: Where it is.
        tools: Schemas of the tools that it may call, in OpenAI format.
        tool_choice: ``auto``, ``none``, ``required``, or one tool; None: what the endpoint does by itself.
        parallel_tool_calls: Whether it may make several calls at once; None: what the endpoint does by itself.

    Attributes:
        endpoint: Where it is.
        usage: What was used so far.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        tool_choice: str | Mapping[str, Any] | None = None,
        parallel_tool_calls: bool | None = None,
    ) -> None:
        self.endpoint = endpoint
        self.usage = ChatUsage()
        self._rest = orjson.dumps(_settings(endpoint, tools, tool_choice, parallel_tool_calls), default=dict)[1:]

    def complete(self, messages: Sequence[Message]) -> Completion:
        """Return the model's answer; raises EndpointError when all attempts have failed."""
        attempts = _Attempts(self.endpoint, self.usage)
        body = self._body(messages)
        while True:
            try:
                answer = client(self.endpoint).post(PATH, cast_to=str, content=body, options=JSON_BODY)
                return attempts.read(answer)
            except Exception as error:
                time.sleep(attempts.wait_after(error))

    async def acomplete(self, messages: Sequence[Message]) -> Completion:
        """Return the model's answer without blocking the event loop; at most ``concurrency`` are in flight."""
        attempts = _Attempts(self.endpoint, self.usage)
        body = self._body(messages)
        lines = async_lines(self.endpoint)
        while True:
            try:
                return attempts.read(await lines.post(body))
            except Exception as error:
                await asyncio.sleep(attempts.wait_after(error))

    def _body(self, messages: Sequence[Message]) -> bytes:
        """Return the body of a request; what is the same in all requests was written once."""
        return b'{"messages":' + orjson.dumps(messages, default=dict) + b"," + self._rest


def _settings(
    at: Endpoint,
    tools: Sequence[Mapping[str, Any]],
    tool_choice: str | Mapping[str, Any] | None,
    parallel_tool_calls: bool | None,
) -> dict[str, Any]:
    optional: dict[str, Any] = {"seed": at.seed, "max_tokens": at.max_tokens}
    if tools:
        optional |= {"tools": tools, "tool_choice": tool_choice, "parallel_tool_calls": parallel_tool_calls}
    given = {name: value for name, value in optional.items() if value is not None}
    return {"model": at.model, "temperature": at.temperature, **given, **at.extra}


class _Attempts:
    """The attempts at one completion."""

    def __init__(self, endpoint: Endpoint, usage: ChatUsage) -> None:
        self._endpoint, self._usage = endpoint, usage
        self._made = 0
        self._until = time.monotonic() + endpoint.patience_s

    def read(self, answer: str) -> Completion:
        """Return what an answer says; raises ValueError for one that is no chat completion."""
        completion = read_completion(answer, self._made + 1)
        self._usage.requests += 1
        self._usage.prompt_tokens += completion.prompt_tokens
        self._usage.completion_tokens += completion.completion_tokens
        return completion

    def wait_after(self, error: Exception) -> float:
        """Return how many seconds to wait before the next attempt; raises EndpointError where there is none."""
        import openai

        self._made += 1
        self._usage.requests += 1
        self._usage.failed_requests += 1
        if not isinstance(error, openai.OpenAIError | ValueError):
            raise error
        wait = _asked_for(error)
        if wait is None:
            wait = min(_LONGEST_WAIT_S, self._endpoint.backoff_s * 2 ** (self._made - 1))
        late = time.monotonic() + wait > self._until
        overflow = _is_overflow(error)
        if overflow or not _passes(error) or self._made >= self._endpoint.attempts or late:
            tries = "once" if self._made == 1 else f"{self._made} times"
            where = f" at {self._endpoint.base_url}" if self._endpoint.base_url else ""
            raise EndpointError(
                f"{self._endpoint.model}{where} was tried {tries} and gave no answer: {_told(error)}",
                timed_out=isinstance(error, openai.APITimeoutError),
                overflow=overflow,
                attempts=self._made,
            ) from error
        return wait


def _passes(error: Exception) -> bool:
    """Return whether an error may be gone at the next attempt."""
    import openai

    if isinstance(error, openai.APIStatusError) and not isinstance(error, openai.APIResponseValidationError):
        return error.status_code in _PASSING or error.status_code >= 500
    return isinstance(error, openai.APIError | ValueError)


def _is_overflow(error: Exception) -> bool:
    """Return whether the endpoint says that the conversation is longer than the model's context."""
    import openai

    if not isinstance(error, openai.APIStatusError):
        return False
    if error.status_code == _TOO_LONG or error.code in _OVERFLOW_CODES or error.type in _OVERFLOW_CODES:
        return True
    return 400 <= error.status_code < 500 and error.status_code not in _PASSING and bool(_OVERFLOW.search(str(error)))


def _asked_for(error: Exception) -> float | None:
    """Return the seconds that the endpoint asks to wait."""
    response = getattr(error, "response", None)
    asked = response.headers.get("retry-after") if response is not None else None
    if not asked:
        return None
    try:
        return max(0.0, float(asked))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(asked).timestamp() - time.time())
    except ValueError:
        return None


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
