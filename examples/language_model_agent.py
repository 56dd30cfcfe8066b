"""Let a language model play the agent: some episodes at once, in one thread.

Name the model and its endpoint (any that speaks the OpenAI protocol), then run it:

    export VITAGYM_AGENT_MODEL=my-model VITAGYM_AGENT_BASE_URL=http://127.0.0.1:8000/v1 VITAGYM_AGENT_API_KEY=…
    python examples/language_model_agent.py --tasks 8
"""

import argparse
import asyncio
from dataclasses import dataclass
from typing import Any

import gymnasium as gym

import vitagym


@dataclass
class Arguments:
    """What the command line may say."""

    env: str = "VitaBench-Delivery-v0"
    """Id of the environment."""
    agent: str = "llm"
    """llm (function calling), react or plan."""
    tasks: int = 4
    """How many tasks are played, all at once."""


async def episode(arguments: Arguments, seed: int) -> dict[str, Any]:
    """Play one episode; while its models think, the others go on."""
    env: Any = gym.make(arguments.env).unwrapped
    agent: Any = vitagym.make_agent(arguments.agent)
    observation, info = await env.areset(seed=seed)
    agent.start(env)
    total, over = 0.0, False
    while not over:
        action = await agent.aact(observation, info)
        observation, reward, terminated, truncated, info = await env.astep(action)
        total, over = total + reward, terminated or truncated
    return {**info, "reward": total}


async def main(arguments: Arguments) -> None:
    for info in await asyncio.gather(*(episode(arguments, seed) for seed in range(arguments.tasks))):
        used = info["usage"]["roles"]["agent"]
        print(
            f"{info['task_id']}: success {info['is_success']}, reward {info['reward']:.2f}, {info['turn']} messages, "
            f"{used['requests']} requests, {used['prompt_tokens'] + used['completion_tokens']} tokens, "
            f"ended by {info['end_reason']}"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name, default in vars(Arguments()).items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    asyncio.run(main(Arguments(**vars(parser.parse_args()))))
