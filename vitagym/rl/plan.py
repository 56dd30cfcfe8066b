"""What a training run is: everything that is needed to start it, to go on with it, and to evaluate what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import orjson

from vitagym.errors import CallerError, UnknownName

PLAN_FILE = "plan.json"
LANGUAGE_MODEL = "lm:"
"""What the name of a language-model policy starts with; its folder follows."""


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """A training run.

    Attributes:
        env_id: Id of a symbolic environment of a train split.
        settings: Arguments of the environment, such as ``reward`` and ``difficulty``.
        pool: How many tasks to learn from; None: as many as there are.
        curriculum: Which tasks come when, ``difficulty`` or ``density``; None: any.
        policy: ``scorer``, the small network, or ``lm:PATH``, a causal language model in that folder.
        model: Settings of the policy: ``hidden`` of the small network; ``lora`` of a language model.
        view: Settings of what a language model sees (see ``vitagym.rl.token_view``).
        runners: Processes that play; 0: the one that learns plays as well.
        environments: Environments a process.
        seed: Fixes network, tasks, users and choices.
        warm_start: Episodes of the expert to imitate first.
        batch: Steps between two updates.
        minibatch: Steps of one gradient step.
        epochs: How often an update goes over its steps.
        lr: Learning rate.
        gamma: Discount; below 1, success is worth more the sooner it comes.
        entropy: Weight of the entropy.
        checkpoint_minutes: Minutes between checkpoints.
    """

    env_id: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    pool: int | None = 400
    curriculum: str | None = None
    policy: str = "scorer"
    model: Mapping[str, Any] = field(default_factory=dict)
    view: Mapping[str, Any] = field(default_factory=dict)
    runners: int = 0
    environments: int = 16
    seed: int = 0
    warm_start: int = 0
    batch: int = 1024
    minibatch: int = 128
    epochs: int = 4
    lr: float = 1e-3
    gamma: float = 0.99
    entropy: float = 0.003
    checkpoint_minutes: float = 2.0

    def __post_init__(self) -> None:
        if self.policy != "scorer" and not self.policy.startswith(LANGUAGE_MODEL):
            raise UnknownName("policy", self.policy, ["scorer", "lm:PATH"])
        for name in ("runners", "warm_start"):
            if getattr(self, name) < 0:
                raise CallerError(f"{name}={getattr(self, name)!r}: expected a whole number from 0")
        for name in ("environments", "batch", "minibatch", "epochs"):
            if getattr(self, name) < 1:
                raise CallerError(f"{name}={getattr(self, name)!r}: expected a whole number from 1")

    @property
    def language_model(self) -> str | None:
        """Folder of the language model; None for the small network."""
        return self.policy.removeprefix(LANGUAGE_MODEL) if self.policy.startswith(LANGUAGE_MODEL) else None

    def save(self, folder: Path) -> None:
        """Write it into the folder of a run."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / PLAN_FILE).write_bytes(orjson.dumps(asdict(self), option=orjson.OPT_INDENT_2))

    @classmethod
    def load(cls, folder: Path) -> TrainingPlan:
        """Read it from the folder of a run.

        Raises:
            CallerError: There is no run in that folder, or it is of another version.
        """
        try:
            data = orjson.loads((folder / PLAN_FILE).read_bytes())
        except (OSError, orjson.JSONDecodeError) as error:
            raise CallerError(f"{folder} is no folder of a training run: {error}") from None
        if unknown := set(data) - {f.name for f in fields(cls)}:
            raise CallerError(f"{folder / PLAN_FILE}: unknown fields {', '.join(sorted(unknown))}")
        return cls(**data)
