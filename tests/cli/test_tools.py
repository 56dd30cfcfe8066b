"""``vitagym tools``: derived beside published, the tools, their schemas, and a picture."""

import json

import pytest
from support.command import run as command


def run(*arguments):
    return command("tools", *arguments)


def test_derived_and_published_sizes_stand_side_by_side_with_the_reason():
    shown = run()
    assert shown.returncode == 0, shown.stderr
    for start in ("delivery", "instore", "ota", "cross"):
        assert f"\n{start}: " in shown.stdout
    rows = {row["domain"]: row for row in json.loads(run("--json").stdout)["graphs"]}
    assert {name: row["nodes"] for name, row in rows.items()} == {"delivery": 20, "instore": 24, "ota": 38, "cross": 66}
    assert {name: row["published_edges"] for name, row in rows.items()} == {
        "delivery": 50,
        "instore": 68,
        "ota": 309,
        "cross": 512,
    }
    assert all(row["reason"] for row in rows.values())


def test_a_domain_lists_its_tools():
    document = json.loads(run("instore", "--json").stdout)
    assert len(document["tools"]) == 24
    assert {"name": "instore_book", "kind": "write"} in document["tools"]
    assert [row["domain"] for row in document["graphs"]] == ["instore"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_schemas_are_openai_functions(language):
    schemas = json.loads(run("delivery", "--schema", "--language", language, "--json").stdout)
    assert len(schemas) == 20
    assert all(schema["function"]["description"] for schema in schemas)


def test_the_graph_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    done = run("delivery", "--graph", tmp_path / "graph.png")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "graph.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "arguments", [("deliveri",), ("--graph", "graph.nothing"), ("ota", "--schema", "--language", "e")]
)
def test_what_is_not_there_is_refused(arguments, tmp_path):
    done = run(*arguments, "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]
