"""Every public task can be played with the scripted user; its rubrics are unscored, and no label reaches an agent."""

import json

import gymnasium as gym
import pytest

import vitagym

FILES = {"VitaBench-Delivery-v0": "tasks_delivery_en.json.gz", "VitaBench-InStore-v0": "tasks_instore_en.json.gz"}
LABELS = ("distraction", "product_type", "shop_type", "target_reason")


@pytest.fixture(scope="module", params=list(FILES))
def played(request, official):
    """The environment of all public tasks of a domain, and the tasks."""
    tasks = vitagym.load_public(official / FILES[request.param])
    return gym.make(request.param, tasks=tasks), tasks


def test_every_public_task_plays_to_its_end_and_tells_all_of_its_points(played):
    env, tasks = played
    for index, task in enumerate(tasks):
        observation, info = env.reset(seed=index)
        assert info["task_id"] == task.id
        assert observation.strip()
        for _ in range(60):
            said = "Everything is done. Is there anything else?"
            observation, reward, terminated, truncated, info = env.step(said)
            assert reward == 0
            if terminated or truncated:
                break
        assert info["end_reason"] == "user_done", task.id
        assert info["is_success"] is None
        assert {row["status"] for row in info["rubrics"].values()} == {"unscored"}


def test_no_label_is_in_anything_that_any_tool_shows(played):
    env, tasks = played
    for task in tasks:
        _, info = env.reset(options={"task_id": task.id})
        names = {tool["function"]["name"] for tool in info["tools"]}
        for call in _look_at_everything(task, names):
            observation, _, _, _, info = env.step(json.dumps(call))
            assert info["tool_error"] is None, (task.id, call, observation[:200])
            for label in LABELS:
                assert label not in observation, (task.id, call)
            assert not _aimed_at(json.loads(observation)), (task.id, call)


def test_public_tasks_survive_in_the_spec_of_their_environment(official):
    tasks = vitagym.load_public(official / FILES["VitaBench-InStore-v0"])[:2]
    env = gym.make("VitaBench-InStore-v0", tasks=tasks)
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.reset(seed=1)[0] == env.reset(seed=1)[0]
    assert again.unwrapped.task == tasks[1]


def _look_at_everything(task, names):
    """Reading calls of every kind: searches, details, surroundings, history."""
    world = task.environment
    user = {"user_id": task.profile.user_id}
    yield {"name": "get_user_historical_behaviors", "arguments": {}}
    yield {"name": "get_user_all_orders", "arguments": {}}
    place = next(iter((world.get("stores") or world["shops"]).values()))["location"]
    near = {"longitude": place["longitude"], "latitude": place["latitude"], "range": 50_000}
    yield {"name": "get_nearby", "arguments": near}
    for name in sorted(names):
        if "search_recom" in name:
            yield {"name": name, "arguments": {"keywords": ["a"]}}
        if name in ("get_instore_orders", "get_instore_reservations", "get_instore_books", "search_delivery_orders"):
            yield {"name": name, "arguments": user}
    if "stores" in world:
        for store_id, store in world["stores"].items():
            yield {"name": "get_delivery_store_info", "arguments": {"store_id": store_id}}
            for product in store["products"][:2]:
                yield {"name": "get_delivery_product_info", "arguments": {"product_id": product["product_id"]}}
        for order_id in world["orders"]:
            yield {"name": "get_delivery_order_detail", "arguments": {"order_id": order_id}}


def _aimed_at(value):
    if isinstance(value, dict):
        return any(map(_aimed_at, value.values()))
    if isinstance(value, list):
        return any(map(_aimed_at, value))
    return value == "target"
