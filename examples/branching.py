"""Branching: look ahead with ``fork()``, and see what that adds to the same policy without it.

A policy that has imitated few episodes of the expert plays held-out tasks, once as it is and once with a small tree
search: before each step, every promising candidate is tried in a fork of the environment, the policy plays on in it,
and the candidate whose future was paid best is taken. A fork copies ledger, conversation, user and judge, never the
world, so that thousands of them are cheap. The search looks at rewards, which an agent in earnest does not see: it is
a way to make better examples for training (expert iteration), not a better agent.

Run it with ``python examples/branching.py`` (two minutes).
"""

import argparse
import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import ppo_single_file as ppo
import torch

from vitagym.rl.view import SymbolicView

Choose = Callable[[ppo.Scorer, dict, SymbolicView, argparse.Namespace], int]


def probabilities(net: ppo.Scorer, observations: list[dict[str, np.ndarray]]) -> np.ndarray:
    """The policy's probabilities of all candidates, for several situations at once."""
    batch = {name: np.stack([seen[name] for seen in observations]) for name in observations[0]}
    with torch.no_grad():
        return net(ppo.packed(batch)).exp().numpy()


def plain(net: ppo.Scorer, observation: dict, env: SymbolicView, args: argparse.Namespace) -> int:
    """The policy as it is."""
    del env, args
    return int(probabilities(net, [observation])[0].argmax())


def searched(net: ppo.Scorer, observation: dict, env: SymbolicView, args: argparse.Namespace) -> int:
    """The candidate whose future was paid best, among those that the policy finds most likely."""
    likely = np.argsort(-probabilities(net, [observation])[0])[: args.width]
    branches = []  # (return so far, its environment, what it shows; None once it is over)
    for candidate in likely:
        fork = env.fork()
        seen, reward, terminated, truncated, _ = fork.step(candidate)
        branches.append([reward, fork, None if terminated or truncated else seen])
    for _ in range(args.depth):
        going = [branch for branch in branches if branch[2] is not None]
        if not going:
            break
        for branch, chances in zip(going, probabilities(net, [branch[2] for branch in going]), strict=True):
            seen, reward, terminated, truncated, _ = branch[1].step(chances.argmax())
            branch[0] += reward
            branch[2] = None if terminated or truncated else seen
    return int(likely[int(np.argmax([branch[0] for branch in branches]))])


def play(choose: Choose, net: ppo.Scorer, env: SymbolicView, args: argparse.Namespace) -> tuple[list[bool], float]:
    """Play the held-out tasks; returns who succeeded, and the mean share of rubrics met."""
    successes, shares = [], []
    for seed in range(args.tasks):
        observation, _ = env.reset(seed=seed)
        over = False
        while not over:
            observation, _, terminated, truncated, info = env.step(choose(net, observation, env, args))
            over = terminated or truncated
        met = [state["status"] == "met" for state in info["rubrics"].values()]
        successes.append(bool(info["is_success"]))
        shares.append(sum(met) / len(met))
    return successes, float(np.mean(shares))


def wilson(successes: list[bool]) -> tuple[float, float]:
    """The 95 % interval of a share."""
    n, p, z = len(successes), float(np.mean(successes)), 1.96
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--domain", default="Delivery")
    parser.add_argument("--difficulty", default="medium")
    parser.add_argument("--demonstrations", type=int, default=10, help="Episodes of the expert to imitate.")
    parser.add_argument("--tasks", type=int, default=40, help="Held-out tasks.")
    parser.add_argument("--width", type=int, default=4, help="Candidates that are tried.")
    parser.add_argument("--depth", type=int, default=20, help="Steps that are looked ahead.")
    parser.add_argument("--csv", type=Path, help="File for the figures.")
    args = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    learning = ppo.Arguments(domain=args.domain, difficulty=args.difficulty, warm_start=args.demonstrations)
    train = ppo.make(learning, "-Train", min(8, args.demonstrations), pool=50)
    spaces = train.single_observation_space.spaces
    net = ppo.Scorer(spaces["ctx"].shape[0], spaces["cand"].shape[1], learning.hidden)
    ppo.imitate(learning, net, train)
    env = ppo.make(learning, "-Dev", 1).envs[0]
    lines = ["policy,success,low,high,rubrics,seconds_an_episode"]
    for name, choose in (("alone", plain), ("with tree search", searched)):
        started = time.monotonic()
        successes, rubrics = play(choose, net, env, args)
        low, high = wilson(successes)
        spent = (time.monotonic() - started) / args.tasks
        lines.append(f"{name},{np.mean(successes):.3f},{low:.3f},{high:.3f},{rubrics:.3f},{spent:.2f}")
        print(
            f"{name:>16}: success {np.mean(successes):.0%} ({low:.0%} to {high:.0%}), rubrics {rubrics:.2f}, "
            f"{spent:.2f} s an episode",
            flush=True,
        )
    if args.csv:
        args.csv.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
