"""Requests straight to an endpoint by ``aiohttp``, under the asynchronous client of the ``openai`` package.

With dozens of requests in flight, the processor time of a request is what an evaluation waits for, and the package's
own way takes six times as much. So the package makes the first request and reads every answer that is not plainly good;
requests between are that first one with another body. Where a proxy stands between, the package's own way is kept.
"""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

if TYPE_CHECKING:
    from aiohttp import ClientSession
    from yarl import URL

_GOOD = 200
_MOVED = range(300, 400)


def is_direct(url: str) -> bool:
    """Return whether no proxy of the process environment stands before an address."""
    parts = urlsplit(url)
    proxies = getproxies()
    return not (proxies.get(parts.scheme) or proxies.get("all")) or bool(proxy_bypass(parts.hostname or ""))


@dataclass(frozen=True, slots=True)
class _Answer:
    """What came over the line: status, headers as bytes, body as sent."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    @property
    def plain(self) -> bool:
        """Whether it is good, and its body needs no unpacking."""
        return self.status == _GOOD and not any(name.lower() == b"content-encoding" for name, _ in self.headers)


_KNOWN: ContextVar[_Answer | Exception | None] = ContextVar("_KNOWN", default=None)
"""What a request that the package makes is answered with, where that has come already."""


class Direct:
    """What a client of ``httpx`` calls a transport: takes requests, gives responses, raises the errors of ``httpx``.

    Args:
        timeout_s: How many seconds may pass until a connection stands, and between two reads.
    """

    def __init__(self, timeout_s: float) -> None:
        self._httpx = _httpx()
        self._timeout_s = timeout_s
        self._session: ClientSession | None = None
        self._like: tuple[URL, list[tuple[str, str]]] | None = None
        self._moved = False

    async def post(self, body: bytes, through: Callable[[bytes], Awaitable[str]]) -> str:
        """Return the text of the answer to a body.

        Args:
            body: What is sent.
            through: The package's way, which comes back here as a transport.
        """
        if self._like is None:
            return await through(body)
        answer: _Answer | Exception
        try:
            answer = await self._exchanged("POST", *self._like, body)
        except self._httpx.TransportError as error:
            answer = error
        if isinstance(answer, _Answer) and answer.plain:
            return answer.body.decode("utf-8", "replace")
        known = _KNOWN.set(answer)
        try:
            return await through(body)
        finally:
            _KNOWN.reset(known)

    async def handle_async_request(self, request: Any) -> Any:
        """Return the response to a request, read to its end."""
        from yarl import URL

        answer = _KNOWN.get()
        _KNOWN.set(None)
        if isinstance(answer, Exception):
            raise answer
        if answer is None:
            url = URL(str(request.url), encoded=True)
            headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in request.headers.raw]
            answer = await self._exchanged(request.method, url, headers, await request.aread())
            if answer.status == _GOOD and not self._moved:
                self._like = url, [(name, value) for name, value in headers if name.lower() != "content-length"]
        if answer.status in _MOVED:
            self._moved, self._like = True, None
        return self._httpx.Response(answer.status, headers=answer.headers, content=answer.body, request=request)

    async def __aenter__(self) -> Direct:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()

    async def _exchanged(self, method: str, url: URL, headers: list[tuple[str, str]], body: bytes) -> _Answer:
        """Send a request, and return what comes back."""
        import aiohttp

        session = self._session or self._opened()
        try:
            async with session.request(method, url, headers=headers, data=body, allow_redirects=False) as answer:
                return _Answer(answer.status, answer.raw_headers, await answer.read())
        except aiohttp.ConnectionTimeoutError as error:
            raise self._httpx.ConnectTimeout(str(error)) from error
        except TimeoutError as error:
            raise self._httpx.ReadTimeout(str(error)) from error
        except aiohttp.ClientConnectorError as error:
            raise self._httpx.ConnectError(str(error)) from error
        except aiohttp.ClientError as error:
            raise self._httpx.RemoteProtocolError(str(error)) from error

    def _opened(self) -> ClientSession:
        """Return the session; it belongs to the event loop that runs, so it is made with the first request."""
        from aiohttp import ClientSession, ClientTimeout, DummyCookieJar, TCPConnector

        self._session = ClientSession(
            connector=TCPConnector(limit=0, ssl=self._httpx.create_ssl_context()),
            timeout=ClientTimeout(total=None, sock_connect=self._timeout_s, sock_read=self._timeout_s),
            cookie_jar=DummyCookieJar(),
            auto_decompress=False,
        )
        return self._session


def _httpx() -> Any:
    """Return the ``httpx`` that the ``openai`` package is built on; its name differs between versions."""
    from openai import DefaultAsyncHttpxClient

    return importlib.import_module(DefaultAsyncHttpxClient.__mro__[1].__module__.partition(".")[0])
