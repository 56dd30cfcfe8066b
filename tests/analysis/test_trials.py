"""Pass@k, Pass^k and Avg@k against enumeration, against the paper's forms in p, and at their edges."""

from itertools import combinations
from math import comb, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitagym.analysis.trials import avg_at, pass_at, pass_hat


@st.composite
def trials(draw):
    results = draw(st.lists(st.booleans(), min_size=1, max_size=8))
    return results, draw(st.integers(1, len(results)))


@given(trials())
def test_they_are_shares_of_all_sets_of_k_trials(drawn):
    results, k = drawn
    n, c = len(results), sum(results)
    sets = list(combinations(results, k))
    assert isclose(pass_at(n, c, k), sum(map(any, sets)) / len(sets), abs_tol=1e-12)
    assert isclose(pass_hat(n, c, k), sum(map(all, sets)) / len(sets), abs_tol=1e-12)
    assert isclose(avg_at(n, c), sum(sum(one) / k for one in sets) / len(sets))


@given(st.integers(1, 12), st.data(), st.floats(0, 1))
def test_their_expectation_is_what_the_paper_defines(n, data, p):
    k = data.draw(st.integers(1, n))
    chances = [comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)]
    assert isclose(sum(w * pass_at(n, c, k) for c, w in enumerate(chances)), 1 - (1 - p) ** k, abs_tol=1e-9)
    assert isclose(sum(w * pass_hat(n, c, k) for c, w in enumerate(chances)), p**k, abs_tol=1e-9)


def test_the_papers_form_with_a_share_in_place_of_p_is_biased():
    p, n, k = 0.5, 4, 4
    plugged = sum(comb(n, c) * p**c * (1 - p) ** (n - c) * (c / n) ** k for c in range(n + 1))
    assert plugged > 2 * p**k


@given(st.integers(1, 40), st.data())
def test_they_are_ordered_and_monotone_in_k(n, data):
    c = data.draw(st.integers(0, n))
    at = [pass_at(n, c, k) for k in range(1, n + 1)]
    hat = [pass_hat(n, c, k) for k in range(1, n + 1)]
    assert at == sorted(at)
    assert hat == sorted(hat, reverse=True)
    assert isclose(at[0], hat[0])
    assert isclose(at[0], avg_at(n, c))
    assert at[-1] == (c > 0)
    assert hat[-1] == (c == n)


@pytest.mark.parametrize(("n", "c", "k"), [(0, 0, 1), (4, 5, 1), (4, -1, 1), (4, 2, 0), (4, 2, 5)])
def test_what_cannot_be_is_refused(n, c, k):
    for form in (pass_at, pass_hat):
        with pytest.raises(ValueError, match=f"n={n}, c={c}, k={k}"):
            form(n, c, k)
