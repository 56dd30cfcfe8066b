"""A page served from the command line, until Ctrl-C."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from vitagym.cli.screen import print_json

if TYPE_CHECKING:
    from http.server import HTTPServer


def serve(server: HTTPServer, *, json: bool) -> None:
    """Say where the server is, then answer requests until the person presses Ctrl-C."""
    from vitagym.report.local import address_of

    if json:
        print_json({"address": address_of(server)})
    else:
        typer.echo(f"{address_of(server)} (Ctrl-C ends)")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        typer.echo("", err=True)
