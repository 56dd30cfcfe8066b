"""Two runs, and the first turn where they part."""

import copy
import json

import orjson
import pytest
from support.command import run


@pytest.fixture
def write(tmp_path):
    def written(name, rows):
        file = tmp_path / f"{name}.jsonl"
        file.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
        return file

    return written


def test_a_run_does_not_part_from_itself(scripted_run):
    done = run("diff", scripted_run, scripted_run)
    assert (done.returncode, done.stdout) == (
        0, "12 episodes are the same, 0 part; 0 are in A alone, 0 in B alone.\n",
    )  # fmt: skip


def test_the_first_turn_that_differs_is_shown_with_both_messages(rows, write):
    changed = copy.deepcopy(rows)
    at = next(i for i, row in enumerate(rows) if row["agent"] == "reference")
    changed[at]["messages"][6]["content"] = "Quite another thing."
    changed[at]["messages"][9]["content"] = "Later."
    changed[at]["rewards"][0] = 9.0
    a, b = write("a", rows), write("b", changed)
    done = run("diff", a, b, "--json")
    (found,) = json.loads(done.stdout)["differences"]
    assert done.returncode == 1
    assert (found["episode"], found["turn"], found["path"]) == (rows[at]["key"], 5, "messages[6].content")
    shown = run("diff", a, b).stdout
    assert "They part at turn 5." in shown
    assert "Quite another thing." in shown


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda row: row["rewards"].__setitem__(-1, 0.5), "rewards["),
        (lambda row: row.update(end_reason="max_turns"), "end_reason"),
    ],
)
def test_what_differs_beside_the_messages_is_found_too(rows, write, change, path):
    changed = copy.deepcopy(rows)
    change(changed[0])
    (found,) = json.loads(run("diff", write("a", rows), write("b", changed), "--json").stdout)["differences"]
    assert found["turn"] is None
    assert found["path"].startswith(path)


def test_runs_of_two_agents_are_matched_by_task_and_trial(rows, write):
    one, other = ([row for row in rows if row["agent"] == name] for name in ("reference", "random"))
    document = json.loads(run("diff", write("a", one), write("b", other), "--json").stdout)
    assert document["different"] == 4
    assert all(d["turn"] == 1 for d in document["differences"])


def test_what_one_run_lacks_is_counted_and_two_strange_runs_are_refused(rows, write):
    done = run("diff", write("a", rows), write("b", rows[:-1]), "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["only_in_a"] == [rows[-1]["key"]]
    strange = [{**row, "key": row["key"] + "x", "env_id": "other"} for row in rows]
    assert "in common" in run("diff", write("a", rows), write("b", strange)).stderr
