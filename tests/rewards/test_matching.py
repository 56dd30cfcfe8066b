from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from vitagym.rewards.matching import best_assignment


@st.composite
def tables(draw):
    columns = draw(st.integers(0, 5))
    rows = draw(st.integers(1, 4))
    return draw(st.lists(st.lists(st.integers(0, 4), min_size=columns, max_size=columns), min_size=rows, max_size=rows))


def all_assignments(values):
    """Every way to give rows different columns (or none), by trying them all."""
    rows, columns = len(values), len(values[0])
    for chosen in set(permutations([*range(columns), *[None] * rows], rows)):
        if all(c is None or values[r][c] > 0 for r, c in enumerate(chosen)):
            yield chosen


@given(tables())
def test_it_is_the_first_of_the_best_of_all_assignments(values):
    none = len(values[0])
    best = min(
        all_assignments(values),
        key=lambda chosen: (
            -sum(values[r][c] for r, c in enumerate(chosen) if c is not None),
            [none if c is None else c for c in chosen],
        ),
    )
    assert best_assignment(values) == list(best)


def test_no_record_is_no_match():
    assert best_assignment([[]]) == [None]
    assert best_assignment([[], []]) == [None, None]


def test_many_records_do_not_slow_it_down():
    values = [[(r * 7 + c * 3) % 5 for c in range(3000)] for r in range(5)]
    chosen = best_assignment(values)
    assert all(values[r][c] == 4 for r, c in enumerate(chosen))
