"""Rubric sentences that say the same in other words: the two lists of a public task paraphrase each other.

Two sentences of one list are taken to mean different things. Across the lists, sentences are paired one to one, the
most alike first. Alikeness is the cosine of short pieces of words, each weighted by how rare it is in the task, so that
"for 1 person" at the nail salon and at the barber's stay apart; sentences at like places in their lists are preferred.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

_PLACE_WEIGHT = 0.1
_ALIKE = 0.15
_LETTERS, _CHARACTERS = 4, 2


def paired(first: Sequence[str], second: Sequence[str]) -> dict[int, int]:
    """Return index in ``second`` -> index in ``first`` of the sentence that means the same.

    A sentence of ``second`` that means nothing said in ``first`` is left out. Neither list repeats a sentence.
    """
    weights = _weights([*first, *second])
    scored = [
        (-_alike(weights[a], weights[b]) - _PLACE_WEIGHT * (1 - abs(i / len(first) - j / len(second))), i, j)
        for i, a in enumerate(first)
        for j, b in enumerate(second)
    ]
    used: set[int] = set()
    found: dict[int, int] = {}
    for score, i, j in sorted(scored):
        if -score >= _ALIKE and i not in used and j not in found:
            used.add(i)
            found[j] = i
    return found


def _weights(sentences: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return for each sentence the weight of each of its pieces, scaled to length 1."""
    pieces = {sentence: _pieces(sentence) for sentence in sentences}
    spread = Counter(piece for sentence in sentences for piece in pieces[sentence])
    out: dict[str, dict[str, float]] = {}
    for sentence, counts in pieces.items():
        raw = {piece: n * math.log((len(sentences) + 2) / spread[piece]) for piece, n in counts.items()}
        length = math.sqrt(sum(w * w for w in raw.values())) or 1.0
        out[sentence] = {piece: w / length for piece, w in raw.items()}
    return out


def _alike(a: dict[str, float], b: dict[str, float]) -> float:
    return sum(weight * b.get(piece, 0.0) for piece, weight in a.items())


def _pieces(sentence: str) -> Counter[str]:
    out: Counter[str] = Counter()
    for word in re.sub(r"\W+", " ", sentence.lower()).split():
        size = _LETTERS if word.isascii() else _CHARACTERS
        edged = f" {word} "
        out.update(edged[i : i + size] for i in range(max(1, len(edged) - size + 1)))
    return out
