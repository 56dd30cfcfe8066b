"""Where tasks come from: the fixed test split, by id, and endless made ones, by seed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from functools import cache, lru_cache
from typing import Any

from vitagym.errors import UnknownName
from vitagym.generation.drafts import Draft
from vitagym.generation.families import Dials, draft_of, families
from vitagym.language import as_language
from vitagym.tasks.splits import MADE_SPLITS, TEST_SPLIT, TEST_TASKS
from vitagym.tasks.task import Persona, Task

_REMEMBERED = 1024


@cache
def task_ids(domain: str, split: str = "test") -> tuple[str, ...]:
    """Return the ids of a fixed split, without making any task.

    Raises:
        UnknownName: No such domain, or no such fixed split.
    """
    families(domain)
    if split != TEST_SPLIT:
        raise UnknownName("fixed split", split, [TEST_SPLIT])
    return tuple(f"{domain}-test-{n:03d}" for n in range(1, TEST_TASKS + 1))


def load_task(domain: str, task_id: str, language: str = "en") -> Task:
    """Return one task of the test split (remembered for later calls).

    Raises:
        UnknownName: No such domain, task or language.
    """
    ids = task_ids(domain)
    if task_id not in ids:
        raise UnknownName(f"{domain} task", task_id, ids)
    return _loaded(domain, task_id, as_language(language).value)


def load_tasks(domain: str, split: str = "test", language: str = "en") -> list[Task]:
    """Return all tasks of a fixed split, in order of their ids."""
    return [load_task(domain, task_id, language) for task_id in task_ids(domain, split)]


def make_task(domain: str, seed: int, language: str = "en", *, split: str = "train", **dials: Any) -> Task:
    """Return the task of a seed: same arguments, same task; no task of the test split is ever made.

    Args:
        domain: ``delivery``, ``instore``, ``ota`` or ``cross``.
        seed: Any integer from 0.
        language: ``en`` or ``zh``: the same task in other words.
        split: ``train`` or ``dev``; they share no seed's task.
        dials: See ``vitagym.generation.families.Dials``.

    Raises:
        UnknownName: No such domain, language, split or dial.
    """
    return make_draft(domain, seed, split=split, **dials).task(as_language(language))


def make_draft(domain: str, seed: int, *, split: str = "train", **dials: Any) -> Draft:
    """Return the task of a seed before it has a language (for proofs)."""
    if split not in MADE_SPLITS:
        raise UnknownName("made split", split, MADE_SPLITS)
    return draft_of(domain, split, seed, f"{domain}-{split}-{seed:06d}", _dials(dials))


def draft_of_test(domain: str, task_id: str) -> Draft:
    """Return one task of the test split before it has a language (for proofs)."""
    return _draft(domain, task_id)


def _dials(given: dict[str, Any]) -> Dials:
    known = [f.name for f in fields(Dials)]
    for name in given:
        if name not in known:
            raise UnknownName("dial", name, known)
    persona = given.get("persona")
    if isinstance(persona, str):
        given = {**given, "persona": _persona(persona)}
    return Dials(**given)


def _persona(name: str) -> Persona:
    names: Iterable[str] = [p.value for p in Persona]
    if name not in names:
        raise UnknownName("persona", name, names)
    return Persona(name)


@lru_cache(maxsize=_REMEMBERED)
def _loaded(domain: str, task_id: str, language: str) -> Task:
    return _draft(domain, task_id).task(as_language(language))


@lru_cache(maxsize=_REMEMBERED)
def _draft(domain: str, task_id: str) -> Draft:
    number = int(task_id.rsplit("-", 1)[1])
    return draft_of(domain, "test", number, task_id, Dials())
