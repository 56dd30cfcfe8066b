"""Runs the ``vitagym`` command in this process, as if without a terminal."""

from __future__ import annotations

import contextlib
import io
import sys
from dataclasses import dataclass
from unittest import mock

from vitagym.cli import main


@dataclass
class Done:
    """What the command left behind."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: object, typed: str = "") -> Done:
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    code: object = 0
    with (
        mock.patch.object(sys, "argv", ["vitagym", *map(str, arguments)]),
        mock.patch.object(sys, "stdin", io.StringIO(typed)),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as leaving:
            code = leaving.code or 0
    for stream in (out, err):
        stream.flush()
    shown, said = (stream.buffer.getvalue().decode("utf-8") for stream in (out, err))  # type: ignore[attr-defined]
    return Done(int(str(code)), shown, said)
