"""What a tool call gives: a result, or a refusal with a code, a sentence and the condition that failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import orjson

from vitagym.frozen import quickly_made
from vitagym.language import text, texts

if TYPE_CHECKING:
    from vitagym.world.world import World


class Feedback(StrEnum):
    """How much a refusal says.

    PLAIN: what failed. EXPLAIN: also which condition failed, and why. GUIDE: also which tools would satisfy it.
    """

    PLAIN = "plain"
    EXPLAIN = "explain"
    GUIDE = "guide"


class Strictness(StrEnum):
    """When an id may be used.

    STATE: it exists and is in the right state. OBSERVED: the agent has also seen it in this episode.
    """

    STATE = "state"
    OBSERVED = "observed"


class Refused(Exception):
    """A tool refuses a call; raised inside a tool, turned into a Result by the world.

    Attributes:
        code: What failed, a key of ``assets/text/refusals.toml``.
        values: What the sentence mentions.
        fact: Name of the fact that was missing or in the wrong state, or None.
        parameter: The parameter concerned, or None.
    """

    def __init__(self, code: str, *, fact: str | None = None, parameter: str | None = None, **values: object) -> None:
        super().__init__(code)
        self.code, self.values, self.fact, self.parameter = code, values, fact, parameter


@quickly_made
@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one tool call.

    Attributes:
        ok: Whether the call was accepted.
        text: What an agent sees: the data as JSON, or the refusal's sentence.
        code: ``ok``, or the refusal's code.
        fact: Where refused: the fact that was missing or in the wrong state.
        values: Where refused: what the sentence mentions.
        changes: How many changes the ledger counted after the call, so that a judge can go over them turn by turn.
    """

    ok: bool
    _data: Any = field(repr=False, compare=False)
    text: str
    code: str = "ok"
    fact: str | None = None
    values: Mapping[str, object] = field(default_factory=dict)
    changes: int = 0

    @property
    def data(self) -> Any:
        """JSON-able data; None when refused. It is read from the text when first asked for, so it is the caller's own.

        Whatever a caller does with it, the world's own entries stay as they are.
        """
        if self._data is None and self.ok:
            object.__setattr__(self, "_data", orjson.loads(self.text))
        return self._data

    @classmethod
    def accepted(cls, data: Any, changes: int = 0) -> Result:
        """Return the result of an accepted call that gave some JSON-able data."""
        return cls(True, None, orjson.dumps(data).decode(), changes=changes)

    @classmethod
    def refusal(cls, refusal: Refused, world: World) -> Result:
        """Return the result of a refused call, as much said as the world's feedback level asks for."""
        language = world.catalogue.language
        sentences = [text("refusals", refusal.code, language).format_map(_Shown(refusal.values))]
        if world.feedback is not Feedback.PLAIN and refusal.fact is not None:
            condition = text("facts", refusal.fact, language)
            sentences.append(text("feedback", "condition", language).format(condition=condition))
            if world.feedback is Feedback.GUIDE:
                givers = world.tools.givers(refusal.fact)
                key = "givers" if givers else "no_givers"
                sentences.append(text("feedback", key, language).format(tools=", ".join(givers)))
        prefix = text("feedback", "refused", language).format(code=refusal.code)
        joined = " ".join(sentences) if language.value == "en" else "".join(sentences)
        changes = len(world.ledger.changes)
        return cls(False, None, prefix + joined, refusal.code, refusal.fact, dict(refusal.values), changes)


class _Shown(dict[str, object]):
    """Values for a sentence: cut, so that a megabyte of text never comes back, and free of lone surrogates."""

    def __init__(self, values: Mapping[str, object]) -> None:
        super().__init__({key: _cut(str(value)) for key, value in values.items()})


def _cut(value: str, limit: int = 120) -> str:
    shown = value if len(value) <= limit else value[:limit] + "…"
    return shown.encode("utf-8", "replace").decode("utf-8")


def refusal_codes() -> tuple[str, ...]:
    """Return every code that a refusal can have."""
    return tuple(texts("refusals"))
