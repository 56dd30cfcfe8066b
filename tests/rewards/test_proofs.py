"""Proofs of reward: what the terms sum to, and that shaping leaves the best policy as it is.

(a) Between two moments with equal rubric states the rubric term sums to zero, and discounted it telescopes.
(b) On small tabular tasks the best policy under ``potential`` is that under ``sparse``, by dynamic programming in exact
    arithmetic.
(c) An episode's sum is a closed form of its first and last state.
"""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.tabular import States, TabularTask, best_actions, path, tabular_tasks

from vitagym.rewards.rubrics import satisfied_fraction
from vitagym.rewards.terms import make_reward

GAMMAS = st.sampled_from([1.0, 0.99, 0.9, 0.5])
PATHS = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.tuples(*[st.sampled_from(States.STATUSES)] * n), min_size=2, max_size=12)
)
ENDINGS = st.sampled_from(["terminated", "truncated"])


def discounted(spec, steps, gamma):
    reward = make_reward(spec)
    return sum(gamma**t * sum(reward.terms(step).values()) for t, step in enumerate(steps))


@given(PATHS)
def test_a_loop_pays_nothing(statuses):
    loop = path([*statuses, statuses[0]])
    assert discounted("fraction", loop, 1.0) == pytest.approx(0)
    assert discounted("shaping", loop, 1.0) == pytest.approx(0)


@given(PATHS, GAMMAS)
def test_no_loop_has_a_positive_sum(statuses, gamma):
    loop = path([*statuses, statuses[0]])
    for spec in ("fraction", "shaping", f"rubric(gamma={gamma})", f"shaping(gamma={gamma})"):
        assert discounted(spec, loop, 1.0) <= 1e-9
        assert discounted(spec, loop, gamma) <= 1e-9 or "gamma" not in spec


@given(PATHS, GAMMAS)
def test_the_rubric_term_telescopes(statuses, gamma):
    steps = path(statuses)
    first, last = steps[0].before, steps[-1].after
    wanted = gamma ** len(steps) * satisfied_fraction(last) - satisfied_fraction(first)
    assert discounted(f"rubric(gamma={gamma})", steps, gamma) == pytest.approx(wanted)
    assert discounted(f"shaping(gamma={gamma})", steps, gamma) == pytest.approx(wanted)


@given(PATHS, GAMMAS, ENDINGS)
def test_an_episode_sums_to_its_closed_form(statuses, gamma, ends):
    steps = path(statuses, ends=ends)
    last = steps[-1]
    success = float(last.success is True) * gamma ** (len(steps) - 1)
    start, end = satisfied_fraction(steps[0].before), satisfied_fraction(last.after)
    kept = gamma ** len(steps) * end - start
    settled = kept if ends == "truncated" else -start
    wanted = {
        "sparse": success,
        f"success + rubric(gamma={gamma})": success + kept,
        f"success + shaping(gamma={gamma})": success + settled,
        f"rubric(gamma={gamma})": kept,
    }
    for spec, value in wanted.items():
        assert discounted(spec, steps, gamma) == pytest.approx(value), spec


@given(PATHS, ENDINGS)
def test_undiscounted_presets_sum_to_what_they_are_named_for(statuses, ends):
    nothing_met = tuple(States.PENDING for _ in statuses[0])
    steps = path([nothing_met, *statuses], ends=ends)
    fraction, success = satisfied_fraction(steps[-1].after), float(steps[-1].success is True)
    assert discounted("fraction", steps, 1.0) == pytest.approx(fraction)
    assert discounted("dense", steps, 1.0) == pytest.approx(success + fraction)
    assert discounted("sparse", steps, 1.0) == success
    if ends == "terminated":
        assert discounted("potential", steps, 1.0) == pytest.approx(success)


@settings(max_examples=60, deadline=None)
@given(tabular_tasks(), st.sampled_from([Fraction(9, 10), Fraction(1, 2), Fraction(99, 100)]))
def test_shaping_leaves_the_best_policy_as_it_is(task, gamma):
    sparse = best_actions(task, make_reward("sparse"), gamma)
    shaped = best_actions(task, make_reward(f"success + shaping(gamma={float(gamma)})"), gamma)
    assert shaped == sparse


def test_keeping_what_the_rubrics_paid_can_change_the_best_policy():
    """Why ``dense`` is not ``potential``: a sure part of the task may be worth more than a gamble on the whole."""
    task = TabularTask.gamble()
    gamma = Fraction(9, 10)
    sparse = best_actions(task, make_reward("sparse"), gamma)
    assert best_actions(task, make_reward("success + rubric(gamma=0.9)"), gamma) != sparse
    assert best_actions(task, make_reward("success + shaping(gamma=0.9)"), gamma) == sparse
