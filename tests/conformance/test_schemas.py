"""Names, kinds, parameters, types, defaults and required lists of the tools are the public ones, domain by domain."""

import json
from pathlib import Path

import pytest

from vitagym.domains import toolset
from vitagym.language import Language
from vitagym.tools.schema import tool_schema
from vitagym.tools.tool import Kind

DOMAINS = ("delivery", "instore", "ota", "delivery,instore,ota")
COUNTS = {
    "delivery": {Kind.WRITE: 4, Kind.READ: 10, Kind.GENERAL: 6},
    "instore": {Kind.WRITE: 9, Kind.READ: 10, Kind.GENERAL: 5},
    "ota": {Kind.WRITE: 14, Kind.READ: 19, Kind.GENERAL: 5},
    "delivery,instore,ota": {Kind.WRITE: 27, Kind.READ: 33, Kind.GENERAL: 6},
}
PUBLIC_KINDS = {"generic": Kind.GENERAL, "read": Kind.READ, "write": Kind.WRITE}


def tools_of(domain):
    return toolset(tuple(domain.split(",")))


@pytest.mark.parametrize("domain", DOMAINS)
def test_each_domain_has_the_published_number_of_tools_of_each_kind(domain):
    """Paper: table 2."""
    kinds = [tool.kind for tool in tools_of(domain)]
    assert {kind: kinds.count(kind) for kind in Kind} == COUNTS[domain]


def test_cross_is_all_domains_together():
    assert toolset(("cross",)).names == tools_of("delivery,instore,ota").names


@pytest.mark.parametrize("domain", DOMAINS)
def test_schemas_equal_the_public_ones(domain, official: Path):
    public = {t["name"]: t for t in json.loads((official / "schemas.json").read_text(encoding="utf-8"))[domain]}
    ours = {tool.name: tool for tool in tools_of(domain)}
    assert set(ours) == set(public)
    for name, tool in ours.items():
        expected = public[name]
        assert tool.kind is PUBLIC_KINDS[expected["kind"]], name
        parameters = tool_schema(tool, Language.EN)["function"]["parameters"]
        assert parameters["additionalProperties"] is False
        assert parameters["required"] == expected["required"], name
        assert list(parameters["properties"]) == list(expected["parameters"]), name
        shown = {
            key: {part: value for part, value in schema.items() if part not in ("description", "enum")}
            for key, schema in parameters["properties"].items()
        }
        assert shown == expected["parameters"], name
