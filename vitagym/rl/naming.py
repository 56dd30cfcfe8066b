"""Names of cities and feasts in what somebody says: common knowledge, whatever the task."""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib import resources

from vitagym.language import Language, texts


@lru_cache(maxsize=20_000)
def names_in(text: str, language: Language) -> tuple[str, ...]:
    """Return the names of cities and feasts that stand in a text, in order."""
    return tuple(dict.fromkeys(_names(language).findall(text)))


@cache
def cities(language: Language) -> frozenset[str]:
    """Return the names of the cities."""
    source = resources.files("vitagym.assets").joinpath("words", "cities.toml")
    table = tomllib.loads(source.read_text(encoding="utf-8"))["cities"]
    return frozenset(row["name"][0 if language is Language.EN else 1] for row in table.values())


@cache
def feasts(language: Language) -> frozenset[str]:
    """Return the names of the feasts."""
    return frozenset(row[language.value] for row in texts("feasts").values() if language.value in row)


@cache
def _names(language: Language) -> re.Pattern[str]:
    known = sorted(cities(language) | feasts(language), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, known)))
