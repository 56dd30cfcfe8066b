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
_ASKING = ("吗", "呢")
"""What ends a question in Chinese."""
_COLON_WITHIN = re.compile(r"[^.!?。！？]*(?:: |：)").match
"""Finds a colon in the first sentence."""
_SOFT_WORDS = """a about add after afterwards all allergic also altogether an and any anything around arriving ask at
avoid avoids back bad badminton barbecue because beef before below between beyond book booking both breakfast bring
but by can can't cancel cannot careful change check chicken choose cool could count deliver delivery dinner dislikes
do does doesn't don't done dumplings each eight either everybody everyone everything extra find five football
for four from get give go grandma hair half half-time hand has have he he's help her high-speed his home hot iced
ideally if in including is it it'd it'll it's its just keep lamb last leave leaving less let let's lilies living
look lunch make married medium mildly mind mine more most move my nails near next nice nine no nobody none noodles noon
not nothing now nut of on one only open or order organ our outdoors over part pay peanuts pet pick please preferably
product put quick rain rated rather refund relatives remember reserve same seafood seats send served seven she
she's should since single six so some somebody someone something somewhere step-free such take team tell ten than that
that's the their then there there'll there's these they they'd they'll they're they've this those three to today
tomorrow tonight train twelve two under unless until up use vegetarian visits watch we we'd we'll we're we've what
whatever wheel when whenever wherever which whichever while will with within without would write yesterday yet you
you're young your"""
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
                out = _followed(out, piece[0] if len(piece) == 1 else stream.choice(piece))
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


def _followed(before: str, words: str) -> str:
    """Return a text with what stands after it in a pattern: no mark after a mark, and a question asks."""
    if words[:1] in _STOPS:
        if before.endswith(_ENDS):
            return before + words[1:]
        if before.endswith(_ASKING):
            return f"{before}？{words[1:]}"
    return before + words


def attach(before: str, words: str, language: Language) -> str:
    """Return words put after others in one line: with a small letter inside a sentence, where they may have one.

    A colon does not lead over to a sentence that has one itself.
    """
    led = before.rstrip()
    if led.endswith((":", "：")) and _COLON_WITHIN(words):
        before = f"{led[:-1]}. " if language is Language.EN else f"{led[:-1]}，"
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
            out = out if out.endswith(_ENDS) else out + ("？" if out.endswith(_ASKING) else mark)
            out += word
    return out


def finished(words: str, language: Language) -> str:
    """Return words with an end mark and, in English, a capital at the start."""
    words = words.strip().rstrip("，,;；")
    if words and not words.endswith(_ENDS):
        words += "." if language is Language.EN else "？" if words.endswith(_ASKING) else "。"
    return words[:1].upper() + words[1:] if language is Language.EN else words


@lru_cache(maxsize=8192)
def unfinished(words: str, language: Language) -> str:
    """Return words in one line without a greeting and their last full stop."""
    return _opener(_GREETING, language).sub("", " ".join(words.split())).rstrip(".。 ")


def joined(sentences: list[str], language: Language) -> str:
    """Return sentences one after another in one line."""
    return (" " if language is Language.EN else "").join(sentences)
