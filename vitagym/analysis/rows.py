"""What a row of a log says about its episode, read in one place: how it came out, and what to group it by.

A row is the JSON of one line of a run's log, as a dict. Nothing here or in the rest of this package changes rows,
plays episodes or reads files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from vitagym.errors import UnknownName
from vitagym.evaluation.log import endpoint_failed

Row = Mapping[str, Any]
UNKNOWN = "unknown"
"""The group of rows that do not say what they are grouped by."""
_NO_PERSONA = "neutral"


class Outcome(StrEnum):
    """How an episode came out."""

    SUCCESS = "success"
    """All rubrics are met."""
    FAILURE = "failure"
    UNSCORED = "unscored"
    """It ended, and whether it succeeded cannot be said."""
    ENDPOINT = "endpoint"
    """An endpoint's failure cut it off: it says nothing about the agent."""


class Mode(StrEnum):
    """Whom the agent talks with (paper: section 5.2, figure 8)."""

    PERSONA = "persona"
    NEUTRAL = "neutral"
    SOLO = "solo"


def outcome(row: Row) -> Outcome:
    """Return how an episode came out."""
    if endpoint_failed(row):
        return Outcome.ENDPOINT
    success = row["is_success"]
    if success is None:
        return Outcome.UNSCORED
    return Outcome.SUCCESS if success else Outcome.FAILURE


def ended(row: Row) -> bool:
    """Return whether an episode came to an end of its own, scored or not."""
    return outcome(row) is not Outcome.ENDPOINT


def is_scored(row: Row) -> bool:
    """Return whether it is known if an episode succeeded."""
    return outcome(row) in (Outcome.SUCCESS, Outcome.FAILURE)


def task_of(row: Row) -> str:
    """Return what episodes on the same task share: the task's id."""
    return str(row["task_id"])


def mode(row: Row) -> Mode:
    """Return whom the agent talked with."""
    settings = row.get("settings") or {}
    user = str(row.get("user") or settings.get("user") or "")
    if user.partition("/")[0].partition(":")[0] == Mode.SOLO:
        return Mode.SOLO
    persona = settings.get("persona") or user.partition("/")[2] or row.get("persona")
    return Mode.NEUTRAL if persona == _NO_PERSONA else Mode.PERSONA


def tools_on_offer(row: Row) -> str:
    """Return which tools were on offer: ``own``, ``all`` or ``needed``."""
    return str((row.get("settings") or {}).get("tools") or "own")


def band(row: Row) -> str:
    """Return the band of the task's predicted difficulty; its bounds part the 400 fixed tasks into about thirds."""
    complexity = row.get("complexity")
    if not complexity:
        return UNKNOWN
    difficulty = complexity["difficulty"]
    return next(name for name, below in _BANDS if difficulty < below)


_BANDS = (("below 0.6", 0.6), ("0.6 to 0.8", 0.8), ("0.8 and over", 2.0))


def _field(name: str) -> Callable[[Row], str]:
    return lambda row: str(row.get(name) or UNKNOWN)


GROUPINGS: dict[str, Callable[[Row], str]] = {
    "domain": _field("domain"),
    "persona": _field("persona"),
    "family": _field("family"),
    "band": band,
    "language": _field("language"),
    "mode": lambda row: mode(row).value,
    "tools": tools_on_offer,
    "end": _field("end_reason"),
}
"""By what rows can be grouped."""
_ORDER = {
    name: place
    for place, name in enumerate(("delivery", "instore", "ota", "cross", *(name for name, _ in _BANDS), *Mode))
}


def grouped(rows: Iterable[Row], by: str) -> dict[str, list[Row]]:
    """Return the rows by group, domains and bands in their usual order, other groups by name.

    Raises:
        UnknownName: There is no such grouping.
    """
    if by not in GROUPINGS:
        raise UnknownName("grouping", by, GROUPINGS)
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(GROUPINGS[by](row), []).append(row)
    return {name: groups[name] for name in sorted(groups, key=lambda name: (_ORDER.get(name, len(_ORDER)), name))}


def by_task(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Return the rows of each task, tasks by id."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(task_of(row), []).append(row)
    return dict(sorted(groups.items()))


_NO_DIFFERENCE = ("seed", "prices")
"""Of an agent's options and an environment's settings, what makes no condition of its own."""


def conditions(rows: Iterable[Row], *, apart: Sequence[str] = ()) -> dict[str, list[Row]]:
    """Return the rows of each condition: an agent, with whatever else differs between the rows.

    A condition is named after its agent; what differs among all rows (user, judge, language, a setting of the
    environment other than prices, an option of the agent other than its seed) is named beside it, as in
    ``llm (user=solo, tools=all)``.

    Args:
        rows: The rows.
        apart: Names of what is not told apart although it differs, such as ``tools``.
    """
    listed = list(rows)
    described = [_described(row) for row in listed]
    names = list(dict.fromkeys(name for one in described for name in one if name not in ("agent", *apart)))
    differing = [name for name in names if len({repr(one.get(name)) for one in described}) > 1]
    groups: dict[str, list[Row]] = {}
    for row, one in zip(listed, described, strict=True):
        beside = ", ".join(f"{name}={one[name]}" for name in differing if one.get(name) is not None)
        groups.setdefault(f"{one['agent']} ({beside})" if beside else str(one["agent"]), []).append(row)
    return dict(sorted(groups.items()))


def _described(row: Row) -> dict[str, Any]:
    first = {name: row.get(name) for name in ("agent", "user", "judge", "language")}
    own = {*first, *_NO_DIFFERENCE}
    settings = {name: value for name, value in (row.get("settings") or {}).items() if name not in own}
    options = {name: value for name, value in (row.get("agent_options") or {}).items() if name not in _NO_DIFFERENCE}
    if str(row.get("agent")).endswith(f":{options.get('model')}"):
        del options["model"]  # the agent's name says it
    return {**first, **settings, **options}
