"""Families that need several domains: what they chain together, and that their branches come up."""

import pytest

from vitagym.domains import toolset
from vitagym.envs.cross.scenarios import FAMILIES
from vitagym.envs.cross.scenarios.goods import drawn, goods
from vitagym.generation.terms import words
from vitagym.language import Language
from vitagym.randomness import Stream
from vitagym.rewards.checks import DeliveredTo, SpentAtMost, ToldNone
from vitagym.tasks.sources import make_draft, make_task
from vitagym.tasks.task import Release

_WRITES = ("create_", "cancel_", "instore_book", "instore_reservation", "instore_modify")
NAMES = [family.name for family in FAMILIES]
DELIVERED = ("before_the_ship", "business_trip", "anniversary", "child_birthday")


def calls(task):
    return [step for step in task.solution if step.kind == "call"]


def test_there_are_families_enough():
    assert len(NAMES) >= 16
    assert all(2 <= len(family.domains) <= 3 for family in FAMILIES)


@pytest.mark.parametrize("family", FAMILIES, ids=NAMES)
def test_the_solution_writes_in_each_of_its_domains(family):
    task = make_task("cross", 1, family=family.name)
    own = {
        name: {tool.name for tool in toolset((name,))} - {tool.name for tool in _common()} for name in family.domains
    }
    used = {step.tool for step in calls(task)}
    assert task.domains == family.domains
    for name, tools in own.items():
        assert any(tool.startswith(_WRITES) for tool in used & tools), name


@pytest.mark.parametrize("name", NAMES)
def test_a_task_has_several_goals_and_rubrics_enough(name):
    for seed in range(4):
        task = make_task("cross", seed, family=name)
        goals = {rubric.goal for rubric in task.rubrics if rubric.goal}
        assert 2 <= len(goals) <= 5
        assert 12 <= len(task.rubrics) <= 32
        assert task.complexity.reason >= 6
        assert any(point.release is Release.EVENT for point in task.points)


@pytest.mark.parametrize("name", DELIVERED)
def test_the_delivery_goes_where_another_goal_is(name):
    for seed in range(4):
        draft = make_draft("cross", seed, family=name)
        task = draft.task(Language.EN)
        to = next(rubric.check for rubric in task.rubrics if isinstance(rubric.check, DeliveredTo))
        elsewhere = [goal.pool.chosen.provider for goal in draft.scene.goals if goal.pool and goal.pool.valid]
        places = [provider.spot for provider in elsewhere if provider.kind in ("shop", "hotel")]
        assert any((spot.longitude, spot.latitude) == (to.longitude, to.latitude) for spot in places)


@pytest.mark.parametrize("name", DELIVERED[:2])
def test_a_diet_comes_only_when_asked_and_stands_in_no_instruction(name):
    task = make_task("cross", 2, family=name)
    diet = next(point for point in task.points if point.id == "diet")
    assert diet.release is Release.ASKED
    assert all(words not in task.instruction for words in diet.wordings)


def test_the_aunt_arrives_before_lunch_and_lunch_is_before_the_ship():
    for seed in range(6):
        task = make_task("cross", seed, family="before_the_ship")
        trains = {train["train_id"]: train for train in task.environment["trains"].values()}
        bought = next(step for step in calls(task) if step.tool == "create_train_order")
        table = next(step for step in calls(task) if step.tool == "instore_book")
        arrival = trains[bought.arguments["train_id"]]["arrival_time"]
        assert arrival <= "11:00" < table.arguments["time"][11:16] < "14:00"
        assert table.arguments["time"][:10] == bought.arguments["date"]


def test_the_weather_decides_which_seats_the_restaurant_needs():
    seen = {}
    for seed in range(14):
        task = make_task("cross", seed, family="anniversary")
        out = next(s.arguments["time"][:10] for s in calls(task) if s.tool == "instore_book")
        sky = next(row["category"] for row in task.environment["weather"] if row["datetime"] == out)
        wants = next(r.id for r in task.rubrics if r.requirement == "guests")
        seen.setdefault(wants, set()).add(sky)
    assert set(seen) == {"table.has_terrace", "table.has_window_table"}
    assert not seen["table.has_terrace"] & seen["table.has_window_table"]


def test_one_budget_holds_over_three_orders_and_dearer_choices_break_it():
    draft = make_draft("cross", 3, family="weekend_on_a_budget")
    limit = next(r.check for r in draft.rubrics if isinstance(r.check, SpentAtMost))
    pools = {goal.key: goal.pool for goal in draft.scene.goals if goal.key in ("train", "hotel", "dinner")}
    costs = {key: [o.product.price * (2 if key == "train" else 1) for o in pool.valid] for key, pool in pools.items()}
    least = sum(min(prices) for prices in costs.values())
    assert least <= limit.yuan
    for key in ("hotel", "dinner"):
        dearer = sorted(costs[key])[1]
        assert least - min(costs[key]) + dearer > limit.yuan


def test_a_light_show_is_bought_where_there_is_one_and_told_missing_where_not():
    seen = set()
    for seed in range(14):
        task = make_task("cross", seed, family="weekend_on_a_budget")
        told = any(isinstance(rubric.check, ToldNone) for rubric in task.rubrics)
        assert told != any(step.tool == "create_attraction_order" for step in calls(task))
        lit = any("Light show" in sight["description"] for sight in task.environment["attractions"].values())
        assert lit != told
        seen.add(told)
    assert seen == {True, False}


@pytest.mark.parametrize("key", sorted(words("goods")["goods"]))
def test_goods_have_names_units_and_prices(key):
    product = drawn(Stream(3, key), key)
    assert product.has(key)
    assert product.price > 5
    assert goods(key).unit.zh


def _common():
    both = [{tool.name: tool for tool in toolset((name,))} for name in ("delivery", "instore", "ota")]
    return [tool for name, tool in both[0].items() if name in both[1] and name in both[2]]
