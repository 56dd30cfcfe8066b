"""Train and dev never show what is held out; every ood task does; splits share no task."""

import pytest

from vitagym.generation.dials import Dials
from vitagym.generation.families import choice, families
from vitagym.generation.geography import cities
from vitagym.generation.held_out import belongs, held_out, open_cities
from vitagym.tasks.sources import make_draft, make_task

DOMAINS = ("delivery", "instore", "ota", "cross")
SEEDS = range(12)


@pytest.mark.parametrize("domain", DOMAINS)
def test_training_has_no_held_out_family_city_or_word(domain):
    outside = held_out()
    for split in ("train", "dev"):
        for seed in SEEDS:
            draft = make_draft(domain, seed, split=split)
            assert draft.family not in outside.families[domain]
            assert draft.scene.city.key not in outside.cities
            said = " ".join(words for point in draft.scene.points for words in (t.en for t in point.saying.say))
            names = [cities()[key].name.en for key in outside.cities]
            assert not any(word in said for word in (*outside.words, *names))


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_task_out_of_distribution_has_something_held_out(domain):
    drafts = [make_draft(domain, seed, split="ood") for seed in SEEDS]
    assert all(belongs(draft.scene, "ood") and not belongs(draft.scene, "train") for draft in drafts)
    assert {draft.family for draft in drafts} & set(held_out().families[domain])
    assert {draft.family for draft in drafts} - set(held_out().families[domain])


def test_splits_share_no_task():
    tasks = [make_task("delivery", seed, split=split) for split in ("train", "dev", "ood") for seed in SEEDS]
    assert len({task.instruction for task in tasks}) == len({str(task.environment) for task in tasks}) == len(tasks)


def test_what_is_held_out_exists():
    assert held_out().cities < set(cities())
    for domain, names in held_out().families.items():
        assert set(names) < set(families(domain))
    assert set(open_cities("train")).isdisjoint(open_cities("ood"))


def test_a_held_out_family_can_be_asked_for_by_name():
    (name,) = held_out().families["delivery"]
    assert [family.name for family in choice("delivery", "train", Dials(family=name))] == [name]
