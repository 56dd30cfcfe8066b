"""Forks, snapshots and determinism: the same seed and actions give the same bytes, wherever and whenever."""

import json
import os
import pickle
import subprocess
import sys
import threading
import tracemalloc
from functools import lru_cache

import gymnasium as gym
import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.playing import DOMAINS, MAIN_IDS, make, play

import vitagym
from vitagym.env import task_source
from vitagym.randomness import Stream

in_every_domain = pytest.mark.parametrize("domain", DOMAINS)
WORDS = ["What would you like?", "Which address?", "Shall I order it?", "I have ordered it.", "It cannot be done.", ""]


def random_actions(domain: str, seed: int, number: int) -> list[object]:
    """What a random agent does in the task of a seed, mixed with words that users understand; from named streams."""
    env = make(domain, max_turns=None)
    observation, info = env.reset(seed=seed)
    agent, stream = vitagym.make_agent("random", seed=seed), Stream(seed, "words")
    agent.start(env)
    actions: list[object] = []
    while len(actions) < number:
        actions.append(stream.choice(WORDS) if stream.random() < 0.3 else agent.act(observation, info))
        observation, _, terminated, truncated, info = env.step(actions[-1])
        if terminated or truncated:
            break
    return actions


def bytes_of(env: gym.Env, actions) -> bytes:
    """Everything that an agent, a judge or a log sees of some actions."""
    return orjson.dumps([list(step) for step in play(env, actions)])


def trace(domain: str, seed: int, actions) -> bytes:
    env = make(domain, max_turns=None, debug=True)
    opening = orjson.dumps(list(env.reset(seed=seed)))
    steps = bytes_of(env, actions)
    ledger = env.unwrapped.world.ledger
    return opening + steps + repr((ledger.orders, ledger.bookings, ledger.reservations)).encode()


@in_every_domain
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6), number=st.integers(1, 25))
def test_the_same_actions_give_the_same_bytes(domain, seed, number):
    actions = random_actions(domain, seed, number)
    assert trace(domain, seed, actions) == trace(domain, seed, actions)


@in_every_domain
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6), data=st.data())
def test_a_fork_at_any_turn_goes_on_as_the_original_does(domain, seed, data):
    actions = random_actions(domain, seed, 25)
    at = data.draw(st.integers(0, len(actions) - 1))
    env = make(domain, max_turns=None).unwrapped
    env.reset(seed=seed)
    play(env, actions[:at])
    fork, moment = env.fork(), env.snapshot()
    before = orjson.dumps(env.messages)
    play(fork.fork(), ["Something else.", "###STOP###"])
    rest = bytes_of(fork, actions[at:])
    assert orjson.dumps(env.messages) == before
    assert bytes_of(env, actions[at:]) == rest
    assert orjson.dumps(env.messages) == orjson.dumps(fork.messages)
    for _ in range(2):
        env.restore(moment)
        assert orjson.dumps(env.messages) == before
        assert bytes_of(env, actions[at:]) == rest


@in_every_domain
def test_a_fork_draws_the_same_next_tasks(domain):
    env = make(domain).unwrapped
    env.reset(seed=4)
    fork, moment = env.fork(), env.snapshot()
    following = [env.reset()[1]["task_id"] for _ in range(5)]
    assert [fork.reset()[1]["task_id"] for _ in range(5)] == following
    env.restore(moment)
    assert [env.reset()[1]["task_id"] for _ in range(5)] == following


@in_every_domain
def test_a_pickled_environment_goes_on_as_the_original_does(domain):
    actions = random_actions(domain, 3, 20)
    env = make(domain, max_turns=None)
    env.reset(seed=3)
    play(env, actions[:8])
    copy = pickle.loads(pickle.dumps(env))
    assert bytes_of(copy, actions[8:]) == bytes_of(env, actions[8:])
    assert copy.reset()[1]["task_id"] == env.reset()[1]["task_id"]


CHILD = """
import hashlib, json, sys
sys.path[:0] = sys.argv[1:]
from test_forks import random_actions, trace
for line in sys.stdin:
    domain, seed, number, more = json.loads(line)
    actions = random_actions(domain, seed, number) + more
    print(hashlib.sha256(trace(domain, seed, actions)).hexdigest(), flush=True)
"""


@pytest.fixture(scope="module")
def processes():
    """Two processes that differ in hash seed, time zone and locale, and answer requests with a digest."""
    here = os.path.dirname(__file__)
    started = []
    for hash_seed, zone, locale in (("0", "UTC", "C"), ("12345", "Asia/Shanghai", "C.UTF-8")):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "TZ": zone, "LC_ALL": locale}
        arguments = [sys.executable, "-c", CHILD, here, os.path.dirname(here)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": environment}
        started.append(subprocess.Popen(arguments, **pipes))
    yield started
    for process in started:
        process.communicate()


calls = st.builds(
    lambda name, arguments: {"name": name, "arguments": arguments},
    st.sampled_from([schema["function"]["name"] for schema in vitagym.tool_schemas("cross")]),
    st.dictionaries(
        st.sampled_from(["user_id", "store_id", "keywords", "city_name", "address", "status", "order_id"]),
        st.text(st.characters(), max_size=5) | st.integers() | st.lists(st.text(max_size=3), max_size=2),
        max_size=3,
    ),
)


@in_every_domain
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10**6),
    number=st.integers(1, 30),
    more=st.lists(calls | st.text(st.characters(), max_size=20) | st.sampled_from(WORDS), max_size=8),
)
def test_two_processes_give_the_same_bytes_whatever_their_hash_seed(processes, domain, seed, number, more):
    digests = set()
    for process in processes:
        process.stdin.write(json.dumps([domain, seed, number, more]) + "\n")
        process.stdin.flush()
    for process in processes:
        digests.add(process.stdout.readline().strip())
    assert len(digests) == 1
    assert len(digests.pop()) == 64


@in_every_domain
def test_two_live_environments_never_see_each_other(domain):
    """The public implementation's faults S1 and S4: registries and a language of the whole process."""
    other_domain = "ota" if domain != "ota" else "delivery"
    actions = random_actions(domain, 5, 30)
    alone = trace(domain, 5, actions)
    env = make(domain, max_turns=None, debug=True)
    same, chinese, other = make(domain), make(domain, language="zh"), make(other_domain)
    given = orjson.dumps(list(env.reset(seed=5)))
    same.reset(seed=5)
    chinese.reset(seed=6)
    other.reset(seed=5)
    steps = []
    for action in actions:
        steps.append(list(env.step(action)))
        for neighbour in (same, chinese, other):
            if neighbour.step({"name": "get_user_all_orders", "arguments": {}})[3]:
                neighbour.reset()
    ledger = env.unwrapped.world.ledger
    given += orjson.dumps(steps) + repr((ledger.orders, ledger.bookings, ledger.reservations)).encode()
    assert given == alone


def test_order_ids_are_no_matter_of_the_clock():
    """The public implementation's fault S2: ids from the wall clock collide, and are reported as success."""
    from support.playing import play_agent

    ids = set()
    for _ in range(2):
        env = make()
        play_agent(env)
        ids.add(tuple(env.unwrapped.world.ledger.orders))
    assert len(ids) == 1
    assert len(set(next(iter(ids)))) == len(next(iter(ids)))


def test_reading_before_anything_else_hides_nothing():
    """The public implementation's fault S6: a tool that reads an empty catalogue hides what is loaded later."""
    search = {"name": "delivery_store_search_recommand", "arguments": {"keywords": ["a"]}}
    first, second = make(), make(tasks=vitagym.load_tasks("delivery")[5:6])
    first.reset(seed=0)
    found = [first.step(search)[0]]
    second.reset(seed=0)
    found.append(second.step(search)[0])
    for env, text in zip((first, second), found, strict=True):
        stores = env.unwrapped.task.catalogue.of_kind("store")
        assert stores
        assert all(f'"{store}"' in text for store in stores)


def test_a_step_starts_no_thread():
    env = make()
    env.reset(seed=0)
    before = threading.active_count()
    play(env, ["Hello!", {"name": "get_user_all_orders", "arguments": {}}])
    assert threading.active_count() == before


@pytest.mark.parametrize("tasks", ["test", "train"])
def test_many_resets_keep_memory_flat(tasks, monkeypatch):
    """The public implementation's fault S1: worlds are never freed. (Made tasks are remembered up to a number.)"""
    monkeypatch.setattr(task_source, "_made", lru_cache(maxsize=32)(task_source._made.__wrapped__))
    env = make(tasks=tasks)
    rounds, slack = (1000, 100_000) if tasks == "test" else (40, 2_000_000)

    def some(start):
        for seed in range(start, start + rounds):
            env.reset(seed=seed % 20 if tasks == "test" else seed)
            play(env, [{"name": "get_user_all_orders", "arguments": {}}, "Hello!"])

    some(0)
    tracemalloc.start()
    try:
        some(rounds)
        first = tracemalloc.get_traced_memory()[0]
        some(2 * rounds)
        assert tracemalloc.get_traced_memory()[0] - first < slack
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("env_id", MAIN_IDS.values(), ids=DOMAINS)
def test_a_reset_reads_no_file(env_id, monkeypatch):
    """The public implementation's fault S7: every reset reads eight prompt files again and builds the schemas anew."""
    env = gym.make(env_id)
    env.reset(seed=0)

    def refuse(*arguments, **options):
        raise AssertionError(f"a file was opened: {arguments}")

    monkeypatch.setattr("builtins.open", refuse)
    monkeypatch.setattr("io.open", refuse)
    monkeypatch.setattr("vitagym.tools.schema.tool_schema", refuse)
    monkeypatch.setattr("vitagym.env.offer.tool_schema", refuse)
    env.reset(seed=0)
