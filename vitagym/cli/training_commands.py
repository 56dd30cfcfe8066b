"""Commands that train policies, evaluate them, and collect episodes as data. Trainers are imported when they run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import gymnasium as gym
import typer

from vitagym.cli.app import AsJson, app
from vitagym.cli.screen import print_json, progress_bar, screen, table
from vitagym.env.offer import tool_schemas
from vitagym.env.registration import symbolic_ids
from vitagym.errors import CallerError, UnknownName

if TYPE_CHECKING:
    from vitagym.rl.policies import Played, Policy

TrainId = Annotated[
    str, typer.Argument(metavar="ENV_ID", help="A symbolic id, e.g. VitaBench-Delivery-Train-Symbolic-v0.")
]
_SHAPED = "dense - record_cost(0.2) - step_cost(0.003)"
"""Without a cost of records it pays to order again and again: each more may meet more rubrics."""
_COLUMNS = ("minutes", "steps", "episodes", "success", "rubric_score", "reward", "turn", "entropy")


@app.command()
def train(
    env_id: TrainId,
    out: Annotated[Path, typer.Option(help="Folder of the run: plan, rows, checkpoints.")] = Path("runs/train"),
    minutes: Annotated[float | None, typer.Option(help="When to stop. Default without --steps: 10.")] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Stop after so many steps of the environments.")] = None,
    policy: Annotated[
        str, typer.Option(help="scorer (a small network), or lm:PATH (a causal language model).")
    ] = "scorer",
    lora: Annotated[bool, typer.Option("--lora", help="Train adapters of the language model alone.")] = False,
    reward: Annotated[str, typer.Option(help="Reward terms, as reward= of the environment.")] = _SHAPED,
    difficulty: Annotated[
        str | None, typer.Option(help="easy, medium, hard, expert, or from 0 to 1. Default: any.")
    ] = None,
    curriculum: Annotated[str | None, typer.Option(help="difficulty or density. Default: none.")] = None,
    tasks: Annotated[int, typer.Option(min=1, help="How many tasks to learn from.")] = 400,
    max_turns: Annotated[int, typer.Option(min=2, help="Messages after which an episode is cut off.")] = 80,
    runners: Annotated[int, typer.Option(min=0, help="Processes that play; 0: the learner plays itself.")] = 0,
    environments: Annotated[int, typer.Option(min=1, help="Environments a process.")] = 16,
    warm_start: Annotated[int, typer.Option(min=0, help="Episodes of the expert to imitate first.")] = 0,
    lr: Annotated[float, typer.Option(help="Learning rate.")] = 1e-3,
    gamma: Annotated[float, typer.Option(min=0, max=1, help="Discount.")] = 0.99,
    entropy: Annotated[float, typer.Option(min=0, help="Weight of the entropy.")] = 0.003,
    batch: Annotated[int, typer.Option(min=1, help="Steps between two updates.")] = 1024,
    seed: Annotated[int, typer.Option(min=0, help="Fixes network, tasks, users and choices.")] = 0,
    address: Annotated[str | None, typer.Option(help="Address of a Ray cluster. Default: this machine alone.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out, as it was planned.")] = False,
    test_tasks: Annotated[int, typer.Option(min=0, help="Held-out tasks played at the end.")] = 100,
    json: AsJson = False,
) -> None:
    """Train a policy with PPO on RLlib, then play tasks that it never saw."""
    _needs_trainers()
    from vitagym.rl.evaluating import ModulePolicy, default_ids, evaluate, load
    from vitagym.rl.plan import TrainingPlan
    from vitagym.rl.rllib_training import train as run

    if resume:
        plan = TrainingPlan.load(out)
        if plan.env_id != env_id:
            raise CallerError(f"{out} is a run on {plan.env_id}, not on {env_id}")
    else:
        settings: dict[str, Any] = {"reward": reward, "max_turns": max_turns}
        if difficulty is not None:
            settings["difficulty"] = _level(difficulty)
        plan = TrainingPlan(
            env_id=env_id,
            settings=settings,
            pool=tasks,
            curriculum=curriculum,
            policy=policy,
            model={"lora": True} if lora else {},
            runners=runners,
            environments=environments,
            seed=seed,
            warm_start=warm_start,
            batch=batch,
            lr=lr,
            gamma=gamma,
            entropy=entropy,
        )
    limit = 10.0 if minutes is None and steps is None else minutes
    console = screen(stderr=json)
    console.print(" ".join(f"{name:>12}" for name in _COLUMNS), highlight=False)

    def watch(_: Any, row: Mapping[str, float]) -> None:
        cells = (f"{row[name]:>12.4g}" if name in row else f"{'':>12}" for name in _COLUMNS)
        console.print(" ".join(cells), highlight=False)

    rows = run(plan, out, minutes=limit, steps=steps, address=address, resume=resume, watch=watch)
    results = {}
    if test_tasks:
        plan, module = load(out)
        for held_out in default_ids(plan.env_id):
            results[held_out] = evaluate(plan, ModulePolicy(module), held_out, episodes=test_tasks)
    _show_results(results, {"out": str(out), "last": dict(rows[-1])}, json=json)


@app.command()
def evaluate(
    checkpoint: Annotated[str, typer.Argument(metavar="CHECKPOINT", help="Folder of a run, or: random, expert.")],
    env_ids: Annotated[
        list[str] | None, typer.Argument(metavar="ENV_ID", help="Symbolic ids. Default: dev tasks and the benchmark.")
    ] = None,
    episodes: Annotated[int, typer.Option(min=1, help="How many tasks of each.")] = 100,
    difficulty: Annotated[str | None, typer.Option(help="Of made tasks. Default: as in training.")] = None,
    sample: Annotated[bool, typer.Option("--sample", help="Draw by probability instead of taking the best.")] = False,
    json: AsJson = False,
) -> None:
    """Play held-out tasks with a trained policy: success with its 95 % interval, also by family."""
    from vitagym.rl.environments import evaluation_environment
    from vitagym.rl.plan import TrainingPlan
    from vitagym.rl.policies import ExpertPolicy, RandomPolicy, play

    level = None if difficulty is None else _level(difficulty)
    policy: Policy
    if checkpoint in ("random", "expert"):
        if not env_ids:
            raise CallerError(f"evaluate {checkpoint}: expected an ENV_ID, e.g. VitaBench-Delivery-Dev-Symbolic-v0")
        policy = RandomPolicy() if checkpoint == "random" else ExpertPolicy()
        plan, ids = TrainingPlan(env_ids[0]), env_ids
    else:
        _needs_trainers()
        from vitagym.rl.evaluating import ModulePolicy, default_ids, load

        plan, module = load(Path(checkpoint))
        policy = ModulePolicy(module, 0 if sample else None)
        ids = env_ids or default_ids(plan.env_id)
    results = {}
    with progress_bar(screen(stderr=True), hidden=json) as bar:
        done = bar.add_task("episodes", total=episodes * len(ids))
        for env_id in ids:
            envs = [evaluation_environment(plan, env_id, level) for _ in range(min(16, episodes))]
            results[env_id] = play(envs, policy, range(episodes), watch=lambda _: bar.advance(done))
    _show_results(results, {"checkpoint": checkpoint}, json=json)


@app.command()
def collect(
    env_id: TrainId,
    out: Annotated[Path, typer.Option(help="File of the rows: *.parquet or *.jsonl.")],
    form: Annotated[str, typer.Option("--as", help="steps, conversations or preferences.")] = "steps",
    policy: Annotated[str, typer.Option(help="expert, random, or the folder of a run.")] = "expert",
    episodes: Annotated[int, typer.Option(min=1, help="How many episodes.")] = 100,
    slips: Annotated[
        float, typer.Option(min=0, max=1, help="How often the expert takes any candidate; near-misses come of it.")
    ] = 0.0,
    difficulty: Annotated[str | None, typer.Option(help="Of made tasks. Default: any.")] = None,
    language: Annotated[str, typer.Option(help="en or zh.")] = "en",
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first episode.")] = 0,
    json: AsJson = False,
) -> None:
    """Write episodes as data for offline RL, supervised fine-tuning or preference learning."""
    from vitagym.rl.collecting import Form, check_file, rows, write
    from vitagym.rl.policies import ExpertPolicy, RandomPolicy, play

    if form not in list(Form):
        raise UnknownName("form", form, list(Form))
    _check_symbolic(env_id)
    check_file(out)
    settings: dict[str, Any] = {"language": language}
    if difficulty is not None:
        settings["difficulty"] = _level(difficulty)
    chooser: Policy
    if policy == "expert":
        chooser = ExpertPolicy(slips=slips, seed=seed)
    elif policy == "random":
        chooser = RandomPolicy(seed)
    else:
        _needs_trainers()
        from vitagym.rl.evaluating import ModulePolicy, load

        chooser = ModulePolicy(load(Path(policy))[1], seed)
    envs = [gym.make(env_id, disable_env_checker=True, **settings) for _ in range(min(16, episodes))]
    seeds = [seed + number for number in range(episodes)]
    with progress_bar(screen(stderr=True), hidden=json) as bar:
        done = bar.add_task("episodes", total=episodes)
        played = play(envs, chooser, seeds, keep=True, watch=lambda _: bar.advance(done))
        if form == Form.PREFERENCES:
            played += _near_misses(envs, seeds, slips or 0.15, seed)
    domain = str((gym.spec(env_id).kwargs or {})["domain"])
    written = write(out, rows(Form(form), played, tool_schemas(domain, language)))
    found = {"out": str(out), "as": form, "episodes": len(played), "rows": written}
    if json:
        print_json(found)
    else:
        typer.echo(f"{written} rows of {len(played)} episodes: {out}")


def _near_misses(envs: list[Any], seeds: list[int], slips: float, seed: int) -> list[Played]:
    """Play the same tasks with an expert that slips."""
    from vitagym.rl.policies import ExpertPolicy, play

    return play(envs, ExpertPolicy(slips=slips, seed=seed), seeds, keep=True)


def _show_results(results: Mapping[str, list[Played]], about: dict[str, Any], *, json: bool) -> None:
    from vitagym.rl.policies import score

    scores = {env_id: score(episodes) for env_id, episodes in results.items()}
    if json:
        print_json({**about, "results": {env_id: found.data() for env_id, found in scores.items()}})
        return
    console = screen()
    listed = [
        (
            env_id,
            found.episodes,
            _share(found.success, found.interval),
            f"{found.rubric_score:.3f}",
            f"{found.turns:.1f}",
        )
        for env_id, found in scores.items()
    ]
    console.print(table("", ("environment", "episodes", "success (95 %)", "rubrics", "turns"), listed))
    families = [
        (env_id, family, f"{successes} of {number}")
        for env_id, found in scores.items()
        for family, (number, successes) in found.families.items()
    ]
    console.print(table("by family", ("environment", "family", "success"), families))


def _share(success: float | None, interval: tuple[float, float] | None) -> str:
    if success is None or interval is None:
        return "not scored"
    return f"{100 * success:.0f} % ({100 * interval[0]:.0f} to {100 * interval[1]:.0f})"


def _level(difficulty: str) -> str | float:
    try:
        return float(difficulty)
    except ValueError:
        return difficulty


def _check_symbolic(env_id: str) -> None:
    if env_id not in symbolic_ids():
        raise UnknownName("symbolic environment id", env_id, symbolic_ids())


def _needs_trainers() -> None:
    """Refuse where the trainers are not installed."""
    try:
        import ray  # noqa: F401
        import torch  # noqa: F401
    except ImportError as error:
        raise CallerError(f"training needs {error.name}: pip install vitagym[rl]") from None
