"""Play one task with the reference agent and watch the conversation.

Run it with ``python examples/quickstart.py``.
"""

import gymnasium as gym

import vitagym

env = gym.make("VitaBench-Cross-v0")  # deliveries, restaurants and journeys in one task
observation, info = env.reset(seed=0)  # the seed chooses the task and fixes everything that follows
print("user:  ", observation)

agent = vitagym.make_agent("reference")
agent.start(env)
total = 0.0
over = False
while not over:
    action = agent.act(observation, info)  # an utterance, or tool calls
    observation, reward, terminated, truncated, info = env.step(action)
    total += reward
    over = terminated or truncated
    print("agent: ", action)
    print("answer:", observation[:200])
    if reward:
        print(f"        reward {reward:+.3f}  {info['reward_terms']}")

print(f"\nsuccess {info['is_success']}, reward {total:.2f}, {info['turn']} messages, ended by {info['end_reason']}")
