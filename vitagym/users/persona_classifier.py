"""Which persona an utterance is from: naive Bayes over words, in Chinese over characters in pairs.

Trained on what the scripted user says, so it measures how far another user's personas sound like ours; its accuracy
on utterances it has not seen says how much a measurement with it is worth.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from vitagym.tasks.task import Persona

_TOKENS = re.compile(r"[a-z']+|[!?.…:,]|[\u3400-\u9fff。，！？：]")


class PersonaClassifier:
    """Tells the persona of a user from its utterances."""

    def __init__(self, examples: Iterable[tuple[Persona, str]]) -> None:
        self._counts: dict[Persona, Counter[str]] = {}
        for persona, text in examples:
            self._counts.setdefault(persona, Counter()).update(_features(text))
        self._words = len(set().union(*self._counts.values())) if self._counts else 0
        self._totals = {persona: sum(counts.values()) for persona, counts in self._counts.items()}

    def persona(self, text: str) -> Persona:
        """Return the likeliest persona of a text: one utterance, or all of a user's together."""
        features = _features(text)
        return max(self._counts, key=lambda persona: self._likelihood(persona, features))

    def _likelihood(self, persona: Persona, features: Counter[str]) -> float:
        counts, total = self._counts[persona], self._totals[persona] + self._words
        return sum(n * math.log((counts[feature] + 1) / total) for feature, n in features.items())


def _features(text: str) -> Counter[str]:
    tokens = ["", *_TOKENS.findall(text.lower()), ""]
    return Counter(tokens[1:-1]) + Counter(map("".join, pairwise(tokens)))
