"""PPO in one file, with torch alone: from chance to a policy that solves tasks, in minutes on a laptop.

``python examples/ppo_single_file.py --out runs/easy`` learns easy deliveries from scratch in ten minutes;
``--difficulty standard --max-turns 100 --minutes 45`` learns what the benchmark is like (``--help`` lists everything).
Read it from top to bottom: arguments, network, experience, update, evaluation, main loop. A policy scores the
candidates that the symbolic view lists, so the same network works for any number of them. Minutes are those of the
processor: on a machine of its own, with one thread, they are those of the clock. Every row that is printed also stands
in ``progress.csv`` in ``--out``, beside the curve, the network and the final figures.
"""

import argparse
import csv
import json
import os
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # small matrices: a second thread only waits

import gymnasium as gym
import numpy as np
import torch
from torch import nn

import vitagym  # noqa: F401 - registers the ids
from vitagym.analysis.intervals import wilson
from vitagym.rl.expert import expert_choice


@dataclass
class Arguments:
    """What can be set, each with a sentence; every field is an option of the command line."""

    domain: str = "Delivery"
    """Domain of the tasks: Delivery, InStore, OTA or Cross."""
    difficulty: str = "easy"
    """Difficulty of the made tasks: easy, medium, hard, expert, or standard (whatever the seed gives)."""
    reward: str = "dense - record_cost(0.2) - step_cost(0.003)"
    """The reward to learn from. Without a cost, it pays to order again and again: each more may meet more rubrics."""
    minutes: float = 10.0
    """When to stop, evaluations while learning included."""
    steps: int = 100_000_000
    """Stop after so many steps of the environments, if that comes first."""
    seed: int = 0
    """Fixes network, tasks, users and choices."""
    tasks: int = 400
    """How many different tasks to learn from."""
    easy_first: float = 0.0
    """Share of the run that easy tasks come first. Where chance never does well, not ordering at all pays best."""
    environments: int = 16
    """How many run side by side."""
    horizon: int = 32
    """Steps of each between two updates."""
    max_turns: int = 60
    """Messages after which an episode is cut off."""
    epochs: int = 4
    """How often each update goes over its experience."""
    minibatch: int = 128
    """Steps in one gradient step."""
    lr: float = 3e-3
    """Learning rate at the start; it falls to a tenth."""
    gamma: float = 0.99
    """Discount."""
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
    start: str = ""
    """Folder of an earlier run whose network goes on learning, as after easier tasks; empty: from scratch."""
    warm_start: int = 0
    """Episodes of the expert to imitate first."""
    imitation_steps: int = 500
    """Gradient steps of that imitation."""
    evaluate_every: int = 20_000
    """Steps between evaluations on held-out tasks; 0: none while learning."""
    evaluate_tasks: int = 50
    """How many held-out tasks each of those plays."""
    final_tasks: int = 200
    """How many held-out tasks the trained policy plays, and tasks of the benchmark (which has 100)."""
    out: str = ""
    """Folder for the rows, the curve, the network and the figures; empty for none."""


# --- the network ---


@dataclass
class Situations:
    """Several observations, candidates end to end: what is not there costs nothing."""

    ctx: torch.Tensor
    """[B, C]"""
    cand: torch.Tensor
    """[N, D], all candidates of all situations."""
    row: torch.Tensor
    """[N]: to which situation each belongs."""
    column: torch.Tensor
    """[N]: its number there."""
    width: int
    """How many candidates there may be."""


def packed(observations: dict[str, np.ndarray]) -> Situations:
    row, column = np.nonzero(observations["mask"])
    ctx, cand = observations["ctx"].copy(), observations["cand"][row, column]
    return Situations(*map(torch.from_numpy, (ctx, cand, row, column)), observations["mask"].shape[1])


class Scorer(nn.Module):
    """Scores each candidate beside the context, and values the whole by what is on the list."""

    def __init__(self, context: int, candidate: int, hidden: int) -> None:
        super().__init__()
        self.context = nn.Sequential(nn.Linear(context, hidden), nn.Tanh())
        self.beside = nn.Linear(hidden, 2 * hidden)
        self.candidate = nn.Linear(candidate, hidden)
        self.score = nn.Sequential(nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        self.value_context = nn.Sequential(nn.Linear(context, hidden), nn.Tanh())
        self.value_candidate = nn.Sequential(nn.Linear(candidate, hidden), nn.ReLU())
        self.value = nn.Sequential(nn.Linear(3 * hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        nn.init.orthogonal_(self.score[-1].weight, 0.01)
        for part in (self.score[-1].bias, self.value[-1].weight, self.value[-1].bias):
            nn.init.zeros_(part)

    def forward(self, seen: Situations) -> torch.Tensor:
        """Return the logarithms of the candidates' probabilities, [B, width]."""
        shift, scale = self.beside(self.context(seen.ctx)).chunk(2, dim=-1)
        mixed = torch.relu(self.candidate(seen.cand) * (1 + scale)[seen.row] + shift[seen.row])
        logits = seen.ctx.new_full((len(seen.ctx), seen.width), -1e9)
        logits[seen.row, seen.column] = self.score(mixed).squeeze(-1)
        return torch.log_softmax(logits, dim=-1)

    def worth(self, seen: Situations) -> torch.Tensor:
        """Return the values, [B]: from the context, and mean and maximum over the candidates."""
        each = self.value_candidate(seen.cand)
        none = each.new_zeros(len(seen.ctx), each.shape[1])
        mean = none.index_add(0, seen.row, each) / 20
        most = none.scatter_reduce(0, seen.row.unsqueeze(-1).expand_as(each), each, "amax")
        return self.value(torch.cat([self.value_context(seen.ctx), mean, most], dim=-1)).squeeze(-1)

    @torch.no_grad()
    def best(self, observations: dict[str, np.ndarray]) -> np.ndarray:
        """Return the likeliest candidate of each situation."""
        return self(packed(observations)).argmax(-1).numpy()


# --- environments ---


def make(args: Arguments, split: str, number: int, **settings: object) -> gym.vector.VectorEnv:
    """Environments of a split; without one, of the benchmark, which has a difficulty of its own."""
    settings = {"max_turns": args.max_turns, "difficulty": args.difficulty, **settings}
    if not split or settings["difficulty"] == "standard":
        del settings["difficulty"]
    env_id = f"VitaBench-{args.domain}{split}-Symbolic-v0"
    return gym.make_vec(env_id, num_envs=number, vectorization_mode="vector_entry_point", **settings)


def evaluate(choose: Callable[[dict[str, np.ndarray]], np.ndarray], envs: list[gym.Env], tasks: int) -> dict:
    """Play the tasks of the seeds 0, 1, 2 … once; returns successes, mean share of rubrics met, and mean turns."""
    waiting, results, ends = list(range(tasks))[::-1], [], Counter()
    playing = [(env, env.reset(seed=waiting.pop())[0]) for env in envs if waiting]
    while playing:
        batch = {name: np.stack([seen[name] for _, seen in playing]) for name in playing[0][1]}
        going = []
        for (env, _), action in zip(playing, choose(batch), strict=True):
            observation, _, terminated, truncated, info = env.step(action)
            if not (terminated or truncated):
                going.append((env, observation))
                continue
            met = [state["status"] == "met" for state in info["rubrics"].values()]
            results.append((bool(info["is_success"]), sum(met) / len(met), info["turn"]))
            ends[info["end_reason"]] += 1
            if waiting:
                going.append((env, env.reset(seed=waiting.pop())[0]))
        playing = going
    success, rubrics, turns = zip(*results, strict=True)
    return {
        "tasks": tasks,
        "successes": sum(success),
        "success": round(sum(success) / tasks, 4),
        "interval": [round(bound, 4) for bound in wilson(sum(success), tasks)],
        "rubrics": round(float(np.mean(rubrics)), 4),
        "turns": round(float(np.mean(turns)), 2),
        "ends": dict(ends),
    }


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
    data = {name: np.stack([o[name] for o, _ in steps]) for name in observations}
    actions = torch.tensor([a for _, a in steps])
    optimizer, losses = torch.optim.Adam(net.parameters(), lr=2e-3), []
    for number in range(args.imitation_steps):
        optimizer.param_groups[0]["lr"] = 2e-3 * (1 - number / args.imitation_steps)
        index = torch.randint(len(actions), (min(256, len(actions)),))
        chances = net(packed({name: array[index.numpy()] for name, array in data.items()}))
        loss = nn.functional.nll_loss(chances, actions[index])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(f"imitation of {len(actions)} steps: loss {losses[0]:.2f} -> {np.mean(losses[-20:]):.2f}", flush=True)


# --- learning ---


class Experience:
    """What the environments went through since the last update, [horizon, environments]."""

    def __init__(self, args: Arguments) -> None:
        shape = (args.horizon, args.environments)
        self.seen: list[Situations] = []
        self.actions = torch.zeros(shape, dtype=torch.int64)
        self.logps, self.values, self.rewards, self.over = (torch.zeros(shape) for _ in range(4))
        self.last = torch.zeros(args.environments)
        """The values after the last step."""
        self.real = torch.zeros(shape, dtype=torch.bool)
        """False for the step on which an environment was only reset (autoreset is next-step)."""

    def advantages(self, args: Arguments) -> torch.Tensor:
        """Return the generalised advantage estimates.

        An episode that is cut off is over, and nothing comes after: success is paid there, too, so that a value on top
        would pay twice for dithering. The context says how many messages are left.
        """
        found, carried = torch.zeros_like(self.rewards), torch.zeros_like(self.last)
        for t in reversed(range(args.horizon)):
            after = self.last if t == args.horizon - 1 else self.values[t + 1]
            going = 1 - self.over[t]
            carried = self.rewards[t] + going * args.gamma * (after + args.lam * carried) - self.values[t]
            found[t] = carried
        return found

    def joined(self) -> Callable[[torch.Tensor], Situations]:
        """Return what gives the situations of some steps, of all steps in one row."""
        ctx, cand, column = (torch.cat([getattr(s, name) for s in self.seen]) for name in ("ctx", "cand", "column"))
        count = torch.cat([s.row.bincount(minlength=len(s.ctx)) for s in self.seen])
        start = count.cumsum(0) - count

        def chosen(index: torch.Tensor) -> Situations:
            own = count[index]
            row = torch.arange(len(index)).repeat_interleave(own)
            place = torch.arange(len(row)) + (start[index] - own.cumsum(0) + own)[row]
            return Situations(ctx[index], cand[place], row, column[place], self.seen[0].width)

        return chosen


def update(
    args: Arguments, net: Scorer, optimizer: torch.optim.Optimizer, experience: Experience, left: float
) -> float:
    """Improve the policy on the experience, with so much of the run left (1 to 0); returns the mean entropy."""
    advantages = experience.advantages(args)
    returns = (advantages + experience.values).flatten()
    real = experience.real.flatten().nonzero().squeeze(-1)
    actions, old, gains = experience.actions.flatten(), experience.logps.flatten(), advantages.flatten()
    gains = (gains - gains[real].mean()) / (gains[real].std() + 1e-8)
    situations, entropies = experience.joined(), []
    for _ in range(args.epochs):
        for index in real[torch.randperm(len(real))].split(args.minibatch):
            seen = situations(index)
            chances = net(seen)
            ratio = (chances.gather(1, actions[index, None]).squeeze(1) - old[index]).exp()
            gain = gains[index]
            policy = -torch.min(gain * ratio, gain * ratio.clamp(1 - args.clip, 1 + args.clip)).mean()
            entropy = -(chances.exp() * chances).sum(-1).mean()
            error = 0.5 * (net.worth(seen) - returns[index]).pow(2).mean()
            loss = policy + args.value * error - args.entropy * (0.1 + 0.9 * left) * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), args.max_norm)
            optimizer.step()
            entropies.append(entropy.item())
    return float(np.mean(entropies))


def lessons(args: Arguments, **settings: object) -> list[tuple[float, gym.vector.VectorEnv]]:
    """What to learn from, each with the share of the run at which it begins."""
    settings = {"reward": args.reward, "pool": args.tasks, **settings}
    wanted = (0.0, make(args, "-Train", args.environments, **settings))
    if not args.easy_first:
        return [wanted]
    easy = make(args, "-Train", args.environments, **settings, difficulty="easy")
    return [(0.0, easy), (args.easy_first, wanted[1])]


def train(
    args: Arguments,
    lessons: list[tuple[float, gym.vector.VectorEnv]],
    held_out: list[gym.Env],
    show: Callable[[str], object],
) -> tuple[Scorer, list[dict]]:
    """Learn until the time or the steps are over; returns the network and the rows that were shown."""
    (_, env), *later = lessons
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    spaces = env.single_observation_space.spaces
    net = Scorer(spaces["ctx"].shape[0], spaces["cand"].shape[1], args.hidden)
    if args.start:
        net.load_state_dict(torch.load(Path(args.start) / "net.pt", weights_only=True))
    started, clock, steps, episodes = time.process_time(), time.monotonic(), 0, 0
    if args.warm_start:
        imitate(args, net, env)
    optimizer = torch.optim.Adam(net.parameters(), lr=args.lr, eps=1e-5)
    rows, recent, entropy = [], [], 0.0

    def report(*, played: bool) -> None:
        told = evaluate(net.best, held_out, args.evaluate_tasks) if played else {}
        means = np.mean(recent or [(0.0, 0.0, 0.0, 0.0)], axis=0)
        row = {
            "cpu_minutes": round((time.process_time() - started) / 60, 3),
            "minutes": round((time.monotonic() - clock) / 60, 3),
            "steps": steps,
            "episodes": episodes,
            **{n: round(float(v), 4) for n, v in zip(("success", "rubrics", "reward", "length"), means, strict=True)},
            "entropy": round(entropy, 4),
            "held_out_success": told.get("success", ""),
            "held_out_rubrics": told.get("rubrics", ""),
        }
        rows.append(row)
        show(" ".join(f"{name} {value}" for name, value in row.items() if value != ""))

    report(played=args.evaluate_every > 0)
    next_report = args.evaluate_every
    observations, _ = env.reset(seed=args.seed * 10_000)
    over = np.zeros(args.environments, bool)
    while True:
        spent = max((time.process_time() - started) / 60 / args.minutes, steps / args.steps)
        if spent >= 1:
            break
        if later and spent >= later[0][0]:
            (_, env), *later = later
            observations, _ = env.reset(seed=args.seed * 10_000)
            over = np.zeros(args.environments, bool)
        experience = Experience(args)
        for t in range(args.horizon):
            seen = packed(observations)
            with torch.no_grad():
                chances, experience.values[t] = net(seen), net.worth(seen)
            actions = torch.multinomial(chances.exp(), 1)
            experience.seen.append(seen)
            experience.actions[t], experience.logps[t] = actions.squeeze(1), chances.gather(1, actions).squeeze(1)
            experience.real[t] = torch.from_numpy(~over)
            observations, rewards, terminated, truncated, infos = env.step(experience.actions[t].numpy())
            over = terminated | truncated
            experience.rewards[t], experience.over[t] = torch.from_numpy(rewards), torch.from_numpy(over)
            for i in np.flatnonzero(over):
                told = infos["episode"]
                recent.append(tuple(told[name][i] for name in ("is_success", "rubric_score", "reward", "steps")))
                episodes += 1
        steps += int(experience.real.sum())
        del recent[:-200]
        with torch.no_grad():
            experience.last = net.worth(packed(observations))
        optimizer.param_groups[0]["lr"] = args.lr * (1 - 0.9 * spent)
        entropy = update(args, net, optimizer, experience, 1 - spent)
        due = args.evaluate_every > 0 and steps >= next_report
        next_report += args.evaluate_every if due else 0
        report(played=due)
    return net, rows


def write(folder: Path, args: Arguments, net: Scorer, rows: list[dict], final: dict) -> None:
    """Keep rows, curve, network and figures."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "progress.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    torch.save(net.state_dict(), folder / "net.pt")
    told = {"arguments": asdict(args), "final": final}
    (folder / "final.json").write_text(json.dumps(told, indent=1), encoding="utf-8")
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    axes.plot([r["steps"] for r in rows], [r["success"] for r in rows], label="train tasks, drawn, last 200 episodes")
    played = [r for r in rows if r["held_out_success"] != ""]
    axes.plot([r["steps"] for r in played], [r["held_out_success"] for r in played], "o-", label="held-out, best")
    axes.set(xlabel="steps in the environment", ylabel="success", title=f"{args.domain}, {args.difficulty}")
    axes.set_ylim(0, 1.02)
    axes.legend()
    figure.tight_layout()
    figure.savefig(folder / "curve.svg", metadata={"Date": None})
    pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for field in fields(Arguments):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=type(field.default), default=field.default)
    args = Arguments(**vars(parser.parse_args()))
    net, rows = train(args, lessons(args), make(args, "-Dev", 32).envs, lambda line: print(line, flush=True))
    final = {"learning": {name: rows[-1][name] for name in ("cpu_minutes", "minutes", "steps", "episodes")}}
    for name, split, tasks in (("held out", "-Dev", args.final_tasks), ("benchmark", "", min(100, args.final_tasks))):
        final[name] = evaluate(net.best, make(args, split, min(32, tasks)).envs, tasks)
        told = final[name]
        low, high = told["interval"]
        print(
            f"{name}: success {told['success']:.1%} of {tasks} ({low:.0%} to {high:.0%}), "
            f"rubrics {told['rubrics']:.3f}, {told['turns']:.1f} messages, after {rows[-1]['steps']:,} steps, "
            f"{rows[-1]['cpu_minutes']:.1f} minutes of one core ({rows[-1]['minutes']:.1f} on the clock)",
            flush=True,
        )
    if args.out:
        write(Path(args.out), args, net, rows, final)


if __name__ == "__main__":
    main()
