"""What RLlib logs of our episodes: success, rubric score, turns, reward by term, success by family."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ray.rllib.callbacks.callbacks import RLlibCallback

WINDOW = 200
"""Over how many episodes figures are averaged."""


class EpisodeMetrics(RLlibCallback):  # type: ignore[misc]
    """Logs what ``SymbolicVector`` says of an episode that has ended, under ``env_runners/vitagym``."""

    def on_episode_end(self, *, episode: Any, metrics_logger: Any, **kwargs: Any) -> None:
        """Log one episode."""
        del kwargs
        info = episode.get_infos(-1)
        if "episode" in info:
            for name, value in figures(info["episode"]).items():
                metrics_logger.log_value(("vitagym", name), value, window=WINDOW)


def figures(summary: Mapping[str, Any]) -> dict[str, float]:
    """Return the figures of an episode by flat name; success is left out where it could not be scored."""
    logged = {name: float(summary[name]) for name in ("rubric_score", "turn", "reward")}
    logged["episode_steps"] = float(summary["steps"])
    logged |= {f"reward_{name}": float(value) for name, value in summary["reward_terms"].items()}
    success = float(summary["is_success"])
    if not math.isnan(success):
        logged["success"] = success
        if summary["family"]:
            logged[f"success_{summary['family']}"] = success
    return logged
