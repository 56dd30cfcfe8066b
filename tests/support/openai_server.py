"""A small OpenAI-compatible server on 127.0.0.1 that answers as it is told, faults included."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Answer:
    """How to answer one request.

    Attributes:
        text: Words of the completion; None: no content.
        status: HTTP status; an error has no completion.
        headers: Further headers.
        delay_s: Seconds before the answer.
        body: These bytes in place of a completion.
        cut: Whether to close the connection without an answer.
        finish: The finish reason.
        refusal: A refusal in the message.
    """

    text: str | None = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    body: bytes | None = None
    cut: bool = False
    finish: str = "stop"
    refusal: str | None = None


Script = Callable[[dict[str, Any]], Answer]


class Server:
    """The server, and what was asked of it.

    Attributes:
        url: Its base URL.
        requests: The bodies of the requests, in order.
        most_in_flight: How many requests were answered at once, at most.
        connections: How many connections were made to it.
    """

    def __init__(self, script: Script) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.most_in_flight = 0
        self.connections = 0
        self._in_flight = 0
        self._lock = threading.Lock()
        self._script = script
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                super().setup()
                with server._lock:
                    server.connections += 1

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with server._lock:
                    server.requests.append(body)
                    server.headers.append({name.lower(): value for name, value in self.headers.items()})
                    server._in_flight += 1
                    server.most_in_flight = max(server.most_in_flight, server._in_flight)
                try:
                    self._answer(server._script(body))
                finally:
                    with server._lock:
                        server._in_flight -= 1

            def _answer(self, answer: Answer) -> None:
                time.sleep(answer.delay_s)
                if answer.cut:
                    self.close_connection = True
                    self.connection.close()
                    return
                data = answer.body if answer.body is not None else json.dumps(_completion(answer)).encode()
                try:
                    self.send_response(answer.status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(data)))
                    for name, value in answer.headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(data)
                except OSError:
                    self.close_connection = True

            def handle_one_request(self) -> None:
                try:
                    super().handle_one_request()
                except (OSError, ValueError):
                    self.close_connection = True

            def log_message(self, *_: Any) -> None:
                pass

        return Handler


def _completion(answer: Answer) -> dict[str, Any]:
    if answer.status >= 400:
        return {"error": {"message": f"fault {answer.status}", "type": "test", "code": str(answer.status)}}
    message = {"role": "assistant", "content": answer.text, "refusal": answer.refusal}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "test",
        "choices": [{"index": 0, "message": message, "finish_reason": answer.finish, "logprobs": None}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
    }


@contextmanager
def serving(script: Script | list[Answer]) -> Iterator[Server]:
    """Serve by a script, or answer in turn from a list; its last answer is repeated."""
    if isinstance(script, list):
        answers = iter(script)
        last = [script[-1]]
        lock = threading.Lock()

        def in_turn(_: dict[str, Any]) -> Answer:
            with lock:
                return next(answers, last[0])

        server = Server(in_turn)
    else:
        server = Server(script)
    try:
        yield server
    finally:
        server.close()
