"""How the public data spells profile keys, domains and personality types: ``assets/public.toml``, read once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Any

from vitagym.language import Language
from vitagym.tasks.task import Persona

_CHINESE = re.compile(r"[\u4e00-\u9fff]")


def profile_key(spelling: str) -> str:
    """Return the one name of a profile key; a key that is not known stays as it is spelled."""
    plain = spelling.lower().replace("_", " ").strip()
    for key, markers in _table("profile").items():
        if plain == key or any(marker in plain for marker in markers):
            return str(key)
    return spelling


def domains_named(spelling: str) -> tuple[str, ...]:
    """Return the domains that a spelling names, in the engine's order; empty where it names none."""
    plain = re.sub(r"[\s_-]+", "", spelling.lower())
    return tuple(name for name, row in _table("domains").items() if any(marker in plain for marker in row["spelling"]))


def domains_of_tables(tables: Iterable[str]) -> tuple[str, ...]:
    """Return the domains to which provider tables belong, in the engine's order."""
    present = set(tables)
    return tuple(name for name, row in _table("domains").items() if present & set(row["tables"]))


def provider_tables() -> dict[str, str]:
    """Return provider table -> key of a provider's id in it."""
    return {table: f"{table.removesuffix('s')}_id" for row in _table("domains").values() for table in row["tables"]}


def persona_of(personality: str) -> Persona:
    """Return the personality type that a description fits best; neutral where it fits none."""
    plain = personality.lower()
    hits = {name: sum(marker in plain for marker in markers) for name, markers in _table("personas").items()}
    best = max(hits, key=lambda name: hits[name])
    return Persona(best) if hits[best] else Persona.NEUTRAL


def language_of(words: str) -> Language:
    """Return the language of a text: Chinese where one character in ten is."""
    return Language.ZH if len(_CHINESE.findall(words)) * 10 > len(words) else Language.EN


@cache
def _tables() -> dict[str, Any]:
    source = resources.files("vitagym.assets").joinpath("public.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def _table(name: str) -> Mapping[str, Any]:
    table: Mapping[str, Any] = _tables()[name]
    return table
