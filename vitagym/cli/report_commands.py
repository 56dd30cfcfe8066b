"""``vitagym report`` and ``vitagym view``: a run as a page, as plots, and served on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vitagym.cli.app import AsJson, app
from vitagym.cli.screen import print_json
from vitagym.cli.serving import serve
from vitagym.errors import CallerError
from vitagym.evaluation.log import read_logs, some

Run = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a run, or a file of episodes.")]


@app.command()
def report(
    path: Run,
    out: Annotated[Path | None, typer.Option(help="The page's file. Default: report.html in the run's folder.")] = None,
    plots: Annotated[
        Path | None, typer.Option(help="Folder for every plot as PNG, SVG and CSV, in place of the page.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Write one HTML file with a run's results, plots and every episode; it works from disk and loads nothing."""
    from vitagym.report.page import Reporter

    if plots is not None and out is not None:
        raise CallerError("--out names the page, --plots the folder of plots in place of it; give one of them")
    reporter = Reporter()
    rows = some(read_logs(path), path)
    if plots is None:
        page = out or (path if path.is_dir() else path.parent) / "report.html"
        written = [page]
        page.write_bytes(reporter.page(rows, title=path.resolve().name).encode())
    else:
        from vitagym.report.images import write_plots

        written = write_plots(reporter.plots(rows), plots)
    if json:
        print_json({"files": [{"path": str(file), "bytes": file.stat().st_size} for file in written]})
    else:
        for file in written:
            typer.echo(f"{file} ({file.stat().st_size / 1e6:.2f} MB)")


@app.command()
def view(
    path: Run,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where it listens; 0: a free port.")] = 0,
    json: AsJson = False,
) -> None:
    """Serve a run's report on 127.0.0.1; a reload shows the episodes that ended since. Ctrl-C ends."""
    from vitagym.report.view import view_server

    with view_server(path, port=port) as server:
        serve(server, json=json)
