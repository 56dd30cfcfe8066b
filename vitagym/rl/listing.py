"""The candidates of a moment: everything that may be done with what is known, at most so many, in a drawn order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vitagym.rl.belief import Belief
from vitagym.rl.composing import makes
from vitagym.rl.handling import handles
from vitagym.rl.kinds import Candidate
from vitagym.rl.lookups import lookups
from vitagym.rl.talking import talk
from vitagym.rl.toolroles import Role


def listed(belief: Belief, offered: Mapping[str, Role], most: int, keys: Sequence[float]) -> list[Candidate]:
    """Return the candidates.

    Args:
        belief: What was observed.
        offered: The tools on offer.
        most: How many there may be.
        keys: A drawn number for each place: they order the list, so that a place tells nothing.
    """
    made = [makes(belief, goal) for goal in belief.goals.values()]
    by_turns = [one for row in zip_all(made) for one in row]
    found = [*handles(belief), *talk(belief)]
    looked = list(lookups(belief, offered))
    room = max(0, most - len(found))
    half = max(room - len(looked), room // 2)
    chosen = by_turns[:half]
    found = [*found, *chosen, *looked[: room - len(chosen)]]
    usable = [one for one in found[:most] if not one.tool or one.tool in offered]
    return [one for _, one in sorted(zip(keys, usable, strict=False), key=lambda pair: pair[0])]


def zip_all(rows: Sequence[Sequence[Candidate]]) -> list[list[Candidate]]:
    """Return the first of every row, then the second of every row that has one, and so on."""
    longest = max(map(len, rows), default=0)
    return [[row[n] for row in rows if n < len(row)] for n in range(longest)]
