"""How the weights of ``act_weights`` are learnt from labelled messages: logistic regression, in whole numbers.

A message is labelled as a whole, so what counts for a kind of act is the sentence that shows it best. Steps are smaller
for features that are met often. Kinds that are hard to tell are written about more often than they are met, so in the
end what every sentence shows is moved by how much rarer they are. All is done in whole numbers and in a set order, so
the same messages give the same weights on every machine.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from vitagym.dialogue.acts import AgentActKind
from vitagym.language import Language
from vitagym.randomness import Stream
from vitagym.users.act_features import ALWAYS, Feature
from vitagym.users.act_weights import KINDS, UNIT, Doubt, lanes, spelt
from vitagym.users.understanding import features_of

Example = tuple[list[list[Feature]], frozenset[AgentActKind]]
"""The features of each sentence of a message, and the kinds of its acts."""


class Settings(NamedTuple):
    """How to learn.

    Attributes:
        rounds: How often each message is gone through.
        step: The size of the first steps; it falls to nothing by the end.
        rare: A feature in fewer messages than this is left out.
        most: So many features are kept, those with the largest weights.
        margin: A kind has to be told with odds of e to the power of this, to one, before it counts as told.
        doubt: See ``Doubt``.
    """

    rounds: int = 8
    step: int = 19
    rare: int = 3
    most: int = 60000
    margin: int = 2
    doubt: Doubt = Doubt(stated=-730, asked=-2500)


def example(text: str, kinds: Collection[AgentActKind], language: Language) -> Example:
    """Return a labelled message ready for learning."""
    return features_of(text, language), frozenset(kinds) - {AgentActKind.CHAT}


def learnt(
    examples: Sequence[Example], usual: Sequence[Collection[AgentActKind]], settings: Settings
) -> dict[Feature, list[int]]:
    """Return the weights of each feature, one for each of ``KINDS``, as they are written.

    Args:
        examples: What to learn from; hard kinds of acts may be more frequent in it than elsewhere.
        usual: The kinds of acts of messages in which each is as frequent as where it will be met.
        settings: How to learn.
    """
    met = Counter(name for sentences, _ in examples for name in {n for names in sentences for n in names})
    rates = {name: _RATE // (4 + math.isqrt(count)) for name, count in met.items() if count >= settings.rare}
    kept = [([[n for n in names if n in rates] for names in sentences], kinds) for sentences, kinds in examples]
    weights: dict[Feature, int] = dict.fromkeys(rates, 0)
    total = settings.rounds * len(kept)
    done = 0
    for round_number in range(settings.rounds):
        for sentences, kinds in Stream(round_number, "order of learning").shuffled(kept):
            step = 1 + settings.step * (total - done) // total
            done += 1
            for names, change in zip(
                sentences, _changes(sentences, kinds, weights, step, settings.margin), strict=True
            ):
                if change:
                    for name in names:
                        weights[name] += change * rates[name]
    scaled = _scaled({name: lanes(value, _LANE) for name, value in weights.items()}, settings.most)
    learnt_from = [kinds for _, kinds in examples]
    shift = [_logit(kind, usual) - _logit(kind, learnt_from) for kind in KINDS]
    always = scaled.get(ALWAYS, [0] * len(KINDS))
    return scaled | {ALWAYS: [weight + round(UNIT * by) for weight, by in zip(always, shift, strict=True)]}


_LANE = 48
"""Bits of a lane while learning."""
_RATE = 1 << 10
"""The largest share of a step that a feature takes; the oftener it is met, the smaller."""
_ONE = 1 << 16
"""Certainty."""
_UNIT = 1 << 26
"""The score that stands for odds of e to one."""
_FINE = 20
"""Odds are looked up to within so many bits of a score."""
_SURE = 8
"""Odds of e to the power of this, to one, are as good as certain."""
_EDGE = _SURE * _UNIT >> _FINE
_ODDS = [round(_ONE * math.exp((at << _FINE) / _UNIT)) for at in range(-_EDGE, _EDGE + 1)]


def _logit(kind: AgentActKind, messages: Sequence[Collection[AgentActKind]]) -> float:
    """Return the logarithm of the odds of a kind of act, as if half a message more had it and one more half had not."""
    having = sum(kind in kinds for kinds in messages)
    return math.log((having + 0.5) / (len(messages) - having + 0.5))


def _changes(
    sentences: list[list[Feature]],
    kinds: frozenset[AgentActKind],
    weights: dict[Feature, int],
    step: int,
    margin: int,
) -> list[int]:
    """Return by how much the weights of the features of each sentence have to change, packed.

    Each kind is told from its absence, and, with half as much weight, all of them together from chat.
    """
    scores = [lanes(sum([weights[name] for name in names]), _LANE) for names in sentences]
    best = [max(range(len(sentences)), key=lambda at: scores[at][lane]) for lane in range(len(KINDS))]
    wanted = [margin * _UNIT * (-1 if kind in kinds else 1) for kind in KINDS]
    odds = [_odds(scores[at][lane] + wanted[lane]) for lane, at in enumerate(best)]
    all_odds = sum(odds) + _ONE
    right_odds = sum(of_kind for kind, of_kind in zip(KINDS, odds, strict=True) if kind in kinds) or 1
    changes = [0] * len(sentences)
    for lane, kind in enumerate(KINDS):
        missing = -_ONE * odds[lane] // (odds[lane] + _ONE) - _ONE * odds[lane] // all_odds // 2
        if kind in kinds:
            missing += _ONE + _ONE * odds[lane] // right_odds // 2
        changes[best[lane]] += (missing * step // 16) << (_LANE * lane)
    return changes


def _odds(score: int) -> int:
    """Return the odds that a score stands for, to ``_ONE``."""
    return _ODDS[max(-_EDGE, min(_EDGE, score >> _FINE)) + _EDGE]


def _scaled(weights: dict[Feature, list[int]], most: int) -> dict[Feature, list[int]]:
    """Return the weights in the units in which they are written, only those that matter most."""
    scaled = {name: [(w * UNIT + _UNIT // 2) // _UNIT for w in of_feature] for name, of_feature in weights.items()}
    ranked = sorted(scaled, key=lambda name: (-max(map(abs, scaled[name])), spelt(name)))
    return {name: scaled[name] for name in ranked[:most] if any(scaled[name])}
