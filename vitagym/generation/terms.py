"""Texts in both languages at once, so that a scenario is written once and drawn once.

A *term* is one meaning in English and Chinese. Word lists (``assets/words``) and texts (``assets/text``) give terms;
everything that a generator draws is a term, a number or an id, so nothing it draws can depend on the language.
``rendered`` turns a structure of terms into one of strings at the very end.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from vitagym.errors import UnknownName
from vitagym.language import Language, texts

_PLAIN = frozenset((str, int, float, bool, type(None)))


@dataclass(frozen=True, slots=True)
class Term:
    """One meaning in both languages."""

    en: str
    zh: str

    def text(self, language: Language) -> str:
        """Return it in one language."""
        return self.en if language is Language.EN else self.zh

    def fill(self, **values: object) -> Term:
        """Return it with its ``{slots}`` filled; values are terms or anything printable.

        ``{Slot}`` with a capital stands for the value with its first letter in upper case.
        """
        if "{" not in self.en and "{" not in self.zh:
            return self
        return Term(self.en.format_map(_Slots(values, Language.EN)), self.zh.format_map(_Slots(values, Language.ZH)))

    def stripped(self) -> Term:
        """Return it without spaces at its ends."""
        return Term(self.en.strip(), self.zh.strip())

    @classmethod
    def same(cls, text: str) -> Term:
        """Return a term that reads the same in both languages (a number, a code)."""
        return cls(text, text)


class _Slots:
    """Values as ``str.format_map`` asks for them, each turned into text only when it is asked for."""

    __slots__ = ("_language", "_values")

    def __init__(self, values: Mapping[str, object], language: Language) -> None:
        self._values, self._language = values, language

    def __getitem__(self, key: str) -> str:
        if key in self._values:
            value = self._values[key]
            return value.text(self._language) if isinstance(value, Term) else str(value)
        lower = key[:1].lower() + key[1:]
        if lower != key and lower in self._values:
            value = self[lower]
            return value[:1].upper() + value[1:]
        raise UnknownName("slot of a text", key, self._values)


def joined(terms: Sequence[Term], en: str = ", ", zh: str = "、") -> Term:
    """Return the terms with a separator between them."""
    return Term(en.join(t.en for t in terms), zh.join(t.zh for t in terms))


def sentences(terms: Sequence[Term]) -> Term:
    """Return whole sentences one after the other."""
    return joined(terms, " ", "")


def listed(terms: Sequence[Term]) -> Term:
    """Return the terms as people list them: ``a, b and c`` / ``a、b和c``."""
    if len(terms) == 1:
        return terms[0]
    head, last = joined(terms[:-1]), terms[-1]
    return Term(f"{head.en} and {last.en}", f"{head.zh}和{last.zh}")


def rendered(value: Any, language: Language) -> Any:
    """Return a structure of dicts, lists and tuples with every term in it turned into a string."""
    kind = type(value)
    if kind is Term:
        return value.text(language)
    if kind is dict:
        return {
            (k if type(k) is str else rendered(k, language)): (v if type(v) in _PLAIN else rendered(v, language))
            for k, v in value.items()
        }
    if kind is list or kind is tuple:
        return [v if type(v) in _PLAIN else rendered(v, language) for v in value]
    if kind in _PLAIN:
        return value
    raise TypeError(f"a {kind.__name__} has no place in an environment: {value!r}")


@dataclass(frozen=True, slots=True)
class Saying:
    """One thing that can be said, from a text file.

    Attributes:
        say: First person, each wording a whole sentence that stands alone.
        told: Second person: how the instruction puts it.
        answer: First person, as a direct answer; empty: as ``say``.
        rubric: Third person, as a rubric puts it; None where it is no requirement.
    """

    say: tuple[Term, ...]
    told: tuple[Term, ...]
    answer: tuple[Term, ...] = ()
    rubric: Term | None = None

    @property
    def in_rubric(self) -> Term:
        """Its rubric.

        Raises:
            ValueError: It is no requirement.
        """
        if self.rubric is None:
            raise ValueError(f"{self!r} has no rubric text")
        return self.rubric

    def fill(self, **values: object) -> Saying:
        """Return it with all slots filled."""
        return Saying(
            tuple(t.fill(**values) for t in self.say),
            tuple(t.fill(**values) for t in self.told),
            tuple(t.fill(**values) for t in self.answer),
            None if self.rubric is None else self.rubric.fill(**values),
        )


@cache
def sayings(name: str) -> Mapping[str, Saying]:
    """Return the sayings of ``assets/text/<name>.toml``: meaning -> saying."""
    return {key: _saying(table) for key, table in texts(name).items() if "en" not in table}


def saying(name: str, key: str) -> Saying:
    """Return one saying of ``assets/text/<name>.toml``."""
    known = sayings(name)
    if key not in known:
        raise UnknownName(f"saying of {name}", key, known)
    return known[key]


@cache
def phrase(name: str, key: str) -> Term:
    """Return one plain text of ``assets/text/<name>.toml`` as a term."""
    table = texts(name)
    if key not in table:
        raise UnknownName(f"text of {name}", key, table)
    return Term(table[key]["en"], table[key]["zh"])


def _saying(table: Mapping[str, Any]) -> Saying:
    rubric = table.get("rubric")
    return Saying(
        _terms(table.get("say")),
        _terms(table.get("told")),
        _terms(table.get("answer")),
        None if rubric is None else Term(rubric["en"], rubric["zh"]),
    )


def _terms(table: Mapping[str, Any] | None) -> tuple[Term, ...]:
    if table is None:
        return ()
    return tuple(Term(en, zh) for en, zh in zip(_many(table["en"]), _many(table["zh"]), strict=True))


def _many(value: str | list[str]) -> Iterable[str]:
    return [value] if isinstance(value, str) else value


@cache
def words(name: str) -> Mapping[str, Any]:
    """Return the word list ``assets/words/<name>.toml`` as it stands; every table with ``en`` and ``zh`` is a word."""
    source = resources.files("vitagym.assets").joinpath("words", f"{name}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def word(table: Mapping[str, Any]) -> Term:
    """Return the term of one entry of a word list."""
    return Term(table["en"], table["zh"])
