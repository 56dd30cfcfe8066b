"""The seeds of the environments of a vector."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vitagym.errors import CallerError


def seeds_of(seed: int | Sequence[int | None] | None, num_envs: int) -> Sequence[int | None]:
    """Return a seed for each environment: one seed s gives them s, s + 1, …; None gives none.

    Raises:
        CallerError: There are more or fewer seeds than environments.
    """
    if seed is None:
        return [None] * num_envs
    if isinstance(seed, int | np.integer):
        return [int(seed) + place for place in range(num_envs)]
    if len(seed) != num_envs:
        raise CallerError(f"{len(seed)} seeds for {num_envs} environments")
    return seed
