"""vitagym prove: counts by kind, faults by task, exit codes."""

import json

import pytest
from support.command import run
from typer.testing import CliRunner

from vitagym.agents import proving
from vitagym.agents.proving import KINDS, Finding, Subject, counted, prove_all, prove_one
from vitagym.cli import task_commands
from vitagym.cli.app import app
from vitagym.generation.pools import CannotBuild


@pytest.mark.parametrize("domain", ["delivery", "instore", "ota", "cross"])
def test_made_and_fixed_tasks_are_proved_with_another_persona_as_well(domain):
    subjects = [Subject(domain, "train", 11), Subject(domain, "ood", 3), Subject(domain, "test", 37)]
    findings = prove_all(subjects, ("impatient",))
    assert [finding.faults for finding in findings] == [(), (), ()]
    assert counted(findings) == dict.fromkeys(KINDS, 0)


def test_what_cannot_be_made_is_a_finding(monkeypatch):
    def refuse(*_, **__):
        raise CannotBuild("nothing")

    monkeypatch.setattr(proving, "make_draft", refuse)
    finding = prove_one(Subject("delivery", "train", 1))
    assert finding.faults == (("built", "nothing"),)
    assert counted([finding])["built"] == 1


def test_a_task_that_fails_is_named_and_ends_with_code_1(monkeypatch):
    broken = Finding("delivery-train-000000", "office_lunch", (("bites", "nothing bites"),))
    monkeypatch.setattr(task_commands, "proved", lambda *_, **__: iter([broken]))
    done = CliRunner().invoke(app, ["prove", "delivery", "--tasks", "1", "--every", "0"])
    assert done.exit_code == 1
    assert "(c) bites           0 of 1 hold" in done.output
    assert "delivery-train-000000 (office_lunch) bites: nothing bites" in done.output


def test_a_proof_in_parts_proves_the_tasks_of_the_whole():
    whole = prove_all([Subject("delivery", "train", seed) for seed in range(4)])
    parts = [prove_all([Subject("delivery", "train", seed) for seed in part]) for part in ((0, 1), (2, 3))]
    assert [finding.task_id for finding in whole] == [finding.task_id for part in parts for finding in part]


def test_the_command_prints_counts():
    done = run("prove", "delivery", "--tasks", 2, "--every", 50, "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["fixed"], found["made"], found["faults"]) == (0, 2, 2, [])
    assert found["failing"] == dict.fromkeys(KINDS, 0)
    assert [line.split()[-4:] for line in done.stderr.splitlines() if line.startswith("(a)")] == [
        ["4", "of", "4", "hold"]
    ]
    assert done.stderr.count(" of 4 tasks") == 4
    assert run("prove", "delivery", "--split", "trian").returncode == 2
