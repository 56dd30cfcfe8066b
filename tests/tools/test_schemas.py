"""Schemas say exactly what the functions take, in both languages."""

import re

import pytest

from vitagym.domains import toolset
from vitagym.language import Language, texts
from vitagym.tools.schema import tool_schema

TOOLS = list(toolset(("cross",)))
EVERY_PARAMETER = {parameter.name for tool in TOOLS for parameter in tool.parameters}
CODE_WORD = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b")
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def schemas(tool):
    return {language: tool_schema(tool, language)["function"] for language in Language}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_descriptions_mention_only_parameters_that_exist(tool):
    """T14: there, descriptions name parameters that do not exist."""
    own = {parameter.name for parameter in tool.parameters}
    statuses = set(texts("statuses"))
    for schema in schemas(tool).values():
        spoken = [schema["description"], *(p["description"] for p in schema["parameters"]["properties"].values())]
        for word in CODE_WORD.findall(" ".join(spoken)):
            assert word in own | statuses, f"{tool.name}: {word}"


def test_statuses_are_enumerated_wherever_they_are_asked_for():
    """T14: there, the enumeration of statuses is lost from the schema."""
    asking = [tool for tool in TOOLS if any(p.name == "status" for p in tool.parameters)]
    assert len(asking) == 5
    for tool in asking:
        for schema in schemas(tool).values():
            status = schema["parameters"]["properties"]["status"]
            assert set(status["enum"]) >= {"unpaid", "paid", "cancelled"}, tool.name
            assert status["default"] in status["enum"]
            assert set(status["enum"]) <= set(texts("statuses"))


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_both_languages_say_it_with_pre_and_post_conditions(tool):
    english, chinese = schemas(tool)[Language.EN], schemas(tool)[Language.ZH]
    assert english["description"].count("\n") == chinese["description"].count("\n") == 2
    assert not CHINESE.search(str(english))
    spoken = [chinese["description"], *(p["description"] for p in chinese["parameters"]["properties"].values())]
    assert all(CHINESE.search(text) for text in spoken)
    assert [*english["parameters"]["properties"]] == [*chinese["parameters"]["properties"]]
    what = texts("tools")[tool.name]
    assert 1 <= len(re.findall(r"[.。](?:\s|$)", what["en"])) <= 3


def test_schemas_are_made_anew_so_that_a_caller_may_change_its_own():
    first = tool_schema(TOOLS[0], Language.EN)
    first["function"]["parameters"]["properties"].clear()
    assert tool_schema(TOOLS[0], Language.EN)["function"]["parameters"]["properties"]
