"""An answer from memory is the answer that the tool would give."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.random_calls import random_call
from support.worlds import make_task, make_world

from vitagym.randomness import Stream

TASK = make_task()
walks = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


def outcome(world, result):
    """Return all that a call gave, and all that the ledger then holds."""
    ledger = world.ledger
    tables = (ledger.orders, ledger.bookings, ledger.reservations, ledger.stock_changes())
    return result.ok, result.text, result.code, result.changes, repr(tables)


@walks
@given(st.integers(0, 10**9))
def test_worlds_that_remember_answer_as_those_that_do_not(seed):
    remembering, other = make_world(TASK), make_world(TASK)
    draw = Stream(seed, "calls")
    reads = []
    for _ in range(40):
        name, arguments = random_call(other, draw)
        reads.append((name, arguments))
        again = draw.choice(reads)
        for asked, given_with in ((name, arguments), again):
            written = json.dumps(given_with)
            found = outcome(remembering, remembering.call(asked, given_with, written))
            assert found == outcome(other, other.call(asked, given_with))
        if draw.below(10) == 0:
            remembering, other = remembering.fork(), other.fork()


def test_a_ledger_that_somebody_else_changed_is_read_anew():
    world = make_world(TASK)
    name, arguments = "get_user_all_orders", {}
    before = world.call(name, arguments, "{}")
    assert world.call(name, arguments, "{}").text == before.text
    order = next(iter(world.ledger.orders.values()))
    world.ledger.put(type(order)(**{f: getattr(order, f) for f in order.__slots__} | {"status": "cancelled"}))
    assert world.call(name, arguments, "{}").text != before.text


def test_what_a_caller_does_to_a_result_stays_with_the_caller():
    world = make_world(TASK)
    first = world.call("get_user_all_orders", {}, "{}")
    first.data.clear()
    assert world.call("get_user_all_orders", {}, "{}").data
