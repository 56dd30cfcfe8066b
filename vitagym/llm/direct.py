"""Requests straight to an endpoint by ``aiohttp``, under the asynchronous client of the ``openai`` package.

The package's own way through ``httpcore`` takes three times the processor time, and with dozens of requests in flight
it is what an evaluation waits for. Where a proxy stands between, the package's own way is kept.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

if TYPE_CHECKING:
    from aiohttp import ClientSession


def is_direct(url: str) -> bool:
    """Return whether no proxy of the process environment stands before an address."""
    parts = urlsplit(url)
    proxies = getproxies()
    return not (proxies.get(parts.scheme) or proxies.get("all")) or bool(proxy_bypass(parts.hostname or ""))


class Direct:
    """What a client of ``httpx`` calls a transport: takes requests, gives responses, raises the errors of ``httpx``.

    Args:
        timeout_s: How many seconds may pass until a connection stands, and between two reads.
    """

    def __init__(self, timeout_s: float) -> None:
        self._httpx = _httpx()
        self._timeout_s = timeout_s
        self._session: ClientSession | None = None

    async def __aenter__(self) -> Direct:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()

    async def handle_async_request(self, request: Any) -> Any:
        """Return the response to a request, read to its end."""
        import aiohttp

        session = self._session or self._opened()
        content = await request.aread()
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in request.headers.raw]
        try:
            async with session.request(
                request.method, str(request.url), headers=headers, data=content, allow_redirects=False
            ) as answer:
                body = await answer.read()
        except aiohttp.ConnectionTimeoutError as error:
            raise self._httpx.ConnectTimeout(str(error), request=request) from error
        except TimeoutError as error:
            raise self._httpx.ReadTimeout(str(error), request=request) from error
        except aiohttp.ClientConnectorError as error:
            raise self._httpx.ConnectError(str(error), request=request) from error
        except aiohttp.ClientError as error:
            raise self._httpx.RemoteProtocolError(str(error), request=request) from error
        return self._httpx.Response(answer.status, headers=answer.raw_headers, content=body, request=request)

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
