"""Tasks of ours in the public JSON form: read back as they are, and without a fault that the linter knows."""

import json

import pytest
from support.command import run

from vitagym.language import Language
from vitagym.tasks.lint import lint
from vitagym.tasks.public import load_public
from vitagym.tasks.public_form import public_form
from vitagym.tasks.sources import load_task, make_task

DOMAINS = ("delivery", "instore", "ota", "cross")


@pytest.fixture(scope="module")
def tasks():
    made = [
        make_task(domain, seed, language, split="dev") for domain in DOMAINS for seed in (1, 2) for language in Language
    ]
    return [*made, *(load_task(domain, f"{domain}-test-021") for domain in DOMAINS)]


@pytest.fixture(scope="module")
def file(tasks, tmp_path_factory):
    path = tmp_path_factory.mktemp("public") / "tasks.json"
    path.write_text(json.dumps([public_form(task) for task in tasks], ensure_ascii=False), encoding="utf-8")
    return path


def test_the_linter_finds_nothing(file):
    assert lint(file) == []
    done = run("lint", str(file), "--json")
    assert done.returncode == 0


def test_they_come_back_with_the_same_world_instruction_and_rubrics(file, tasks):
    for task, read in zip(tasks, load_public(file), strict=True):
        assert (read.id, read.instruction, read.language) == (task.id, task.instruction, task.language)
        assert read.catalogue.providers == task.catalogue.providers
        assert [r.sentence(read.language) for r in read.rubrics] == [r.sentence(task.language) for r in task.rubrics]
        assert read.expected[0].required


def test_a_fault_that_is_put_in_is_found(tasks, tmp_path):
    entry = public_form(tasks[0])
    entry["evaluation_criteria"]["expected_states"][0]["required_orders"][0]["user_id"] = "U0"
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(entry), encoding="utf-8")
    assert [fault.code for fault in lint(path)] == ["D4"]
