"""What does reward shaping do? The same learner, six rewards, three difficulties, five seeds; one command repeats it.

Run it with ``python examples/reward_shaping_study.py --out docs/reward-shaping``. Every run starts from the same weak
imitation of the expert (an agent that is fine-tuned does not start from nothing either) and goes on with PPO
(``ppo_single_file.py``). What is compared is success on held-out tasks, judged exactly, whatever a run was paid for.
Rows are kept as they come: a study that was stopped goes on where it was.
"""

import argparse
import csv
import itertools
import json
import math
import multiprocessing
import os
import time
from collections import defaultdict
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import ppo_single_file as ppo

from vitagym.rewards.unreliable import Delayed, Noisy

REWARDS = {
    "sparse": {"reward": "sparse"},  # 1 for success at the end
    "dense": {"reward": "dense"},  # success, and each change of the share of rubrics met
    "potential": {"reward": "success + shaping(gamma=0.99)"},  # shaping that leaves the best policy as it is
    "fraction": {"reward": "fraction"},  # the share alone
    "delayed": {"reward": "dense", "judge": Delayed("rules", 8)},  # dense, eight steps late
    "noisy judge": {"reward": "dense", "judge": Noisy("rules", 0.05)},  # dense, each state wrong with 5 %
}
DIFFICULTIES = ("easy", "medium", "hard")
COLUMNS = ("reward", "difficulty", "seed", "steps", "minutes", "held_out_success", "held_out_rubrics", "success")


def learn(job: tuple[str, str, int, ppo.Arguments]) -> list[dict]:
    """One run: learn, and return its rows."""
    reward, difficulty, seed, args = job
    env = ppo.make(args, "Train", args.environments, pool=args.tasks, **REWARDS[reward])
    held_out = ppo.make(args, "Dev", 16).envs
    _, rows = ppo.train(args, env, held_out, lambda _: None)
    every = args.evaluate_every  # rows come at the first update after; the grid is what they are compared on
    return [
        {**row, "reward": reward, "difficulty": difficulty, "seed": seed, "steps": every * round(row["steps"] / every)}
        for row in rows
    ]


def jobs(settings: argparse.Namespace) -> list[tuple[str, str, int, ppo.Arguments]]:
    """Every run of the study, seed by seed, so that a study that is cut short is whole for fewer seeds."""
    return [
        (
            reward,
            difficulty,
            seed,
            ppo.Arguments(
                domain=settings.domain,
                difficulty=difficulty,
                minutes=1e9,
                steps=settings.steps,
                seed=seed,
                tasks=settings.tasks,
                environments=16,
                horizon=16,
                minibatch=128,
                lr=1e-3,
                entropy=0.005,
                warm_start=settings.warm_start,
                imitation_steps=settings.imitation_steps,
                sample=1,
                evaluate_every=settings.steps // 4,
                evaluate_tasks=settings.evaluate_tasks,
            ),
        )
        for seed in range(settings.seeds)
        for difficulty in settings.difficulties
        for reward in settings.rewards
    ]


def run(settings: argparse.Namespace, path: Path) -> list[dict]:
    """Play all runs that are not there yet, several at once; returns all rows."""
    rows = read(path)
    done = {(row["reward"], row["difficulty"], int(row["seed"])) for row in rows}
    todo = [job for job in jobs(settings) if job[:3] not in done]
    started = time.monotonic()
    with multiprocessing.get_context("spawn").Pool(settings.processes) as pool:
        for number, found in enumerate(pool.imap_unordered(learn, todo), 1):
            rows += [{name: row[name] for name in COLUMNS} for row in found]
            write(path, rows, COLUMNS)
            last = found[-1]
            spent = (time.monotonic() - started) / 60
            print(
                f"{number}/{len(todo)} {spent:.1f} min: {last['reward']}, {last['difficulty']}, seed {last['seed']}: "
                f"{found[0]['held_out_success']:.2f} -> {last['held_out_success']:.2f}",
                flush=True,
            )
    return read(path)


def curves(rows: list[dict]) -> dict[tuple[str, str], dict[int, list[float]]]:
    """(difficulty, reward) -> steps -> held-out success of each seed."""
    found: dict = defaultdict(lambda: defaultdict(list))
    for row in sorted(rows, key=lambda row: int(row["seed"])):  # the same order of seeds in every cell
        found[row["difficulty"], row["reward"]][int(float(row["steps"]))].append(float(row["held_out_success"]))
    return found


def interval(values: list[float]) -> tuple[float, float, float]:
    """Mean and 95 % interval over seeds (Student's t)."""
    t = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}
    mean = float(np.mean(values))
    half = t[len(values)] * float(np.std(values, ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return mean, mean - half, mean + half


def steps_to(curve: list[tuple[int, float]], aim: float) -> float:
    """Steps at which a curve first reaches an aim, between its points on a line; infinite where it never does."""
    for (x0, y0), (x1, y1) in itertools.pairwise(curve):
        if y0 >= aim:
            return x0
        if y1 >= aim:
            return x0 + (x1 - x0) * (aim - y0) / (y1 - y0)
    return math.inf


def ratio(found: dict, difficulty: str, aim: float, reward: str, draws: int = 2000) -> tuple[float, float, float]:
    """Steps of ``sparse`` over those of another reward, to the same mean success; 95 % interval by drawing seeds."""
    random = np.random.default_rng(0)

    def once(pick: np.ndarray | None) -> float:
        needed = []
        for name in ("sparse", reward):
            points = sorted(found[difficulty, name].items())
            chosen = [(x, np.mean(values if pick is None else np.array(values)[pick])) for x, values in points]
            needed.append(steps_to(chosen, aim))
        if math.isinf(needed[1]):
            return math.nan
        return needed[0] / max(1.0, needed[1])

    seeds = min(len(v) for name in ("sparse", reward) for v in found[difficulty, name].values())
    drawn = [once(random.integers(seeds, size=seeds)) for _ in range(draws)]
    drawn = np.array([value for value in drawn if not math.isnan(value)])
    if len(drawn) < draws / 2:
        return math.nan, math.nan, math.nan
    low, high = np.quantile(drawn, [0.025, 0.975], method="lower")
    return once(None), float(low), float(high)


def report(rows: list[dict], folder: Path, settings: argparse.Namespace) -> dict:
    """Draw the curves, each beside its numbers, and work out the tables."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    found = curves(rows)
    summary: dict = {"settings": {k: v for k, v in vars(settings).items() if k != "out"}, "difficulties": {}}
    for difficulty in settings.difficulties:
        figure, axes = pyplot.subplots(figsize=(7, 4.2))
        table = []
        for reward in settings.rewards:
            points = sorted(found[difficulty, reward].items())
            lines = [(x, *interval(values), len(values)) for x, values in points]
            table += [
                dict(zip(("steps", "mean", "low", "high", "seeds"), row, strict=True), reward=reward) for row in lines
            ]
            x, mean, low, high, _ = map(np.array, zip(*lines, strict=True))
            (line,) = axes.plot(x, mean, label=reward)
            axes.fill_between(x, low, high, alpha=0.12, color=line.get_color())
        axes.set(
            xlabel="steps in the environment",
            ylabel="success on held-out tasks",
            title=f"{settings.domain}, {difficulty}",
        )
        axes.set_ylim(0, 1.02)
        axes.legend(fontsize=8, ncol=2)
        figure.tight_layout()
        figure.savefig(folder / f"{difficulty}.svg", metadata={"Date": None})
        pyplot.close(figure)
        write(folder / f"{difficulty}.csv", table, ("reward", "steps", "mean", "low", "high", "seeds"))
        last = {reward: max(found[difficulty, reward]) for reward in settings.rewards}
        final = {reward: interval(found[difficulty, reward][last[reward]]) for reward in settings.rewards}
        first = interval(found[difficulty, settings.rewards[0]][min(found[difficulty, settings.rewards[0]])])
        aim = round((first[0] + max(mean for mean, _, _ in final.values())) / 2, 3)
        summary["difficulties"][difficulty] = {
            "start": first,
            "final": final,
            "aim": aim,
            "steps_to_aim": {
                reward: steps_to(
                    [(x, float(np.mean(values))) for x, values in sorted(found[difficulty, reward].items())], aim
                )
                for reward in settings.rewards
            },
            "sparse_over": {
                reward: ratio(found, difficulty, aim, reward)
                for reward in settings.rewards
                if reward != "sparse" and "sparse" in settings.rewards
            },
        }
    (folder / "summary.json").write_text(json.dumps(summary, indent=1), encoding="utf-8")
    return summary


def show(summary: dict) -> str:
    """The tables as Markdown."""
    lines = []
    for difficulty, told in summary["difficulties"].items():
        lines += [
            f"### {difficulty}",
            f"Start {told['start'][0]:.2f}; aim {told['aim']:.2f}, half way to the best end.",
            "",
            "| reward | success at the end (95 %) | steps to the aim | steps of sparse / steps of this (95 %) |",
            "|---|---|---|---|",
        ]
        for reward, (mean, low, high) in told["final"].items():
            needed = told["steps_to_aim"][reward]
            compared = _ratio(*told["sparse_over"][reward]) if reward in told["sparse_over"] else "1"
            reached = "not reached" if math.isinf(needed) else f"{needed:,.0f}"
            lines.append(
                f"| {reward} | {mean:.2f} ({max(0, low):.2f} to {min(1, high):.2f}) | {reached} | {compared} |"
            )
        lines.append("")
    return "\n".join(lines)


def _ratio(value: float, low: float, high: float) -> str:
    if math.isnan(value):
        return "cannot be said"
    named = ["sparse never got there" if math.isinf(x) else f"{x:.2f}" for x in (value, low, high)]
    return f"{named[0]} ({named[1]} to {named[2]})"


def read(path: Path) -> list[dict]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, rows: list[dict], columns: tuple[str, ...]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("reward-shaping"), help="Folder for rows, plots and tables.")
    parser.add_argument("--domain", default="Delivery")
    parser.add_argument("--difficulties", nargs="+", default=list(DIFFICULTIES))
    parser.add_argument("--rewards", nargs="+", default=list(REWARDS), choices=list(REWARDS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=4000, help="Steps of each run.")
    parser.add_argument("--tasks", type=int, default=40, help="How many different tasks to learn from.")
    parser.add_argument("--warm-start", type=int, default=6, help="Episodes of the expert to imitate first.")
    parser.add_argument("--imitation-steps", type=int, default=80, help="Gradient steps of that; few leave it weak.")
    parser.add_argument("--evaluate-tasks", type=int, default=20, help="Held-out tasks of an evaluation.")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    settings = parser.parse_args()
    settings.out.mkdir(parents=True, exist_ok=True)
    rows = run(settings, settings.out / "runs.csv")
    print(show(report(rows, settings.out, settings)))


if __name__ == "__main__":
    main()
