"""Work that waits for models, written once: run in the calling thread, or many at once in one event loop.

Whoever needs a model's answer is a generator: it yields a ``Question`` and is sent the ``Completion``, or has an
``EndpointError`` thrown into it. ``run`` and ``arun`` bring such work to its end; work that asks nothing costs the same
in both.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeVar

from vitagym.errors import EndpointError
from vitagym.llm.chat import Completion, Message
from vitagym.llm.endpoint import Endpoint

T = TypeVar("T")


class ModelRole(StrEnum):
    """Whose words a model gives."""

    AGENT = "agent"
    USER = "user"
    JUDGE = "judge"


class Model(Protocol):
    """What answers questions: a ``Chat``, or something in its place."""

    @property
    def endpoint(self) -> Endpoint:
        """Which model it is, and where."""

    def complete(self, messages: Sequence[Message]) -> Completion:
        """Return the model's answer; raises EndpointError where there is none."""

    async def acomplete(self, messages: Sequence[Message]) -> Completion:
        """Do the same without blocking the event loop."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a model.

    Attributes:
        role: Whose words are wanted.
        model: Who answers.
        messages: The conversation so far, in OpenAI format.
    """

    role: ModelRole
    model: Model
    messages: Sequence[Message]

    def answer(self) -> Completion:
        """Return the model's answer; raises EndpointError where there is none."""
        return self.model.complete(self.messages)

    async def aanswer(self) -> Completion:
        """Do the same without blocking the event loop."""
        return await self.model.acomplete(self.messages)


class Answering(Protocol):
    """Where answers come from: the models themselves, or something between them and whoever asks."""

    def answer(self, question: Question) -> Completion:
        """Return the answer; raises EndpointError where there is none."""

    async def aanswer(self, question: Question) -> Completion:
        """Do the same without blocking the event loop."""


Asking = Generator[Question, Completion, T]
"""Work that yields questions, is sent the answers, and returns a result."""


def run(asking: Asking[T], answer: Callable[[Question], Completion] = Question.answer) -> T:
    """Bring work to its end in the calling thread.

    Args:
        asking: The work.
        answer: Where answers come from; the models themselves by default.
    """
    try:
        question = next(asking)
        while True:
            try:
                given = answer(question)
            except EndpointError as error:
                question = asking.throw(error)
            else:
                question = asking.send(given)
    except StopIteration as end:
        result: T = end.value
        return result


async def arun(asking: Asking[T], answer: Callable[[Question], Awaitable[Completion]] = Question.aanswer) -> T:
    """Bring work to its end without blocking the event loop; arguments as for ``run``."""
    try:
        question = next(asking)
        while True:
            try:
                given = await answer(question)
            except EndpointError as error:
                question = asking.throw(error)
            else:
                question = asking.send(given)
    except StopIteration as end:
        result: T = end.value
        return result
