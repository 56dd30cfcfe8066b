"""The environment ids. Registering is cheap: no task is made, and nothing heavy is imported before ``make``."""

from __future__ import annotations

import gymnasium as gym

from vitagym.tasks.splits import TEST_TASKS

ENTRY_POINT = "vitagym.env.environment:VitaEnv"
SYMBOLIC_ENTRY_POINT = "vitagym.rl.making:symbolic"
VECTOR_ENTRY_POINT = "vitagym.rl.making:symbolic_vector"
TEXT_VECTOR_ENTRY_POINT = "vitagym.rl.text_vector:text_vector"
DOMAIN_NAMES = {"delivery": "Delivery", "instore": "InStore", "ota": "OTA", "cross": "Cross"}
"""Domain -> how ids spell it."""


def registered_ids() -> dict[str, dict[str, object]]:
    """Return every id with the arguments that it stands for."""
    ids: dict[str, dict[str, object]] = {}
    for domain, name in DOMAIN_NAMES.items():
        ids[f"VitaBench-{name}-v0"] = {"domain": domain, "tasks": "test"}
        ids[f"VitaBench-{name}-Train-v0"] = {"domain": domain, "tasks": "train"}
        ids[f"VitaBench-{name}-Dev-v0"] = {"domain": domain, "tasks": "dev"}
        ids[f"VitaBench-{name}-OOD-v0"] = {"domain": domain, "tasks": "ood"}
        for number in range(1, TEST_TASKS + 1):
            task = f"{domain}-test-{number:03d}"
            ids[f"VitaBench-{name}-{number:03d}-v0"] = {"domain": domain, "tasks": [task]}
    return ids


def symbolic_ids() -> dict[str, dict[str, object]]:
    """Return the ids of the symbolic view with the arguments that they stand for: whole splits, no single tasks."""
    whole = {env_id: arguments for env_id, arguments in registered_ids().items() if isinstance(arguments["tasks"], str)}
    return {env_id.replace("-v0", "-Symbolic-v0"): arguments for env_id, arguments in whole.items()}


def register_ids() -> None:
    """Make every id known to Gymnasium; those that are known stay."""
    for env_id, arguments in symbolic_ids().items():
        if env_id not in gym.registry:
            gym.register(
                env_id,
                entry_point=SYMBOLIC_ENTRY_POINT,
                vector_entry_point=VECTOR_ENTRY_POINT,
                kwargs=arguments,
            )
    for env_id, arguments in registered_ids().items():
        if env_id not in gym.registry:
            gym.register(env_id, entry_point=ENTRY_POINT, vector_entry_point=TEXT_VECTOR_ENTRY_POINT, kwargs=arguments)
