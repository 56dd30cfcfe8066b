"""A person's episodes, one after the other, on the tasks of an environment; each lands in a log as it ends."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vitagym.agents.agent import make_agent
from vitagym.errors import CallerError
from vitagym.evaluation.folder import append_episode
from vitagym.evaluation.log import EPISODES, HUMAN, EpisodeLog, read_logs
from vitagym.play.game import Game, Role, Table


class Session:
    """A person plays an environment's tasks.

    Args:
        env_id: The environment.
        settings: What it is made with; for a person who plays the agent, the user among them is who answers.
        role: Whom the person plays.
        agent: The agent's name, where the person plays the user.
        seed: Seed of the first episode; the next ones have the next seeds.
        out: Folder whose log gets each episode as it ends; None: none is kept.

    Raises:
        UnknownName: There is no agent of that name.

    Attributes:
        game: The episode that is played.
    """

    def __init__(
        self,
        env_id: str,
        settings: Mapping[str, Any],
        *,
        role: Role = Role.AGENT,
        agent: str = "reference",
        seed: int = 0,
        out: Path | None = None,
    ) -> None:
        if role is Role.USER:
            make_agent(agent)
        self._out = out
        self._unkept: list[EpisodeLog] = []
        self._lost: str | None = None
        self._table = Table(env_id, settings, role, agent, self._trial, self._keep)
        self.game = Game(self._table, seed)

    def begin_next(self) -> None:
        """Leave the episode that is played and begin that of the next seed."""
        self.game.seat.leave()
        self.game = Game(self._table, self.game.seed + 1)

    def close(self) -> None:
        """Leave the episode that is played."""
        self.game.seat.leave()

    def state(self) -> dict[str, Any]:
        """Return what the person may see now, and where ended episodes are kept."""
        kept = None if self._out is None else self._out.resolve().name
        return {**self.game.state(), "seed": self.game.seed, "kept": kept, "not_kept": self._lost}

    def _trial(self, task_id: str) -> int:
        """Return how many episodes of a person on this task the log has already."""
        if self._out is None or not (self._out / EPISODES).exists():
            return 0
        role = self._table.role.value
        same = [row for row in read_logs(self._out) if row["task_id"] == task_id and row[role] == HUMAN]
        return len(same)

    def _keep(self, log: EpisodeLog) -> None:
        """Write what has ended; what cannot be written now is written with the next one, and the page says so."""
        if self._out is None:
            return
        self._unkept.append(log)
        try:
            while self._unkept:
                append_episode(self._out, self._unkept[0].line())
                self._unkept.pop(0)
            self._lost = None
        except (CallerError, OSError) as error:
            self._lost = str(error)
