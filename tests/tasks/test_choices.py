"""Every choice that is right leads to success; what others go by can be chosen in one way."""

from datetime import date

import pytest

from vitagym.envs.ota.scenarios.sights import open_on
from vitagym.envs.ota.scenarios.travel import FIRST_DEPARTURE, ArrivesBy
from vitagym.generation.choices import refused_choices
from vitagym.generation.families import families
from vitagym.generation.sketches import Offer, ProductSketch, ProviderSketch
from vitagym.generation.terms import Term
from vitagym.generation.ties import rivals_of, tied
from vitagym.language import Language
from vitagym.tasks.sources import draft_of_test, make_draft

DOMAINS = ("delivery", "instore", "ota", "cross")
FAMILIES = [(domain, family) for domain in DOMAINS for family in families(domain)]


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_valid_choice_succeeds_in_the_whole_pack(domain):
    for number in range(1, 101):
        draft = draft_of_test(domain, f"{domain}-test-{number:03d}")
        assert list(refused_choices(draft, draft.task(Language.EN))) == [], draft.task_id


@pytest.mark.parametrize(("domain", "family"), FAMILIES)
def test_every_valid_choice_succeeds_in_made_tasks(domain, family):
    for seed in (3, 4):
        draft = make_draft(domain, seed, families=[family])
        assert list(refused_choices(draft, draft.task(Language.EN))) == []


@pytest.mark.parametrize("domain", DOMAINS)
def test_one_provider_is_right_for_a_goal_that_others_go_by(domain):
    scenes = [make_draft(domain, seed, families=[f]).scene for d, f in FAMILIES if d == domain for seed in range(3)]
    deciding = [goal for scene in scenes for goal in scene.goals if tied(scene, goal)]
    assert deciding or domain == "delivery"
    assert all(rivals_of(goal.pool) == [] for goal in deciding)


def test_a_choice_that_leaves_open_what_others_go_by_is_found():
    draft = make_draft("ota", 1, families=["museum_day"])
    pool = next(goal.pool for goal in draft.scene.goals if tied(draft.scene, goal))
    near = next(offer for name, offer in pool.near.items() if name.startswith("has_"))
    pool.valid.append(near)
    assert any("the choice of" in fault for fault in refused_choices(draft, draft.task(Language.EN)))


@pytest.mark.parametrize(("closed", "right"), [(None, True), (0, False), (1, True)])
def test_a_sight_that_is_open_every_day_is_open_on_that_weekday(closed, right):
    monday = open_on(date(2026, 3, 2))
    assert monday.met_by(_offer({"closed": closed})) is right


def test_a_train_that_leaves_before_dawn_arrives_in_time_as_well():
    by_ten = ArrivesBy(600)
    assert by_ten.met_by(_offer({"leaves": 300, "arrives": 500}))
    assert not by_ten.met_by(_offer({"leaves": 400, "arrives": 601}))


def test_no_train_or_flight_leaves_before_the_first():
    scenes = [make_draft("ota", seed, families=["train_there_and_back"]).scene for seed in range(6)]
    leaving = [p.facts["leaves"] for scene in scenes for p in scene.providers if p.kind in ("train", "flight")]
    assert leaving
    assert min(leaving) >= FIRST_DEPARTURE


def _offer(facts):
    provider = ProviderSketch(kind="attraction", name=Term("A", "甲"), at=(0.0, 0.0), facts=facts)
    return Offer(provider, ProductSketch(name=Term("B", "乙"), price=1))
