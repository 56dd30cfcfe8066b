"""The text files have both languages for everything that is used, and nothing that is not."""

import re
import string
from pathlib import Path

import pytest

import vitagym
from vitagym.domains import toolset
from vitagym.language import texts
from vitagym.world.records import Status

ROOT = Path(vitagym.__file__).parent.parent
TOOLS = list(toolset(("cross",)))
FILES = ("tools", "parameters", "facts", "effects", "statuses", "refusals", "feedback")
FOLDERS = [ROOT / name for name in ("vitagym", "envs", "rewards")]
SOURCES = "\n".join(path.read_text(encoding="utf-8") for folder in FOLDERS for path in folder.rglob("*.py"))
MARKS = {
    "tools": {tool.name for tool in TOOLS},
    "parameters": {parameter.name for tool in TOOLS for parameter in tool.parameters},
    "effects": {tool.gives.changes for tool in TOOLS if tool.gives.changes is not None},
    "facts": {given.fact.name for tool in TOOLS for given in tool.gives.given}
    | {p.needs.fact.name for tool in TOOLS for p in tool.parameters if p.needs is not None},
    "statuses": {str(status) for status in Status},
}


def built(name):
    """Return whether source text makes a key of parts, as in ``f"unknown_{kind}"``."""
    kinds = ("store", "shop", "hotel", "attraction", "flight", "train", "delivery", "instore")
    return any(kind in name and f'"{name.replace(kind, "{kind}")}"' in SOURCES for kind in kinds)


@pytest.mark.parametrize("file", FILES)
def test_every_text_has_both_languages_and_both_mention_the_same_values(file):
    for key, entry in texts(file).items():
        assert set(entry) == {"en", "zh"}, key
        assert all(text.strip() for text in entry.values()), key
        fields = [{name for _, name, _, _ in string.Formatter().parse(text) if name} for text in entry.values()]
        assert fields[0] == fields[1], key


@pytest.mark.parametrize("file", MARKS)
def test_everything_that_is_named_has_a_text(file):
    known = set(texts(file))
    if file == "parameters":
        own = {f"{tool.name}.{p.name}" for tool in TOOLS for p in tool.parameters}
        uncovered = {
            f"{tool.name}.{p.name}"
            for tool in TOOLS
            for p in tool.parameters
            if p.name not in known and f"{tool.name}.{p.name}" not in known
        }
        assert uncovered == set()
        assert known <= own | MARKS[file]
    else:
        assert known == MARKS[file]


def test_every_refusal_code_that_code_raises_has_a_text_and_no_text_is_unused():
    known = set(texts("refusals"))
    raised = set(re.findall(r"Refused\(\s*\"([a-z_]+)\"", SOURCES))
    assert raised <= known
    unused = {code for code in known if f'"{code}"' not in SOURCES and not built(code)}
    assert unused == set()


def test_no_frame_is_unused():
    assert {key for key in texts("feedback") if f'"{key}"' not in SOURCES} == set()
