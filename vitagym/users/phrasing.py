"""How a user puts things: patterns of words, composed, and joined into one line.

A pattern is text with choices, ``[a|b|]``, and places, ``{points}``, ``{value}``, ``{core}``. The patterns of a meaning
are in ``assets/text/user_neutral.toml``; those of a persona, in ``user_<persona>.toml``, stand in their stead and may
take them up by ``{core}``. Nothing here knows what is said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from vitagym.language import Language, texts
from vitagym.randomness import Stream
from vitagym.tasks.task import Persona

_PIECES = re.compile(r"\[([^\]]*)\]|\{(points|value|core)\}")
_ENDS = (".", "!", "?", "。", "！", "？", "…", "~", "～")
_STOPS = (".", "。")
_SOFT_WORDS = """a about add after all allergic also an and any anything around ask at avoid avoids because before
below between book both bring but by can can't cancel cannot change check choose could deliver delivery dinner
dislikes do does doesn't don't each eight everybody everyone everything extra find five for four from get half have
he he's her his ideally if in is it it'd it'll it's its just keep leave less let let's living lunch make married
mildly mine more most move my near next nine no nobody none not nothing nut of on one only open or order our over
part pay pick please preferably put rated rather reserve same seafood seats send seven she she's should since
single six so some someone something somewhere such take tell ten than that that's the their then there there'll
there's these they they'd they'll they're they've this those three to today tomorrow tonight twelve two under
unless until up use vegetarian we we'd we'll we're we've whatever when whenever wherever which while will with
within without would write yet you you're your"""
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
    points = places.get("points")
    led = points is not None and _begins(_LEADS, points, language)
    chosen = stream.choice(_unled(meaning, persona, language) if led else patterns(meaning, persona, language))
    if "core" in chosen.pieces:
        neutral = Persona.NEUTRAL
        plain = stream.choice(_unled(meaning, neutral, language) if led else patterns(meaning, neutral, language))
        places["core"] = finished(plain.words(stream, places, language), language)
    return finished(chosen.words(stream, places, language), language)


@cache
def _unled(meaning: str, persona: Persona, language: Language) -> tuple[Pattern, ...]:
    """Return the patterns that put nothing before the points, for points whose own words lead over to them."""
    bare = tuple(p for p in patterns(meaning, persona, language) if isinstance(p.pieces[0], str))
    return bare or (pattern("{points}"),)


_LEADS, _GREETING = "leads", "greeting"


@lru_cache(maxsize=8192)
def _begins(meaning: str, words: str, language: Language) -> bool:
    return _opener(meaning, language).search(words) is not None


@cache
def _opener(meaning: str, language: Language) -> re.Pattern[str]:
    return re.compile("|".join(texts("user_openers")[meaning][language.value]), re.IGNORECASE)


def attach(before: str, words: str, language: Language) -> str:
    """Return words put after others in one line: with a small letter inside a sentence, where they may have one."""
    if language is Language.EN and words:
        stripped = before.rstrip()
        if not stripped or stripped.endswith(_ENDS):
            words = words[0].upper() + words[1:]
        elif words.partition(" ")[0].lower() in _SOFT:
            words = words[0].lower() + words[1:]
    return before + words


def together(words: list[str], language: Language) -> str:
    """Return several things to say as one, without an end mark."""
    out = words[0]
    mark = "，" if language is Language.ZH and not any("，" in word or "。" in word for word in words) else _STOPS[1]
    for word in words[1:]:
        if language is Language.EN:
            out = f"{finished(out, language)} {word[:1].upper()}{word[1:]}"
        else:
            out += word if out.endswith(_ENDS) else mark + word
    return out


def finished(words: str, language: Language) -> str:
    """Return words with an end mark and, in English, a capital at the start."""
    words = words.strip().rstrip("，,;；")
    if words and not words.endswith(_ENDS):
        words += "." if language is Language.EN else "。"
    return words[:1].upper() + words[1:] if language is Language.EN else words


@lru_cache(maxsize=8192)
def unfinished(words: str, language: Language) -> str:
    """Return words in one line without a greeting and their last full stop."""
    return _opener(_GREETING, language).sub("", " ".join(words.split())).rstrip(".。 ")


def joined(sentences: list[str], language: Language) -> str:
    """Return sentences one after another in one line."""
    return (" " if language is Language.EN else "").join(sentences)
