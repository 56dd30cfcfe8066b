"""Reads the public VitaBench task files: plain or gzipped JSON, one task or a list, every domain, both languages.

No task is lost: known faults of the data are repaired in the loaded task or named (see ``vitagym.tasks.repair`` and
``vitagym.tasks.lint``). Public rubrics are sentences only, without a check.
"""

from __future__ import annotations

import gzip
import json
import logging
from collections import Counter
from pathlib import Path
from typing import Any

from vitagym.errors import CallerError
from vitagym.language import Language, as_language
from vitagym.rewards.solutions import with_solution
from vitagym.tasks.environment import HIDDEN_FIELDS
from vitagym.tasks.expectations import kind_of, record_id
from vitagym.tasks.expected import (
    ExpectedBooking,
    ExpectedLine,
    ExpectedOrder,
    ExpectedRecord,
    ExpectedReservation,
    ExpectedState,
)
from vitagym.tasks.faults import Fault
from vitagym.tasks.repair import repaired
from vitagym.tasks.spellings import language_of, persona_of, profile_key
from vitagym.tasks.task import Profile, Rubric, Task
from vitagym.users.clauses import points_of

Json = dict[str, Any]
_LOG = logging.getLogger(__name__)
_GZIP = b"\x1f\x8b"


def load_public(path: str | Path, language: str | None = None) -> list[Task]:
    """Return the tasks of a public VitaBench file, each with a reference solution where its data allows one.

    Args:
        path: A JSON file, plain or gzipped, with one task or a list of them.
        language: ``en`` or ``zh``; None: each task's own, seen from its instruction.

    Raises:
        CallerError: The file is not there, is not JSON, or an entry is no task.
    """
    wanted = None if language is None else as_language(language)
    tasks, faults = [], []
    for raw in read_entries(path):
        mended, found = repaired(raw)
        faults += found
        tasks.append(with_solution(_task(mended, wanted)))
    _report(path, faults)
    return tasks


def read_entries(path: str | Path) -> list[Json]:
    """Return the raw tasks of a file, as they stand there; raises CallerError as ``load_public`` does."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise CallerError(f"cannot read the task file {str(path)!r}: {error.strerror}") from error
    try:
        plain = gzip.decompress(content) if content.startswith(_GZIP) else content
        found = json.loads(plain.decode("utf-8-sig"))
    except (OSError, EOFError, ValueError) as error:
        raise CallerError(f"{str(path)!r} is no JSON file, plain or gzipped: {error}") from error
    entries = found if isinstance(found, list) else [found]
    for index, entry in enumerate(entries):
        missing = [
            key for key in ("id", "environment", "instructions") if not isinstance(entry, dict) or key not in entry
        ]
        if missing:
            raise CallerError(f"entry {index} of {str(path)!r} is no VitaBench task: it has no {', '.join(missing)}")
    return [_whole(entry) for entry in entries]


def _whole(entry: Json) -> Json:
    """Return the entry with the parts that some files leave out, empty."""
    scenario = {"user_profile": {}, **(entry.get("user_scenario") or {})}
    criteria = {"expected_states": [], "overall_rubrics": [], **(entry.get("evaluation_criteria") or {})}
    return {**entry, "id": str(entry["id"]), "user_scenario": scenario, "evaluation_criteria": criteria}


def _task(raw: Json, wanted: Language | None) -> Task:
    words = str(raw["instructions"])
    language = wanted or language_of(words)
    profile: dict[str, str] = {key: _as_text(value) for key, value in raw["user_scenario"]["user_profile"].items()}
    world = raw["environment"]
    behaviors = world.get("user_historical_behaviors") or {}
    world["user_historical_behaviors"] = {k: v for k, v in behaviors.items() if profile_key(k) not in HIDDEN_FIELDS}
    rubrics = _rubrics(raw, language)
    return Task(
        id=raw["id"],
        split="public",
        domains=tuple(raw["domains"]),
        language=language,
        time=world["time"],
        profile=Profile(
            user_id=world["user_id"],
            public={k: v for k, v in profile.items() if k not in HIDDEN_FIELDS},
            hidden={k: v for k, v in profile.items() if k in HIDDEN_FIELDS},
        ),
        persona=persona_of(profile.get("personality", "")),
        instruction=words,
        points=points_of(words, language),
        environment=world,
        rubrics=rubrics,
        expected=_expected(raw, {rubric.sentence(language): rubric.id for rubric in rubrics}),
    )


def _as_text(value: Any) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)


def _rubrics(raw: Json, language: Language) -> tuple[Rubric, ...]:
    """Return each requirement once; those of a state belong together as a goal."""
    goals: dict[str, str] = {}
    for index, state in enumerate(raw["evaluation_criteria"]["expected_states"]):
        for sentence in state["state_rubrics"]:
            goals.setdefault(sentence, f"state{index + 1}")
    sentences = dict.fromkeys([*raw["evaluation_criteria"]["overall_rubrics"], *goals])
    return tuple(
        Rubric(id=f"r{index + 1}", sentences={language.value: sentence}, goal=goals.get(sentence))
        for index, sentence in enumerate(sentences)
    )


def _expected(raw: Json, ids: dict[str, str]) -> tuple[ExpectedState, ...]:
    return tuple(
        ExpectedState(
            required=tuple(_record(r) for r in state["required_orders"]),
            optional=tuple(_record(r) for r in state["optional_orders"]),
            rubrics=tuple(dict.fromkeys(ids[sentence] for sentence in state["state_rubrics"])),
        )
        for state in raw["evaluation_criteria"]["expected_states"]
    )


def _record(raw: Json) -> ExpectedRecord:
    kind = kind_of(raw)
    if kind == "order_id":
        return _order(raw)
    time = raw.get("book_time") or raw.get("reservation_time") or ""
    made = ExpectedBooking if kind == "book_id" else ExpectedReservation
    return made(
        id=record_id(raw),
        shop_id=raw.get("shop_id") or "",
        time=time,
        customer_count=int(raw.get("customer_count") or 1),
        status=raw["status"],
    )


def _order(raw: Json) -> ExpectedOrder:
    return ExpectedOrder(
        id=record_id(raw),
        order_kind=raw.get("order_type") or "",
        provider_id=raw.get("store_id") or "",
        lines=tuple(
            ExpectedLine(
                product_id=line["product_id"],
                quantity=int(line.get("quantity", 1)),
                date=line.get("date"),
                attributes=_as_text(line.get("attributes") or line.get("attribute") or ""),
            )
            for line in raw["products"]
        ),
        total_price=float(raw["total_price"]),
        address=raw["location"]["address"] if raw.get("location") else None,
        dispatch_time=raw.get("dispatch_time") or "",
        delivery_time=raw.get("delivery_time") or "",
        note=raw.get("note") or "",
        status=raw["status"],
    )


def _report(path: str | Path, faults: list[Fault]) -> None:
    repairs = Counter(fault.code.value for fault in faults if fault.repaired)
    if repairs:
        _LOG.info("%s: faults repaired: %s", path, dict(sorted(repairs.items())))
    for fault in faults:
        if not fault.repaired:
            _LOG.warning("%s: task %s: %s: %s: %s", path, fault.task_id, fault.code.value, fault.field, fault.what)
