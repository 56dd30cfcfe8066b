"""The page on which a person plays, on 127.0.0.1 alone.

The page holds a token that only it knows, and every request needs it beside the right ``Host`` and ``Origin``: another
site can neither read the page nor act in the person's name.
"""

from __future__ import annotations

import secrets
from http import HTTPStatus
from http.server import HTTPServer
from typing import Any

import orjson

from vitagym.env.actions import STOP
from vitagym.language import texts
from vitagym.play.session import Session
from vitagym.report.local import LocalHandler, local_server
from vitagym.report.packing import packed
from vitagym.report.page import filled_page

TOKEN = "X-Vitagym-Token"
"""The header that carries the page's token."""
_STYLES = ("base.css", "play.css")
_SCRIPTS = ("base.js", "forms.js", "play.js")
_LONGEST = 1 << 20
_PATIENCE = 8.0
"""Seconds that an answer waits for the other side; after that the page asks again."""


def play_server(session: Session, *, port: int = 0) -> HTTPServer:
    """Return a server of the page on which a session is played; ``serve_forever`` starts it.

    Raises:
        CallerError: Something else listens on that port.
    """
    token = secrets.token_hex(24)

    class Handler(LocalHandler):
        def do_GET(self) -> None:
            if not self.is_ours():
                return
            if self.path == "/":
                self.answer(HTTPStatus.OK, "text/html", _page(token).encode())
            else:
                self.not_found()

        def do_POST(self) -> None:
            if not self.is_ours() or not self._may_act():
                return
            asked = self._asked()
            if asked is None or self.path not in _ANSWERS:
                self.not_found()
                return
            self.answer(HTTPStatus.OK, "application/json", orjson.dumps(_ANSWERS[self.path](session, asked)))

        def _may_act(self) -> bool:
            origin = self.headers.get("Origin")
            here = f"http://{self.headers['Host']}"
            known = secrets.compare_digest(self.headers.get(TOKEN, "").encode(), token.encode())
            if known and origin in (None, here) and self.headers.get_content_type() == "application/json":
                return True
            self.answer(HTTPStatus.FORBIDDEN, "text/plain", b"Only the page itself may do that.\n")
            return False

        def _asked(self) -> dict[str, Any] | None:
            length = self.headers.get("Content-Length", "")
            if not length.isdigit() or int(length) > _LONGEST:
                return None
            try:
                data = orjson.loads(self.rfile.read(int(length)))
            except orjson.JSONDecodeError:
                return None
            return data if isinstance(data, dict) else None

    return local_server(Handler, port)


def _page(token: str) -> str:
    head = {"texts": {**texts("report"), **texts("web_play")}, "token": token, "stop": STOP}
    chunk = f'<script type="text/plain" id="head">{packed(head)}</script>'
    return filled_page("play.html", _STYLES, _SCRIPTS, title="vitagym play", chunks=chunk)


def _briefing(session: Session, _: dict[str, Any]) -> dict[str, Any]:
    return {"briefing": session.game.briefing(), "state": session.state()}


def _state(session: Session, _: dict[str, Any]) -> dict[str, Any]:
    session.game.seat.settle(_PATIENCE)
    return {"state": session.state()}


def _act(session: Session, asked: dict[str, Any]) -> dict[str, Any]:
    taken = session.game.seat.give(_action(asked))
    session.game.seat.settle(_PATIENCE)
    return {"taken": taken, "state": session.state()}


def _next(session: Session, _: dict[str, Any]) -> dict[str, Any]:
    session.begin_next()
    return _briefing(session, {})


def _action(asked: dict[str, Any]) -> str:
    """Return what the person does as an action: a call as JSON, words, or words with which the conversation ends."""
    call = asked.get("call")
    if isinstance(call, dict):
        return orjson.dumps(call).decode()
    words = str(asked.get("say", "")).strip()
    return f"{words} {STOP}".strip() if asked.get("end") else words


_ANSWERS = {"/briefing": _briefing, "/state": _state, "/act": _act, "/next": _next}
