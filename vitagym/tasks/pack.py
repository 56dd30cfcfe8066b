"""The benchmark pack: the fixed tasks as they stand in ``assets/tasks``, listed at once and loaded one by one.

``manifest.json`` says of each task how it was made (family, persona, seed, size of its world) and where it lies.
``<domain>_<language>.jsonl.gz`` holds the tasks of a set, one JSON document a line, each line a gzip member of its own:
the file is an ordinary gzip file, and a task is read without its neighbours. Its environment is kept as it is.
"""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass
from functools import cache
from typing import Any

import orjson

from vitagym.errors import UnknownName
from vitagym.language import Language
from vitagym.tasks.digests import manifest, pack_folder
from vitagym.tasks.recipes import Recipe
from vitagym.tasks.size import Size
from vitagym.tasks.task import Persona, Task

_GZIP = 31
"""What zlib calls the gzip format."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A task of the pack.

    Attributes:
        recipe: How it is made.
        at: Language -> first byte and number of bytes of its gzip member.
        texts: Language -> digest of its instruction.
    """

    recipe: Recipe
    at: dict[str, tuple[int, int]]
    texts: dict[str, str]


@cache
def entries(domain: str) -> dict[str, Entry]:
    """Return the tasks of a set by id, in order, without loading any."""
    sets = manifest()
    if domain not in sets:
        raise UnknownName("domain", domain, sets)
    return {task_name(domain, number): _entry(row) for number, row in enumerate(sets[domain], 1)}


def task_name(domain: str, number: int) -> str:
    """Return the id of a fixed task by its number, counted from 1."""
    return f"{domain}-test-{number:03d}"


def read_task(domain: str, task_id: str, language: Language) -> Task:
    """Return a task of the pack.

    Raises:
        UnknownName: There is no such set or task.
    """
    known = entries(domain)
    if task_id not in known:
        raise UnknownName(f"{domain} task", task_id, known)
    first, length = known[task_id].at[language.value]
    with pack_folder().joinpath(file_name(domain, language)).open("rb") as file:
        file.seek(first)
        member = file.read(length)
    return unpacked(member)


def file_name(domain: str, language: Language) -> str:
    """Return the name of the file of a set."""
    return f"{domain}_{language.value}.jsonl.gz"


def packed(task: Task) -> bytes:
    """Return a task as a gzip member; the same task gives the same bytes."""
    return gzip.compress(line_of(task), compresslevel=9, mtime=0)


def line_of(task: Task) -> bytes:
    """Return a task as a line of JSON."""
    return orjson.dumps(task.model_dump(mode="json"), option=orjson.OPT_APPEND_NEWLINE)


def unpacked(member: bytes) -> Task:
    """Return the task of a gzip member."""
    return Task.model_validate(orjson.loads(zlib.decompress(member, _GZIP)))


def _entry(row: dict[str, Any]) -> Entry:
    size = Size(*row["size"])
    recipe = Recipe(row["family"], Persona(row["persona"]), row["seed"], row["distractors"], size)
    places = {language: (at[0], at[1]) for language, at in row["at"].items()}
    return Entry(recipe, places, row["texts"])
