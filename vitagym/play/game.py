"""One episode that a person plays, from either side, and what the person may see of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, cast

import gymnasium as gym

from vitagym.agents.agent import Agent, make_agent
from vitagym.agents.human import HumanAgent
from vitagym.dialogue.transcript import Role as Speaker
from vitagym.dialogue.transcript import Turn as Message
from vitagym.env.actions import STOP
from vitagym.errors import EndpointError
from vitagym.evaluation.answers import Answers
from vitagym.evaluation.clock import WallClock
from vitagym.evaluation.log import HUMAN, EpisodeLog
from vitagym.evaluation.recorder import Labels, Recorder
from vitagym.language import text
from vitagym.play.seat import Left, Seat, Turn
from vitagym.users.user import Reply

if TYPE_CHECKING:
    from vitagym.env.environment import VitaEnv


class Role(StrEnum):
    """Whom a person plays."""

    AGENT = "agent"
    USER = "user"


@dataclass(frozen=True, slots=True)
class Table:
    """What every episode of a session has in common.

    Attributes:
        env_id: The environment.
        settings: What it is made with; for a person who plays the agent, the user among them is who answers.
        role: Whom the person plays.
        agent: The agent's name, where the person plays the user.
        trial: Gives the number of the next trial on a task.
        keep: Takes the log of an episode that has ended.
    """

    env_id: str
    settings: Mapping[str, Any]
    role: Role
    agent: str
    trial: Callable[[str], int]
    keep: Callable[[EpisodeLog], None]


class Game:
    """An episode, from the moment it is made; it runs in a thread that ends with it.

    Attributes:
        seat: Where it waits for the person.
        seed: Its seed.
        fault: What the endpoint's fault was that cut it off; None where there was none.
    """

    def __init__(self, table: Table, seed: int) -> None:
        self.seat, self.seed = Seat(), seed
        self.fault: str | None = None
        self._table = table
        self._log: EpisodeLog | None = None
        self._instructions, self._tools = "", list[dict[str, Any]]()
        settings = dict(table.settings)
        if table.role is Role.USER:
            settings["user"] = SeatedUser(self.seat)
        self._env = gym.make(table.env_id, disable_env_checker=True, **settings)
        self._inner = cast("VitaEnv", self._env.unwrapped)
        threading.Thread(target=self._run, daemon=True).start()

    def state(self) -> dict[str, Any]:
        """Return what the person may see of the episode now; how it came out is told once it is over."""
        turn = self.seat.turn
        result = self._result() if turn is Turn.ENDED and self._log is not None else None
        return {"turn": turn.value, "messages": self._messages(), "fault": self.fault, "result": result}

    def briefing(self) -> dict[str, Any]:
        """Return what the person is told beside the conversation: instructions and tools, or who they are."""
        self.seat.wait_begun()
        task = self._inner.task
        common = {"role": self._table.role.value, "environment": self._table.env_id, "language": task.language.value}
        if self._table.role is Role.AGENT:
            return {**common, "instructions": self._instructions, "tools": self._tools}
        return {
            **common,
            "persona": text("personas", task.persona.value, task.language),
            "profile": {**task.profile.public, **task.profile.hidden},
            "instructions": task.instruction,
            "points": [{"when": point.release.value, "words": point.wordings[0]} for point in task.points],
            "tools": [],
        }

    def _messages(self) -> list[dict[str, Any]]:
        try:
            turns = list(self._inner.transcript.turns)
        except gym.error.ResetNeeded:
            return []
        if self._table.role is Role.USER:
            turns = [turn for turn in turns if _is_spoken(turn)]
        return [
            {**turn.message(), "turn": turn.index, "refused": turn.result is not None and not turn.result.ok}
            for turn in turns
        ]

    def _result(self) -> dict[str, Any] | None:
        log = self._log
        if log is None:
            return None
        named = ("is_success", "rubric_score", "reward", "turns", "end_reason")
        return {**{name: getattr(log, name) for name in named}, "rubrics": list(log.rubrics.values())}

    # ---- in the episode's thread ----

    def _run(self) -> None:
        try:
            self._log = self._episode()
            self._table.keep(self._log)
        except Left:
            return
        except EndpointError as error:
            self.fault = str(error)
        except Exception as error:
            self.fault = repr(error)  # the page says so, and the terminal shows where it came from
            raise
        finally:
            self.seat.end()

    def _episode(self) -> EpisodeLog:
        table, clock = self._table, WallClock()
        started = clock.now(), clock.seconds()
        answers = self._inner.answering = Answers(clock=clock)
        observation, info = self._env.reset(seed=self.seed)
        self._instructions, self._tools = info["system_prompt"], info["tools"]
        settings = {**table.settings, "user": HUMAN} if table.role is Role.USER else table.settings
        name = table.agent if table.role is Role.USER else HUMAN
        labels = Labels(agent=name, settings=settings, trial=table.trial(self._inner.task.id))
        recorder = Recorder(self._env, info, labels, answers=answers, clock=clock, started=started)
        agent = self._agent()
        agent.start(self._env)
        while info["end_reason"] is None:
            before = clock.seconds()
            action = agent.act(observation, info)
            recorder.decided(clock.seconds() - before)
            turn = len(self._inner.transcript)
            observation, reward, _, _, info = self._env.step(action)
            recorder.acted(action, turn, float(reward), info)
        return recorder.log()

    def _agent(self) -> Agent:
        if self._table.role is Role.USER:
            return make_agent(self._table.agent)
        return HumanAgent(self.seat.ask, lambda _: None)


class SeatedUser:
    """A person as the user. It has no state of its own, and so is its own fork and its own copy."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat

    def open(self) -> Reply:
        """Return the person's first words."""
        return self._said()

    def reply(self, message: str) -> Reply:  # noqa: ARG002 - the person reads it on the page
        """Return the person's answer."""
        return self._said()

    def fork(self) -> SeatedUser:
        """Return this user."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> SeatedUser:
        return self

    def _said(self) -> Reply:
        words = self._seat.ask().strip()
        return Reply(words.removesuffix(STOP).strip(), done=words.endswith(STOP))


def _is_spoken(turn: Message) -> bool:
    """Return whether user or agent said it to the other."""
    return turn.role is Speaker.USER or (turn.role is Speaker.ASSISTANT and not turn.calls)
