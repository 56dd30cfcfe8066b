"""What the features of a sentence speak for: weights, read from ``assets/acts``, and the acts that they add up to.

The weights are whole numbers, so that sums are the same on every machine. Those of one feature, one for each kind of
act, are kept in one integer, a lane of bits each: adding the integers adds all lanes at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple

from vitagym.dialogue.acts import AgentActKind
from vitagym.language import Language

KINDS: tuple[AgentActKind, ...] = tuple(kind for kind in AgentActKind if kind is not AgentActKind.CHAT)
"""The kinds that are told apart; chat is what is left."""
LANE = 48
"""So many bits has a lane."""
MOST = 46
"""The largest weight that can be written; the smallest is its negative."""
_HALF = 1 << (LANE - 1)
_MASK = (1 << LANE) - 1
_MIDDLE = sum(_HALF << (LANE * lane) for lane in range(len(KINDS)))
_ZERO = "P"
"""How the weight 0 is written; the others are the characters before and after it."""


class Opinion(NamedTuple):
    """What a sentence does: the kinds that the weights speak for, and the one that comes first.

    Attributes:
        kinds: The kinds with more for them than against them.
        likeliest: The kind with the most for it.
        score: How much that is; negative where more is against it.
    """

    kinds: list[AgentActKind]
    likeliest: AgentActKind
    score: int


class ActWeights:
    """The weights of one language.

    Attributes:
        doubt: A message in which nothing is found does its likeliest act all the same, if that scores higher than this.
    """

    def __init__(self, packed: Mapping[str, int], doubt: int) -> None:
        self._packed = packed
        self.doubt = doubt

    def opinion(self, features: Iterable[str]) -> Opinion:
        """Return what a sentence with these features does."""
        scores = lanes(sum([self._packed[name] for name in features if name in self._packed]))
        best = max(range(len(KINDS)), key=scores.__getitem__)
        kinds = [kind for kind, score in zip(KINDS, scores, strict=True) if score > 0]
        return Opinion(kinds, KINDS[best], scores[best])


def lanes(packed: int) -> list[int]:
    """Return the numbers in the lanes of an integer."""
    packed += _MIDDLE
    return [((packed >> (LANE * lane)) & _MASK) - _HALF for lane in range(len(KINDS))]


def packed(weights: Iterable[int]) -> int:
    """Return numbers put into the lanes of one integer."""
    return sum(weight << (LANE * lane) for lane, weight in enumerate(weights))


def written(weights: Mapping[str, Iterable[int]], doubt: int) -> str:
    """Return weights as text: the doubt, then a feature a line, its weights as characters first."""
    lines = [f"{_letters(of_feature)}{name}" for name, of_feature in sorted(weights.items())]
    return "\n".join([str(doubt), *lines, ""])


def read(text: str) -> ActWeights:
    """Read weights as ``written`` writes them."""
    doubt, *lines = text.splitlines()
    count = len(KINDS)
    return ActWeights({line[count:]: packed(ord(c) - ord(_ZERO) for c in line[:count]) for line in lines}, int(doubt))


@cache
def act_weights(language: Language) -> ActWeights:
    """Return the weights that come with the package."""
    source = resources.files("vitagym.assets").joinpath("acts", f"{language.value}.txt")
    return read(source.read_text(encoding="utf-8"))


def _letters(weights: Iterable[int]) -> str:
    return "".join(chr(ord(_ZERO) + max(-MOST, min(MOST, weight))) for weight in weights)
