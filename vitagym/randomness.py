"""Named streams of random numbers: one seed, one name, one stream, whatever else is drawn and in whatever order.

Seeding is that of ``random.Random`` for texts, and only ``random()`` is used below, the one method whose output Python
guarantees across versions.
"""

from __future__ import annotations

from _random import Random  # random.Random, which is built on it, seeds itself twice
from collections.abc import Sequence
from hashlib import sha512
from typing import TypeVar

T = TypeVar("T")


class Stream:
    """A stream of random draws, fixed by a seed and a name.

    Args:
        seed: The seed of the episode, or any integer.
        name: Which stream of that seed, e.g. ``"user"``. Streams of different names are independent.
    """

    __slots__ = ("_random",)

    def __init__(self, seed: int, name: str) -> None:
        key = f"{seed}/{name}".encode()
        self._random = Random(int.from_bytes(key + sha512(key).digest(), "big"))

    def random(self) -> float:
        """Draw a float in [0, 1)."""
        return self._random.random()

    def below(self, n: int) -> int:
        """Draw an integer in [0, n)."""
        return int(self._random.random() * n)

    def between(self, low: int, high: int) -> int:
        """Draw an integer in [low, high], both ends included."""
        return low + self.below(high - low + 1)

    def choice(self, items: Sequence[T]) -> T:
        """Draw one item."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in a drawn order (Fisher–Yates)."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return out

    def sample(self, items: Sequence[T], k: int) -> list[T]:
        """Draw k different items, in a drawn order."""
        return self.shuffled(items)[:k]

    def fork(self) -> Stream:
        """Return a copy that will draw what this one would draw."""
        other = Stream.__new__(Stream)
        other._random = Random(0)
        other._random.setstate(self._random.getstate())
        return other
