"""The command line for looking things up, for people and as JSON, with exit codes that mean something."""

import json

from support.command import run


def test_list_shows_every_split_and_json_every_id():
    shown = run("list")
    assert shown.returncode == 0
    assert "VitaBench-Cross-Train-v0" in shown.stdout
    listed = run("list", "--json")
    ids = {row["id"]: row for row in json.loads(listed.stdout)["ids"]}
    assert ids["VitaBench-Cross-001-v0"] == {
        "id": "VitaBench-Cross-001-v0",
        "domain": "cross",
        "tasks": ["cross-test-001"],
    }


def test_lint_fails_where_there_are_faults_and_names_them(official):
    shown = run("lint", official / "tasks_instore_en.json.gz")
    assert shown.returncode == 1
    assert "D1 10826045 environment.shops.S17564426945023950_I00006.shop_id" in shown.stdout
    found = run("lint", official / "tasks_instore_en.json.gz", "--json")
    assert found.returncode == 1
    document = json.loads(found.stdout)
    assert sum(document["counts"].values()) == len(document["faults"])
    assert document["not_repaired"] == 0


def test_a_missing_file_is_a_wrong_call(tmp_path):
    shown = run("lint", tmp_path / "nowhere.json")
    assert shown.returncode == 2
    assert shown.stdout == ""
    assert "nowhere.json" in shown.stderr
    as_json = run("lint", tmp_path / "nowhere.json", "--json")
    assert as_json.returncode == 2
    assert "nowhere.json" in json.loads(as_json.stdout)["error"]


def test_an_unknown_option_is_a_wrong_call():
    assert run("list", "--jsn").returncode == 2
    assert run("rollout", "VitaBench-Kross-v0").returncode == 2
