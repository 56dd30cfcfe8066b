"""Training with RLlib: a plan becomes an algorithm, and the algorithm's iterations become rows and checkpoints (ray).

Ray is quiet, offline and gone afterwards: no dashboard, no usage report, and every process ends with the run.
"""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when torch is imported
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # silences a warning of ray's about GPUs

import ray
import torch
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.tune.registry import register_env

from vitagym.errors import CallerError
from vitagym.rl.cloning import clone, demonstrations, expert_seeds
from vitagym.rl.environments import training_environment, training_vector
from vitagym.rl.plan import TrainingPlan
from vitagym.rl.policies import ExpertPolicy, play
from vitagym.rl.progress import Progress, Row
from vitagym.rl.rllib_metrics import EpisodeMetrics
from vitagym.rl.rllib_module import CandidateModule

CHECKPOINTS = "checkpoints"
_ENV_NAME = "vitagym"
_EXPERTS = 16
Watch = Callable[[Algorithm, Row], None]


@contextmanager
def quiet_ray(runners: int, address: str | None = None) -> Iterator[None]:
    """Start Ray, or connect to a cluster; end it afterwards, whatever happens.

    Args:
        runners: How many processes will play.
        address: Of a cluster that runs already; None: a new one on this machine.

    Raises:
        CallerError: It does not start, as on a machine that is too busy, or there is no such cluster.
    """
    for name in ("ray", "ray.rllib", "ray.tune"):
        logging.getLogger(name).setLevel(logging.ERROR)
    started: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR, "ignore_reinit_error": True}
    if address is None:
        started |= {"num_cpus": runners + 1, "num_gpus": 0, "include_dashboard": False}
    else:
        started |= {"address": address}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            _start(started)
            yield
        finally:
            ray.shutdown()


def _start(settings: dict[str, Any]) -> None:
    try:
        ray.init(**settings)
    except Exception as error:  # Ray raises bare exceptions, too.
        where = settings.get("address")
        asked = f"address={where!r}: Ray cannot be reached" if where else "Ray did not start on this machine"
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        advice = "" if where else "; try again when the machine is less busy"
        raise CallerError(f"{asked}: {reason}{advice}") from error


def module_spec(plan: TrainingPlan, state: str | None = None) -> RLModuleSpec:
    """Return what RLlib builds the policy of a plan from, with the weights of a saved module where one is given."""
    if plan.language_model is not None:
        from vitagym.rl.language_policy import LanguageModule

        return RLModuleSpec(
            module_class=LanguageModule, model_config={**plan.model, "path": plan.language_model}, load_state_path=state
        )
    return RLModuleSpec(module_class=CandidateModule, model_config=dict(plan.model), load_state_path=state)


def configured(plan: TrainingPlan, state: str | None = None) -> PPOConfig:
    """Return RLlib's configuration of a plan; a runner that dies is started again."""
    register_env(_ENV_NAME, lambda config: training_vector(plan, config.get("num_envs", 1)))
    return (
        PPOConfig()
        .environment(_ENV_NAME, disable_env_checking=True)
        .env_runners(
            num_env_runners=plan.runners,
            num_envs_per_env_runner=plan.environments,
            gym_env_vectorize_mode="vector_entry_point",
            rollout_fragment_length="auto",
            validate_env_runners_after_construction=False,
        )
        .learners(num_learners=0, num_gpus_per_learner=0)
        .rl_module(rl_module_spec=module_spec(plan, state))
        .callbacks(EpisodeMetrics)
        .training(
            train_batch_size_per_learner=plan.batch,
            minibatch_size=min(plan.minibatch, plan.batch),
            num_epochs=plan.epochs,
            lr=plan.lr,
            gamma=plan.gamma,
            lambda_=0.95,
            entropy_coeff=plan.entropy,
            use_kl_loss=False,
            vf_clip_param=10.0,
            grad_clip=0.5,
            grad_clip_by="global_norm",
        )
        .fault_tolerance(restart_failed_env_runners=True, ignore_env_runner_failures=True)
        .debugging(seed=plan.seed, log_level="ERROR")
    )


def train(
    plan: TrainingPlan,
    folder: Path,
    *,
    minutes: float | None = None,
    steps: int | None = None,
    address: str | None = None,
    resume: bool = False,
    watch: Watch | None = None,
) -> list[Row]:
    """Train until the time or the steps are over.

    Args:
        plan: What to train.
        folder: Where plan, rows and checkpoints go.
        minutes: Minutes of this call; None: no limit.
        steps: Steps of the environments, those of earlier calls counted; None: no limit.
        address: Of a Ray cluster; None: a new one on this machine.
        resume: Go on from the last checkpoint in the folder.
        watch: Sees the algorithm and the row of every iteration.

    Returns:
        All rows of the run.

    Raises:
        CallerError: No limit is given; or there is nothing to resume, or already a run that was not to be resumed.
    """
    if minutes is None and steps is None:
        raise CallerError("minutes=None, steps=None: expected a limit")
    saved = last_checkpoint(folder)
    if resume and saved is None:
        raise CallerError(f"{folder}: nothing to resume, there is no checkpoint")
    if not resume and (folder / CHECKPOINTS).exists():
        raise CallerError(f"{folder}: holds a run already; resume it, or choose another folder")
    torch.set_num_threads(1)
    plan.save(folder)
    progress = Progress(folder)
    with quiet_ray(plan.runners, address):
        with _warm_start(plan, wanted=not resume) as state:
            algorithm = configured(plan, state).build_algo()
        try:
            if saved is not None:
                algorithm.restore_from_path(str(saved.resolve()))
            _iterate(algorithm, plan, folder, progress, minutes, steps, watch or _unseen)
        finally:
            algorithm.stop()
            progress.close()
    return progress.rows


def last_checkpoint(folder: Path) -> Path | None:
    """Return the last whole checkpoint of a run; None where there is none."""
    found = sorted(path for path in (folder / CHECKPOINTS).glob("[0-9]*") if path.is_dir())
    return found[-1] if found else None


def _unseen(_: Algorithm, __: Row) -> None:
    """Show nothing."""


def _iterate(  # noqa: PLR0917 - all of them are the state of one run
    algorithm: Algorithm,
    plan: TrainingPlan,
    folder: Path,
    progress: Progress,
    minutes: float | None,
    steps: int | None,
    watch: Watch,
) -> None:
    before = progress.last.get("minutes", 0.0)
    started = saved_at = time.monotonic()
    done = False
    while not done:
        result = algorithm.train()
        now = time.monotonic()
        spent = (now - started) / 60
        row = _row(result, before + spent)
        progress.add(row)
        done = (minutes is not None and spent >= minutes) or (steps is not None and row["steps"] >= steps)
        if done or now - saved_at >= 60 * plan.checkpoint_minutes:
            _checkpoint(algorithm, folder, int(row["steps"]))
            saved_at = now
        watch(algorithm, row)


def _checkpoint(algorithm: Algorithm, folder: Path, steps: int) -> None:
    """Write a checkpoint under a name that it has only once it is whole, and drop the one before."""
    old = last_checkpoint(folder)
    target = folder / CHECKPOINTS / f"{steps:010d}"
    draft = target.with_name(f"draft-{target.name}")
    shutil.rmtree(draft, ignore_errors=True)
    draft.parent.mkdir(parents=True, exist_ok=True)
    algorithm.save_to_path(str(draft.resolve()))
    if old == target:
        shutil.rmtree(target)
    draft.rename(target)
    if old is not None and old != target:
        shutil.rmtree(old)


def _row(result: dict[str, Any], minutes: float) -> dict[str, float]:
    played = result["env_runners"]
    learned = result.get("learners", {}).get("default_policy", {})
    row = {
        "minutes": round(minutes, 4),
        "steps": float(played.get("num_env_steps_sampled_lifetime", 0)),
        "episodes": float(played.get("num_episodes_lifetime", 0)),
    }
    row |= {name: float(value) for name, value in sorted(played.get("vitagym", {}).items())}
    row |= {name: float(learned[name]) for name in ("entropy", "vf_explained_var", "total_loss") if name in learned}
    return row


@contextmanager
def _warm_start(plan: TrainingPlan, *, wanted: bool) -> Iterator[str | None]:
    """Give the folder of a module that has imitated the expert; None where that is not wanted."""
    if not (wanted and plan.warm_start):
        yield None
        return
    torch.manual_seed(plan.seed)
    envs = [training_environment(plan) for _ in range(min(_EXPERTS, plan.warm_start))]
    shown = demonstrations(play(envs, ExpertPolicy(), expert_seeds(plan.warm_start), keep=True), plan.gamma)
    spec = module_spec(plan)
    spec.observation_space, spec.action_space = envs[0].observation_space, envs[0].action_space
    module = spec.build()
    clone(module, shown, seed=plan.seed)
    with tempfile.TemporaryDirectory() as folder:
        module.save_to_path(folder)
        yield folder
