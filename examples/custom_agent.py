"""Write an agent of your own: it hears the user, looks things up, and says what it found. It is not a good one.

Run it with ``python examples/custom_agent.py``.
"""

import json
from collections.abc import Mapping
from typing import Any

import gymnasium as gym

import vitagym  # noqa: F401 - registers the ids


class Curious:
    """Reads the user's profile, searches for what the user said, asks three questions, and gives up."""

    def start(self, env: gym.Env) -> None:
        """Get ready for a new episode."""
        self.said = ""
        self.plan = [
            {"name": "get_user_historical_behaviors", "arguments": {}},
            {"name": "delivery_product_search_recommand", "arguments": {"keywords": ["$said"]}},
            "What time should it be?",
            "Are there any dietary restrictions I should know about?",
            "Is there anything else?",
            "I am sorry, I cannot do that. ###STOP###",
        ]

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Return the next action: text for the user, or a tool call as JSON."""
        said = next((m["content"] for m in reversed(info["messages"]) if m["role"] == "user"), None)
        self.said = said or self.said
        step = self.plan.pop(0)
        return step if isinstance(step, str) else json.dumps(step).replace("$said", self.said[:40].replace('"', ""))


def main() -> None:
    env = gym.make("VitaBench-Delivery-v0", feedback="guide", max_turns=40)
    agent = Curious()
    for seed in range(3):
        observation, info = env.reset(seed=seed)
        agent.start(env)
        rewards, over = [], False
        while not over:
            observation, reward, terminated, truncated, info = env.step(agent.act(observation, info))
            rewards.append(reward)
            over = terminated or truncated
        met = sum(r["status"] == "met" for r in info["rubrics"].values())
        print(f"{info['task_id']}: {met} of {len(info['rubrics'])} rubrics met, reward {sum(rewards):.2f}")


if __name__ == "__main__":
    main()
