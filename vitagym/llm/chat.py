"""One chat completion at a time, or many in flight, with retries within a budget; then EndpointError.

Tried again: time-outs, cut connections, 408, 409, 429 (after the time the endpoint asks for) and 5xx, answers that are
no chat completion. Not tried again: all other refusals of the endpoint, such as a wrong key or an unknown model.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from vitagym.errors import EndpointError
from vitagym.llm.endpoint import Endpoint

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

Message = Mapping[str, Any]
_LONGEST_WAIT_S = 30.0
_PASSING = frozenset({408, 409, 425, 429})


@dataclass(frozen=True, slots=True)
class Completion:
    """What the model said.

    Attributes:
        text: Its words; empty where there are none.
        refused: Whether the model, or a filter before it, declined to answer.
        cut: Whether the answer was cut off at the greatest length.
        prompt_tokens: Tokens of the request; 0 where the endpoint does not say.
        completion_tokens: Tokens of the answer; 0 where the endpoint does not say.
        attempts: Requests made until this one came, the last of them included.
        recalled: Whether it was said before and has been paid for.
    """

    text: str
    refused: bool = False
    cut: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0
    attempts: int = 1
    recalled: bool = False


@dataclass(slots=True)
class ChatUsage:
    """What a chat has used so far."""

    requests: int = 0
    failed_requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Chat:
    """A model to talk with.

    Attributes:
        endpoint: Where it is.
        usage: What was used so far.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.usage = ChatUsage()

    def complete(self, messages: Sequence[Message]) -> Completion:
        """Return the model's answer; raises EndpointError when all attempts have failed."""
        attempts = _Attempts(self.endpoint, self.usage)
        while True:
            try:
                answer = _client(self.endpoint).chat.completions.create(**self._request(messages))
                return attempts.read(answer)
            except Exception as error:
                time.sleep(attempts.wait_after(error))

    async def acomplete(self, messages: Sequence[Message]) -> Completion:
        """Return the model's answer without blocking the event loop; at most ``concurrency`` are in flight."""
        attempts = _Attempts(self.endpoint, self.usage)
        client, places = _async_client(self.endpoint)
        while True:
            try:
                async with places:
                    answer = await client.chat.completions.create(**self._request(messages))
                return attempts.read(answer)
            except Exception as error:
                await asyncio.sleep(attempts.wait_after(error))

    def _request(self, messages: Sequence[Message]) -> dict[str, Any]:
        at = self.endpoint
        optional = {"seed": at.seed, "max_tokens": at.max_tokens}
        return {
            "model": at.model,
            "messages": [dict(message) for message in messages],
            "temperature": at.temperature,
            **{name: value for name, value in optional.items() if value is not None},
            **({"extra_body": dict(at.extra)} if at.extra else {}),
        }


class _Attempts:
    """The attempts at one completion."""

    def __init__(self, endpoint: Endpoint, usage: ChatUsage) -> None:
        self._endpoint, self._usage = endpoint, usage
        self._made = 0
        self._until = time.monotonic() + endpoint.patience_s

    def read(self, answer: Any) -> Completion:
        """Return what an answer says; raises ValueError for one that is no chat completion."""
        try:
            choice = answer.choices[0]
            message = choice.message
            text = message.content or ""
        except (AttributeError, IndexError, TypeError) as error:
            raise ValueError(f"the answer is no chat completion: {str(answer)[:200]!r}") from error
        if not isinstance(text, str):
            raise ValueError(f"the content of the answer is no text: {text!r:.200}")
        used = getattr(answer, "usage", None)
        completion = Completion(
            text=text,
            refused=bool(getattr(message, "refusal", None)) or choice.finish_reason == "content_filter",
            cut=choice.finish_reason == "length",
            prompt_tokens=getattr(used, "prompt_tokens", 0) or 0,
            completion_tokens=getattr(used, "completion_tokens", 0) or 0,
            attempts=self._made + 1,
        )
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
        timed_out = isinstance(error, openai.APITimeoutError)
        wait = _asked_for(error)
        if wait is None:
            wait = min(_LONGEST_WAIT_S, self._endpoint.backoff_s * 2 ** (self._made - 1))
        late = time.monotonic() + wait > self._until
        if not _passes(error) or self._made >= self._endpoint.attempts or late:
            tries = "once" if self._made == 1 else f"{self._made} times"
            where = f" at {self._endpoint.base_url}" if self._endpoint.base_url else ""
            raise EndpointError(
                f"{self._endpoint.model}{where} was tried {tries} and gave no answer: {_told(error)}",
                timed_out=timed_out,
                attempts=self._made,
            ) from error
        return wait


def _passes(error: Exception) -> bool:
    """Return whether an error may be gone at the next attempt."""
    import openai

    if isinstance(error, openai.APIStatusError) and not isinstance(error, openai.APIResponseValidationError):
        return error.status_code in _PASSING or error.status_code >= 500
    return isinstance(error, openai.APIError | ValueError)


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


def _arguments(endpoint: Endpoint) -> dict[str, Any]:
    import os

    key = endpoint.api_key or os.environ.get("OPENAI_API_KEY") or ("none" if endpoint.base_url else None)
    return {"api_key": key, "base_url": endpoint.base_url, "timeout": endpoint.timeout_s, "max_retries": 0}


@lru_cache(maxsize=32)
def _client_of(base_url: str | None, api_key: str | None, timeout_s: float) -> OpenAI:
    from openai import OpenAI

    return OpenAI(**_arguments(Endpoint("", base_url=base_url, api_key=api_key, timeout_s=timeout_s)))


def _client(endpoint: Endpoint) -> OpenAI:
    return _client_of(endpoint.base_url, endpoint.api_key, endpoint.timeout_s)


_LOOPS: WeakKeyDictionary[Any, dict[Any, tuple[AsyncOpenAI, asyncio.Semaphore]]] = WeakKeyDictionary()


def _async_client(endpoint: Endpoint) -> tuple[AsyncOpenAI, asyncio.Semaphore]:
    """Return the client of the running event loop, and the places for requests in flight."""
    from openai import AsyncOpenAI

    clients = _LOOPS.setdefault(asyncio.get_running_loop(), {})
    key = (endpoint.base_url, endpoint.api_key, endpoint.timeout_s, endpoint.concurrency)
    if key not in clients:
        clients[key] = (AsyncOpenAI(**_arguments(endpoint)), asyncio.Semaphore(endpoint.concurrency))
    return clients[key]
