"""Texts and word lists of generated tasks say the same in both languages."""

import re
import tomllib
from importlib import resources

import pytest

ASSETS = resources.files("vitagym.assets")
STORIES = sorted(f"stories/{p.name}" for p in ASSETS.joinpath("text", "stories").iterdir())
TEXTS = [*STORIES, "requirements.toml", "reports.toml", "habits.toml", "speech.toml"]
WORDS = sorted(p.name for p in ASSETS.joinpath("words").iterdir())
SLOT = re.compile(r"{(\w+)}")
CHINESE = re.compile("[\u4e00-\u9fff]")


def read(folder, name):
    return tomllib.loads(ASSETS.joinpath(folder, name).read_text(encoding="utf-8"))


def entries(value, where=""):
    """Yield every table with ``en`` or ``zh`` in it, with its path."""
    if isinstance(value, dict):
        if "en" in value or "zh" in value:
            yield where, value
        else:
            for key, inner in value.items():
                yield from entries(inner, f"{where}.{key}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from entries(inner, f"{where}[{number}]")


def many(value):
    return [value] if isinstance(value, str) else value


@pytest.mark.parametrize("name", TEXTS)
def test_every_text_has_as_many_wordings_in_each_language_none_of_them_empty_or_in_the_other(name):
    found = list(entries(read("text", name)))
    assert found
    for where, entry in found:
        assert set(entry) == {"en", "zh"}, where
        english, chinese = many(entry["en"]), many(entry["zh"])
        assert len(english) == len(chinese) > 0, where
        for a, b in zip(english, chinese, strict=True):
            assert a.strip(), where
            assert b.strip(), where
            assert not CHINESE.search(a), where


@pytest.mark.parametrize("name", STORIES)
def test_what_is_said_is_a_whole_sentence_and_no_two_wordings_are_the_same(name):
    for key, table in read("text", name).items():
        for use in ("say", "told", "answer"):
            for language, ends in (("en", '.?!"'), ("zh", "。？！”")):
                wordings = many(table.get(use, {}).get(language, []))
                assert len(set(wordings)) == len(wordings), (key, use)
                for wording in wordings:
                    assert wording[-1] in ends, (key, use, wording)


@pytest.mark.parametrize("name", STORIES)
def test_what_is_volunteered_is_told_in_the_instruction_too(name):
    for key, table in read("text", name).items():
        if "told" in table:
            assert "say" in table, key


@pytest.mark.parametrize("name", WORDS)
def test_every_word_has_both_languages(name):
    for where, entry in entries(read("words", name)):
        assert {"en", "zh"} <= set(entry), where
        assert not CHINESE.search(str(entry["en"])), where
