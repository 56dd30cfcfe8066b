"""Pages served on this machine alone: bound to 127.0.0.1, and deaf to what other sites make a browser ask.

A browser sends the name it was asked for as ``Host``; a name that is not ours means that another site's name was made
to lead here, and such a request is refused.
"""

from __future__ import annotations

from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import cast

from vitagym.errors import CallerError

ADDRESS = "127.0.0.1"
_NAMES = (ADDRESS, "localhost")
HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class LocalHandler(BaseHTTPRequestHandler):
    """Answers requests of pages on this machine; subclasses say what is served."""

    server_version = "vitagym"
    sys_version = ""
    timeout = 30

    def is_ours(self) -> bool:
        """Answer a request that came under another name than ours with a refusal; return whether it may go on."""
        port = cast(HTTPServer, self.server).server_port
        if self.headers.get("Host", "") in {f"{name}:{port}" for name in _NAMES}:
            return True
        self.answer(HTTPStatus.FORBIDDEN, "text/plain", b"This page is for this machine alone.\n")
        return False

    def answer(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        """Send an answer."""
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def not_found(self) -> None:
        """Answer that there is nothing at that address."""
        self.answer(HTTPStatus.NOT_FOUND, "text/plain", b"There is nothing here.\n")

    def log_message(self, format: str, *args: object) -> None:
        """Write nothing on the terminal."""


def local_server(handler: type[BaseHTTPRequestHandler], port: int = 0) -> HTTPServer:
    """Return a server on this machine.

    Args:
        handler: Answers the requests, one after the other.
        port: Where it listens; 0: a free port.

    Raises:
        CallerError: Something else listens there.
    """
    try:
        return HTTPServer((ADDRESS, port), handler)
    except (OSError, OverflowError) as error:
        raise CallerError(f"cannot listen on port {port} of {ADDRESS}: {error}") from error


def address_of(server: HTTPServer) -> str:
    """Return the address of a server's first page."""
    return f"http://{ADDRESS}:{server.server_port}/"
