"""A run served as its report: every reload of the page shows the episodes that have ended by then."""

from __future__ import annotations

from http import HTTPStatus
from http.server import HTTPServer
from pathlib import Path

from vitagym.evaluation.log import log_files
from vitagym.report.local import LocalHandler, local_server
from vitagym.report.page import Reporter

_Stamp = tuple[tuple[str, int, int], ...]


def view_server(path: Path, *, port: int = 0) -> HTTPServer:
    """Return a server of the report on a run; ``serve_forever`` starts it.

    Args:
        path: The run's folder, or a file of episodes.
        port: Where it listens; 0: a free port.

    Raises:
        CallerError: There is no log, or something else listens there.
    """
    log_files(path)
    live = _LiveReport(path)

    class Handler(LocalHandler):
        def do_GET(self) -> None:
            if not self.is_ours():
                return
            if self.path.split("?")[0] == "/":
                self.answer(HTTPStatus.OK, "text/html", live.page())
            else:
                self.not_found()

        do_HEAD = do_GET

    return local_server(Handler, port)


class _LiveReport:
    """The page, made anew where the log has changed since."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._reporter = Reporter()
        self._stamp: _Stamp | None = None
        self._page = b""

    def page(self) -> bytes:
        stamp = tuple((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in log_files(self._path))
        if stamp != self._stamp:
            self._page, self._stamp = self._reporter.page_of(self._path).encode(), stamp
        return self._page
