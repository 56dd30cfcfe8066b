"""vitagym prove: counts by kind, faults by task, exit codes."""

import json

import pytest
from support.command import run

from vitagym.agents import proving
from vitagym.agents.proving import KINDS, Subject, counted, prove_all, prove_one
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


def test_the_command_prints_counts():
    done = run("prove", "delivery", "--tasks", 2, "--every", 50, "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["fixed"], found["made"], found["faults"]) == (0, 2, 2, [])
    assert found["failing"] == dict.fromkeys(KINDS, 0)
    assert run("prove", "delivery", "--split", "trian").returncode == 2
