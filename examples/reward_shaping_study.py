"""What does reward shaping do? The same learner from scratch, several rewards, five seeds; one command repeats it.

Run it with ``python examples/reward_shaping_study.py --out docs/reward-shaping`` (``--help`` says what else there is).
Every run starts from chance and learns with PPO (``ppo_single_file.py``). What is compared is success on held-out
tasks, judged exactly, whatever a run was paid for, and how many steps in the environment it took to get to the same
success. Rows are kept as they come: a study that was stopped goes on where it was.
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

from vitagym.rewards.rubrics import satisfied_fraction
from vitagym.rewards.transition import Transition
from vitagym.rewards.unreliable import Delayed, Noisy

GAMMA = 0.99
ENTROPY = 0.01
"""More than the example has: with less, some runs settle on one way to be paid before they have seen the others."""
COSTS = "record_cost(0.2) - step_cost(0.003)"


def lent(transition: Transition) -> float:
    """Potential-based shaping for a learner to which an episode that is cut off is over: Φ is paid back there, too."""
    over = transition.terminated or transition.truncated
    return GAMMA * (0.0 if over else satisfied_fraction(transition.after)) - satisfied_fraction(transition.before)


REWARDS = {
    "sparse": {"reward": "sparse"},  # 1 for success at the end
    "shaped": {"reward": f"dense - {COSTS}"},  # success, the change of the share of rubrics met, a cost of records
    "dense": {"reward": "dense"},  # the same without the cost
    "potential": {"reward": ["success", lent]},  # shaping that leaves the best policy as it is
    "fraction": {"reward": f"fraction - {COSTS}"},  # shaped, without success
    "delayed": {"reward": f"dense - {COSTS}", "judge": Delayed("rules", 8)},  # shaped, eight steps late
    "noisy judge": {"reward": f"dense - {COSTS}", "judge": Noisy("rules", 0.05)},  # shaped, each state wrong with 5 %
}
DIFFICULTIES = ("easy", "medium", "hard")
COLUMNS = ("reward", "difficulty", "seed", "steps", "cpu_minutes", "held_out_success", "held_out_rubrics", "success")
Job = tuple[str, str, int, ppo.Arguments]


def learn(job: Job) -> list[dict]:
    """One run: learn, and return its rows with an evaluation."""
    reward, difficulty, seed, args = job
    _, rows = ppo.train(args, ppo.lessons(args, **REWARDS[reward]), ppo.make(args, "-Dev", 32).envs, lambda _: None)
    every = args.evaluate_every  # rows come at the first update after; the grid is what they are compared on
    return [
        {**row, "reward": reward, "difficulty": difficulty, "seed": seed, "steps": every * round(row["steps"] / every)}
        for row in rows
        if row["held_out_success"] != ""
    ]


def jobs(settings: argparse.Namespace) -> list[Job]:
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
                gamma=GAMMA,
                entropy=ENTROPY,
                evaluate_every=settings.steps // settings.points,
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
            reached = steps_to([(row["steps"], row["held_out_success"]) for row in found], settings.aim)
            print(
                f"{number}/{len(todo)} {spent:.1f} min: {last['reward']}, {last['difficulty']}, seed {last['seed']}: "
                f"{last['held_out_success']:.2f} after {last['steps']:,} steps; {settings.aim} at {reached:,.0f}",
                flush=True,
            )
    return read(path)


Curves = dict[tuple[str, str], dict[int, list[tuple[int, float]]]]


def curves(rows: list[dict]) -> Curves:
    """(difficulty, reward) -> seed -> steps and held-out success, in order."""
    found: Curves = defaultdict(lambda: defaultdict(list))
    for row in sorted(rows, key=lambda row: (int(row["seed"]), int(row["steps"]))):
        found[row["difficulty"], row["reward"]][int(row["seed"])].append(
            (int(row["steps"]), float(row["held_out_success"]))
        )
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
        if y1 >= aim:
            return x1 if y0 >= aim else x0 + (x1 - x0) * (aim - y0) / (y1 - y0)
    return math.inf


def compared(sparse: list[float], other: list[float], most: float, draws: int = 10_000) -> dict:
    """How many times as many steps ``sparse`` needed, by geometric means, with a 95 % interval by drawing seeds.

    A run that never got there counts as if it had at its last step. Where that befell ``sparse`` alone, the ratio is at
    least what is said; where it befell both, it may be more or less.
    The permutation test asks how often chance would part the runs as clearly, over all ways to part them.
    """
    a, b = (np.log(np.minimum(values, most)) for values in (sparse, other))
    random = np.random.default_rng(0)
    drawn = [random.choice(a, len(a)).mean() - random.choice(b, len(b)).mean() for _ in range(draws)]
    joined, gap = np.concatenate([a, b]), a.mean() - b.mean()
    parted = [
        joined[list(one)].mean() - np.delete(joined, list(one)).mean()
        for one in itertools.combinations(range(len(joined)), len(a))
    ]
    low, high = np.exp(np.quantile(drawn, [0.025, 0.975]))
    return {
        "ratio": float(np.exp(gap)),
        "low": float(low),
        "high": float(high),
        "p": float(np.mean([abs(one) >= abs(gap) - 1e-12 for one in parted])),
        "at_least": math.inf in sparse and math.inf not in other,
        "never": [sum(map(math.isinf, values)) for values in (sparse, other)],
    }


def report(rows: list[dict], folder: Path, settings: argparse.Namespace) -> dict:
    """Draw the curves, each beside its numbers, and work out the tables."""
    found = curves(rows)
    told = {name: value for name, value in vars(settings).items() if name not in ("out", "processes")}
    summary: dict = {"settings": told, "difficulties": {}}
    for difficulty in settings.difficulties:
        table, cells = [], {}
        for reward in settings.rewards:
            runs = found[difficulty, reward]
            by_steps: dict[int, list[float]] = defaultdict(list)
            for curve in runs.values():
                for steps, success in curve:
                    by_steps[steps].append(success)
            for steps, values in sorted(by_steps.items()):
                mean, low, high = interval(values)
                table.append(
                    {"reward": reward, "steps": steps, "mean": mean, "low": low, "high": high, "seeds": len(values)}
                )
            cells[reward] = {
                "final": interval([curve[-1][1] for curve in runs.values()]),
                "steps_to_aim": [steps_to(curve, settings.aim) for curve in runs.values()],
            }
        write(folder / f"{difficulty}.csv", table, ("reward", "steps", "mean", "low", "high", "seeds"))
        title = f"{settings.domain}, {difficulty}"
        draw(table, folder / f"{difficulty}.svg", title)
        for reward, cell in cells.items():
            if reward != "sparse" and "sparse" in cells:
                cell["compared"] = compared(cells["sparse"]["steps_to_aim"], cell["steps_to_aim"], settings.steps)
        for cell in cells.values():
            cell["steps_to_aim"] = [None if math.isinf(x) else round(x) for x in cell["steps_to_aim"]]
        summary["difficulties"][difficulty] = cells
    (folder / "summary.json").write_text(json.dumps(summary, indent=1), encoding="utf-8")
    return summary


def draw(table: list[dict], path: Path, title: str) -> None:
    """A panel for each reward, beside ``sparse``: the mean over seeds, and its 95 % interval as a band."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.rcParams["svg.hashsalt"] = title  # the same rows, the same bytes
    rewards = list(dict.fromkeys(row["reward"] for row in table))
    shown = [reward for reward in rewards if reward != "sparse"] or rewards
    columns = min(3, len(shown))
    rows = -(-len(shown) // columns)
    figure, panels = pyplot.subplots(
        rows, columns, figsize=(3 * columns + 1, 2.4 * rows + 0.8), sharex=True, sharey=True, squeeze=False
    )
    for axes, reward in itertools.zip_longest(panels.flat, shown):
        if reward is None:
            axes.set_visible(False)
            continue
        for name, colour in {"sparse": "0.45", reward: "C0"}.items():
            points = [row for row in table if row["reward"] == name]
            steps, mean, low, high = ([row[key] for row in points] for key in ("steps", "mean", "low", "high"))
            axes.plot(steps, mean, color=colour, linewidth=2, label=name)
            axes.fill_between(steps, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.set_ylim(-0.02, 1.02)
        axes.legend(fontsize=8, loc="upper left")
    figure.supxlabel("steps in the environment", fontsize=9)
    figure.supylabel("success on held-out tasks", fontsize=9)
    figure.suptitle(title, fontsize=10)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def show(summary: dict) -> str:
    """The tables as Markdown."""
    lines = []
    aim = summary["settings"]["aim"]
    for difficulty, cells in summary["difficulties"].items():
        lines += [
            f"### {difficulty}",
            "",
            f"| reward | success at the end (95 %) | steps to {aim:.0%}, by seed | steps of sparse / of this (95 %) |",
            "|---|---|---|---|",
        ]
        for reward, cell in cells.items():
            mean, low, high = cell["final"]
            needed = ", ".join("never" if steps is None else f"{steps:,}" for steps in cell["steps_to_aim"])
            final = f"{mean:.2f} ({max(0, low):.2f} to {min(1, high):.2f})"
            lines.append(f"| {reward} | {final} | {needed} | {_ratio(cell.get('compared'))} |")
        lines.append("")
    return "\n".join(lines)


def _ratio(told: dict | None) -> str:
    if told is None:
        return "1"
    start = "at least " if told["at_least"] else ""
    return f"{start}{told['ratio']:.2f} ({told['low']:.2f} to {told['high']:.2f}), p = {told['p']:.3f}"


def read(path: Path) -> list[dict]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [{**row, "steps": int(row["steps"]), "held_out_success": float(row["held_out_success"])} for row in rows]


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
    parser.add_argument("--steps", type=int, default=40_000, help="Steps of each run.")
    parser.add_argument("--points", type=int, default=8, help="Evaluations of each run after the first.")
    parser.add_argument("--aim", type=float, default=0.5, help="The success to which steps are counted.")
    parser.add_argument("--tasks", type=int, default=100, help="How many different tasks to learn from.")
    parser.add_argument("--evaluate-tasks", type=int, default=30, help="Held-out tasks of an evaluation.")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    settings = parser.parse_args()
    settings.out.mkdir(parents=True, exist_ok=True)
    rows = run(settings, settings.out / "runs.csv")
    print(show(report(rows, settings.out, settings)))


if __name__ == "__main__":
    main()
