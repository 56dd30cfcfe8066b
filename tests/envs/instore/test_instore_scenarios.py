"""In-store stories: what the person leaves to be worked out is worked out right."""

from datetime import date, datetime, timedelta

import pytest

from vitagym.envs.instore.scenarios.hours import OpenThen
from vitagym.generation.families import families
from vitagym.generation.sketches import Offer, ProductSketch, ProviderSketch
from vitagym.generation.speech import weekday
from vitagym.generation.terms import Term
from vitagym.language import Language
from vitagym.rewards.checks import VisitBetween
from vitagym.tasks.sources import make_draft
from vitagym.world.calendar_cn import public_holiday

SEEDS = range(8)


def visits(draft):
    """Return the times of a draft's bookings and reservations, in the order of its goals."""
    checks = [rubric.check for rubric in draft.rubrics]
    return [datetime.fromisoformat(check.latest) for check in checks if isinstance(check, VisitBetween)]


def point(draft, key):
    return next(p for p in draft.task(Language.EN).points if p.id == key)


def test_there_are_ten_families_at_least():
    assert len(families("instore")) >= 10


@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_on_a_holiday_is_reserved_on_the_day_it_falls_on(seed):
    draft = make_draft("instore", seed, family="holiday_match")
    (time,) = visits(draft)
    assert public_holiday(date(time.year, time.month, time.day), Language.EN)
    assert str(time.date()) not in draft.task(Language.EN).instruction


@pytest.mark.parametrize("seed", SEEDS)
def test_the_second_visit_begins_when_the_first_and_the_break_are_over(seed):
    draft = make_draft("instore", seed, family="two_appointments")
    first, second = visits(draft)
    said = point(draft, "then").wordings[0]
    minutes = [int(word) for word in said.replace(".", " ").replace(",", " ").split() if word.isdigit()]
    assert second - first == timedelta(minutes=sum(minutes))


@pytest.mark.parametrize("seed", SEEDS)
def test_lunch_is_booked_for_the_time_after_class_and_washing(seed):
    draft = make_draft("instore", seed, family="class_moved")
    start, lunch = visits(draft)
    assert lunch - start in (timedelta(minutes=150), timedelta(minutes=180))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_voucher_is_kept_or_replaced_and_never_both(seed):
    draft = make_draft("instore", seed, family="unused_voucher")
    goals = {goal.key for goal in draft.scene.goals}
    old = next(goal for goal in draft.scene.goals if goal.key == "old")
    kept = old.requirements[0].name == "untouched"
    assert kept == ("new" not in goals)


def shut_on(draft, key):
    """Return which providers of a goal are shut on the weekday of the first visit, all day or early: id -> shut."""
    weekday = f"{visits(draft)[0]:%A}s"
    providers = next(goal.pool for goal in draft.scene.goals if goal.key == key).providers
    return {p.id: any(weekday in tag.en for tag in p.tags) for p in providers}


@pytest.mark.parametrize(("family", "goal"), [("after_work", "voucher"), ("two_appointments", "nails")])
def test_what_is_shut_on_the_weekday_of_the_visit_is_a_near_miss_and_the_chosen_shop_is_open(family, goal):
    drafts = [make_draft("instore", seed, family=family) for seed in range(40)]
    asked = [d for d in drafts if any(p.id == "weekday" for p in d.task(Language.EN).points)]
    assert asked
    for draft in asked:
        pool = next(g.pool for g in draft.scene.goals if g.key == goal)
        shut = shut_on(draft, goal)
        assert not shut[pool.chosen.provider.id]
        assert shut[pool.near["open_then"].provider.id]
    assert not any(any(shut_on(draft, goal).values()) for draft in drafts if draft not in asked)


def test_a_shop_that_shuts_early_on_a_weekday_is_open_then_in_the_afternoon_alone():
    day = datetime(2026, 3, 2)
    early = {"early_on": weekday(day), "closed_on": weekday(day + timedelta(days=1))}
    shop = ProviderSketch(kind="shop", name=Term("A", "甲"), at=(0.0, 0.0), facts=early)
    offer = Offer(shop, ProductSketch(name=Term("B", "乙"), price=1))
    assert [OpenThen(day.replace(hour=hour)).met_by(offer) for hour in (14, 19)] == [True, False]
    assert not OpenThen(day.replace(day=3, hour=14)).met_by(offer)
