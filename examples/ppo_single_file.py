"""PPO in one file, with torch alone: from chance to a policy that solves tasks, in minutes on a laptop.

Run it with ``python examples/ppo_single_file.py --minutes 10`` (``--help`` lists everything). Read it from top to
bottom: arguments, network, experience, update, evaluation, main loop. A policy scores the candidates that the symbolic
view lists, so the same network works for any number of them. Every row that it prints also goes to ``--csv``.
"""

import argparse
import csv
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, fields

os.environ.setdefault("OMP_NUM_THREADS", "1")  # small matrices: a second thread only waits

import gymnasium as gym
import numpy as np
import torch
from torch import nn

import vitagym  # noqa: F401 - registers the ids
from vitagym.rewards.transition import Transition
from vitagym.rl.expert import expert_choice
from vitagym.rl.toolroles import Deed, roles


@dataclass
class Arguments:
    """What can be set, each with a sentence; every field is an option of the command line."""

    domain: str = "Delivery"
    """Domain of the tasks: Delivery, InStore, OTA or Cross."""
    difficulty: str = "easy"
    """Difficulty of the made tasks: easy, medium, hard, expert, or standard (whatever the seed gives)."""
    reward: str = "dense"
    """The reward to learn from, as reward= of the environment."""
    order_cost: float = 0.2
    """What every new record costs. Without, it pays to order again and again: each more may meet more rubrics."""
    minutes: float = 10.0
    """When to stop."""
    steps: int = 100_000_000
    """Stop after so many steps of the environments, if that comes first."""
    seed: int = 0
    """Fixes network, tasks, users and choices."""
    tasks: int = 400
    """How many different tasks to learn from."""
    environments: int = 16
    """How many run side by side."""
    horizon: int = 32
    """Steps of each between two updates."""
    max_turns: int = 80
    """Messages after which an episode is cut off."""
    epochs: int = 4
    """How often each update goes over its experience."""
    minibatch: int = 128
    """Steps in one gradient step."""
    lr: float = 1e-3
    """Learning rate at the start; it falls to a tenth."""
    gamma: float = 0.99
    """Discount. With 1, an agent that dithers until it is cut off loses nothing: its value goes on after the cut."""
    lam: float = 0.95
    """λ of the advantage estimates."""
    clip: float = 0.2
    """How far a probability may move in one update."""
    entropy: float = 0.003
    """Weight of the entropy at the start; it falls to a tenth."""
    value: float = 0.5
    """Weight of the value's error."""
    max_norm: float = 0.5
    """Where gradients are cut off."""
    hidden: int = 64
    """Width of the network."""
    warm_start: int = 0
    """Episodes of the expert to imitate first; 0 starts from scratch."""
    imitation_steps: int = 500
    """Gradient steps of that imitation."""
    evaluate_every: int = 0
    """Steps between evaluations on held-out tasks; 0: only before the first step and at the end."""
    evaluate_tasks: int = 100
    """How many held-out tasks an evaluation plays."""
    sample: int = 0
    """Whether held-out tasks are played by drawing, as in training (1), or with the best candidate (0)."""
    csv: str = ""
    """File for the rows; empty for none."""
    save: str = ""
    """File for the network; empty for none."""


class Scorer(nn.Module):
    """Scores each candidate beside the context, and values the whole."""

    def __init__(self, context: int, candidate: int, hidden: int) -> None:
        super().__init__()
        self.context = nn.Sequential(nn.Linear(context, hidden), nn.Tanh())
        self.beside = nn.Linear(hidden, 2 * hidden)
        self.candidate = nn.Linear(candidate, hidden)
        self.mixed = nn.Sequential(nn.Linear(hidden, hidden), nn.Tanh())
        self.score = nn.Linear(hidden, 1)
        self.value = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        nn.init.orthogonal_(self.score.weight, 0.01)

    def forward(self, ctx: torch.Tensor, cand: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits and values."""
        there = mask > 0  # only candidates that exist are multiplied
        row = there.nonzero()[:, 0]
        context = self.context(ctx)
        shift, scale = self.beside(context).chunk(2, dim=-1)
        mixed = self.mixed(torch.relu(self.candidate(cand[there]) * (1 + scale[row]) + shift[row]))
        logits = ctx.new_full(mask.shape, -1e9)
        logits[there] = self.score(mixed).squeeze(-1)
        weights = torch.softmax(logits.detach(), dim=-1)[there]
        pooled = torch.zeros_like(context).index_add(0, row, mixed * weights.unsqueeze(-1))
        return logits, self.value(torch.cat([context, pooled], dim=-1)).squeeze(-1)


Batch = dict[str, torch.Tensor]


def seen(observations: dict[str, np.ndarray]) -> Batch:
    return {name: torch.from_numpy(array) for name, array in observations.items()}


def paid(args: Arguments) -> list[object]:
    """The reward to learn from, with the cost of a new record as a term of its own."""

    def new_record(transition: Transition) -> float:
        made = sum(
            t.result is not None and t.result.ok and roles()[t.call.name].deed is Deed.MAKE for t in transition.turns
        )
        return -args.order_cost * made

    return [args.reward, new_record] if args.order_cost else [args.reward]


def make(args: Arguments, split: str, number: int, **settings: object) -> gym.vector.VectorEnv:
    dials = {} if args.difficulty == "standard" else {"difficulty": args.difficulty}
    settings = {"max_turns": args.max_turns, **dials, **settings}
    env_id = f"VitaBench-{args.domain}-{split}-Symbolic-v0"
    return gym.make_vec(env_id, num_envs=number, vectorization_mode="vector_entry_point", **settings)


Choose = Callable[[dict[str, np.ndarray], list[gym.Env]], np.ndarray]


def evaluate(args: Arguments, choose: Choose, envs: list[gym.Env]) -> tuple[float, float]:
    """Play the held-out tasks once; returns share of successes and mean share of rubrics met."""
    waiting, playing, results = list(range(args.evaluate_tasks))[::-1], [], []
    playing = [(env, env.reset(seed=waiting.pop())[0]) for env in envs if waiting]
    while playing:
        batch = {name: np.stack([seen[name] for _, seen in playing]) for name in playing[0][1]}
        going = []
        for (env, _), action in zip(playing, choose(batch, [env for env, _ in playing]), strict=True):
            observation, _, terminated, truncated, info = env.step(action)
            if not (terminated or truncated):
                going.append((env, observation))
                continue
            met = [state["status"] == "met" for state in info["rubrics"].values()]
            results.append((bool(info["is_success"]), sum(met) / len(met)))
            if waiting:
                going.append((env, env.reset(seed=waiting.pop())[0]))
        playing = going
    return tuple(np.mean(results, axis=0).tolist())


def imitate(args: Arguments, net: Scorer, env: gym.vector.VectorEnv) -> None:
    """Behaviour cloning: play the expert, then learn to choose as it did."""
    observations, _ = env.reset(seed=args.seed + 1_000_000)
    steps, over = [], np.zeros(env.num_envs, bool)
    left = np.array([(args.warm_start + place) // env.num_envs for place in range(env.num_envs)])  # episodes of each
    while left.any():
        actions = np.array([0 if o else expert_choice(e) or 0 for o, e in zip(over, env.envs, strict=True)])
        steps += [({k: v[i] for k, v in observations.items()}, actions[i]) for i in np.flatnonzero(~over & (left > 0))]
        observations, _, terminated, truncated, _ = env.step(actions)
        over = terminated | truncated
        left -= over & (left > 0)
    data = {name: torch.from_numpy(np.stack([o[name] for o, _ in steps])) for name in observations}
    actions = torch.tensor([a for _, a in steps])
    optimizer, losses = torch.optim.Adam(net.parameters(), lr=2e-3), []
    for number in range(args.imitation_steps):
        optimizer.param_groups[0]["lr"] = 2e-3 * (1 - number / args.imitation_steps)
        index = torch.randint(len(actions), (min(256, len(actions)),))
        logits, _ = net(*(data[name][index] for name in ("ctx", "cand", "mask")))
        loss = nn.functional.cross_entropy(logits, actions[index])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(f"imitation of {len(actions)} steps: loss {losses[0]:.2f} -> {np.mean(losses[-20:]):.2f}", flush=True)


class Experience:
    """What the environments went through since the last update, [horizon, environments, …]."""

    def __init__(self, args: Arguments, env: gym.vector.VectorEnv) -> None:
        shape = (args.horizon, args.environments)
        spaces = env.single_observation_space.spaces
        self.seen = {
            name: torch.zeros(*shape, *space.shape, dtype=torch.from_numpy(np.zeros(0, space.dtype)).dtype)
            for name, space in spaces.items()
        }
        self.actions = torch.zeros(shape, dtype=torch.int64)
        self.logps, self.values, self.rewards, self.ended, self.over = (torch.zeros(shape) for _ in range(5))
        self.last = torch.zeros(args.environments)
        """The values after the last step."""
        self.real = torch.zeros(shape, dtype=torch.bool)
        """False for the step on which an environment was only reset (autoreset is next-step)."""

    def advantages(self, args: Arguments) -> torch.Tensor:
        """Return the generalised advantage estimates; the value after a cut is that of its last observation."""
        found, carried = torch.zeros_like(self.rewards), torch.zeros_like(self.last)
        for t in reversed(range(args.horizon)):
            after = self.last if t == args.horizon - 1 else self.values[t + 1]
            error = self.rewards[t] + args.gamma * after * (1 - self.ended[t]) - self.values[t]
            carried = error + args.gamma * args.lam * (1 - self.over[t]) * carried
            found[t] = carried
        return found


def update(
    args: Arguments, net: Scorer, optimizer: torch.optim.Optimizer, experience: Experience, left: float
) -> float:
    """Improve the policy on the experience, with so much of the run left (1 to 0); returns the mean entropy."""
    advantages = experience.advantages(args)
    returns = (advantages + experience.values).flatten()
    real = experience.real.flatten().nonzero().squeeze(-1)
    data = {name: array.flatten(0, 1) for name, array in experience.seen.items()}
    actions, old, advantages = experience.actions.flatten(), experience.logps.flatten(), advantages.flatten()
    entropies = []
    for _ in range(args.epochs):
        for index in real[torch.randperm(len(real))].split(args.minibatch):
            logits, values = net(*(data[name][index] for name in ("ctx", "cand", "mask")))
            choices = torch.distributions.Categorical(logits=logits)
            ratio = (choices.log_prob(actions[index]) - old[index]).exp()
            gain = advantages[index]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8) if len(index) > 1 else gain
            policy = -torch.min(gain * ratio, gain * ratio.clamp(1 - args.clip, 1 + args.clip)).mean()
            entropy = choices.entropy().mean()
            error = 0.5 * (values - returns[index]).pow(2).mean()
            loss = policy + args.value * error - args.entropy * (0.1 + 0.9 * left) * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), args.max_norm)
            optimizer.step()
            entropies.append(entropy.item())
    return float(np.mean(entropies))


def train(
    args: Arguments, env: gym.vector.VectorEnv, held_out: list[gym.Env], show: Callable[[str], object]
) -> tuple[Scorer, list[dict]]:
    """Learn until the time or the steps are over; returns the network and the rows that were shown."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    spaces = env.single_observation_space.spaces
    net = Scorer(spaces["ctx"].shape[0], spaces["cand"].shape[1], args.hidden)
    if args.warm_start:
        imitate(args, net, env)
    optimizer = torch.optim.Adam(net.parameters(), lr=args.lr, eps=1e-5)
    experience = Experience(args, env)
    rows, recent = [], []

    def choose(batch: dict[str, np.ndarray], _: list[gym.Env]) -> np.ndarray:
        with torch.no_grad():
            logits = net(*(seen(batch)[name] for name in ("ctx", "cand", "mask")))[0]
        return (torch.distributions.Categorical(logits=logits).sample() if args.sample else logits.argmax(-1)).numpy()

    def report(entropy: float) -> None:
        success, rubrics = evaluate(args, choose, held_out)
        row = {
            "minutes": round((time.monotonic() - started) / 60, 3),
            "steps": steps,
            "episodes": episodes,
            "success": round(float(np.mean([e[0] for e in recent[-200:]])), 4) if recent else 0.0,
            "rubrics": round(float(np.mean([e[1] for e in recent[-200:]])), 4) if recent else 0.0,
            "reward": round(float(np.mean([e[2] for e in recent[-200:]])), 4) if recent else 0.0,
            "entropy": round(entropy, 4),
            "held_out_success": round(success, 4),
            "held_out_rubrics": round(rubrics, 4),
        }
        rows.append(row)
        show(" ".join(f"{name} {value}" for name, value in row.items()))

    started, steps, episodes, next_report = time.monotonic(), 0, 0, args.evaluate_every or args.steps
    report(0.0)
    observations, _ = env.reset(seed=args.seed * 10_000)
    over = np.zeros(args.environments, bool)
    while True:
        spent = max((time.monotonic() - started) / 60 / args.minutes, steps / args.steps)
        if spent >= 1:
            break
        for t in range(args.horizon):
            batch = seen(observations)
            with torch.no_grad():
                logits, values = net(batch["ctx"], batch["cand"], batch["mask"])
            choices = torch.distributions.Categorical(logits=logits)
            actions = choices.sample()
            for name, array in batch.items():
                experience.seen[name][t] = array
            experience.actions[t], experience.logps[t], experience.values[t] = (
                actions,
                choices.log_prob(actions),
                values,
            )
            experience.real[t] = torch.from_numpy(~over)
            steps += int((~over).sum())
            observations, rewards, terminated, truncated, infos = env.step(actions.numpy())
            over = terminated | truncated
            experience.rewards[t] = torch.from_numpy(rewards)
            experience.ended[t], experience.over[t] = torch.from_numpy(terminated), torch.from_numpy(over)
            for i in np.flatnonzero(over):
                told = infos["episode"]
                recent.append((told["is_success"][i], told["rubric_score"][i], told["reward"][i]))
                episodes += 1
        del recent[:-200]
        batch = seen(observations)
        with torch.no_grad():
            experience.last = net(batch["ctx"], batch["cand"], batch["mask"])[1]
        optimizer.param_groups[0]["lr"] = args.lr * (1 - 0.9 * spent)
        entropy = update(args, net, optimizer, experience, 1 - spent)
        if steps >= next_report:
            next_report += args.evaluate_every
            report(entropy)
    if rows[-1]["steps"] < steps:
        report(entropy)
    return net, rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for field in fields(Arguments):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=type(field.default), default=field.default)
    args = Arguments(**vars(parser.parse_args()))
    env = make(args, "Train", args.environments, reward=paid(args), pool=args.tasks)
    held_out = make(args, "Dev", 16).envs
    net, rows = train(args, env, held_out, lambda line: print(line, flush=True))
    if args.csv:
        with open(args.csv, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
    if args.save:
        torch.save(net.state_dict(), args.save)


if __name__ == "__main__":
    main()
