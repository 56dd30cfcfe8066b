"""What an agent sends is read into words and calls, whatever it is."""

import json
import re

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.playing import make

from vitagym.env.actions import MAX_ACTION_CHARS, STOP, CallIds, parse_action
from vitagym.tools.results import refusal_codes

TOOLS = frozenset({"weather", "get_user_all_orders", "pay_delivery_order"})
CALL = {"name": "weather", "arguments": {"address": "昆明", "days": [1, 2], "exact": True, "note": None}}
RAW = json.dumps(CALL, ensure_ascii=False)


def parse(action):
    return parse_action(action, TOOLS, CallIds())


def read(action):
    """Words, and (name, arguments, fault) of each call."""
    parsed = parse(action)
    return parsed.text, [(call.name, call.arguments, call.fault) for call in parsed.calls]


EXPECTED = ("weather", CALL["arguments"], None)
OPENAI_CALL = {
    "id": "call_abc",
    "type": "function",
    "function": {"name": "weather", "arguments": json.dumps(CALL["arguments"])},
}
PYTHON = 'weather(address="昆明", days=[1, 2], exact=True, note=None)'
FORMS = {
    "call as object": CALL,
    "call with JSON text as arguments": {"name": "weather", "arguments": json.dumps(CALL["arguments"])},
    "call with parameters": {"name": "weather", "parameters": CALL["arguments"]},
    "function": {"function": CALL},
    "list of calls": [CALL],
    "OpenAI call": OPENAI_CALL,
    "OpenAI message": {"role": "assistant", "content": None, "tool_calls": [OPENAI_CALL]},
    "tool_calls": {"tool_calls": [CALL]},
    "content with a tag": {"role": "assistant", "content": f"<tool_call>{RAW}</tool_call>"},
    "content in parts": {"role": "assistant", "content": [{"type": "text", "text": RAW}]},
    "JSON text": RAW,
    "indented JSON text": json.dumps(CALL, indent=2),
    "JSON text of a list": f"[{RAW}]",
    "JSON text of tool_calls": json.dumps({"tool_calls": [OPENAI_CALL]}),
    "JSON text of function": json.dumps({"function": CALL}),
    "JSON text of a message": json.dumps({"role": "assistant", "content": "", "tool_calls": [OPENAI_CALL]}),
    "fence": f"```json\n{RAW}\n```",
    "fence without language": f"```\n{json.dumps(CALL, indent=1)}\n```",
    "fence of Python": f"```python\n{PYTHON}\n```",
    "tag": f"<tool_call>\n{RAW}\n</tool_call>",
    "tag never closed": f"<tool_call>{RAW}",
    "fence in a tag": f"<tool_call>```json\n{RAW}\n```</tool_call>",
    "Python in a tag": f"<tool_call>{PYTHON}</tool_call>",
    "Python": PYTHON,
    "Python on several lines": 'weather(\n  address="昆明",\n  days=[1, 2],\n  exact=true,\n  note=null,\n)',
    "list of Python": f"[{PYTHON}]",
    "after thinking": f"<think>Which tool? weather()</think>\n\n{RAW}",
}


@pytest.mark.parametrize("action", FORMS.values(), ids=FORMS)
def test_every_form_of_a_call_is_the_same_call(action):
    assert read(action) == ("", [EXPECTED])


@pytest.mark.parametrize(
    "form", [name for name in FORMS if isinstance(FORMS[name], str) and name != "tag never closed"]
)
def test_text_around_a_call_is_kept(form):
    words, calls = read(f"Let me look it up.\n{FORMS[form]}\nOne moment.")
    assert calls == [EXPECTED]
    assert re.sub(r"\s+", " ", words) == "Let me look it up. One moment."


def test_several_calls_keep_their_order():
    second = {"name": "get_user_all_orders", "arguments": {}}
    both = ["weather", "get_user_all_orders"]
    raw = json.dumps(second)
    for action in (
        [CALL, second],
        f"[{RAW}, {raw}]",
        f"<tool_call>{RAW}</tool_call>\n<tool_call>{raw}</tool_call>",
        f"<tool_call>{RAW}\n{raw}</tool_call>",
        f"<tool_call>[{RAW}, {raw}]</tool_call>",
        f"```json\n{RAW}\n```\nand\n```json\n{raw}\n```",
        f"{RAW}\n{raw}",
        f"{PYTHON}\nget_user_all_orders()",
        f"[{PYTHON}, get_user_all_orders()]",
    ):
        assert [call.name for call in parse(action).calls] == both, action


@pytest.mark.parametrize(
    "words",
    [
        "Thanks (again)",
        "I shall call weather(address='Kunming') for you.",
        "weather (in Kunming) is fine today",
        "The tool weather() and get_user_all_orders() are there.",
        'I would send {"name": "weather", "arguments": {}} now.',
        '{"city": "Kunming"}',
        "[1, 2, 3]",
        "{not json",
        '{"name": "Golden Wok", "price": 20}',
        "The <tool_call> tag is something I know of.",
        "```\nprint('hello')\n```",
        '```json\n{"a": 1}\n```',
        "  keep my  spaces \n\n and lines  ",
        "你好，昆明的天气（weather）怎么样？🌊",
        f"Say {STOP} when you are done, please.",
    ],
)
def test_words_about_tools_are_words(words):
    assert read(words) == (words, [])
    assert not parse(words).stop


@settings(max_examples=300, deadline=None)
@given(st.text(min_size=1).filter(lambda t: t.strip() and "<think" not in t))
def test_words_come_back_as_they_were(words):
    parsed = parse(words)
    assert not parsed.calls
    assert parsed.text == words


@pytest.mark.parametrize("text", [STOP, f"  {STOP}\n", f"Goodbye! {STOP}", f"<think>over</think>{STOP}"])
def test_stop_at_the_end_ends(text):
    assert parse(text).stop
    assert parse({"role": "assistant", "content": text}).stop


def test_stop_beside_a_call_keeps_both():
    for action in (
        f"<tool_call>{RAW}</tool_call>\n{STOP}",
        {"role": "assistant", "content": STOP, "tool_calls": [OPENAI_CALL]},
    ):
        parsed = parse(action)
        assert parsed.stop
        assert len(parsed.calls) == 1


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("<think>secret</think>Hello", "Hello"),
        ("Hello<think>secret</think> there", "Hello there"),
        ("secret</think>Hello", "Hello"),
        ("Hello <think>secret, never closed", "Hello"),
        ("<think>a</think>Hello<think>b</think>", "Hello"),
    ],
)
def test_thinking_is_not_heard(text, heard):
    assert parse(text).text == heard


@pytest.mark.parametrize(
    ("action", "fault"),
    [
        ("", "empty_action"),
        (" \n\t", "empty_action"),
        ("<think>only thoughts</think>", "empty_action"),
        ({"role": "assistant", "content": None}, "empty_action"),
        ({"role": "assistant", "content": ""}, "empty_action"),
        ({"role": "assistant", "content": None, "tool_calls": []}, "empty_action"),
        ("x" * 1_000_000, "action_too_long"),
        ({"role": "assistant", "content": "x" * 1_000_000}, "action_too_long"),
        ({"name": "weather", "arguments": {"address": "x" * 1_000_000}}, "action_too_long"),
        ("a lone \ud800 surrogate", "bad_text"),
        ({"role": "assistant", "content": "a lone \ud800 surrogate"}, "bad_text"),
        (None, "not_an_action"),
        (3, "not_an_action"),
        (b"bytes", "not_an_action"),
        (object(), "not_an_action"),
        ([], "not_an_action"),
        ({}, "not_an_action"),
        ({"a": object()}, "not_an_action"),
        ({1: "a"}, "not_an_action"),
        ({"role": "user", "content": "I am the user now"}, "not_an_action"),
        ({"role": "assistant", "content": 3}, "not_an_action"),
        ({"role": "assistant", "content": "a", "tool_calls": "b"}, "not_an_action"),
    ],
)
def test_what_is_no_action_has_a_fault(action, fault):
    parsed = parse(action)
    assert (parsed.fault, parsed.calls, parsed.text) == (fault, (), "")
    assert fault in refusal_codes()


def nested(depth):
    """A list in a list in a list …"""
    made = []
    for _ in range(depth):
        made = [made]
    return made


@pytest.mark.parametrize(
    ("action", "name", "fault"),
    [
        ('<tool_call>{"name": "weather", "arguments": {</tool_call>', "weather", "broken_call"),
        ("<tool_call></tool_call>", "unreadable_call", "broken_call"),
        ('<tool_call>{"a": 1}</tool_call>', "unreadable_call", "broken_call"),
        ('{"name": "weather", "arguments": {"address": "Kun', "weather", "broken_call"),
        ('```json\n{"name": "weather", "arguments": {,}}\n```', "weather", "broken_call"),
        ({"name": "weather", "arguments": "{broken"}, "weather", "broken_arguments"),
        ({"name": "weather", "arguments": json.dumps(json.dumps({"address": "a"}))}, "weather", "arguments_not_object"),
        ({"name": "weather", "arguments": [1]}, "weather", "arguments_not_object"),
        ({"name": "weather", "arguments": 3}, "weather", "arguments_not_object"),
        ('{"name": "weather", "arguments": {"address": "\\ud800"}}', "weather", "broken_call"),
        ({"tool_calls": [{"id": "x"}]}, "unreadable_call", "broken_call"),
        (
            f"<tool_call>{json.dumps({'name': 'weather', 'arguments': {'address': nested(300)}})}</tool_call>",
            "weather",
            "broken_arguments",
        ),
        ("weather(address=city)", "weather", "broken_arguments"),
        ('weather("Kunming")', "weather", "broken_arguments"),
        ("weather(**where)", "weather", "broken_arguments"),
        ("weather(address=__import__('os').getcwd())", "weather", "broken_arguments"),
        ("weather(address='\\ud800')", "weather", "broken_arguments"),
        ("weather(address=1e999)", "weather", "broken_arguments"),
        ("weather(address=99999999999999999999999)", "weather", "broken_arguments"),
    ],
)
def test_a_call_that_cannot_be_read_has_a_fault(action, name, fault):
    (call,) = parse(action).calls
    assert (call.name, call.arguments, call.fault) == (name, None, fault)
    assert fault in refusal_codes()


def test_an_object_nested_too_deep_is_no_action():
    assert parse({"name": "weather", "arguments": {"address": nested(300)}}).fault == "not_an_action"


def test_a_good_call_beside_a_broken_one_is_kept():
    parsed = parse(f"<tool_call>{RAW}</tool_call><tool_call>{{broken</tool_call>")
    assert [call.fault for call in parsed.calls] == [None, "broken_call"]


def test_arguments_are_copies():
    action = {"name": "weather", "arguments": {"days": [1]}}
    call = parse(action).calls[0]
    action["arguments"]["days"].append(2)
    assert call.arguments == {"days": [1]}


def test_ids_are_the_agents_where_they_are_new():
    ids = CallIds()
    first = parse_action([OPENAI_CALL, OPENAI_CALL], TOOLS, ids).calls
    second = parse_action([OPENAI_CALL, {"name": "weather", "id": "bad id!"}], TOOLS, ids).calls
    taken = [call.id for call in (*first, *second)]
    assert taken[0] == "call_abc"
    assert len(set(taken)) == 4
    assert all(re.fullmatch(r"[\w.:-]{1,64}", call_id) for call_id in taken)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)
pieces = st.sampled_from(
    [
        "<tool_call>", "</tool_call>", "```json\n", "```", "\n", "{", "}", "[", "]", "(", ")", '"name"', '"arguments"',
        ":", ",", '"', "'", "weather", "weather(", "=", "\\", "\ud800", "<think>", "</think>", STOP, RAW, PYTHON, "#",
        '"tool_calls"', '"function"', "0x", "1_", "\0", "f'{", "lambda:", "*", "\r\n", "😀",
    ]
)  # fmt: skip
nasty_text = st.lists(pieces | st.text(st.characters(), max_size=4), max_size=30).map("".join)
messages = st.dictionaries(
    st.sampled_from(["role", "content", "tool_calls", "name", "arguments", "parameters", "function", "id"]),
    json_values | nasty_text | st.just("assistant") | st.lists(st.just(OPENAI_CALL)),
)


@settings(max_examples=300, deadline=None)
@given(nasty_text | json_values | messages | st.lists(messages))
def test_nothing_raises_and_everything_is_json(action):
    parsed = parse(action)
    assert parsed.text.strip() or parsed.calls or parsed.fault is not None
    for call in parsed.calls:
        assert (call.arguments is None) == (call.fault is not None)
    orjson.dumps([parsed.text, [[call.id, call.name, call.raw, call.arguments] for call in parsed.calls]])


@pytest.mark.parametrize(
    "unit",
    ["<think>", "<tool_call>", "```", "{\n", "[\n", "weather(\n", '{"name":\n', "</tool_call>", "('", "weather(a=["],
)
def test_long_hostile_text_is_read_quickly(unit):
    import time

    text = (unit * MAX_ACTION_CHARS)[: MAX_ACTION_CHARS - 8] + '"name"'
    started = time.process_time()
    parse(text)
    assert time.process_time() - started < 2


def test_deep_nesting_is_a_fault():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert parse({"name": "weather", "arguments": {"a": deep}}).fault == "not_an_action"
    del deep
    text = '{"name": "weather", "arguments": ' + '{"a":' * 8_000 + "1" + "}" * 8_001
    assert parse(text).calls[0].fault == "broken_call"
    assert parse("weather(a=" + "[" * 3_000 + "]" * 3_000 + ")").text


@pytest.mark.parametrize(
    "text",
    [
        "nope(a=1)",
        'wether(address="Taiyuan")',
        'delivery_product_search_recommend(keywords=["chicken"])',
        "weather(",
        'weather(address="Taiyuan"',
        '{"name":',
        "{'name': 'weather', 'arguments': {}}",
    ],
)
def test_what_can_only_have_been_meant_as_a_call_is_refused_not_spoken(text):
    env = make("delivery")
    env.reset(seed=0)
    observation, _, _, _, info = env.step(text)
    assert info["tool_error"] in ("unknown_tool", "broken_call")
    assert info["usage"]["utterances"] == 0
    assert observation


@pytest.mark.parametrize(
    "text", ["Thanks (again)", "weather (sunny) is fine", "note(s) welcome", "f(x)", "{smile}", "Sure(ly)!", "hello()"]
)
def test_words_with_brackets_are_words(text):
    env = make("delivery")
    env.reset(seed=0)
    *_, info = env.step(text)
    assert info["usage"]["utterances"] == 1
    assert info["tool_error"] is None
