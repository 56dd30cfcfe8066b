"""Raising a dial raises what it should, over many seeds, in every domain; a seed and dials fix the task."""

from statistics import mean

import pytest

from vitagym.errors import CallerError, UnknownName
from vitagym.generation.dials import LEVELS, Dials, read_dials
from vitagym.generation.families import families
from vitagym.tasks.sources import make_draft, make_task

DOMAINS = ("delivery", "instore", "ota", "cross")
SEEDS = range(10)


def measured(domain, name, **dials):
    return mean(getattr(make_draft(domain, seed, **dials).complexity(), name) for seed in SEEDS)


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize(
    ("dial", "low", "high", "raised"),
    [
        ("difficulty", "easy", "expert", "difficulty"),
        ("difficulty", 0.0, 1.0, "search_space"),
        ("distractors", 0, 6, "search_space"),
        ("constraints", 4, 30, "constraints"),
        ("hidden", 0, 3, "hidden"),
    ],
)
def test_raising_a_dial_raises_what_it_should(domain, dial, low, high, raised):
    assert measured(domain, raised, **{dial: low}) < measured(domain, raised, **{dial: high})


@pytest.mark.parametrize(
    ("domain", "dial", "raised"), [("instore", "subgoals", "goals"), ("delivery", "changes", "changes")]
)
def test_more_subgoals_and_changes_of_mind_come_where_families_have_them(domain, dial, raised):
    assert measured(domain, raised, **{dial: 0}) < measured(domain, raised, **{dial: 4})


def test_a_seed_and_dials_fix_the_task():
    assert make_task("delivery", 5, difficulty=0.8) == make_task("delivery", 5, difficulty=0.8)
    assert make_task("delivery", 5, families=["office_lunch"]).family == "office_lunch"
    assert make_task("cross", 5, domains=["ota", "delivery", "instore"]).domains


def test_levels_are_numbers_by_name():
    assert read_dials({"difficulty": "expert"}) == Dials(difficulty=1.0)
    assert list(LEVELS.values()) == sorted(LEVELS.values())


@pytest.mark.parametrize(
    ("dials", "error", "match"),
    [
        ({"dificulty": 1}, UnknownName, "difficulty"),
        ({"difficulty": "hrad"}, UnknownName, "hard"),
        ({"difficulty": 2}, CallerError, "from 0 to 1"),
        ({"difficulty": True}, CallerError, "from 0 to 1"),
        ({"subgoals": 1.5}, CallerError, "whole number"),
        ({"families": 3}, CallerError, "list of names"),
        ({"persona": "sleepy"}, UnknownName, "persona"),
    ],
)
def test_dials_that_mean_nothing_are_refused(dials, error, match):
    with pytest.raises(error, match=match):
        make_task("delivery", 1, **dials)


def test_a_family_that_is_not_there_is_refused():
    with pytest.raises(UnknownName, match=next(iter(families("delivery")))):
        make_task("delivery", 1, family=next(iter(families("delivery")))[:-1])


def test_what_is_set_stands_in_the_id_and_what_is_not_does_not():
    plain = make_task("delivery", 7)
    assert plain.id == make_task("delivery", 7, difficulty=None).id == "delivery-train-000007"
    set_ones = [
        {"difficulty": 0.5},
        {"difficulty": 0.6},
        {"hidden": 0},
        {"families": "office_lunch"},
        {"persona": "cold"},
    ]
    ids = [make_task("delivery", 7, **dials).id for dials in set_ones]
    assert len({plain.id, *ids}) == 6
    assert all(name.startswith(f"{plain.id}-") for name in ids)
    assert make_task("delivery", 7, difficulty="easy").id == make_task("delivery", 7, difficulty=LEVELS["easy"]).id
