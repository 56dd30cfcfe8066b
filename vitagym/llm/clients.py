"""The clients of the ``openai`` package: one an endpoint for the calling thread, one for each event loop.

Requests are sent as bytes and answers read as text: the package's own path through typed objects takes ten times the
time on conversations with dozens of tools.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from vitagym.llm.direct import Direct, is_direct
from vitagym.llm.endpoint import Endpoint

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

PATH = "/chat/completions"
JSON_BODY: Any = {"headers": {"Content-Type": "application/json"}}


def client(endpoint: Endpoint) -> OpenAI:
    """Return the client for requests in the calling thread."""
    return _client_of(endpoint.base_url, endpoint.api_key, endpoint.timeout_s)


@lru_cache(maxsize=32)
def _client_of(base_url: str | None, api_key: str | None, timeout_s: float) -> OpenAI:
    from openai import OpenAI

    return OpenAI(**_arguments(base_url, api_key, timeout_s))


class Lines:
    """The lines to one endpoint in one event loop: so many requests may be in flight at once.

    Args:
        endpoint: Where they lead.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._places = asyncio.Semaphore(endpoint.concurrency)
        self._kept = _kept(endpoint)
        self._line: _Line | None = None

    async def post(self, body: bytes) -> str:
        """Wait for a free line, send the body of a request, and return that of the answer."""
        async with self._places:
            if self._line is None:
                self._line = await anext(self._kept)
            return await self._line.post(body)


@dataclass(frozen=True, slots=True)
class _Line:
    client: AsyncOpenAI
    direct: Direct | None

    async def post(self, body: bytes) -> str:
        return await (self.direct.post(body, self._through) if self.direct else self._through(body))

    async def _through(self, body: bytes) -> str:
        return await self.client.post(PATH, cast_to=str, content=body, options=JSON_BODY)


async def _kept(endpoint: Endpoint) -> AsyncGenerator[_Line, None]:
    """Give a line, and close it when the event loop shuts its generators down."""
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

    arguments = _arguments(endpoint.base_url, endpoint.api_key, endpoint.timeout_s)
    client, direct = AsyncOpenAI(**arguments), None
    if is_direct(str(client.base_url)):
        direct = Direct(endpoint.timeout_s)
        transport: Any = direct
        client = AsyncOpenAI(**arguments, http_client=DefaultAsyncHttpxClient(transport=transport))
    async with client:
        yield _Line(client, direct)


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
