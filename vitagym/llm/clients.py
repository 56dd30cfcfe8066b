"""The clients of the ``openai`` package: one an endpoint for the calling thread, several for an event loop.

Requests are sent as bytes and answers read as text: the package's own path through typed objects takes ten times the
time on conversations with dozens of tools.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from vitagym.llm.endpoint import Endpoint

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

PATH = "/chat/completions"
JSON_BODY: Any = {"headers": {"Content-Type": "application/json"}}
_LINES_A_CLIENT = 8
"""A client looks at all of its connections before each request, so each has few."""


def client(endpoint: Endpoint) -> OpenAI:
    """Return the client for requests in the calling thread."""
    return _client_of(endpoint.base_url, endpoint.api_key, endpoint.timeout_s)


@lru_cache(maxsize=32)
def _client_of(base_url: str | None, api_key: str | None, timeout_s: float) -> OpenAI:
    from openai import OpenAI

    return OpenAI(**_arguments(base_url, api_key, timeout_s))


@dataclass(slots=True)
class _Shared:
    client: AsyncOpenAI
    kept: AsyncGenerator[AsyncOpenAI, None]
    in_flight: int = 0


class Lines:
    """The lines to one endpoint in one event loop: so many requests may be in flight at once.

    Args:
        endpoint: Where they lead.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._arguments = _arguments(endpoint.base_url, endpoint.api_key, endpoint.timeout_s)
        self._places = asyncio.Semaphore(endpoint.concurrency)
        self._clients: list[_Shared] = []

    @asynccontextmanager
    async def one(self) -> AsyncIterator[AsyncOpenAI]:
        """Wait for a free line, and hold it."""
        async with self._places:
            shared = await self._free()
            shared.in_flight += 1
            try:
                yield shared.client
            finally:
                shared.in_flight -= 1

    async def _free(self) -> _Shared:
        for shared in self._clients:
            if shared.in_flight < _LINES_A_CLIENT:
                return shared
        kept = _kept(self._arguments)
        self._clients.append(_Shared(await anext(kept), kept))
        return self._clients[-1]


async def _kept(arguments: dict[str, Any]) -> AsyncGenerator[AsyncOpenAI, None]:
    """Give a client, and close it when the event loop shuts its generators down."""
    from openai import AsyncOpenAI

    async with AsyncOpenAI(**arguments) as made:
        yield made


_LINES: WeakKeyDictionary[Any, dict[Any, Lines]] = WeakKeyDictionary()


def async_lines(endpoint: Endpoint) -> Lines:
    """Return the lines to an endpoint in the running event loop."""
    lines = _LINES.setdefault(asyncio.get_running_loop(), {})
    key = (endpoint.base_url, endpoint.api_key, endpoint.timeout_s, endpoint.concurrency)
    if key not in lines:
        lines[key] = Lines(endpoint)
    return lines[key]


def _arguments(base_url: str | None, api_key: str | None, timeout_s: float) -> dict[str, Any]:
    key = api_key or os.environ.get("OPENAI_API_KEY") or ("none" if base_url else None)
    return {"api_key": key, "base_url": base_url, "timeout": timeout_s, "max_retries": 0}
