"""The labelled messages that ``act_learning`` learns from: files of messages, and patterns that make some.

A folder holds ``messages_<language>.jsonl`` (one message a line: ``text`` and ``acts``, each with a ``kind``), perhaps
``variants_<language>.jsonl`` and ``writers_<language>.jsonl`` with more of them, and ``patterns_<language>.txt``: lines
``kinds | pattern``, where ``[a|b]`` is a choice, ``<NAME>`` a word of the list ``@NAME = a|b`` and ``⏎`` a new line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from vitagym.dialogue.acts import AgentActKind
from vitagym.errors import CallerError
from vitagym.language import Language
from vitagym.randomness import Stream

Labelled = tuple[str, frozenset[AgentActKind]]
"""A message and the kinds of its acts."""


class Corpus(NamedTuple):
    """What is learnt from.

    Attributes:
        labelled: The messages.
        usual: The kinds of acts of those in which each kind is as frequent as where it will be met.
        dropped: How many were left out because the half that is held back has the same words.
    """

    labelled: list[Labelled]
    usual: list[frozenset[AgentActKind]]
    dropped: int


MADE = 20
"""So many messages are made of each pattern, as far as there are so many."""
HELD = "held"
"""Rows of this half are never learnt from."""
_BESIDES = ("variants", "writers")
_TRIES = 3
_LOWERED = 8
"""One in so many is written without capitals."""
_PLACE = re.compile(r"<([A-Z]+)>|\[([^\[\]<>]*)\]")
_CHOICE = re.compile(r"\[([^\[\]]*)\]")


def corpus(folder: Path, more: Path, language: Language) -> Corpus:
    """Return the messages of a folder in one language, those that its patterns make, and those of another folder.

    Args:
        folder: Has ``messages_<language>.jsonl``, ``patterns_<language>.txt``; perhaps also
            ``variants_<language>.jsonl`` and ``writers_<language>.jsonl``.
        more: Has ``agent_utterances_<language>.jsonl``, of which one half is held back.
        language: Of the messages.

    Raises:
        CallerError: A file is not there.
    """
    besides = [folder / f"{name}_{language.value}.jsonl" for name in _BESIDES]
    halves = more / f"agent_utterances_{language.value}.jsonl"
    halved = messages(halves)
    found = [
        *messages(folder / f"messages_{language.value}.jsonl"),
        *(message for file in besides if file.is_file() for message in messages(file)),
        *made(folder / f"patterns_{language.value}.txt"),
        *halved,
    ]
    held = {plain(row["text"]) for row in _rows(halves) if row.get("half") == HELD}
    kept = [(text, kinds) for text, kinds in found if plain(text) not in held]
    return Corpus(kept, [kinds for _, kinds in halved], len(found) - len(kept))


def plain(text: str) -> str:
    """Return a text by which another one with the same words is known: capitals and blanks do not count."""
    return "".join(text.lower().split())


def messages(file: Path) -> list[Labelled]:
    """Return the messages of a file, but for those of the half that is held back."""
    return [
        (row["text"], frozenset(AgentActKind(act["kind"]) for act in row["acts"]))
        for row in _rows(file)
        if row.get("half") != HELD
    ]


def made(file: Path) -> list[Labelled]:
    """Return the messages that the patterns of a file make: the same ones each time."""
    lists: dict[str, list[str]] = {}
    out: list[Labelled] = []
    for line in _lines(file):
        if line.startswith("@"):
            name, _, words = line[1:].partition(" = ")
            lists[name] = words.split("|")
        elif line and not line.startswith("#"):
            labels, _, pattern = line.partition(" | ")
            kinds = frozenset(AgentActKind(label.partition(":")[0]) for label in labels.split())
            out += [(text, kinds) for text in _texts(pattern, lists)]
    return out


def _texts(pattern: str, lists: dict[str, list[str]]) -> Iterator[str]:
    """Yield different messages that a pattern makes."""
    stream = Stream(0, pattern)
    found = dict.fromkeys(_filled(pattern, lists, stream) for _ in range(_TRIES * MADE))
    for text in list(found)[:MADE]:
        yield text if stream.below(_LOWERED) else text.lower()


def _filled(pattern: str, lists: dict[str, list[str]], stream: Stream) -> str:
    """Return a pattern with its choices made, the innermost first."""
    while match := _PLACE.search(pattern) or _CHOICE.search(pattern):
        words = lists[match[1]] if match[0].startswith("<") else match[match.lastindex or 1].split("|")
        pattern = pattern[: match.start()] + stream.choice(words) + pattern[match.end() :]
    text = " ".join(pattern.split()).replace(" ⏎ ", "\n").replace("⏎", "\n").strip()
    return text[:1].upper() + text[1:]


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in _lines(file)]


def _lines(file: Path) -> list[str]:
    if not file.is_file():
        raise CallerError(f"there is no file {str(file)!r} to learn from")
    return file.read_text(encoding="utf-8").splitlines()
