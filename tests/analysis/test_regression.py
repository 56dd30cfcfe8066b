"""Success regressed on complexity: known weights are found, errors are those of repeated draws, edges are named."""

import json
import random
from math import exp

import numpy as np
import pytest
from support.log_rows import row, rows

from vitagym.analysis.difficulty import cross_validate, fit_predictor
from vitagym.analysis.regression import FEATURES, clustered_errors, complexity_regression, fit
from vitagym.errors import CallerError


def played(seed=0, tasks=150, trials=4, spread=0.0):
    """Episodes whose success hangs on reasoning points (−0.5 each) and on nothing else of the task, for two agents."""
    draw = random.Random(seed)
    listed = []
    for number in range(tasks):
        complexity = {
            "reason": draw.randint(2, 12), "search_space": draw.randint(20, 200), "entropy": draw.random(), "eta": 0.1,
            "density": 0.2, "tools": 20, "needed_tools": draw.randint(3, 9), "constraints": draw.randint(5, 20),
            "hidden": draw.randint(0, 3), "changes": draw.randint(0, 1), "difficulty": draw.random(),
        }  # fmt: skip
        own = draw.gauss(0, spread)
        for agent, base in (("a", 3.0), ("b", 4.0)):
            for trial in range(trials):
                chance = 1 / (1 + exp(-(base - 0.5 * complexity["reason"] + own)))
                success = draw.random() < chance
                persona = draw.choice(("cold", "cooperative"))
                listed.append(
                    row(f"t{number}", success, agent=agent, trial=trial, complexity=complexity, persona=persona)
                )
    return listed


def test_known_weights_are_found():
    found = complexity_regression(played())
    assert (found.episodes, found.tasks) == (1200, 150)
    reason = found.coefficients["reasoning points"]
    spread = np.std([r["complexity"]["reason"] for r in played()])
    assert reason.value / spread == pytest.approx(-0.5, abs=0.1)
    assert reason.z < -8
    assert all(abs(c.z) < 3.5 for name, c in found.coefficients.items() if name != "reasoning points")
    assert found.agents["b"] - found.agents["a"] == pytest.approx(1, abs=0.4)
    assert 0.1 < found.explained < 0.6
    json.dumps(found.data())


def test_what_does_not_vary_or_follows_from_others_is_dropped_and_named():
    assert complexity_regression(played()).dropped == ("eta", "density of tools", "tools on offer")
    listed = played(tasks=30)
    for one in listed:
        one["complexity"] = {**one["complexity"], "constraints": 2 * one["complexity"]["needed_tools"] + 1}
    assert "constraints" in complexity_regression(listed).dropped


def test_errors_are_those_of_repeated_draws_and_wider_than_if_episodes_were_independent():
    """Tasks with something of their own: the spread of the estimate over 60 worlds is what the errors say."""
    estimates, errors = [], []
    for seed in range(60):
        found = complexity_regression(played(seed, tasks=60, trials=2, spread=1.5))
        estimates.append(found.coefficients["reasoning points"].value)
        errors.append(found.coefficients["reasoning points"].standard_error)
    assert np.mean(errors) == pytest.approx(np.std(estimates), rel=0.35)


def test_weights_are_where_the_likelihood_is_highest():
    draw = np.random.default_rng(1)
    matrix = np.hstack([draw.normal(size=(200, 2)), np.ones((200, 1))])
    outcomes = (draw.random(200) < 1 / (1 + np.exp(-matrix @ [1.0, -0.5, 0.2]))).astype(float)
    weights = fit(matrix, outcomes)
    assert np.allclose(matrix.T @ (outcomes - 1 / (1 + np.exp(-matrix @ weights))), 0, atol=1e-6)
    independent = clustered_errors(matrix, outcomes, weights, [str(i) for i in range(200)])
    twice = clustered_errors(
        np.vstack([matrix] * 2), np.hstack([outcomes] * 2), weights, [str(i) for i in range(200)] * 2
    )
    assert np.allclose(independent, twice, rtol=0.02)  # Playing everything twice tells nothing new.


def test_agents_that_never_vary_are_left_out_and_parted_outcomes_have_no_estimate():
    listed = [*played(tasks=40), *[{**r, "agent": "reference", "is_success": True} for r in played(tasks=5)]]
    assert complexity_regression(listed).left_out == ("reference",)
    parted = [{**r, "is_success": r["complexity"]["reason"] < 7, "agent": "a"} for r in played(tasks=40)]
    found = complexity_regression(parted)
    assert found.is_separated
    assert found.coefficients == {}


def test_nothing_to_regress():
    for listed in ([], rows({"t1": [True, False]}), [row(success=None)]):
        found = complexity_regression(listed)
        assert (found.episodes, found.coefficients) == (0, {})
    with pytest.raises(CallerError, match="nothing to fit"):
        fit_predictor(rows({"t1": [True, False]}))
    with pytest.raises(CallerError, match="folds=10"):
        cross_validate(played(tasks=5))


def test_a_fitted_predictor_orders_tasks_that_it_has_not_seen():
    listed = played(tasks=120)
    test = cross_validate(listed)
    assert (test.tasks, test.folds, test.episodes) == (120, 10, 960)
    assert test.tau_b > 0.5
    assert test.auc > 0.75
    assert abs(test.tau_b_by_hand) < 0.25  # In these rows the one set by hand is drawn at random.
    assert test.log_loss < test.log_loss_of_means
    assert test == cross_validate(listed)
    predictor = fit_predictor(listed)
    easy, hard = ({**listed[0], "complexity": {**listed[0]["complexity"], "reason": r}} for r in (2, 12))
    assert predictor.difficulty(easy) < 0.5 < predictor.difficulty(hard)
    json.dumps([test.data(), predictor.data()])


def test_no_skill_where_there_is_nothing_to_predict():
    draw = random.Random(3)
    listed = [{**r, "is_success": draw.random() < 0.5} for r in played(tasks=120)]
    test = cross_validate(listed)
    assert abs(test.tau_b) < 0.2
    assert abs(test.auc - 0.5) < 0.08


def test_every_feature_can_be_had_of_a_fixed_task():
    from vitagym.tasks.sources import load_task

    task = load_task("cross", "cross-test-001")
    one = row(complexity=task.complexity.model_dump(mode="json"), persona=task.persona.value)
    assert all(isinstance(feature(one), float) for feature in FEATURES.values())
