"""One episode: an agent, a world, a user and a judge, turn by turn.

It knows no Gymnasium: ``opening()``, then ``acting(action)`` until ``end`` is set; both are work that asks models where
user or judge are models (see ``vitagym.llm.asking``). ``fork()`` copies ledger, transcript, user and judge, never the
world.
"""

from __future__ import annotations

from dataclasses import dataclass

from vitagym.dialogue.transcript import Role, ToolCall, Transcript, Turn
from vitagym.env.actions import MAX_ACTION_CHARS, CallIds, ParsedAction, clean, parse_action
from vitagym.env.ends import EndReason
from vitagym.env.prompt import system_prompt
from vitagym.errors import EndpointError
from vitagym.language import text
from vitagym.llm.asking import Asking, ModelRole
from vitagym.llm.usage import Accounts
from vitagym.rewards.judge import Judge, Scores, updating
from vitagym.rewards.rubrics import RubricStates, success
from vitagym.rewards.transition import Transition
from vitagym.tasks.checks import Evidence
from vitagym.tasks.task import Task
from vitagym.tools.results import Refused, Result
from vitagym.users.user import User, speaking
from vitagym.world.world import World


@dataclass(slots=True)
class Usage:
    """What an episode has used so far.

    Attributes:
        actions: Actions of the agent.
        utterances: Actions that the user heard.
        tool_calls: Tool calls, refused ones too.
        refused_calls: Tool calls that were refused or could not be read.
        refused_actions: Actions that could not be used at all.
    """

    actions: int = 0
    utterances: int = 0
    tool_calls: int = 0
    refused_calls: int = 0
    refused_actions: int = 0

    def data(self) -> dict[str, int]:
        """Return the counts by name."""
        return {
            "actions": self.actions,
            "utterances": self.utterances,
            "tool_calls": self.tool_calls,
            "refused_calls": self.refused_calls,
            "refused_actions": self.refused_actions,
        }

    def fork(self) -> Usage:
        """Return a copy."""
        return Usage(self.actions, self.utterances, self.tool_calls, self.refused_calls, self.refused_actions)


@dataclass(frozen=True, slots=True)
class Limits:
    """How far an episode may go; None: any distance.

    Attributes:
        turns: Messages of the transcript.
        tokens: Tokens that all models together use.
        cost: What all models together cost.
    """

    turns: int | None = None
    tokens: int | None = None
    cost: float | None = None


class Episode:
    """An episode of a task.

    Attributes:
        task: The task.
        world: Its world.
        user: Whoever the agent talks with.
        judge: Whoever decides the rubrics.
        limits: How far it may go.
        accounts: What models have used so far.
        rubrics: State of each rubric by its id, after the last turn.
        transcript: The turns so far.
        end: Why it ended; None while it goes on.
        success: Whether every rubric is met as things stand; None where that cannot be said.
        tool_error: Code of the first refusal of the last action; None where nothing was refused.
        usage: What was used so far.
        fault: What the fault of the endpoint was that ended it; None where there was none.
    """

    __slots__ = (
        "_ids",
        "_scored",
        "accounts",
        "end",
        "fault",
        "judge",
        "limits",
        "rubrics",
        "success",
        "task",
        "tool_error",
        "transcript",
        "usage",
        "user",
        "world",
    )

    def __init__(
        self, task: Task, world: World, user: User, judge: Judge, *, limits: Limits, accounts: Accounts
    ) -> None:
        self.task = task
        self.world = world
        self.user = user
        self.judge = judge
        self.limits = limits
        self.accounts = accounts
        self.transcript = Transcript()
        self.end: EndReason | None = None
        self.tool_error: str | None = None
        self.usage = Usage()
        self.fault: str | None = None
        self._ids = CallIds()
        self.rubrics: RubricStates = judge.states
        self.success: bool | None = None
        self._scored: RubricStates | None = None

    @property
    def system_prompt(self) -> str:
        """What the agent is told before the conversation."""
        return system_prompt(self.task.time, self.task.language)

    def opening(self) -> Asking[str]:
        """Let the user begin; returns its words."""
        self.world.hear(self.system_prompt)
        yield from self._user_says(None)
        yield from self._judge()
        return self._observation(0)

    def acting(self, action: object) -> Asking[tuple[str, Transition]]:
        """Run one action of the agent.

        Args:
            action: See ``vitagym.env.actions``. A bad one is answered, not raised.

        Returns:
            What is new for the agent, as text, and what the action changed: nothing where the episode was over.
        """
        before, scores = self.rubrics, self.judge.scores
        if self.end is not None:
            return "", self._transition(before, scores, len(self.transcript))
        start = len(self.transcript)
        self.tool_error = None
        self.usage.actions += 1
        parsed = parse_action(action, self.world.tools, self._ids)
        if parsed.used is not None:
            self.accounts.add(ModelRole.AGENT, parsed.used)
        if parsed.failed is not None:
            self.end, self.fault = parsed.failed.end, parsed.failed.message
        elif parsed.fault is not None:
            self._refuse(parsed)
        elif parsed.calls:
            self._call(parsed)
        else:
            yield from self._say(parsed)
        if parsed.stop and self.end is None:
            self.end = EndReason.AGENT_STOP
        if self.end is None:
            self.end = self._limit_reached()
        yield from self._judge()
        return self._observation(start + 1), self._transition(before, scores, start)

    def fork(self) -> Episode:
        """Return an episode that goes on from here by itself."""
        other = Episode(
            self.task,
            self.world.fork(),
            self.user.fork(),
            self.judge.fork(),
            limits=self.limits,
            accounts=self.accounts.fork(),
        )
        other.transcript = self.transcript.fork()
        other.end, other.tool_error = self.end, self.tool_error
        other.rubrics, other.success, other._scored = self.rubrics, self.success, self._scored
        other.usage, other.fault = self.usage.fork(), self.fault
        other._ids = self._ids.fork()
        return other

    def _transition(self, before: RubricStates, scores: Scores, start: int) -> Transition:
        return Transition(
            before=before,
            after=self.rubrics,
            turns=tuple(self.transcript.turns[start:]),
            terminated=self.end is not None and self.end.terminated,
            truncated=self.end is not None and not self.end.terminated,
            success=self.success,
            scores_before=scores,
            scores_after=self.judge.scores,
            transcript=self.transcript,
            rubrics=self.task.rubrics,
        )

    def _full(self) -> bool:
        return self.limits.turns is not None and len(self.transcript) >= self.limits.turns

    def _limit_reached(self) -> EndReason | None:
        if self._full():
            return EndReason.MAX_TURNS
        tokens, cost = self.limits.tokens, self.limits.cost
        if tokens is not None and self.accounts.tokens >= tokens:
            return EndReason.MAX_TOKENS
        return EndReason.MAX_COST if cost is not None and self.accounts.cost >= cost else None

    def _call(self, parsed: ParsedAction) -> None:
        self.transcript.add(Role.ASSISTANT, parsed.text, calls=parsed.calls, reasoning=parsed.reasoning)
        for call in parsed.calls:
            if self._full():
                return
            result = self._result(call)
            self.usage.tool_calls += 1
            if not result.ok:
                self.usage.refused_calls += 1
                self.tool_error = self.tool_error or result.code
            self.transcript.add(Role.TOOL, result.text, call=call, result=result)

    def _result(self, call: ToolCall) -> Result:
        if call.fault is not None or call.arguments is None:
            return Result.refusal(Refused(call.fault or "broken_arguments", tool=call.name), self.world)
        return self.world.call(call.name, call.arguments, call.raw)

    def _say(self, parsed: ParsedAction) -> Asking[None]:
        self.transcript.add(Role.ASSISTANT, parsed.text, reasoning=parsed.reasoning)
        self.usage.utterances += 1
        if not parsed.stop and not self._full():
            yield from self._user_says(parsed.text)

    def _refuse(self, parsed: ParsedAction) -> None:
        code = parsed.fault or "not_an_action"
        self.transcript.add(Role.ASSISTANT, "", reasoning=parsed.reasoning)
        self.usage.refused_actions += 1
        self.tool_error = code
        if not self._full():
            refusal = Result.refusal(Refused(code, limit=MAX_ACTION_CHARS), self.world)
            self.transcript.add(Role.SYSTEM, refusal.text)

    def _user_says(self, heard: str | None) -> Asking[None]:
        try:
            reply = yield from speaking(self.user, heard)
        except EndpointError as error:
            self._endpoint_failed(error)
            return
        words = clean(reply.text)
        if words.strip():
            self.world.hear(words)
            self.transcript.add(Role.USER, words, acts=reply.acts)
        elif not reply.done:
            self.transcript.add(Role.SYSTEM, text("notices", "silent_user", self.task.language))
        if reply.done:
            self.end = EndReason.USER_DONE

    def _judge(self) -> Asking[None]:
        evidence = Evidence(self.world, self.transcript)
        try:
            self.rubrics = yield from updating(self.judge, evidence, final=self.end is not None)
            if self.rubrics is not self._scored:
                self.success, self._scored = success(self.rubrics), self.rubrics
        except EndpointError as error:
            self.success = self._scored = None
            self._endpoint_failed(error)

    def _endpoint_failed(self, error: EndpointError) -> None:
        self.end, self.fault = EndReason.of_fault(error), str(error)

    def _observation(self, start: int) -> str:
        """Return what the agent has not seen yet, as text; several results each under the name of their tool."""
        turns = self.transcript.turns[start:]
        if len(turns) == 1:
            return turns[0].text
        return "\n".join(_headed(turn) for turn in turns)


def _headed(turn: Turn) -> str:
    return turn.text if turn.call is None else f"{turn.call.name}: {turn.text}"
