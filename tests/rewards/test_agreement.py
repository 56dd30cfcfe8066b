from fractions import Fraction
from math import isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitagym.randomness import Stream
from vitagym.rewards.agreement import Judgement, Undefined, agreement, cohens_kappa, kappa_standard_error

JUDGEMENTS = st.lists(
    st.builds(Judgement, st.sampled_from("abcde"), st.booleans(), st.none() | st.booleans()), max_size=60
)


def scored(judgements):
    return [(j.truth, j.judged) for j in judgements if j.judged is not None]


def kappa_by_hand(pairs):
    """Straight from the definition: observed agreement, and that of two raters who answer independently."""
    n = len(pairs)
    observed = Fraction(sum(a == b for a, b in pairs), n)
    expected = Fraction(sum(a == b for a, _ in pairs for _, b in pairs), n * n)
    return None if expected == 1 else (observed - expected) / (1 - expected)


def standard_error_by_hand(pairs):
    """The delta method: the gradient of κ in the four shares, by central differences, and their covariance."""
    cells = [(True, True), (True, False), (False, True), (False, False)]
    share = [sum(pair == cell for pair in pairs) / len(pairs) for cell in cells]

    def kappa(p):
        total = sum(p)
        p = [x / total for x in p]
        observed = p[0] + p[3]
        expected = (p[0] + p[1]) * (p[0] + p[2]) + (p[2] + p[3]) * (p[1] + p[3])
        return (observed - expected) / (1 - expected)

    h = 1e-5
    gradient = [
        (
            kappa([x + h * (i == k) for i, x in enumerate(share)])
            - kappa([x - h * (i == k) for i, x in enumerate(share)])
        )
        / (2 * h)
        for k in range(4)
    ]
    mean = sum(g * p for g, p in zip(gradient, share, strict=True))
    return sqrt(max(0.0, sum(p * (g - mean) ** 2 for g, p in zip(gradient, share, strict=True)) / len(pairs)))


@given(JUDGEMENTS)
def test_accuracy_and_kappa_equal_a_computation_from_their_definitions(judgements):
    found, pairs = agreement(judgements, resamples=0), scored(judgements)
    assert found.scored == len(pairs)
    assert found.unscored == len(judgements) - len(pairs)
    if not pairs:
        assert (found.accuracy, found.kappa) == (None, Undefined.NOTHING_SCORED)
        return
    assert found.accuracy == sum(a == b for a, b in pairs) / len(pairs)
    by_hand = kappa_by_hand(pairs)
    assert found.kappa == (Undefined.ONE_CLASS if by_hand is None else pytest.approx(float(by_hand), abs=1e-12))


@given(JUDGEMENTS)
def test_the_standard_error_is_that_of_the_delta_method(judgements):
    pairs = scored(judgements)
    if not pairs or kappa_by_hand(pairs) is None:
        return
    found = agreement(judgements, resamples=0).kappa_se
    assert isclose(found, standard_error_by_hand(pairs), rel_tol=1e-3, abs_tol=1e-4)


@given(JUDGEMENTS, st.integers(0, 3))
def test_intervals_come_from_resampling_whole_tasks(judgements, seed):
    found = agreement(judgements, seed=seed, resamples=40)
    of_task = {}
    for one in judgements:
        if one.judged is not None:
            of_task.setdefault(one.task, []).append((one.truth, one.judged))
    if not of_task:
        assert (found.accuracy_interval, found.kappa_interval) == (None, None)
        return
    stream, tasks = Stream(seed, "agreement/resamples"), list(of_task.values())
    samples = [[pair for _ in tasks for pair in tasks[stream.below(len(tasks))]] for _ in range(40)]
    accuracies = sorted(sum(a == b for a, b in pairs) / len(pairs) for pairs in samples)
    kappas = sorted(float(k) for pairs in samples if (k := kappa_by_hand(pairs)) is not None)
    assert found.accuracy_interval == (accuracies[1], accuracies[-2])
    assert found.undefined_resamples == 40 - len(kappas)
    if kappas:
        out = int(0.025 * len(kappas))
        assert found.kappa_interval == pytest.approx((kappas[out], kappas[-1 - out]), abs=1e-12)
    else:
        assert found.kappa_interval is None


def test_known_tables():
    # Cohen's κ of 20/5/10/15, the example of every textbook, is 0.4.
    assert cohens_kappa((20, 5, 10, 15)) == pytest.approx(0.4)
    assert cohens_kappa((7, 0, 0, 3)) == 1
    assert cohens_kappa((5, 5, 5, 5)) == 0
    assert kappa_standard_error((7, 0, 0, 3)) == 0


@pytest.mark.parametrize("answer", [True, False])
def test_where_all_is_one_class_kappa_is_undefined_and_never_zero(answer):
    found = agreement([Judgement(str(n), answer, answer) for n in range(5)], resamples=20)
    assert found.accuracy == 1
    assert found.kappa is Undefined.ONE_CLASS
    assert (found.kappa_se, found.kappa_interval, found.undefined_resamples) == (None, None, 20)
    assert found.data()["kappa"] is None
    assert found.data()["kappa_undefined"] == "one class"


def test_a_judge_that_says_yes_to_everything_is_no_better_than_chance():
    found = agreement([Judgement(str(n), n < 3, True) for n in range(10)], resamples=0)
    assert (found.accuracy, found.kappa) == (0.3, 0.0)


def test_unscored_judgements_are_counted_apart():
    found = agreement([Judgement("a", True, None), Judgement("b", True, True), Judgement("c", False, False)])
    assert (found.scored, found.unscored, found.accuracy, found.kappa) == (2, 1, 1.0, 1.0)
