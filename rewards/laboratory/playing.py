"""Plays a making: the reference agent with the steps of the making, and the scripted user of the task."""

from __future__ import annotations

from dataclasses import dataclass

from vitagym.agents.reference import ReferenceAgent
from vitagym.dialogue.transcript import Role
from vitagym.env.environment import VitaEnv
from vitagym.randomness import Stream
from vitagym.rewards.judge import Scores
from vitagym.rewards.laboratory.makings import Making
from vitagym.rewards.rubrics import RubricState, RubricStates, RubricStatus
from vitagym.tasks.checks import Evidence
from vitagym.tasks.task import CallStep, Task
from vitagym.users.choice import make_user
from vitagym.users.user import Reply, User


@dataclass(frozen=True)
class Sample:
    """A transcript with its truth.

    Attributes:
        making: How it was made.
        evidence: World and transcript at the end.
        gone_wrong: Why it did not go as it was to go, so that its truth is not known; empty: it did.
    """

    making: Making
    evidence: Evidence
    gone_wrong: str


def play(making: Making, *, seed: int = 0) -> Sample:
    """Play a making; the same making and seed give the same transcript."""
    task = making.task.model_copy(update={"solution": making.steps})
    user = make_user("scripted", task, Stream(seed, "user"))
    env = VitaEnv(
        "cross",
        tasks=[task],
        user=user if making.yields is None else _Yielding(user, *making.yields),
        judge=_Silent,
        reward="sparse",
        max_turns=None,
    )
    observation, info = env.reset(seed=seed)
    agent = ReferenceAgent()
    agent.start(env)
    calls = sum(isinstance(step, CallStep) for step in making.steps)
    over = False
    while not over and not (making.cut and _results(env) >= calls):
        observation, _, terminated, truncated, info = env.step(agent.act(observation, info))
        over = terminated or truncated
    return Sample(making, Evidence(env.world, env.transcript), _gone_wrong(env, calls))


def _results(env: VitaEnv) -> int:
    return sum(turn.role is Role.TOOL for turn in env.transcript.turns)


def _gone_wrong(env: VitaEnv, calls: int) -> str:
    for turn in env.transcript.turns:
        if turn.call is not None and turn.result is not None and not turn.result.ok:
            return f"{turn.call.name} was refused: {turn.text}"
    made = _results(env)
    return "" if made == calls else f"it ended after {made} of {calls} calls"


class _Yielding:
    """A user that gives in to one thing, and otherwise says what another user says."""

    def __init__(self, user: User, to: str, saying: str) -> None:
        self._user, self._to, self._saying = user, to, saying

    def open(self) -> Reply:
        return self._user.open()

    def reply(self, message: str) -> Reply:
        if self._to in message:
            return Reply(self._saying)
        return self._user.reply(message)

    def fork(self) -> _Yielding:
        return type(self)(self._user.fork(), self._to, self._saying)


class _Silent:
    """Judges nothing: the judge that is tried comes later."""

    def __init__(self, task: Task) -> None:
        nothing = RubricState(RubricStatus.UNSCORED, -1, "not judged yet")
        self.states: RubricStates = {rubric.id: nothing for rubric in task.rubrics}
        self.scores: Scores = {}

    def update(self, evidence: Evidence, *, final: bool) -> RubricStates:
        del evidence, final
        return self.states

    def fork(self) -> _Silent:
        return self
