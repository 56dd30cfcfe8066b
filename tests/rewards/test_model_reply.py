"""What a model's judgement says: slips are repaired, anything that leaves open what was meant has no verdict."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitagym.rewards.model_reply import read_reply

SENTENCES = {"R1": "The order is paid", "R2": "The address is the office"}
EXAMPLE = "<why, and in which message>"


def entry(key="R1", met=True, why="Message 3 pays it.", **other):
    return {"key": key, "rubric": "as given", "justification": why, "meetExpectation": met, **other}


def verdicts(text):
    return {key: verdict.met for key, verdict in read_reply(text, SENTENCES, EXAMPLE).verdicts.items()}


GOOD = json.dumps([entry(), entry("R2", False)])


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"Here is my judgement:\n```json\n{GOOD}\n```\nThat is all.",
        f"<think>R1? [1] hm [not json</think>\n{GOOD}",
        GOOD.replace("}]", "},]"),
        GOOD.replace('"', "“"),
        GOOD.replace('"', "「").replace("「:", "」:"),
        GOOD.replace(": ", "：").replace(", ", "，"),
        str([entry(), entry("R2", False)]),
        GOOD.replace("true", '"true"').replace("false", '"False"'),
        json.dumps([entry("R2", False), entry()]),
        json.dumps([entry(), entry(), entry("R2", False)]),
        json.dumps([entry(), entry("R2", False), entry("R9"), entry("R3")]),
        json.dumps([{**entry(), "key": None, "rubric": "the ORDER is  paid"}, entry("R2", False)]),
        "[1, 2, 3] " + GOOD,
        json.dumps([entry(why="He said [\"quoted\"] ] and } here"), entry("R2", False)]),
        "旧的：" + json.dumps([entry(met=False)]) + "新的：" + GOOD,
    ],
)  # fmt: skip
def test_slips_are_repaired(text):
    assert verdicts(text) == {"R1": True, "R2": False}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("", {}),
        ("All requirements are met.", {}),
        ('{"R1": true, "R2": true}', {}),
        ("[]", {}),
        ("[[[[[[" * 10_000, {}),
        (GOOD[:-20], {}),
        (json.dumps([entry(met=None), entry("R2")]), {"R2": True}),
        (json.dumps([entry(met=1), entry("R2")]), {"R2": True}),
        (json.dumps([entry(met="yes"), entry("R2")]), {"R2": True}),
        (json.dumps([entry(met=[True]), entry("R2")]), {"R2": True}),
        (json.dumps([entry(), entry(met=False), entry("R2")]), {"R2": True}),
        (json.dumps([entry(why=""), entry("R2")]), {"R2": True}),
        (json.dumps([entry(why=EXAMPLE), entry("R2", why=f" {EXAMPLE.upper()} ")]), {}),
        (json.dumps([entry("r1"), entry("1"), entry("R2")]), {"R2": True}),
        (json.dumps([entry("R2"), "R1: true"]), {"R2": True}),
        (json.dumps([{"meetExpectation": True}, entry("R2")]), {"R2": True}),
    ],
)
def test_what_leaves_open_what_was_meant_has_no_verdict(text, left):
    reply = read_reply(text, SENTENCES, EXAMPLE)
    assert {key: verdict.met for key, verdict in reply.verdicts.items()} == left
    assert reply.problems


@given(st.text(alphabet='[]{}",:\\ tr“”R1é\n') | st.text())
def test_no_reply_raises(text):
    assert set(read_reply(text, SENTENCES, EXAMPLE).verdicts) <= set(SENTENCES)


@given(st.dictionaries(st.sampled_from(["R1", "R2", "R3"]), st.booleans()), st.text(max_size=30))
def test_what_is_said_is_read(said, around):
    text = around.replace("[", "(") + json.dumps([entry(key, met) for key, met in said.items()], ensure_ascii=False)
    assert verdicts(text) == {key: met for key, met in said.items() if key in SENTENCES}
