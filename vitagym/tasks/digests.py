"""Digests of the benchmark's instructions, by which a made task is known to be none of them."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

import orjson

MANIFEST = "manifest.json"


def pack_folder() -> Traversable:
    """Return where the benchmark pack lies."""
    return resources.files("vitagym.assets").joinpath("tasks")


@cache
def manifest() -> dict[str, list[dict[str, Any]]]:
    """Return the rows of the pack's manifest, set by set; nothing where there is no pack yet."""
    file = pack_folder().joinpath(MANIFEST)
    sets: dict[str, list[dict[str, Any]]] = orjson.loads(file.read_bytes())["sets"] if file.is_file() else {}
    return sets


@cache
def packed_texts() -> frozenset[str]:
    """Return the digests of all instructions of the pack, in both languages."""
    return frozenset(digest for rows in manifest().values() for row in rows for digest in row["texts"].values())


def text_digest(instruction: str) -> str:
    """Return a short digest of an instruction."""
    return hashlib.sha256(instruction.encode()).hexdigest()[:16]
