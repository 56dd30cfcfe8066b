"""How a user puts things: patterns of words, composed, and joined into one line.

A pattern is text with choices, ``[a|b|]``, and places, ``{points}``, ``{value}``, ``{core}``. The patterns of a meaning
are in ``assets/text/user_neutral.toml``; those of a persona, in ``user_<persona>.toml``, stand in their stead and may
take them up by ``{core}``. Nothing here knows what is said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from vitagym.language import Language, texts
from vitagym.randomness import Stream
from vitagym.tasks.task import Persona

_PIECES = re.compile(r"\[([^\]]*)\]|\{(points|value|core)\}")
_ENDS = (".", "!", "?", "。", "！", "？", "…", "~", "～", ")", "）")
_STOPS = (".", "。")
_SOFT_WORDS = """a an the it its it's there there's this that that's these those they they're we we're we'd we've he
he's she she's my our your his her their you you're please at in on by for from with without within before after around
no not none only just about also and but if so as to ideally preferably make deliver book order one two three four five
six some any all each both between under over up nothing something"""
_SOFT = frozenset(_SOFT_WORDS.split())


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern: its pieces are texts (several to choose from) and places (named)."""

    pieces: tuple[tuple[str, ...] | str, ...]

    def words(self, stream: Stream, places: dict[str, str], language: Language) -> str:
        """Return the pattern with choices drawn and places filled."""
        out = ""
        for piece in self.pieces:
            if isinstance(piece, str):
                out = attach(out, places[piece], language)
            else:
                words = piece[0] if len(piece) == 1 else stream.choice(piece)
                out += words[1:] if words[:1] in _STOPS and out.endswith(_ENDS) else words
        return out

    @property
    def wordings(self) -> int:
        """In how many ways it can be worded."""
        count = 1
        for piece in self.pieces:
            count *= 1 if isinstance(piece, str) else len(piece)
        return count


def pattern(text: str) -> Pattern:
    """Read a pattern."""
    pieces: list[tuple[str, ...] | str] = []
    end = 0
    for match in _PIECES.finditer(text):
        if match.start() > end:
            pieces.append((text[end : match.start()],))
        pieces.append(match[2] if match[2] else tuple(match[1].split("|")))
        end = match.end()
    if end < len(text):
        pieces.append((text[end:],))
    return Pattern(tuple(pieces))


@cache
def patterns(meaning: str, persona: Persona, language: Language) -> tuple[Pattern, ...]:
    """Return a persona's patterns of a meaning; where it has none of its own, those without persona."""
    own = texts(f"user_{persona.value}")
    table = own if meaning in own else texts(f"user_{Persona.NEUTRAL.value}")
    return tuple(pattern(text) for text in table[meaning][language.value])


def phrase(meaning: str, persona: Persona, language: Language, stream: Stream, **places: str) -> str:
    """Return words for a meaning, as that persona says it, with an end mark."""
    chosen = stream.choice(patterns(meaning, persona, language))
    if "core" in chosen.pieces:
        plain = stream.choice(patterns(meaning, Persona.NEUTRAL, language))
        places["core"] = finished(plain.words(stream, places, language), language)
    return finished(chosen.words(stream, places, language), language)


def attach(before: str, words: str, language: Language) -> str:
    """Return words put after others in one line: with a small letter inside a sentence, where they may have one."""
    if language is Language.EN and words:
        stripped = before.rstrip()
        if not stripped or stripped.endswith(_ENDS):
            words = words[0].upper() + words[1:]
        elif words.partition(" ")[0].lower() in _SOFT:
            words = words[0].lower() + words[1:]
    return before + words


def finished(words: str, language: Language) -> str:
    """Return words with an end mark and, in English, a capital at the start."""
    words = words.strip().rstrip("，,;；")
    if words and not words.endswith(_ENDS):
        words += "." if language is Language.EN else "。"
    return words[:1].upper() + words[1:] if language is Language.EN else words


def unfinished(words: str) -> str:
    """Return words in one line without their last full stop."""
    return " ".join(words.split()).rstrip(".。 ")


def joined(sentences: list[str], language: Language) -> str:
    """Return sentences one after another in one line."""
    return (" " if language is Language.EN else "").join(sentences)
