"""Which feast a name means, in either language: spelling may slip, but no feast is ever answered with another."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from rapidfuzz import fuzz, process

from vitagym.language import texts

_LONGEST = 80
_SHORTEST_MISSPELT = 6
_ALIKE, _APART = 88.0, 4.0
_FILLERS = re.compile(
    r"(?<![a-z0-9])(?:the|a|of|on|in|at|for|days?|date|festivals?|feast|holidays?|public|official)(?![a-z0-9])"
)
_FILLERS_ZH = re.compile("假期|假日|放假|节日|日期|当天|那天|快乐|节")
_YEAR = re.compile(r"(?<!\d)(?:19|20|21)\d\d(?!\d)\s*年?")
_APOSTROPHES = re.compile("['’‘`´]")
_LATIN, _CHINESE = re.compile(r"[a-z0-9]+"), re.compile(r"[\u4e00-\u9fff]+")


def feasts_named(name: str) -> tuple[str, ...]:
    """Return the keys of the feasts that a name means, in stored order: none, one, or those that share the name."""
    if len(name) > _LONGEST:
        return ()
    latin, chinese = _parts(name)
    known = _known_names()
    if keys := known.get((latin, chinese)):
        return keys
    if latin and chinese:
        second = set(_meant(chinese, known, latin=False))
        return tuple(key for key in _meant(latin, known, latin=True) if key in second)
    return _meant(latin or chinese, known, latin=bool(latin))


def _meant(words: str, known: dict[tuple[str, str], tuple[str, ...]], *, latin: bool) -> tuple[str, ...]:
    exact = known.get((words, "") if latin else ("", words), ())
    if exact or not latin or len(words) < _SHORTEST_MISSPELT:
        return exact
    spellings = {name: keys for (name, other), keys in known.items() if name and not other}
    found = process.extract(words, list(spellings), scorer=fuzz.ratio, score_cutoff=_ALIKE - _APART, limit=None)
    if not found or found[0][1] < _ALIKE:
        return ()
    best = spellings[found[0][0]]
    rivals = [score for name, score, _ in found if spellings[name] != best]
    return best if not rivals or found[0][1] - rivals[0] >= _APART else ()


@cache
def _known_names() -> dict[tuple[str, str], tuple[str, ...]]:
    known: dict[tuple[str, str], tuple[str, ...]] = {}
    for key, entry in texts("feasts").items():
        for name in (entry["en"], entry["zh"], *entry["also"]):
            parts = _parts(name)
            if key not in known.get(parts, ()):
                known[parts] = (*known.get(parts, ()), key)
    return known


def _parts(name: str) -> tuple[str, str]:
    """Return the telling words of a name: those in Latin letters and digits, and those in Chinese."""
    plain = _YEAR.sub(" ", _APOSTROPHES.sub("", unicodedata.normalize("NFKC", name).casefold()))
    latin = " ".join(_LATIN.findall(_FILLERS.sub(" ", plain)))
    return latin, _FILLERS_ZH.sub("", "".join(_CHINESE.findall(plain)))
