"""Where tasks come from: the fixed test split, by id, and endless made ones, by seed."""

from __future__ import annotations

from functools import cache, lru_cache
from operator import index
from typing import Any

from vitagym.errors import CallerError, UnknownName
from vitagym.generation.dials import Dials, read_dials
from vitagym.generation.drafts import Draft
from vitagym.generation.families import choice, draft_of, families
from vitagym.language import as_language
from vitagym.tasks.pack import entries, read_task
from vitagym.tasks.recipes import draft_of_recipe
from vitagym.tasks.splits import MADE_SPLITS, TEST_SPLIT
from vitagym.tasks.task import Task

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
    return tuple(entries(domain))


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
        split: ``train``, ``dev`` or ``ood``; they share no task.
        dials: See ``vitagym.generation.dials.Dials``.

    Raises:
        UnknownName: No such domain, language, split, dial, or value of one that is a name.
        CallerError: A dial's value is out of range, or the seed is no whole number from 0.
    """
    return make_draft(domain, seed, split=split, **dials).task(as_language(language))


def make_draft(domain: str, seed: int, *, split: str = "train", **dials: Any) -> Draft:
    """Return the task of a seed before it has a language (for proofs)."""
    if split not in MADE_SPLITS:
        raise UnknownName("made split", split, MADE_SPLITS)
    if not hasattr(seed, "__index__") or index(seed) < 0:
        raise CallerError(f"seed={seed!r}: expected a whole number from 0")
    return draft_with(domain, index(seed), split, read_dials(dials))


def draft_with(domain: str, seed: int, split: str, dials: Dials) -> Draft:
    """Return the task of a seed of a made split before it has a language, its dials read already."""
    return draft_of(domain, split, seed, made_id(domain, split, seed, dials), dials)


def made_id(domain: str, split: str, seed: int, dials: Dials) -> str:
    """Return the id of a made task: domain, split and seed, and the digest of the dials where any is set."""
    return "-".join(part for part in (domain, split, f"{seed:06d}", dials.digest) if part)


def checked_dials(domain: str, split: str, dials: Dials) -> Dials:
    """Return dials once it is known that some family of the domain can keep them.

    Raises:
        UnknownName: No such family or combination of domains.
    """
    choice(domain, split, dials)
    return dials


def draft_of_test(domain: str, task_id: str) -> Draft:
    """Return one task of the test split before it has a language (for proofs), made anew."""
    known = entries(domain)
    if task_id not in known:
        raise UnknownName(f"{domain} task", task_id, known)
    return draft_of_recipe(domain, task_id, known[task_id].recipe)


@lru_cache(maxsize=_REMEMBERED)
def _loaded(domain: str, task_id: str, language: str) -> Task:
    return read_task(domain, task_id, as_language(language))
