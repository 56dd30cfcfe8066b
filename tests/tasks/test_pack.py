"""The benchmark pack: the paper's sums, ten tasks a persona, nothing twice, quick to list and load."""

import gzip
import statistics as st
import time

import numpy as np
import pytest
from rapidfuzz import fuzz, process

from vitagym.errors import UnknownName
from vitagym.language import Language
from vitagym.tasks.building import ALIKE
from vitagym.tasks.digests import pack_folder, packed_texts, text_digest
from vitagym.tasks.pack import entries, file_name, line_of, packed, read_task, unpacked
from vitagym.tasks.recipes import draft_of_recipe
from vitagym.tasks.sources import load_tasks, make_task
from vitagym.tasks.stats import published, statistics

DOMAINS = ("delivery", "instore", "ota", "cross")


@pytest.fixture(scope="module", params=DOMAINS)
def domain(request):
    return request.param


@pytest.fixture(scope="module")
def tasks(domain):
    return load_tasks(domain)


def test_the_sums_are_the_papers(domain, tasks):
    counted, paper = statistics(tasks), published(domain)
    assert counted.tasks == paper.tasks == 100
    assert counted.size == paper.size


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_mean_of_reasoning_points_is_near_the_papers(domain):
    assert statistics(load_tasks(domain)).reasoning == pytest.approx(published(domain).reasoning, abs=0.1)


def test_every_persona_has_ten_tasks_and_every_family_some(tasks):
    counted = statistics(tasks)
    assert set(counted.personas.values()) == {10}
    assert len(counted.personas) == 10
    assert min(counted.families.values()) >= 1


def test_dates_are_spread_over_years_weekdays_and_hours(tasks):
    counted = statistics(tasks)
    assert len(counted.years) >= 3
    assert len(counted.weekdays) == 7
    assert len(counted.hours) >= 8
    assert max(counted.weekdays.values()) <= 35


def test_cross_tasks_need_two_or_three_domains():
    assert {len(task.domains) for task in load_tasks("cross")} <= {2, 3}


@pytest.mark.parametrize("language", list(Language))
def test_no_two_tasks_read_alike_or_share_a_solution(domain, language):
    tasks = load_tasks(domain, "test", language.value)
    texts = [task.instruction for task in tasks]
    likeness = process.cdist(texts, texts, scorer=fuzz.ratio)
    np.fill_diagonal(likeness, 0)
    assert likeness.max() < ALIKE
    assert len({str(task.solution) for task in tasks}) == len(tasks)
    assert len({str(task.environment) for task in tasks}) == len(tasks)


def test_made_tasks_are_none_of_the_pack(domain):
    made = [make_task(domain, seed, split=split) for split in ("train", "dev", "ood") for seed in range(8)]
    texts = {text_digest(task.instruction) for task in made}
    assert len(texts) == len(made)
    assert not texts & packed_texts()


@pytest.mark.parametrize("number", [1, 50, 100])
def test_a_task_is_what_its_recipe_makes(domain, number):
    task_id = f"{domain}-test-{number:03d}"
    draft = draft_of_recipe(domain, task_id, entries(domain)[task_id].recipe)
    for language in Language:
        assert read_task(domain, task_id, language) == draft.task(language), "build the pack anew: vitagym build-pack"


def test_files_are_plain_gzip_with_a_line_a_task(domain):
    for language in Language:
        data = pack_folder().joinpath(file_name(domain, language)).read_bytes()
        assert len(gzip.decompress(data).splitlines()) == 100


def test_the_same_task_gives_the_same_bytes_and_comes_back(tasks):
    task = tasks[3]
    assert packed(task) == packed(task.model_copy())
    assert unpacked(packed(task)) == task
    assert line_of(task).count(b"\n") == 1


def test_the_pack_is_small():
    assert sum(len(file.read_bytes()) for file in pack_folder().iterdir()) < 15_000_000


def test_listing_and_loading_are_quick(domain):
    started = time.perf_counter()
    listed = list(entries(domain))
    assert time.perf_counter() - started < 0.5
    taken = []
    for task_id in listed[:15]:
        started = time.perf_counter()
        read_task(domain, task_id, Language.EN)
        taken.append(time.perf_counter() - started)
    # Five milliseconds on a quiet machine (see benchmarks); here only what no noise explains.
    assert st.median(taken) < 0.05


def test_what_is_not_there_is_refused_with_the_nearest():
    with pytest.raises(UnknownName, match="delivery-test-001"):
        read_task("delivery", "delivery-test-0001", Language.EN)
    with pytest.raises(UnknownName, match="delivery"):
        entries("delivry")
