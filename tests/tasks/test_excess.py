"""Doing more than is wanted fails, though all that is wanted is done."""

import pytest

from vitagym.generation.excess import everything_on_offer, everything_twice
from vitagym.generation.playback import play
from vitagym.rewards.checks import NoOther
from vitagym.tasks.sources import make_task

CASES = [("delivery", "office_lunch"), ("instore", "after_work"), ("ota", "hotel_stay"), ("cross", "early_train")]


@pytest.mark.parametrize(("domain", "family"), CASES)
@pytest.mark.parametrize("excess", [everything_on_offer, everything_twice])
def test_excess_fails_where_the_solution_alone_succeeds(domain, family, excess):
    task = make_task(domain, 4, family=family)
    steps = excess(task)
    assert len(steps) > len(task.solution)
    assert play(task, task.solution).success is True
    done = play(task, steps)
    assert done.success is False
    assert all("not_enough_left" in refusal for refusal in done.refusals)
    assert len(done.records) > len(play(task, task.solution).records)


def test_it_orders_all_that_is_sold_there_that_day():
    task = make_task("delivery", 4, family="office_lunch")
    sold = {product.id for store in task.catalogue.of_kind("store").values() for product in store.products}
    ordered = {line.product_id for order in play(task, everything_on_offer(task)).records for line in order.lines}
    assert ordered == sold


@pytest.mark.parametrize(("domain", "family"), CASES)
def test_what_forbids_it_is_a_rubric_of_its_own(domain, family):
    task = make_task(domain, 4, family=family)
    unmet = play(task, everything_twice(task)).unmet
    assert any(isinstance(rubric.check, NoOther) and rubric.id in unmet for rubric in task.rubrics)
