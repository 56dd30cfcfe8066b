"""What models are asked in one episode, role by role: timed and kept; or given again from a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from vitagym.errors import CallerError, EndpointError
from vitagym.evaluation.clock import Clock
from vitagym.llm.asking import Answering, ModelRole, Question
from vitagym.llm.chat import Completion

Reply = dict[str, Any]
"""What a model said, or the fault of its endpoint, as JSON says it."""


@dataclass
class Answers:
    """Asks the models, and takes down what they say.

    Attributes:
        source: Where answers come from; None: from the models.
        clock: Tells how long they took; None: that is not taken down.
        models: Role -> the model that was asked.
        seconds: Role -> seconds waited.
        replies: Role -> what was said, in order.
        first: Role -> the messages of the first question.
    """

    source: Answering | None = None
    clock: Clock | None = None
    models: dict[ModelRole, str] = field(default_factory=dict)
    seconds: dict[ModelRole, float] = field(default_factory=dict)
    replies: dict[ModelRole, list[Reply]] = field(default_factory=dict)
    first: dict[ModelRole, Sequence[Mapping[str, Any]]] = field(default_factory=dict)

    def answer(self, question: Question) -> Completion:
        """Return the model's answer; raises EndpointError where there is none."""
        start = self._begin(question)
        try:
            completion = question.answer() if self.source is None else self.source.answer(question)
        except EndpointError as error:
            self._failed(question, error, start)
            raise
        self._answered(question, completion, start)
        return completion

    async def aanswer(self, question: Question) -> Completion:
        """Do the same without blocking the event loop."""
        start = self._begin(question)
        try:
            completion = await (question.aanswer() if self.source is None else self.source.aanswer(question))
        except EndpointError as error:
            self._failed(question, error, start)
            raise
        self._answered(question, completion, start)
        return completion

    def _begin(self, question: Question) -> float:
        self.models.setdefault(question.role, question.model.endpoint.model)
        self.first.setdefault(question.role, list(question.messages))
        return 0.0 if self.clock is None else self.clock.seconds()

    def _answered(self, question: Question, completion: Completion, start: float) -> None:
        self._waited(question.role, start)
        self.replies.setdefault(question.role, []).append(reply_of(completion))

    def _failed(self, question: Question, error: EndpointError, start: float) -> None:
        self._waited(question.role, start)
        self.replies.setdefault(question.role, []).append(_reply_of_fault(error))

    def _waited(self, role: ModelRole, start: float) -> None:
        if self.clock is not None:
            self.seconds[role] = self.seconds.get(role, 0.0) + self.clock.seconds() - start


class Replayed:
    """Answers from a log: each role's replies in their order, whatever is asked.

    Args:
        replies: Role -> what its model said.

    Attributes:
        asked: Role -> how many replies were given.
    """

    def __init__(self, replies: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        self._replies = replies
        self.asked: dict[str, int] = dict.fromkeys(replies, 0)

    def answer(self, question: Question) -> Completion:
        """Return what the log says the model said; raises the endpoint's fault where it says so.

        Raises:
            CallerError: The log has no more replies of the role.
        """
        role = question.role.value
        number = self.asked.get(role, 0)
        said = self._replies.get(role, ())
        if number >= len(said):
            raise CallerError(f"the log has {len(said)} replies of the {role}'s model; one more is asked for")
        self.asked[role] = number + 1
        reply = dict(said[number])
        if "fault" in reply:
            raise EndpointError(reply["fault"], timed_out=reply["timed_out"], attempts=reply["attempts"])
        return completion_of(reply)

    async def aanswer(self, question: Question) -> Completion:
        """Do the same."""
        return self.answer(question)


_DEFAULTS = asdict(Completion(""))


def reply_of(completion: Completion) -> Reply:
    """Return an answer as a log has it: its words, and whatever else is not as usual."""
    said = asdict(completion)
    return {name: value for name, value in said.items() if name == "text" or value != _DEFAULTS[name]}


def _reply_of_fault(fault: EndpointError) -> Reply:
    return {"fault": str(fault), "timed_out": fault.timed_out, "attempts": fault.attempts}


def completion_of(reply: Mapping[str, Any]) -> Completion:
    """Return the answer that a log has."""
    return Completion(**reply)
