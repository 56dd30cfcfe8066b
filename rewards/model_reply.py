"""What a language model's judgement says: strict reading of its JSON, with repair of slips that change no meaning.

Repaired: prose and code fences around the array, typographic quotes as delimiters, trailing commas, Python's spelling
of true and false, a boolean in quotes. Refused: anything that leaves open what was meant — no array, no verdict, two
different verdicts on one rubric, a verdict of another type, a copy of the example in the prompt. A rubric that is
refused or missing has no verdict; it never counts as not met.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vitagym.rewards.phrases import normalised

_THINKING = re.compile(r"<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_TRAILING_COMMA = re.compile(r",\s*(?=[\]}])")
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "＂": '"', "「": '"', "」": '"', "‘": "'", "’": "'"})
_PUNCTUATION = str.maketrans({"：": ":", "，": ",", "［": "[", "］": "]", "｛": "{", "｝": "}"})
_BOOLEANS = {"true": True, "false": False}
_LONGEST = 100_000
_MOST_TRIES = 20


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a model says about one rubric, with its justification."""

    met: bool
    justification: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply that was read.

    Attributes:
        verdicts: By the rubric's key; a rubric without a usable verdict is not there.
        problems: What could not be used, a few words each.
        extra: How many entries were about no rubric that was asked about.
    """

    verdicts: Mapping[str, Verdict]
    problems: tuple[str, ...]
    extra: int = 0


def read_reply(text: str, sentences: Mapping[str, str], example: str) -> Reply:
    """Read a judgement.

    Args:
        text: What the model said.
        sentences: Key -> sentence of each rubric that was asked about.
        example: The justification that stands in the prompt's example: a reply that copies it says nothing.
    """
    entries = _entries(text[-_LONGEST:])
    if entries is None:
        return Reply({}, ("no JSON array in the reply",))
    found: dict[str, list[Verdict]] = {}
    problems: list[str] = []
    extra = 0
    for entry in entries:
        key = _key(entry, sentences)
        if key is None:
            extra += 1
            continue
        verdict = _verdict(entry, example)
        if isinstance(verdict, str):
            problems.append(f"{key}: {verdict}")
            found.setdefault(key, [])
        else:
            found.setdefault(key, []).append(verdict)
    verdicts: dict[str, Verdict] = {}
    for key in sentences:
        given = found.get(key, [])
        if len({verdict.met for verdict in given}) > 1:
            problems.append(f"{key}: judged both ways")
        elif given and not any(problem.startswith(f"{key}:") for problem in problems):
            verdicts[key] = given[0]
        elif not given and key not in found:
            problems.append(f"{key}: missing")
    return Reply(verdicts, tuple(problems), extra)


def _verdict(entry: Mapping[str, Any], example: str) -> Verdict | str:
    met = entry.get("meetExpectation")
    if isinstance(met, str):
        met = _BOOLEANS.get(met.strip().lower())
    if not isinstance(met, bool):
        return "no true or false"
    justification = entry.get("justification")
    if not isinstance(justification, str) or not justification.strip():
        return "no justification"
    if normalised(justification) == normalised(example):
        return "a copy of the example"
    return Verdict(met, justification.strip())


def _key(entry: Mapping[str, Any], sentences: Mapping[str, str]) -> str | None:
    """Return the rubric that an entry is about: by its key, or where that is no key, by its sentence."""
    key = entry.get("key")
    if isinstance(key, str) and key.strip() in sentences:
        return key.strip()
    if key is not None:
        return None
    said = normalised(str(entry.get("rubric", "")))
    return next((known for known, sentence in sentences.items() if normalised(sentence) == said), None)


def _entries(text: str) -> list[Mapping[str, Any]] | None:
    """Return the objects of the last array of objects in a text, as the last is what a model ends on."""
    plain = _THINKING.sub("", text)
    for candidate in (plain, plain.translate(_QUOTES).translate(_PUNCTUATION)):
        found = [array for array in _arrays(candidate) if any(isinstance(entry, dict) for entry in array)]
        if found:
            return [entry for entry in found[-1] if isinstance(entry, dict)]
    return None


def _arrays(text: str) -> Iterator[list[Any]]:
    at, tries = 0, 0
    while (at := text.find("[", at)) >= 0 and tries < _MOST_TRIES:
        end = _closing(text, at)
        array = None if end is None else _parsed(text[at : end + 1])
        if array is None or end is None:
            at, tries = at + 1, tries + 1
        else:
            yield array
            at = end + 1


def _closing(text: str, start: int) -> int | None:
    """Return where the bracket at ``start`` closes, strings left out; None where it does not."""
    depth, quoted, i = 0, False, start
    while i < len(text):
        c = text[i]
        if quoted:
            if c == "\\":
                i += 1
            elif c == '"':
                quoted = False
        elif c == '"':
            quoted = True
        elif c in "[{":
            depth += 1
        elif c in "]}":
            depth -= 1
            if depth == 0:
                return i
        i += 1
    return None


def _parsed(text: str) -> list[Any] | None:
    tidy = _TRAILING_COMMA.sub("", text)
    for read in (json.loads, ast.literal_eval):
        try:
            value = read(tidy)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        if isinstance(value, list):
            return value
    return None
