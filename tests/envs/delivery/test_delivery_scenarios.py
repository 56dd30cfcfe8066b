"""Delivery stories: what the person leaves to be worked out is worked out right."""

import pytest

from vitagym.generation.families import families
from vitagym.language import Language
from vitagym.rewards.checks import TotalAtMost
from vitagym.tasks.sources import make_draft

SEEDS = range(8)


def goal(draft, key, part=""):
    return next(g for g in draft.scene.goals if (g.key, g.part) == (key, part))


def test_there_are_ten_families_at_least():
    assert len(families("delivery")) >= 10


@pytest.mark.parametrize("seed", SEEDS)
def test_a_budget_a_head_is_checked_as_the_sum_for_all(seed):
    draft = make_draft("delivery", seed, family="team_lunch")
    (limit,) = [r for r in goal(draft, "lunch").requirements if r.name == "per_head"]
    checks = [r.check for r in draft.rubrics if isinstance(r.check, TotalAtMost)]
    assert [check.yuan for check in checks] == [limit.head * limit.people]
    assert f"{limit.head:g} yuan" in draft.task(Language.EN).instruction


@pytest.mark.parametrize("seed", SEEDS)
def test_the_juice_for_the_child_is_from_the_one_best_store_that_fits(seed):
    draft = make_draft("delivery", seed, family="child_supper")
    pool = goal(draft, "juice").pool
    others = [r for r in pool.requirements if r.name != "best_rated"]
    fitting = [offer for offer in pool.offers if all(r.met_by(offer) for r in others)]
    best = max(fitting, key=lambda offer: offer.provider.score).provider
    assert {id(offer.provider) for offer in fitting if offer.provider.score == best.score} == {id(best)}
    assert pool.chosen.provider is best


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_cancelled_is_told_by_the_orders_and_not_by_the_person(seed):
    draft = make_draft("delivery", seed, family="child_supper")
    task, chosen = draft.task(Language.EN), goal(draft, "supper").pool.chosen
    statuses = {row["store_id"]: row["status"] for row in task.environment["orders"].values()}
    assert statuses[chosen.provider.id] == "cancelled"
    assert chosen.provider.name.en not in task.instruction
    assert chosen.product.name.en not in task.instruction


def test_cakes_and_flowers_are_given_for_birthdays():
    drafts = [make_draft("delivery", seed, family="birthday_gift") for seed in range(12)]
    asked = {requirement.name for draft in drafts for goal in draft.scene.goals for requirement in goal.requirements}
    assert {"course", "portion", "flower"} <= asked
