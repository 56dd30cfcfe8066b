"""The command line for looking things up, for people and as JSON, with exit codes that mean something."""

import json
import subprocess
import sys

import pytest


@pytest.fixture
def vitagym():
    """Return a function that runs the command in a process of its own, without a terminal."""

    def run(*arguments):
        command = [sys.executable, "-c", "from vitagym.cli import main; main()", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, timeout=120)

    return run


def test_list_shows_every_split_and_json_every_id(vitagym):
    shown = vitagym("list")
    assert shown.returncode == 0
    assert "VitaBench-Cross-Train-v0" in shown.stdout
    listed = vitagym("list", "--json")
    ids = {row["id"]: row for row in json.loads(listed.stdout)["ids"]}
    assert ids["VitaBench-Cross-001-v0"] == {
        "id": "VitaBench-Cross-001-v0",
        "domain": "cross",
        "tasks": ["cross-test-001"],
    }


def test_lint_fails_where_there_are_faults_and_names_them(vitagym, official):
    shown = vitagym("lint", official / "tasks_instore_en.json.gz")
    assert shown.returncode == 1
    assert "D1 10826045 environment.shops.S17564426945023950_I00006.shop_id" in shown.stdout
    found = vitagym("lint", official / "tasks_instore_en.json.gz", "--json")
    assert found.returncode == 1
    document = json.loads(found.stdout)
    assert sum(document["counts"].values()) == len(document["faults"])
    assert document["not_repaired"] == 0


def test_a_missing_file_is_a_wrong_call(vitagym, tmp_path):
    shown = vitagym("lint", tmp_path / "nowhere.json")
    assert shown.returncode == 2
    assert shown.stdout == ""
    assert "nowhere.json" in shown.stderr
    as_json = vitagym("lint", tmp_path / "nowhere.json", "--json")
    assert as_json.returncode == 2
    assert "nowhere.json" in json.loads(as_json.stdout)["error"]


def test_an_unknown_option_is_a_wrong_call(vitagym):
    assert vitagym("list", "--jsn").returncode == 2
    assert vitagym("rollout", "VitaBench-Kross-v0").returncode == 2
