"""Write an agent of your own: one that hears the user out, orders what comes closest to their words, and says so.

It shows what every agent needs: it reads ``info``, calls tools, reads what they return, and ends. It knows no language:
it takes each sentence of the user as a search, so it meets some rubrics and hardly ever all of them.

Run it with ``python examples/custom_agent.py``.
"""

import json
import re
from collections.abc import Generator, Mapping
from typing import Any

import gymnasium as gym

import vitagym  # noqa: F401 - registers the ids

QUESTIONS = (
    "What would you like?",
    "How many would you like?",
    "Are there any dietary restrictions or allergies I should know about?",
    "Is there anything else?",
)
Step = Generator[str, Mapping[str, Any], Any]
"""Yields an action, and is sent the info that comes back."""


class Searcher:
    """Asks a few questions, looks for what was said, orders what fits it best to the user's home, pays, and ends."""

    def start(self, env: gym.Env) -> None:
        """Get ready for a new episode."""
        del env
        self.episode: Step | None = None

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Return the next action: text for the user, or a tool call as JSON."""
        del observation
        if self.episode is None:
            self.episode = play(info)
            return next(self.episode)
        return self.episode.send(info)


def play(info: Mapping[str, Any]) -> Step:
    """Go through an episode from top to bottom: every ``yield`` is one message to the environment."""
    now = re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", info["system_prompt"]).group()
    said = info["messages"][-1]["content"]
    profile = yield from call("get_user_historical_behaviors")
    for question in QUESTIONS:
        info = yield question
        said += " " + info["messages"][-1]["content"]
        if info["end_reason"]:
            return
    found = yield from call("delivery_product_search_recommand", keywords=sorted(words(said)))
    best = max(found["products"], key=lambda product: len(words(json.dumps(product)) & words(said)))
    yield f"I have found {best['name']} from {best['store_name']} for {best['price']} yuan. Shall I order it?"
    order = yield from call(
        "create_delivery_order",
        user_id=profile["user_id"],
        store_id=best["store_id"],
        product_ids=[best["product_id"]],
        product_cnts=[1],
        address=profile["home address"],
        dispatch_time=now,
    )
    yield from call("pay_delivery_order", order_id=order["order_id"])
    yield f"Done: I have ordered 1 × {best['name']} from {best['store_name']} to your home. ###STOP###"


def call(name: str, **arguments: Any) -> Step:
    """Call a tool and return what it found."""
    info = yield json.dumps({"name": name, "arguments": arguments})
    return json.loads(info["messages"][-1]["content"])


def words(text: str) -> set[str]:
    """Return the words of a text that may say what somebody wants."""
    return set(re.findall(r"[a-z]{4,}", text.lower()))


def main() -> None:
    """Play ten tasks and say what each earned."""
    env = gym.make("VitaBench-Delivery-v0")
    agent = Searcher()
    rewards, successes = [], 0
    for seed in range(10):
        observation, info = env.reset(seed=seed)
        agent.start(env)
        reward, over = 0.0, False
        while not over:
            observation, earned, terminated, truncated, info = env.step(agent.act(observation, info))
            reward, over = reward + earned, terminated or truncated
        met = sum(rubric["status"] == "met" for rubric in info["rubrics"].values())
        print(f"{info['task_id']}: {met} of {len(info['rubrics'])} rubrics met, reward {reward:.2f}")
        rewards.append(reward)
        successes += info["is_success"]
    print(f"earned {sum(rewards) / len(rewards):.2f} a task; {successes} of {len(rewards)} tasks solved")


if __name__ == "__main__":
    main()
