"""Which record each goal means: the assignment that is worth the most, found exactly.

A goal's requirements are on one record, and a record serves one goal. Of the assignments worth the most, the one
that gives the earlier goals the earlier records is taken, so that the outcome never depends on chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache


def best_assignment(values: Sequence[Sequence[int]]) -> list[int | None]:
    """Assign columns (records, in their order) to rows (goals, in their order).

    Args:
        values: For each row, what each column is worth to it; a column worth 0 is never assigned to it.

    Returns:
        For each row its column, or None. Each column is used at most once, and the sum of values is the largest
        possible; of those assignments, the one whose columns come first, the first row deciding before the second.
    """
    if len(values) == 1:
        row = values[0]
        best = max(row, default=0)
        return [row.index(best) if best > 0 else None]
    return list(_assigned(tuple(map(tuple, values))))


@lru_cache(maxsize=4096)
def _assigned(values: tuple[tuple[int, ...], ...]) -> tuple[int | None, ...]:
    """Return the assignment; most changes of a record leave its worth to every goal as it was."""
    columns = _worth_a_look(values)
    if not columns:
        return (None,) * len(values)
    chosen = _cheapest(_costs(values, columns))
    return tuple(columns[c] if c < len(columns) else None for c in chosen)


def _worth_a_look(values: Sequence[Sequence[int]]) -> list[int]:
    # The other rows can take all but one of a row's best len(values) columns, so none beyond these is ever needed.
    wanted: set[int] = set()
    for row in values:
        useful = sorted((c for c in range(len(row)) if row[c] > 0), key=lambda c: (-row[c], c))
        wanted.update(useful[: len(values)])
    return sorted(wanted)


def _costs(values: Sequence[Sequence[int]], columns: list[int]) -> list[list[int]]:
    """Return the costs: real columns, then one stand-in column a row for "no record", dearer than any worse choice.

    A cost is an integer whose high part is the value lost and whose low part spells the columns taken, first row first.
    """
    rows, base = len(values), len(columns) + 1
    big = base**rows
    forbidden = big * (1 + rows * max(max(row) for row in values))
    costs = []
    for r, row in enumerate(values):
        place = base ** (rows - 1 - r)
        real = [i * place - row[c] * big if row[c] > 0 else forbidden for i, c in enumerate(columns)]
        costs.append(real + [len(columns) * place] * rows)
    return costs


def _cheapest(costs: list[list[int]]) -> list[int]:
    """Return the column of each row in the cheapest assignment (the Hungarian method with row and column prices)."""
    rows, columns = len(costs), len(costs[0])
    row_price, column_price = [0] * (rows + 1), [0] * (columns + 1)
    row_of = [0] * (columns + 1)
    for start in range(1, rows + 1):
        row_of[0], column = start, 0
        slack: list[int | None] = [None] * (columns + 1)
        came_from, done = [0] * (columns + 1), [False] * (columns + 1)
        while row_of[column] != 0:
            done[column] = True
            row, smallest, following = row_of[column], None, 0
            for c in range(1, columns + 1):
                if done[c]:
                    continue
                reduced = costs[row - 1][c - 1] - row_price[row] - column_price[c]
                known = slack[c]
                if known is None or reduced < known:
                    slack[c] = known = reduced
                    came_from[c] = column
                if smallest is None or known < smallest:
                    smallest, following = known, c
            step = 0 if smallest is None else smallest
            for c in range(columns + 1):
                left = slack[c]
                if done[c]:
                    row_price[row_of[c]] += step
                    column_price[c] -= step
                elif left is not None:
                    slack[c] = left - step
            column = following
        while column:
            row_of[column] = row_of[came_from[column]]
            column = came_from[column]
    chosen = [0] * rows
    for c in range(1, columns + 1):
        if row_of[c]:
            chosen[row_of[c] - 1] = c - 1
    return chosen
