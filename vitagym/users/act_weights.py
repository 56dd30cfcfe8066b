"""What the features of a sentence speak for: weights, read from ``assets/acts``, and the acts that they add up to.

The weights are whole numbers, so that sums are the same on every machine. Those of one feature, one for each kind of
act, are kept in one integer, a lane of bits each: adding the integers adds all lanes at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import resources
from itertools import repeat
from typing import NamedTuple

from vitagym.dialogue.acts import AgentActKind
from vitagym.language import Language
from vitagym.users.act_features import Around, Feature, clauses, own, own_of_clause
from vitagym.users.ear import Sentence

KINDS: tuple[AgentActKind, ...] = tuple(kind for kind in AgentActKind if kind is not AgentActKind.CHAT)
"""The kinds that are told apart; chat is what is left."""
LANE = 24
"""So many bits has a lane: enough for what the features of a sentence add up to."""
UNIT = 1000
"""A weight of this much multiplies the odds by e."""
_DIGITS = "".join(map(chr, range(ord("!"), ord("~") + 1)))
"""A weight is written with two of these digits."""
_ZERO = len(_DIGITS) ** 2 // 2
"""The number that is written for a weight of 0."""
MOST = _ZERO - 1
"""The largest weight that can be written; the smallest is its negative."""


class Opinion(NamedTuple):
    """What a sentence does: the kinds that the weights speak for, and the one that comes first.

    Attributes:
        kinds: The kinds with more for them than against them.
        likeliest: The kind with the most for it.
        score: How much that is; negative where more is against it.
    """

    kinds: tuple[AgentActKind, ...]
    likeliest: AgentActKind
    score: int


class Doubt(NamedTuple):
    """A message in which nothing is found does its likeliest act all the same, if that scores higher than this.

    Attributes:
        stated: For a message that only states.
        asked: For one that asks, which is seldom mere chat.
    """

    stated: int
    asked: int


class ActWeights:
    """The weights of one language.

    Attributes:
        doubt: How likely an act has to be in a message in which nothing is found.
    """

    def __init__(self, packed: Mapping[Feature, int], doubt: Doubt) -> None:
        self._weight = packed.get
        self._of_group = lru_cache(maxsize=4096)(self.total)
        self.doubt = doubt

    def opinion(self, sentence: Sentence, around: Around) -> Opinion:
        """Return what a sentence does: all that it does as a whole or that one of its clauses does."""
        if sentence.told is None:
            sentence.told = self.total(own(sentence))
            for at, clause in enumerate(clauses(sentence)):
                clause.told = self.total(own_of_clause(sentence, at))
        place = sum(map(self._of_group, around.place))
        opinion = _opinion(sentence.told + place + self._of_group(around.rules))
        for clause in sentence.clauses or ():
            opinion = _joined(opinion, _opinion((clause.told or 0) + place))
        return opinion

    def total(self, features: Iterable[Feature]) -> int:
        """Return what the weights of features add up to, packed."""
        return sum(map(self._weight, features, repeat(0)))


@lru_cache(maxsize=8192)
def _opinion(packed: int) -> Opinion:
    scores = lanes(packed)
    score = max(scores)
    kinds = tuple(kind for kind, s in zip(KINDS, scores, strict=True) if s > 0)
    return Opinion(kinds, KINDS[scores.index(score)], score)


def _joined(one: Opinion, other: Opinion) -> Opinion:
    """Return an opinion with the kinds of both, and the likeliest of the two that come first."""
    best = other if other.score > one.score else one
    if other.kinds == one.kinds or not other.kinds:
        return Opinion(one.kinds, best.likeliest, best.score)
    return Opinion(tuple(kind for kind in KINDS if kind in one.kinds + other.kinds), best.likeliest, best.score)


def lanes(packed: int, width: int = LANE) -> list[int]:
    """Return the numbers in the lanes of an integer, lanes of so many bits."""
    half, mask = 1 << (width - 1), (1 << width) - 1
    packed += _middle(width)
    return [((packed >> at) & mask) - half for at in range(0, width * len(KINDS), width)]


@cache
def _middle(width: int) -> int:
    return sum(1 << (width * lane + width - 1) for lane in range(len(KINDS)))


def packed(weights: Iterable[int]) -> int:
    """Return numbers put into the lanes of one integer."""
    return sum(weight << (LANE * lane) for lane, weight in enumerate(weights))


def written(weights: Mapping[Feature, Iterable[int]], doubt: Doubt) -> str:
    """Return weights as text: the doubts, then a feature a line, its weights first, two characters each."""
    lines = [f"{_letters(weights[name])}{spelt(name)}" for name in sorted(weights, key=spelt)]
    return "\n".join([" ".join(map(str, doubt)), *lines, ""])


def spelt(feature: Feature) -> str:
    """Return a feature as it is written."""
    return feature if isinstance(feature, str) else " ".join(feature)


def read(text: str) -> ActWeights:
    """Read weights as ``written`` writes them."""
    doubt, *lines = text.splitlines()
    length = 2 * len(KINDS)
    table: dict[Feature, int] = {}
    for line in lines:
        words = tuple(line[length:].split(" "))
        table[words if len(words) > 1 else words[0]] = _number(line[:length])
    return ActWeights(table, Doubt(*map(int, doubt.split())))


@cache
def act_weights(language: Language) -> ActWeights:
    """Return the weights that come with the package."""
    source = resources.files("vitagym.assets").joinpath("acts", f"{language.value}.txt")
    return read(source.read_text(encoding="utf-8"))


def _letters(weights: Iterable[int]) -> str:
    pairs = [divmod(max(-MOST, min(MOST, weight)) + _ZERO, len(_DIGITS)) for weight in weights]
    return "".join(_DIGITS[one] + _DIGITS[two] for one, two in pairs)


def _number(letters: str) -> int:
    """Return weights packed from how they are written, the first digits of all of them at once, then the second."""
    codes = letters.encode("ascii")
    first, second = bytearray(_BYTES * len(KINDS)), bytearray(_BYTES * len(KINDS))
    first[::_BYTES], second[::_BYTES] = codes[::2], codes[1::2]
    return int.from_bytes(first, "little") * len(_DIGITS) + int.from_bytes(second, "little") - _OFFSET


_BYTES = LANE // 8
"""Of a lane."""
_OFFSET = packed([ord(_DIGITS[0]) * (len(_DIGITS) + 1) + _ZERO] * len(KINDS))
"""What letters stand for beyond their weights."""
