"""Conditions are true: what a result type claims really appears, and what a parameter needs is really looked at."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.random_calls import random_arguments, random_call
from support.worlds import USER, make_task, make_world, noodle_order

from vitagym.randomness import Stream
from vitagym.tools.conditions import Needs
from vitagym.tools.results import Refused, Strictness
from vitagym.tools.tool import Kind

TASK = make_task()
TOOLS = {tool.name: tool for tool in make_world(TASK).tools}
CHECKS = {
    parameter.needs.fact: parameter.needs.check
    for tool in TOOLS.values()
    for parameter in tool.parameters
    if parameter.needs is not None and parameter.needs.statuses is None and parameter.needs.fact.identity
}
BY_STATUS = [
    (tool.name, parameter.name, parameter.needs)
    for tool in TOOLS.values()
    for parameter in tool.parameters
    if parameter.needs is not None and parameter.needs.statuses is not None
]


def shown(fact, data):
    """Return the values of a fact in a result: all its keys in one object; "home address" counts as an address."""
    found = []
    if isinstance(data, list):
        return [value for one in data for value in shown(fact, one)]
    if not isinstance(data, dict):
        return found
    plain = {key.replace(" ", "_"): value for key, value in data.items() if not isinstance(value, dict | list)}
    parts = [[v for k, v in plain.items() if k == key or k.endswith(f"_{key}")] for key in fact.keys]
    if all(parts):
        found += [values[0] for values in parts] if len(parts) > 1 else parts[0]
    return found + [value for one in data.values() for value in shown(fact, one)]


def record_of(world, record_id):
    ledger = world.ledger
    return next(t[record_id] for t in (ledger.orders, ledger.bookings, ledger.reservations) if record_id in t)


def is_one(world, needs_fact, value):
    """Whether a value is an id of what the fact says."""
    if needs_fact not in CHECKS:
        return False
    try:
        CHECKS[needs_fact](world, value)
    except Refused:
        return False
    return True


def is_empty(data):
    return "message" in data


def alternatives(tool):
    """Return whether a tool lists several kinds at once, so that a result may show only some of its claims."""
    ids = {given.fact.keys for given in tool.gives.given if given.fact.identity}
    return len(ids) > 2 or len([g for g in tool.gives.given if g.fact.keys == ("order_id",)]) > 1


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**9))
def test_what_a_result_type_claims_appears_in_every_result_that_is_not_empty(seed):
    world, draw = make_world(TASK), Stream(seed, "calls")
    for _ in range(80):
        name, arguments = random_call(world, draw)
        result = world.call(name, arguments)
        if not result.ok or is_empty(result.data):
            continue
        claims = [(given, shown(given.fact, result.data)) for given in TOOLS[name].gives.given]
        if alternatives(TOOLS[name]):
            assert any(values for _, values in claims), name
        else:
            assert [given.fact.name for given, values in claims if not values] == [], (name, result.text)
        for given_fact, values in claims:
            if given_fact.statuses is not None:
                assert {record_of(world, value).status for value in values} <= given_fact.statuses, name


def test_every_claim_is_borne_out_by_an_id_of_that_kind():
    """A store's id is a store's, a flight order's id is a flight order's: the same check that a parameter makes."""
    borne_out = set()
    for seed in range(60):
        world, draw = make_world(TASK), Stream(seed, "claims")
        for _ in range(120):
            name, arguments = random_call(world, draw)
            result = world.call(name, arguments)
            for one in TOOLS[name].gives.given if result.ok else ():
                values = shown(one.fact, result.data)
                if values and (not one.fact.identity or any(is_one(world, one.fact, value) for value in values)):
                    borne_out.add((name, one.fact.name))
    claimed = {
        (tool.name, one.fact.name)
        for tool in TOOLS.values()
        for one in tool.gives.given
        if not one.fact.identity or one.fact in CHECKS
    }
    assert borne_out >= claimed


@pytest.mark.parametrize(("tool", "parameter", "needs"), BY_STATUS, ids=[f"{t}-{p}" for t, p, _ in BY_STATUS])
def test_a_record_in_another_status_is_refused(tool, parameter, needs: Needs):
    """T5, T13: there, delivered and consumed records can be cancelled, and a refusal looks like a result."""
    for seed in range(10):
        world, draw = make_world(TASK), Stream(seed, "status")
        for _ in range(60):
            world.call(*random_call(world, draw))
        tables = (world.ledger.orders, world.ledger.bookings, world.ledger.reservations)
        for record in [one for table in tables for one in table.values()]:
            if record.status in needs.statuses:
                continue
            arguments = random_arguments(world, TOOLS[tool], draw, odd=0) | {parameter: record.id}
            assert not world.call(tool, arguments).ok, (record, arguments)


def test_every_write_says_what_it_changes_and_nothing_else_does():
    assert [t.name for t in TOOLS.values() if (t.gives.changes is not None) != (t.kind is Kind.WRITE)] == []


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**9))
def test_when_ids_must_have_been_observed_only_those_that_were_shown_or_heard_are_accepted(seed):
    """Compared with a plain world that makes the same changes: what it accepts is refused exactly for an unseen id."""
    world, plain = make_world(TASK, strictness=Strictness.OBSERVED), make_world(TASK)
    draw, seen = Stream(seed, "observed"), {USER}
    world.hear(f"You serve the user {USER}.")
    for _ in range(60):
        name, arguments = random_call(world, draw)
        unseen = used_ids(name, arguments) - seen
        result, free = world.call(name, arguments), plain.fork().call(name, arguments)
        if result.ok:
            assert not unseen, (name, arguments)
            assert plain.call(name, arguments).text == result.text
            seen |= all_ids(result.data)
        elif free.ok:
            assert unseen, (name, arguments)
            assert result.code == "not_observed"


def used_ids(name, arguments):
    ids = set()
    for parameter in TOOLS[name].parameters:
        value = arguments.get(parameter.name)
        if parameter.needs is not None and parameter.needs.fact.identity and value is not None:
            ids |= {one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)}
    return ids


def all_ids(data):
    if isinstance(data, list):
        return set().union(*map(all_ids, data)) if data else set()
    if not isinstance(data, dict):
        return set()
    own = {v for k, v in data.items() if isinstance(v, str) and k.replace(" ", "_").endswith("_id")}
    return own.union(*map(all_ids, data.values())) if data else own


def test_an_id_is_observed_as_a_word_of_its_own_and_not_in_a_note():
    world = make_world(TASK, strictness=Strictness.OBSERVED)
    world.hear("I am U100, and my order is OD22.")
    assert world.call("get_delivery_order_status", {"order_id": "OD2"}).code == "not_observed"
    world.hear("Sorry: it is “OD2”.")
    assert world.call("get_delivery_order_status", {"order_id": "OD2"}).ok
    assert world.call("modify_delivery_order", {"order_id": "OD2", "note": '"store_id":"ST1"'}).ok
    assert world.call("get_delivery_order_detail", {"order_id": "OD2"}).ok
    assert world.has_seen("ST1"), "the order shows its store"
    assert world.call("modify_delivery_order", {"order_id": "OD2", "note": '{"store_id":"ST2"}, "x_id":"ST3"'}).ok
    assert not world.has_seen("ST2")
    assert not world.has_seen("ST3")


def test_an_id_that_only_came_back_in_a_refusal_is_not_observed():
    world = make_world(TASK, strictness=Strictness.OBSERVED)
    refused = world.call("get_delivery_store_info", {"store_id": "ST1"})
    assert refused.code == "not_observed"
    assert "ST1" in refused.text
    assert world.call("get_delivery_store_info", {"store_id": "ST1"}).code == "not_observed"


def test_after_looking_up_what_it_needs_an_observing_agent_can_order():
    world = make_world(TASK, strictness=Strictness.OBSERVED)
    assert world.call("create_delivery_order", noodle_order()).code == "not_observed"
    assert world.call("get_user_historical_behaviors", {}).ok
    assert world.call("create_delivery_order", noodle_order()).code == "not_observed"
    assert world.call("delivery_product_search_recommand", {"keywords": ["beef"]}).ok
    assert world.call("create_delivery_order", noodle_order()).ok
