"""A language model as judge: window by window, or the whole transcript at once; with the rubrics or without.

A reply that cannot be used is asked for again, with what was wrong with it; a rubric that stays without a verdict is
unscored. An endpoint that gives no answer at all ends the episode, as it does with a user.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from vitagym.dialogue.transcript import Turn
from vitagym.language import text
from vitagym.llm.asking import Asking, ModelRole, Question, run
from vitagym.llm.chat import Chat, Completion, Message
from vitagym.llm.endpoint import Endpoint, endpoint
from vitagym.rewards.judge import Judge, Scores
from vitagym.rewards.model_prompt import judge_messages, keyed
from vitagym.rewards.model_reply import Verdict, read_reply
from vitagym.rewards.rubrics import RubricState, RubricStates, RubricStatus
from vitagym.rewards.windows import Assessment, Finding, WindowedJudge, Windows
from vitagym.tasks.checks import Evidence
from vitagym.tasks.task import Rubric, Task

_REMEMBERED = 4096
_SUCCESS = "success"
_REQUESTS, _PROMPT_TOKENS, _COMPLETION_TOKENS, _COST = (
    "judge_requests",
    "judge_prompt_tokens",
    "judge_completion_tokens",
    "judge_cost",
)


@dataclass(frozen=True)
class ModelJudge:
    """Makes judges that ask a language model: ``judge=ModelJudge(…)``, or ``judge="llm"`` with all defaults.

    Attributes:
        endpoint: The model; None: what the process environment names for the role ``judge``.
        windows: How the transcript is cut; ``Windows(None)`` is the whole of it at the end.
        rubrics: Whether it judges each rubric; else only whether the need is satisfied, which it reports as
            ``judged_success`` while every rubric is unscored (paper: table 4, without rubrics).
        tries: How often it is asked about a window until every rubric has a verdict.
        price: Yuan, dollars … for a million tokens of prompt and of completion; the cost is reported in the same.
    """

    endpoint: Endpoint | None = None
    windows: Windows = field(default_factory=Windows)
    rubrics: bool = True
    tries: int = 5
    price: tuple[float, float] = (0.0, 0.0)

    def __call__(self, task: Task) -> Judge:
        """Make a judge for one episode of a task."""
        if self.rubrics:
            return WindowedJudge(task, self.assessor, self.windows)
        whole = {task.language.value: text("judge_prompt", "success_rubric", task.language)}
        need = task.model_copy(update={"rubrics": (Rubric(id=_SUCCESS, sentences=whole),)})
        return _NeedJudge(task, WindowedJudge(need, self.assessor, self.windows))

    @cached_property
    def assessor(self) -> ModelAssessor:
        """Who asks the model; shared by all judges made here, so that none asks what another has asked."""
        chat = Chat(self.endpoint or endpoint("judge"))
        return ModelAssessor(chat, whole=self.windows.width is None, tries=self.tries, price=self.price)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "assessor"}


class ModelAssessor:
    """Looks at a window by asking a model.

    Args:
        chat: The model.
        whole: Whether windows are whole transcripts.
        tries: How often it is asked about a window until every rubric has a verdict.
        price: For a million tokens of prompt and of completion.
    """

    def __init__(
        self, chat: Chat, *, whole: bool = False, tries: int = 5, price: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        self._model = _Remembering(chat)
        self._whole, self._tries, self._price = whole, tries, price

    @property
    def spends(self) -> tuple[str, ...]:
        """Requests, tokens and cost."""
        return _REQUESTS, _PROMPT_TOKENS, _COMPLETION_TOKENS, _COST

    def assessing(self, task: Task, window: Sequence[Turn], states: RubricStates) -> Asking[Assessment]:
        """Ask until every rubric has a verdict or the tries are spent, and return what the model finds."""
        rubrics = keyed(task)
        sentences = {key: rubric.sentence(task.language) for key, rubric in rubrics.items()}
        example = text("judge_prompt", "example", task.language)
        messages = judge_messages(task, window, states, whole=self._whole)
        answers = _Answers({key: rubric.id for key, rubric in rubrics.items()})
        for _ in range(self._tries if rubrics else 0):
            completion = yield Question(ModelRole.JUDGE, self._model, messages)
            reply = read_reply(completion.text, sentences, example)
            answers.take(completion, reply.verdicts, reply.problems)
            if answers.complete:
                break
            self._model.forget(messages)
            again = text("judge_prompt", "again", task.language).format(problems="; ".join(reply.problems[:10]))
            said = {"role": "assistant", "content": completion.text[:4000] or "-"}
            messages = [*messages[:2], said, {"role": "user", "content": again}]
        return self._assessment(answers)

    def _assessment(self, answers: _Answers) -> Assessment:
        prompt, completion = answers.tokens
        cost = (prompt * self._price[0] + completion * self._price[1]) / 1_000_000
        spent = {
            _REQUESTS: answers.requests,
            _PROMPT_TOKENS: prompt,
            _COMPLETION_TOKENS: completion,
            _COST: cost,
        }
        return Assessment(answers.findings(), spent)


class _Remembering:
    """A model that is not asked again what it has answered, unless that was of no use; what it said before is free."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._known: OrderedDict[str, Completion] = OrderedDict()

    @property
    def endpoint(self) -> Endpoint:
        return self._chat.endpoint

    def complete(self, messages: Sequence[Message]) -> Completion:
        name = _name(messages)
        return self._recall(name) or self._remember(name, self._chat.complete(messages))

    async def acomplete(self, messages: Sequence[Message]) -> Completion:
        name = _name(messages)
        return self._recall(name) or self._remember(name, await self._chat.acomplete(messages))

    def forget(self, messages: Sequence[Message]) -> None:
        """Ask the model anew when these messages come again, as they do where its next reply is as useless."""
        self._known.pop(_name(messages), None)

    def _recall(self, name: str) -> Completion | None:
        known = self._known.get(name)
        if known is None:
            return None
        self._known.move_to_end(name)
        return replace(known, recalled=True, attempts=0)

    def _remember(self, name: str, completion: Completion) -> Completion:
        self._known[name] = completion
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return completion


def _name(messages: Sequence[Message]) -> str:
    content = json.dumps(list(messages), ensure_ascii=True)
    return hashlib.sha256(content.encode()).hexdigest()


class _Answers:
    """What the model has said about one window so far."""

    def __init__(self, ids: Mapping[str, str]) -> None:
        self._ids = ids
        self._verdicts: dict[str, Verdict] = {}
        self._problems: tuple[str, ...] = ()
        self.requests = 0
        self.tokens = (0, 0)

    @property
    def complete(self) -> bool:
        return len(self._verdicts) == len(self._ids)

    def take(self, completion: Completion, verdicts: Mapping[str, Verdict], problems: tuple[str, ...]) -> None:
        """Take in a reply, paid for unless it was recalled; what an earlier one said of a rubric stands."""
        for key, verdict in verdicts.items():
            self._verdicts.setdefault(key, verdict)
        self._problems = problems
        if not completion.recalled:
            self.requests += 1
            prompt, completed = self.tokens
            self.tokens = (prompt + completion.prompt_tokens, completed + completion.completion_tokens)

    def findings(self) -> dict[str, Finding]:
        none = f"no usable verdict: {'; '.join(self._problems)[:300]}"
        return {
            rubric_id: Finding(found.met, found.justification)
            if (found := self._verdicts.get(key)) is not None
            else Finding(None, none)
            for key, rubric_id in self._ids.items()
        }


class _NeedJudge:
    """Judges without rubrics: whether the need is satisfied, and nothing of the rubrics."""

    def __init__(self, task: Task, judge: WindowedJudge) -> None:
        unscored = RubricState(RubricStatus.UNSCORED, -1, "judged without rubrics")
        self._judge = judge
        self._states: RubricStates = {rubric.id: unscored for rubric in task.rubrics}

    @property
    def states(self) -> RubricStates:
        return self._states

    @property
    def scores(self) -> Scores:
        status = self._judge.states[_SUCCESS].status
        judged = None if status is RubricStatus.UNSCORED else status is RubricStatus.MET
        return {"judged_success": judged, **self._judge.scores}

    def update(self, evidence: Evidence, *, final: bool) -> RubricStates:
        return run(self.updating(evidence, final=final))

    def updating(self, evidence: Evidence, *, final: bool) -> Asking[RubricStates]:
        yield from self._judge.updating(evidence, final=final)
        return self._states

    def fork(self) -> Self:
        other = type(self).__new__(type(self))
        other._judge, other._states = self._judge.fork(), self._states
        return other
