"""The page: one HTML file with everything in it. It loads nothing, and works from disk.

``Reporter`` makes its text; style and scripts lie in ``assets/report`` and are put in as they are.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from vitagym.analysis.failures import Failure, find_failures
from vitagym.analysis.rows import Outcome, Row, conditions, outcome
from vitagym.analysis.summary import ordered, summarise_conditions
from vitagym.evaluation.log import read_logs
from vitagym.language import texts
from vitagym.report.drawn import plots_of
from vitagym.report.entries import entry, whole
from vitagym.report.headline import headline
from vitagym.report.packing import packed
from vitagym.report.plots import Plot
from vitagym.report.privacy import clean, known_secrets

_STYLES = ("base.css", "report.css")
_SCRIPTS = ("base.js", "charts.js", "overview.js", "episodes.js", "transcript.js", "panel.js", "map.js", "app.js")
_Episode = tuple[str, str, int]
"""Key, seed and attempt."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the page has of an episode: its entry in the list and the rest, packed."""

    entry: dict[str, Any]
    episode: str


class Reporter:
    """Makes reports. What it has read of an episode it keeps, so that a growing run is read again quickly."""

    def __init__(self) -> None:
        self._secrets = known_secrets()
        self._kept: dict[_Episode, _Shown] = {}
        self._found: dict[_Episode, list[Failure]] = {}

    def page_of(self, path: Path) -> str:
        """Return the report on a run, titled with the name of its folder or file; raises what ``read_logs`` does."""
        return self.page(read_logs(path), title=path.resolve().name)

    def plots(self, rows: Sequence[Row]) -> list[Plot]:
        """Return the plots of a run's episodes."""
        return plots_of(ordered(conditions(rows)), summarise_conditions(rows, ("domain",)), self._failures)

    def page(self, rows: Sequence[Row], *, title: str) -> str:
        """Return the report on a run as HTML.

        Args:
            rows: The run's episodes, the latest attempt of each.
            title: What the run is called.
        """
        shown = [self._shown(row) for row in rows]
        head = self._head(rows, shown, title)
        chunks = [_chunk("head", packed(head, self._secrets))]
        chunks += [_chunk(f"episode-{place}", one.episode) for place, one in enumerate(shown)]
        clean_title = str(clean(title, self._secrets))
        return filled_page("report.html", _STYLES, _SCRIPTS, title=clean_title, chunks="\n".join(chunks))

    def _shown(self, row: Row) -> _Shown:
        episode = _episode_of(row)
        if episode not in self._kept:
            failures = self._failures(row)
            self._kept[episode] = _Shown(entry(row, failures), packed(whole(row, failures), self._secrets))
        return self._kept[episode]

    def _failures(self, row: Row) -> list[Failure]:
        episode = _episode_of(row)
        if episode not in self._found:
            self._found[episode] = find_failures(row)
        return self._found[episode]

    def _head(self, rows: Sequence[Row], shown: Sequence[_Shown], title: str) -> dict[str, Any]:
        """Return what the page reads at once."""
        by_condition = ordered(conditions(rows))
        summaries = summarise_conditions(rows, ("domain",))
        return {
            "texts": _texts(),
            "run": _run(rows, title),
            "table": headline(by_condition, summaries),
            "figures": [plot.data() for plot in plots_of(by_condition, summaries, self._failures)],
            "index": [one.entry | {"key": key} for one, key in zip(shown, _keys(rows), strict=True)],
        }


def _episode_of(row: Row) -> _Episode:
    return row["key"], str(row["seed"]), row.get("attempt", 0)


def _texts() -> dict[str, Any]:
    """Return the words of the page; kinds of failures have theirs from the analysis."""
    return {**texts("report"), **{f"failure_{name}": entry for name, entry in texts("failures").items()}}


def filled_page(name: str, styles: Sequence[str], scripts: Sequence[str], *, title: str, chunks: str) -> str:
    """Return a page of ``assets/report`` with its styles, scripts, title and data put in.

    Nothing but the scripts runs in it: the page names their digest.
    """
    script = "\n".join(map(asset, scripts))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    filling = {
        "title": html.escape(title.encode("utf-8", "replace").decode()),
        "style": "\n".join(map(asset, styles)),
        "script_digest": digest,
        "script": script,
        "chunks": chunks,
    }
    first, *rest = asset(name).split("{{")
    return first + "".join(filling[key] + after for key, _, after in (part.partition("}}") for part in rest))


@cache
def asset(name: str) -> str:
    """Return the text of a file of ``assets/report``."""
    return resources.files("vitagym.assets").joinpath("report", name).read_text(encoding="utf-8")


def _chunk(name: str, data: str) -> str:
    return f'<script type="text/plain" id="{name}">{data}</script>'


def _run(rows: Sequence[Row], title: str) -> dict[str, Any]:
    first = rows[0] if rows else {}
    versions = first.get("versions") or {}
    started = sorted(row["started"] for row in rows if row.get("started"))
    return {
        "title": title,
        "episodes": len(rows),
        "tasks": len({(row["env_id"], row["task_id"]) for row in rows}),
        "agents": len({row["agent"] for row in rows}),
        "cut_off": sum(outcome(row) is Outcome.ENDPOINT for row in rows),
        "made": started[0][:16].replace("T", " ") + " UTC" if started else "",
        "versions": f"vitagym {versions['vitagym']}" if "vitagym" in versions else "",
    }


def _keys(rows: Sequence[Row]) -> list[str]:
    """Return what each episode is called in addresses: its key, with the seed where two share a key."""
    counts = Counter(row["key"] for row in rows)
    return [row["key"] if counts[row["key"]] == 1 else f"{row['key']}|{row['seed']}" for row in rows]
