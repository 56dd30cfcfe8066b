"""``vitagym metrics`` on runs: tables to read, one JSON document for programs."""

import json
import shutil

import orjson
import pytest
from support.command import run
from support.log_rows import cut_off, row, rows

from vitagym.cli.metrics_sections import SECTIONS
from vitagym.evaluation.log import SCHEMA


@pytest.fixture
def folder(tmp_path):
    listed = [
        *rows({f"t{i}": [True, i % 2 == 0, i % 3 == 0] for i in range(12)}, agent="b"),
        *rows({f"t{i}": [False, i % 2 == 0] for i in range(12)}, agent="c", settings={"tools": "all"}),
        *rows({f"t{i}": [False] for i in range(12)}, agent="noop"),
        cut_off("t1", agent="b", trial=9),
        row("t2", None, agent="b", trial=9),
    ]
    lines = [
        {**one, "schema": SCHEMA, "key": f"{one['agent']}{one['task_id']}{one['trial']}", "seed": 0, "split": "public"}
        for one in listed
    ]
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "episodes.jsonl").write_bytes(b"".join(orjson.dumps(one) + b"\n" for one in lines))
    return tmp_path / "run"


def test_it_prints_success_with_intervals_and_what_it_rests_on(folder):
    done = run("metrics", folder)
    assert done.returncode == 0, done.stderr
    overall = {line.split()[0]: line.split() for line in done.stdout.splitlines()[2:5]}
    assert overall["b"][1:6] == ["12", "36", "1", "1", "61.1"]
    assert overall["c"][:1] == ["c"]
    assert "b: 1 episodes cut off by an endpoint and 1 unscored are in no figure of success." in done.stdout
    assert done.stdout.index("\nb ") < done.stdout.index("\nnoop ")
    assert "74 episodes." in done.stdout


def test_every_part_can_be_had_as_tables_and_as_json(folder):
    done = run("metrics", folder, "--show", "every", "--by", "persona", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert set(SECTIONS) < set(report)
    summed = report["conditions"]["b"]
    assert set(summed) == {"all", "persona"}
    assert summed["all"]["all"]["pass_hat"][2]["tasks"] == 12
    assert summed["all"]["all"]["endpoint"] == summed["all"]["all"]["unscored"] == 1
    assert report["paper"]["note"] == "published, not measured here"
    shown = run("metrics", folder, "--show", "every")
    assert shown.returncode == 0, shown.stderr
    for part in ("How many trials", "Failures by type", "Agreement on which", "published, not measured here"):
        assert part in shown.stdout


def test_the_same_call_gives_the_same_bytes(folder):
    assert run("metrics", folder, "--json").stdout == run("metrics", folder, "--json").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("--by", "persnoa"), "persona"), (("--show", "failure"), "failures")],
)
def test_a_wrong_name_is_refused_with_the_nearest(folder, arguments, said):
    done = run("metrics", folder, *arguments)
    assert done.returncode == 2
    assert f"Did you mean '{said}'" in done.stderr


def test_a_folder_without_a_log_is_refused(tmp_path):
    assert run("metrics", tmp_path, "--json").returncode == 2


def test_the_same_episodes_named_twice_count_once(folder, tmp_path):
    once = json.loads(run("metrics", folder, "--json").stdout)
    shutil.copytree(folder, tmp_path / "copy")
    for again in (folder, folder / "episodes.jsonl", tmp_path / "copy"):
        done = run("metrics", folder, again)
        assert done.returncode == 0, done.stderr
        assert "74 episodes are there more than once and count once." in done.stderr
        assert "\n74 episodes." in done.stdout
        twice = json.loads(run("metrics", folder, again, "--json").stdout)
        assert (once.pop("repeated", 0), twice.pop("repeated")) == (0, 74)
        assert twice == once


def test_no_two_groups_are_called_alike(folder):
    shown = run("metrics", folder, "--by", "tools", "--by", "mode").stdout
    of_c = shown[shown.index("\nc") :]
    assert "\nall episodes " in of_c
    assert "\ntools all " in of_c
    assert "\nall  " not in of_c


@pytest.mark.parametrize(
    "command", [["metrics"], ["report"], ["replay", "--verify"], ["convert", "--to", "sft", "--out", "out"]]
)
def test_a_log_without_episodes_is_no_success(command, tmp_path):
    (tmp_path / "episodes.jsonl").touch()
    done = run(command[0], tmp_path, *command[1:], "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"] == f"no episode has ended yet in {str(tmp_path)!r}"


def test_a_row_that_lacks_a_field_is_named(folder):
    file = folder / "episodes.jsonl"
    lines = [orjson.loads(line) for line in file.read_bytes().splitlines()]
    del lines[4]["usage"]
    file.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    done = run("metrics", folder, "--json")
    assert done.returncode == 2
    said = json.loads(done.stdout)["error"]
    assert said.startswith(f"line 5 of {str(file)!r} has no field 'usage'")
