"""How many trials are enough: the closed form against every set of k trials."""

from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.log_rows import row, rows

from vitagym.analysis.resampling import PAPER_REDUCTION, fewest_trials, trials_needed
from vitagym.errors import UnknownName


@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=3), st.integers(1, 4))
def test_it_is_the_error_of_every_way_to_choose_k_trials_of_every_task(results, k):
    points = trials_needed(rows({f"t{i}": trials for i, trials in enumerate(results)}))
    full = sum(sum(trials) / 4 for trials in results) / len(results)
    choices = product(*(list(combinations(trials, k)) for trials in results))
    errors = [(sum(sum(one) / k for one in chosen) / len(results) - full) ** 2 for chosen in choices]
    assert points[k - 1].mse == pytest.approx(sum(errors) / len(errors), abs=1e-12)


@pytest.mark.parametrize("successes", [1, 7, 16, 31])
def test_the_papers_reduction_is_arithmetic(successes):
    """32 trials: whatever the agent, 4 trials have 77.4 % less error than one."""
    points = trials_needed(rows({"t1": [i < successes for i in range(32)], "t2": [i % 2 == 0 for i in range(32)]}))
    assert points[3].reduction == pytest.approx(1 - 28 / (4 * 31))
    assert points[3].reduction == pytest.approx(PAPER_REDUCTION[4], abs=0.001)
    assert points[31].mse == 0
    assert points[31].standard_error > 0


def test_tasks_with_too_few_trials_are_left_out_and_said():
    points = trials_needed(rows({"t1": [True, False, True], "t2": [True, False], "t3": [True]}))
    assert [point.tasks for point in points] == [2, 2, 1]


def test_no_spread_no_error():
    points = trials_needed(rows({"t1": [True] * 3, "t2": [False] * 3}))
    assert [(point.mse, point.reduction, point.standard_error) for point in points] == [(0, None, 0)] * 3
    assert points[0].total_error == pytest.approx(0.5)


def test_nothing_to_tell():
    assert trials_needed([]) == []
    assert trials_needed([row(success=None)]) == []
    assert trials_needed(rows({"t1": [True], "t2": [False]})) == []
    assert fewest_trials([], 0.1) is None


def test_the_fewest_trials_for_a_precision():
    points = trials_needed(rows({f"t{i}": [True, False] * 8 for i in range(100)}))
    assert fewest_trials(points, 0.03) == 3
    assert fewest_trials(points, 0.001) is None


def test_other_metrics_and_names_that_are_none():
    points = trials_needed([row(turns=3), row(turns=5), row("t2", turns=4), row("t2", turns=4)], "turns")
    assert points[0].standard_error == pytest.approx((2 / 4) ** 0.5)
    with pytest.raises(UnknownName, match="turns"):
        trials_needed([], "turn")
