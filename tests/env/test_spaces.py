"""Text spaces hold any Unicode, and Gymnasium's vectors carry it unchanged, within a process and between them."""

import doctest
import json
import pickle
from copy import deepcopy
from pathlib import Path

import gymnasium as gym
import pytest
from gymnasium.spaces import Dict, Tuple, flatten, flatten_space, unflatten
from gymnasium.spaces.utils import is_space_dtype_shape_equiv
from gymnasium.vector.utils import (
    batch_differing_spaces,
    batch_space,
    concatenate,
    create_empty_array,
    create_shared_memory,
    iterate,
    read_from_shared_memory,
    write_to_shared_memory,
)
from hypothesis import given, settings
from hypothesis import strategies as st

import vitagym.env.spaces
from vitagym.env.actions import CallIds, parse_action
from vitagym.env.shared_texts import SharedTexts
from vitagym.env.spaces import AgentActions, AnyText
from vitagym.errors import CallerError

ANY = st.text(st.characters())  # lone surrogates too
SPACES = pytest.mark.parametrize("kind", [AnyText, AgentActions])
TEXTS = ["", "plain", "中文：你好，世界", "🌊" * 1000, "lone \ud800 surrogate", "a\0b\r\n", "长" * 300_000]


@SPACES
@given(text=ANY)
def test_every_text_is_in_the_space(kind, text):
    assert text in kind()


def test_what_is_no_text_is_not_in_the_space():
    for value in (None, 3, b"bytes", ["a"], {"content": "a"}, object()):
        assert value not in AnyText()


def test_actions_are_texts_and_json():
    space = AgentActions()
    for action in ("hi", {"role": "assistant", "content": None}, [{"name": "weather", "arguments": {}}]):
        assert action in space
    for action in (None, 3, b"bytes", {"a": object()}, {1: 2}, object()):
        assert action not in space


@SPACES
def test_samples_are_seeded_and_in_the_space(kind):
    first, second, other = kind(seed=5), kind(seed=5), kind(seed=6)
    drawn = [first.sample() for _ in range(200)]
    assert drawn == [second.sample() for _ in range(200)]
    assert drawn != [other.sample() for _ in range(200)]
    assert all(sample in first for sample in drawn)
    first.seed(5)
    assert first.sample() == drawn[0]


def test_sampled_actions_are_usable_and_of_several_forms():
    space = AgentActions(seed=0)
    parsed = [parse_action(space.sample(), (), CallIds()) for _ in range(200)]
    assert all(p.fault is None for p in parsed)
    assert {bool(p.calls) for p in parsed} == {True, False}


@SPACES
def test_masks_are_refused(kind):
    with pytest.raises(CallerError, match="mask"):
        kind().sample(mask=(1, None))


@SPACES
def test_a_space_equals_its_like_and_survives_pickling(kind):
    space = kind(seed=3)
    copy = pickle.loads(pickle.dumps(space))
    assert copy == space == kind()
    assert hash(copy) == hash(space)
    assert copy.sample() == space.sample()
    assert space != gym.spaces.Text(3)
    assert AnyText() != AgentActions()
    assert repr(space) == f"{kind.__name__}()"


def test_the_example_in_the_docs_holds():
    assert doctest.testmod(vitagym.env.spaces) == (0, 1)


@given(st.lists(ANY))
def test_samples_survive_json(texts):
    space = AnyText()
    assert space.from_jsonable(json.loads(json.dumps(space.to_jsonable(texts)))) == texts


@SPACES
def test_a_batch_is_a_tuple_of_spaces(kind):
    space = kind(seed=1)
    batch = batch_space(space, 3)
    sample = batch.sample()
    assert sample in batch
    assert len(set(map(str, sample))) > 1
    assert batch == batch_differing_spaces([kind(seed=2)] * 3) == Tuple([kind()] * 3)
    assert list(iterate(batch, sample)) == list(sample)
    assert concatenate(space, sample, create_empty_array(space, 3)) == sample
    assert create_empty_array(space, 2) == ("", "")
    assert is_space_dtype_shape_equiv(space, kind())
    assert pickle.loads(pickle.dumps(batch)) == batch


def test_text_is_not_flattened():
    space = Dict({"words": AnyText(), "more": AnyText()})
    assert not space.is_np_flattenable
    value = {"words": "你好", "more": ""}
    flat = flatten(space, value)
    assert unflatten(space, flat) == value
    assert flat in flatten_space(space)


@pytest.mark.parametrize("space", [AnyText(), Dict({"a": AnyText(), "b": AnyText()})], ids=["text", "dict"])
def test_shared_memory_is_a_live_view_whose_copy_stands_still(space):
    nested = isinstance(space, Dict)

    def value(text):
        return {"a": text, "b": text[::-1]} if nested else text

    memory = create_shared_memory(space, n=2)
    view = read_from_shared_memory(space, memory, n=2)
    assert deepcopy(view) == ({"a": ("", ""), "b": ("", "")} if nested else ("", ""))
    for text in TEXTS:
        write_to_shared_memory(space, 1, value(text), memory)
        copy = deepcopy(view)
        write_to_shared_memory(space, 1, value("changed"), memory)
        texts = copy["a"] if nested else copy
        assert texts == ("", text)
        assert (deepcopy(view)["a"] if nested else deepcopy(view)) == ("", "changed")


def test_shared_texts_are_a_sequence():
    texts = SharedTexts(3)
    for i, text in enumerate(("a", "b", "c")):
        texts.write(i, text)
    assert list(texts) == ["a", "b", "c"]
    assert (texts[-1], texts[1:], len(texts), "b" in texts) == ("c", ("b", "c"), 3, True)
    assert texts == ("a", "b", "c")
    assert repr(texts) == "('a', 'b', 'c')"
    with pytest.raises(IndexError):
        texts[3]


def test_shared_texts_take_up_nothing_before_use_and_leave_nothing_behind():
    texts = SharedTexts(100)
    folder = Path(texts._folder)
    assert not list(folder.iterdir())
    texts.write(0, "a")
    copy = pickle.loads(pickle.dumps(texts))
    assert copy[0] == "a"
    del copy
    assert folder.exists()
    del texts
    assert not folder.exists()


def vector(texts, context=None, **options):
    """An asynchronous vector of environments that say these texts, each rotated by its place."""

    class Says(gym.Env):
        observation_space, action_space = AnyText(), AnyText()

        def __init__(self, place):
            self.said, self.place = 0, place

        def reset(self, *, seed=None, options=None):
            return texts[self.place % len(texts)], {}

        def step(self, action):
            self.said += 1
            return texts[(self.place + self.said) % len(texts)] + action, 0.0, False, False, {}

    makers = [lambda place=place: Says(place) for place in range(3)]
    return gym.vector.AsyncVectorEnv(makers, context=context, **options)


@pytest.mark.parametrize("context", ["fork", "spawn", "forkserver"])
def test_texts_cross_processes_unchanged(context):
    env = vector(TEXTS, context)
    try:
        first, _ = env.reset()
        assert first == tuple(TEXTS[:3])
        assert first in env.observation_space
        kept = [first]
        for said in range(1, len(TEXTS) + 1):
            observations = env.step(("!", "？", "\udfff"))[0]
            kept.append(observations)
            for place, (text, action) in enumerate(zip(observations, "!？\udfff", strict=True)):
                assert text == TEXTS[(place + said) % len(TEXTS)] + action
        assert kept[0] == tuple(TEXTS[:3])
    finally:
        env.close()


def test_without_shared_memory_it_is_the_same():
    env = vector(["你好", "b"], shared_memory=False)
    try:
        assert env.reset()[0] == ("你好", "b", "你好")
        assert env.step(("", "", ""))[0] == ("b", "你好", "b")
    finally:
        env.close()


@settings(max_examples=50)
@given(st.lists(ANY, min_size=2, max_size=2))
def test_any_text_is_shared_to_the_letter(texts):
    shared = SharedTexts(2)
    for i, text in enumerate(texts):
        shared.write(i, text)
    assert deepcopy(shared) == tuple(texts)
