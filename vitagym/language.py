"""The two languages, and the texts in them that live in ``assets/text``, keyed by meaning.

A text file is TOML: one table a meaning, with an ``en`` and a ``zh`` entry. No other module reads those files, and
no sentence that an agent or a user reads stands in code.
"""

from __future__ import annotations

import tomllib
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any

from vitagym.errors import UnknownName


class Language(StrEnum):
    """A language of tasks, tools and users."""

    EN = "en"
    ZH = "zh"


def as_language(value: str) -> Language:
    """Return the language of that code; raises UnknownName for any other."""
    try:
        return Language(value)
    except ValueError:
        raise UnknownName("language", value, [str(x) for x in Language]) from None


@cache
def texts(name: str) -> dict[str, Any]:
    """Return the table of ``assets/text/<name>.toml``: meaning -> entries."""
    source = resources.files("vitagym.assets").joinpath("text", f"{name}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def text(name: str, key: str, language: Language) -> str:
    """Return one text of ``assets/text/<name>.toml`` in one language."""
    table = texts(name)
    if key not in table:
        raise UnknownName(f"text of {name}", key, table)
    return str(table[key][language.value])
