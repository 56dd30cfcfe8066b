"""A bad call is a refusal with a code and a sentence, whatever is wrong with it, and says as much as is asked for."""

import itertools

import pytest
from support.random_calls import accepted_call, random_arguments
from support.worlds import OTHER_USER, USER, make_task, make_world, noodle_order

from vitagym.language import Language
from vitagym.randomness import Stream
from vitagym.tools.results import Feedback, refusal_codes
from vitagym.tools.schema import json_type

TASK = make_task()
TOOLS = list(make_world(TASK).tools)
PARAMETERS = [(tool, parameter) for tool in TOOLS for parameter in tool.parameters]
NAMES = [f"{tool.name}-{parameter.name}" for tool, parameter in PARAMETERS]
OF_TYPE = {
    "string": "text",
    "integer": 2,
    "number": 2.5,
    "array": ["text"],
    "boolean": True,
    "object": {"a": 1},
}
ALSO_READ = {("get_holiday_date", "year"): {"integer"}}


def having(parameter):
    """Return the tools that have a parameter of that name."""
    return [tool for tool in TOOLS if any(p.name == parameter for p in tool.parameters)]


def name_of(tool):
    return tool.name


def valid(tool):
    return random_arguments(make_world(TASK), tool, Stream(1, tool.name), odd=0)


@pytest.mark.parametrize(("tool", "parameter"), PARAMETERS, ids=NAMES)
def test_a_value_of_another_json_type_is_refused(tool, parameter):
    """T15: there, a string is taken where a list is required, and spread letter by letter."""
    schema = json_type(parameter.type)
    fits = {schema["type"]} | ({"integer"} if schema["type"] == "number" else set())
    fits |= ALSO_READ.get((tool.name, parameter.name), set())
    wrong = [value for kind, value in OF_TYPE.items() if kind not in fits]
    if schema["type"] == "array":
        wrong.append([OF_TYPE["array"]])
    for value in wrong:
        result = make_world(TASK).call(tool.name, valid(tool) | {parameter.name: value})
        assert result.code == "wrong_type", value
        assert parameter.name in result.text


@pytest.mark.parametrize(("tool", "parameter"), PARAMETERS, ids=NAMES)
def test_a_missing_parameter_is_refused_by_name(tool, parameter):
    """T15: there, missing arguments surface as errors of the programming language."""
    arguments = {name: value for name, value in valid(tool).items() if name != parameter.name}
    result = make_world(TASK).call(tool.name, arguments)
    assert (result.code == "missing_argument") == parameter.required
    if parameter.required:
        assert parameter.name in result.text


@pytest.mark.parametrize("tool", TOOLS, ids=name_of)
def test_an_unknown_parameter_is_refused_with_the_nearest(tool):
    """T15: there, unknown arguments surface as errors of the programming language."""
    name = f"{tool.parameters[0].name}s" if tool.parameters else "user"
    result = make_world(TASK).call(tool.name, valid(tool) | {name: 1})
    assert result.code == "unknown_argument"
    assert name in result.text
    if tool.parameters:
        assert f" {tool.parameters[0].name}." in result.text


@pytest.mark.parametrize("arguments", [None, [], "text", 3, [["a", 1]]])
def test_arguments_that_are_no_object_are_refused(arguments):
    """T15."""
    assert make_world(TASK).call("weather", arguments).code == "arguments_not_object"


def test_an_unknown_tool_is_refused_with_the_nearest():
    result = make_world(TASK).call("delivery_store_search_recommend", {"keywords": []})
    assert result.code == "unknown_tool"
    assert "delivery_store_search_recommand" in result.text


@pytest.mark.parametrize("tool", having("user_id"), ids=name_of)
def test_another_user_is_refused(tool):
    """T2."""
    world, arguments = accepted_call(make_world(TASK), tool)
    assert world.call(tool.name, arguments | {"user_id": OTHER_USER}).code == "wrong_user"
    assert world.call(tool.name, arguments).ok


@pytest.mark.parametrize("tool", having("order_id"), ids=name_of)
def test_orders_of_another_kind_or_of_another_user_are_refused(tool):
    """T2: there, paying with another kind's tool works, and cancelling does not look at the owner."""
    world = make_world(TASK)
    kind = next(p.needs.fact.name for p in tool.parameters if p.name == "order_id").removesuffix("_order_id")
    for order in world.ledger.orders.values():
        result = world.call(tool.name, valid(tool) | {"order_id": order.id})
        if order.kind != kind:
            assert result.code == "other_kind_of_order"
        elif order.user_id != USER:
            assert result.code == "order_of_another_user"
    assert world.ledger.changes == [] or all(change.after.kind == kind for change in world.ledger.changes)


@pytest.mark.parametrize("name", ["book_id", "reservation_id"])
def test_bookings_and_reservations_of_another_user_are_refused(name):
    """T2."""
    record = {"book_id": "BK1", "reservation_id": "RS1"}[name]
    assert len(having(name)) >= 3
    for tool in having(name):
        result = make_world(TASK).call(tool.name, valid(tool) | {name: record})
        assert result.code.endswith("_of_another_user"), tool.name


def test_a_refusal_is_told_from_a_result_by_a_flag_and_in_the_text():
    """T13: there, refusals come back as plain results without an error flag."""
    world = make_world(TASK)
    refused, accepted = world.call("get_delivery_store_info", {"store_id": "?"}), world.call("get_user_all_orders", {})
    assert (refused.ok, refused.data, refused.code) == (False, None, "unknown_store")
    assert refused.text.startswith("Error [unknown_store]")
    assert (accepted.ok, accepted.code) == (True, "ok")


@pytest.mark.parametrize("language", Language)
def test_more_feedback_adds_the_condition_and_then_the_tools_that_satisfy_it(language):
    task = make_task(language=language)
    texts = [
        make_world(task, "delivery", feedback=level).call("create_delivery_order", noodle_order(store_id="ST9")).text
        for level in (Feedback.PLAIN, Feedback.EXPLAIN, Feedback.GUIDE)
    ]
    for shorter, longer in itertools.pairwise(texts):
        assert longer.startswith(shorter)
        assert len(longer) > len(shorter)
    assert "delivery_store_search_recommand" in texts[2]
    assert "delivery_store_search_recommand" not in texts[1]


def test_guiding_feedback_names_only_tools_on_offer():
    world = make_world(TASK, "instore", feedback=Feedback.GUIDE)
    text = world.call("create_instore_product_order", {"user_id": USER, "shop_id": "?", "product_id": "V1"}).text
    assert "instore_shop_search_recommend" in text
    named = [tool.name for tool in TOOLS if tool.name in text]
    assert set(named) <= set(world.tools.names)


def test_a_megabyte_of_text_does_not_come_back():
    long = "饭" * 1_000_000
    world = make_world(TASK)
    for name, arguments in [
        ("get_delivery_store_info", {"store_id": long}),
        ("weather", {"address": long, "date_start": "2025-06-21", "date_end": "2025-06-21"}),
        ("address_to_longitude_latitude", {"address": long}),
        (long, {}),
        ("weather", {long: 1}),
        ("search_delivery_orders", {"user_id": USER, "status": long}),
    ]:
        result = world.call(name, arguments)
        assert not result.ok
        assert len(result.text) < 1000


def test_no_refusal_shows_a_placeholder():
    """Every value that a sentence mentions is given, for every code that calls can bring about."""
    seen = set()
    world = make_world(TASK)
    for tool, parameter in PARAMETERS:
        for value in ("?", "", 0, -1, 10**6, None, [], ["?"], "2020-01-01", "2020-01-01 00:00:00"):
            result = world.fork().call(tool.name, valid(tool) | {parameter.name: value})
            if not result.ok:
                seen.add(result.code)
                assert "{" not in result.text, result.text
    assert seen <= set(refusal_codes())
    assert len(seen) > 20
