"""Rows summed up: means over tasks, what they rest on, and what is in none of them."""

import json
import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.log_rows import cut_off, row, rows

from vitagym.analysis.intervals import Method, drawn_weights, mean_over_tasks, percentiles, wilson
from vitagym.analysis.metrics import METRICS
from vitagym.analysis.summary import summarise, summarise_conditions
from vitagym.errors import UnknownName

RESULTS = st.dictionaries(
    st.sampled_from([f"t{i}" for i in range(8)]),
    st.lists(st.booleans() | st.none(), min_size=1, max_size=5),
    min_size=1,
)


@given(RESULTS)
def test_figures_of_success_are_those_of_plain_enumeration(results):
    summed = summarise(rows(results), resamples=40)
    scored = {task: [r for r in found if r is not None] for task, found in results.items()}
    scored = {task: found for task, found in scored.items() if found}
    assert summed.scored == sum(map(len, scored.values()))
    assert summed.unscored == sum(r is None for found in results.values() for r in found)
    assert summed.tasks == len(results)
    assert len(summed.pass_at) == max(map(len, scored.values()), default=0)
    for k, (at, hat) in enumerate(zip(summed.pass_at, summed.pass_hat, strict=True), 1):
        enough = [list(combinations(found, k)) for found in scored.values() if len(found) >= k]
        assert at.tasks == hat.tasks == len(enough)
        assert at.value == pytest.approx(sum(sum(map(any, s)) / len(s) for s in enough) / len(enough))
        assert hat.value == pytest.approx(sum(sum(map(all, s)) / len(s) for s in enough) / len(enough))
    mean = summed.metrics["success"]
    assert mean.tasks == len(scored)
    if scored:
        assert mean.value == pytest.approx(sum(sum(f) / len(f) for f in scored.values()) / len(scored))
        assert mean.value == pytest.approx(summed.pass_at[0].value)


@given(RESULTS, st.integers(0, 5))
def test_what_an_endpoint_cut_off_changes_no_figure_and_is_counted(results, more):
    plain = rows(results)
    cut = [cut_off(task, trial=90 + i) for i in range(more) for task in results]
    one, other = summarise(plain, resamples=40), summarise([*plain, *cut], resamples=40)
    assert other.endpoint == len(cut)
    assert other.episodes == one.episodes + len(cut)
    assert other.metrics == one.metrics
    assert (other.pass_at, other.pass_hat, other.trials) == (one.pass_at, one.pass_hat, one.trials)


@given(RESULTS, st.randoms())
def test_the_order_of_rows_changes_nothing(results, shuffle):
    """Not even the last digit of a sum: a run that was killed and went on has its episodes in another order."""
    listed = rows(results)
    for made in listed:
        cost = shuffle.random()
        made |= {"reward": shuffle.random(), "seconds": shuffle.random()}
        made["usage"] = {**made["usage"], "roles": {"agent": {"cost": cost, "prompt_tokens": 3}}}
    mixed = list(listed)
    shuffle.shuffle(mixed)
    assert summarise(mixed, resamples=40) == summarise(listed, resamples=40)


def test_the_same_seed_gives_the_same_intervals_and_another_seed_others():
    listed = rows({f"t{i}": [i % 3 == 0, i % 2 == 0] for i in range(20)})
    assert summarise(listed, seed=3) == summarise(listed, seed=3)
    assert (
        summarise(listed, seed=3).metrics["success"].interval != summarise(listed, seed=4).metrics["success"].interval
    )


def test_nothing_at_all():
    summed = summarise([])
    assert (summed.episodes, summed.tasks, summed.pass_at) == (0, 0, ())
    assert all(figure.value is None and figure.tasks == 0 for figure in summed.metrics.values())
    json.dumps(summed.data())


def test_nothing_scored_is_no_failure():
    summed = summarise([row(success=None), cut_off("t2")])
    assert summed.metrics["success"].value is None
    assert summed.metrics["rubric_score"].value is None
    assert summed.metrics["turns"].value == 3
    assert (summed.scored, summed.unscored, summed.endpoint) == (0, 1, 1)
    assert summed.trials == {0: 2}


def test_one_task_has_no_interval_and_all_alike_have_wilsons():
    assert summarise(rows({"t1": [True, False]})).metrics["success"].interval is None
    alike = summarise(rows({f"t{i}": [True] * 4 for i in range(10)}))
    for figure in (alike.metrics["success"], alike.pass_at[3], alike.pass_hat[3]):
        assert figure.method is Method.WILSON
        assert figure.interval == wilson(10, 10)
    assert alike.metrics["turns"].interval == (3, 3)


def test_tasks_count_the_same_however_often_they_were_played():
    summed = summarise(rows({"t1": [True] * 9, "t2": [False]}))
    assert summed.metrics["success"].value == 0.5
    assert not summed.is_even
    assert summed.pass_at[1].tasks == 1


def test_a_clustered_interval_covers_the_truth_and_is_wider_than_one_of_independent_episodes():
    """100 logs of 40 tasks with 4 trials each, whose tasks differ: about 95 of the intervals hold the mean of 0.5."""
    draw = random.Random(5)
    covered = 0
    widths = []
    for _ in range(100):
        values = []
        for _ in range(40):
            p = draw.choice((0.1, 0.9))
            values.append(sum(draw.random() < p for _ in range(4)) / 4)
        figure = mean_over_tasks(values, 160, share=True, resamples=400)
        covered += figure.low <= 0.5 <= figure.high
        widths.append(figure.high - figure.low)
    assert covered >= 89
    low, high = wilson(80, 160)
    assert sum(widths) / len(widths) > 1.4 * (high - low)


def test_each_resample_draws_as_many_tasks_as_there_are():
    weights = drawn_weights(17, 0, 200)
    assert weights.shape == (200, 17)
    assert set(weights.sum(axis=1)) == {17}
    assert percentiles(list(range(1000))) == (25, 974)


def test_conditions_are_told_apart_by_what_differs_and_lines_come_last():
    listed = [
        row(agent="noop", success=False),
        row(agent="b"),
        row(agent="b", settings={"tools": "all"}),
        row(agent="reference"),
    ]
    assert list(summarise_conditions(listed)) == ["b", "b (tools=all)", "reference", "noop"]
    seeds = [row(agent="b", agent_options={"seed": 1}), row(agent="b", agent_options={"seed": 2})]
    assert list(summarise_conditions(seeds)) == ["b"]
    prices = [row(agent="b", settings={"prices": {"m": [price, 1.0]}}) for price in (1.0, 2.0)]
    assert list(summarise_conditions([*prices, row(agent="b")])) == ["b"]
    models = [row(agent=f"llm:{m}", agent_options={"model": m}) for m in "xy"]
    assert list(summarise_conditions([*models, row(agent="noop")])) == ["llm:x", "llm:y", "noop"]
    assert list(summarise_conditions([row(agent="b", user="x"), row(agent="b", user="y")])) == [
        "b (user=x)",
        "b (user=y)",
    ]


def test_groups():
    listed = [
        row("t1", domain="cross"),
        row("t2", domain="delivery", complexity={"difficulty": 0.7}),
        row("t3", domain=""),
    ]
    groups = summarise_conditions(listed, ("domain", "band"))["a"]
    assert list(groups["domain"]) == ["delivery", "cross", "unknown"]
    assert list(groups["band"]) == ["0.6 to 0.8", "unknown"]
    with pytest.raises(UnknownName, match="domain"):
        summarise_conditions(listed, ("domains",))


def test_cost_counts_where_prices_are_known_and_all_spending_is_summed():
    roles = {"agent": {"requests": 2, "prompt_tokens": 10, "completion_tokens": 5, "cost": 0.5}, "user": {"cost": 0.25}}
    usage = {"tool_calls": 0, "refused_calls": 0, "roles": roles, "priced": True}
    summed = summarise([row(usage=usage), row(usage=usage | {"priced": False}), cut_off(usage=usage)])
    assert summed.metrics["cost"].value == 0.75
    assert summed.metrics["cost"].episodes == 1
    assert summed.metrics["tokens"].value == 15
    assert summed.spent == 2.25


def test_a_question_again_is_one_that_brings_out_nothing_new():
    def episode(points):
        said = iter(points)
        words = ["When should it be delivered?", "What time should it be delivered?"]
        messages = [{"role": "system", "content": "-"}]
        acts = []
        for question in words:
            messages += [{"role": "assistant", "content": question}, {"role": "user", "content": "At six."}]
            acts.append({"turn": len(messages) - 2, "kind": "inform", "point": next(said), "slot": "time"})
        return METRICS["repeated_questions"].value(row(messages=messages, acts=acts))

    assert episode(["time", "time"]) == 1
    assert episode(["time", "time_of_second"]) == 0
    assert METRICS["repeated_questions"].value(row(acts=[])) is None


def test_every_metric_says_what_it_is():
    for metric in METRICS.values():
        assert metric.definition.endswith(".")
        assert metric.unit
