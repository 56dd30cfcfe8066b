"""What holds after any sequence of calls whatever."""

import json
import math
import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.random_calls import random_call
from support.worlds import make_task, make_world

from vitagym.randomness import Stream
from vitagym.tools.results import Strictness
from vitagym.world.records import Status

TASK = make_task()
NUMBER = re.compile(r"-?\d+(\.\d+)?")
seeds = st.integers(0, 10**9)
walks = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


def walk(seed, world=None, calls=60):
    """Yield name, arguments and result of each of some random calls."""
    here = make_world(TASK) if world is None else world
    draw = Stream(seed, "calls")
    for _ in range(calls):
        name, arguments = random_call(here, draw)
        yield name, arguments, here.call(name, arguments)


def everything(catalogue):
    """Return all that a catalogue holds as one text."""
    providers = [(p.kind, p.data, [(x.key, x.price, x.quantity, x.data) for x in p.products], p.places) for p in
                 catalogue.providers.values()]  # fmt: skip
    return repr((providers, catalogue.places, catalogue.weather, catalogue.behaviors, catalogue.orders,
                 catalogue.bookings, catalogue.reservations))  # fmt: skip


def state(world):
    """Return all that a ledger holds."""
    ledger = world.ledger
    tables = (ledger.orders, ledger.bookings, ledger.reservations, ledger.stock_changes(), ledger.changes)
    return repr(tables), ledger.fork().new_id("O")


@walks
@given(seeds)
def test_calls_never_raise_and_never_change_the_catalogue(seed):
    """S3: an order there overwrites the catalogue."""
    before = everything(TASK.catalogue)
    for _, _, result in walk(seed):
        if result.ok:
            _vandalise(result.data)
    assert everything(TASK.catalogue) == before


def _vandalise(data):
    """Do with a result what a careless caller may do."""
    if isinstance(data, dict):
        for value in data.values():
            _vandalise(value)
        data.clear()
    elif isinstance(data, list):
        for value in data:
            _vandalise(value)
        data.append("vandalised")


@walks
@given(seeds)
def test_stock_is_what_was_there_less_what_open_orders_hold(seed):
    """T2, T6: there, stock is neither looked at nor given back."""
    world = make_world(TASK)
    held_before = _held(TASK.catalogue.orders.values())
    for _ in walk(seed, world):
        held = _held(world.ledger.orders.values())
        for provider in TASK.catalogue.providers.values():
            for product in provider.products:
                left = world.ledger.stock(product)
                if left is not None:
                    assert left == product.quantity + held_before.get(product.key, 0) - held.get(product.key, 0)
                    assert left >= 0


def _held(orders):
    held = {}
    for order in orders:
        for line in order.lines if order.status != Status.CANCELLED else ():
            key = f"{order.provider_id}/{line.product_id}/{line.date or ''}"
            held[key] = held.get(key, 0) + line.quantity
    return held


@walks
@given(seeds)
def test_a_refused_call_leaves_everything_as_it_was(seed):
    """S2: there, a refusal is reported after the stock was taken."""
    world = make_world(TASK)
    before = state(world)
    for name, arguments, result in walk(seed, world):
        after = state(world)
        if not result.ok:
            assert after == before, (name, arguments)
            assert result.data is None
        before = after


@walks
@given(seeds)
def test_results_are_json_whose_numbers_are_numbers(seed):
    """T12: there, numbers come back as strings, which the tools then refuse."""
    for name, arguments, result in walk(seed):
        if result.ok:
            assert json.loads(result.text) == result.data
            assert [s for s in _leaves(result.data, arguments) if NUMBER.fullmatch(s)] == [], name
        else:
            result.text.encode("utf-8")


def _leaves(data, arguments):
    """Yield the texts in some data; what the caller wrote itself is left out."""
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, list):
        for value in data:
            yield from _leaves(value, arguments)
    elif isinstance(data, str):
        if data not in arguments.values():
            yield data
    elif isinstance(data, float):
        assert math.isfinite(data)


@walks
@given(seeds)
def test_the_same_calls_give_the_same_bytes_in_every_world_of_a_task(seed):
    """S2: there, order ids come from the wall clock."""
    other = make_world(make_task())
    for name, arguments, result in walk(seed):
        assert other.call(name, arguments).text == result.text


@walks
@given(seeds, st.integers(0, 40), st.sampled_from(Strictness))
def test_a_fork_goes_on_alike_and_by_itself(seed, after, strictness):
    world = make_world(TASK, strictness=strictness)
    for _ in walk(seed, world, after):
        pass
    fork = world.fork()
    kept = state(world)
    texts = [result.text for _, _, result in walk(seed + 1, fork, 30)]
    assert state(world) == kept
    assert [result.text for _, _, result in walk(seed + 1, world, 30)] == texts


@walks
@given(seeds)
def test_ids_of_new_records_are_never_used_twice(seed):
    """S2: there, two orders in one tick of the clock collide."""
    world = make_world(TASK)
    for _ in walk(seed, world):
        pass
    news = [change.after.id for change in world.ledger.changes if change.before is None]
    assert len(set(news)) == len(news)
    assert not set(news) & {*TASK.catalogue.orders, *TASK.catalogue.bookings, *TASK.catalogue.reservations}


def test_every_tool_is_accepted_at_least_once_in_random_calls():
    """So that the tests above are about more than refusals."""
    accepted = set()
    for seed in range(60):
        accepted |= {name for name, _, result in walk(seed, calls=120) if result.ok}
    assert accepted == set(make_world(TASK).tools.names)
