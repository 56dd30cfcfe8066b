"""Text environments as one vector: the same as one by one, and waiting together."""

import asyncio

import gymnasium as gym
import numpy as np
import pytest

import vitagym  # noqa: F401 - registers the ids
from vitagym.errors import CallerError
from vitagym.rl.text_vector import TextVector, text_vector

CALL = {"name": "get_user_all_orders", "arguments": {}}
ACTIONS = [
    ("Hello!", CALL, ""),
    (CALL, "Anything else?", "Yes?"),
    ("a", "b", "###STOP###"),
    ("a", "b", "c"),
    ("a",) * 3,
]


def test_a_vector_gives_what_gymnasiums_own_gives():
    given = []
    for make in (
        lambda: text_vector(3, domain="delivery"),
        lambda: gym.make_vec("VitaBench-Delivery-v0", num_envs=3, vectorization_mode="sync"),
    ):
        env = make()
        rows = [env.reset(seed=4), *(env.step(actions) for actions in ACTIONS)]
        assert all(row[0] in env.observation_space for row in rows)
        given.append(rows)
        env.close()
    for ours, theirs in zip(*given, strict=True):
        assert ours[0] == theirs[0]
        for mine, other in zip(ours[1:-1], theirs[1:-1], strict=True):
            assert np.array_equal(mine, other)
        for key in ("task_id", "turn", "tool_error", "end_reason", "is_success"):
            assert list(ours[-1][key]) == list(theirs[-1][key]), key


def test_the_text_ids_have_it_as_their_vector():
    env = gym.make_vec("VitaBench-Delivery-v0", num_envs=2, vectorization_mode="vector_entry_point")
    assert isinstance(env.unwrapped, TextVector)
    env.close()


def test_inside_an_event_loop_it_is_awaited():
    async def use():
        env = text_vector(2, domain="delivery")
        with pytest.raises(CallerError, match="await areset"):
            env.reset(seed=0)
        texts, _ = await env.areset(seed=0)
        stepped = await env.astep(["Hello!", "Anything else?"])
        return texts, stepped[0]

    texts, answers = asyncio.run(use())
    env = text_vector(2, domain="delivery")
    assert (env.reset(seed=0)[0], env.step(["Hello!", "Anything else?"])[0]) == (texts, answers)


def test_seeds_are_counted():
    with pytest.raises(CallerError, match="3 seeds"):
        text_vector(2).reset(seed=[1, 2, 3])
    with pytest.raises(CallerError, match="at least one"):
        TextVector([])
