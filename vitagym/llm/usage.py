"""What the models behind an episode use: requests, tokens and money, role by role."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from vitagym.errors import CallerError, EndpointError
from vitagym.llm.asking import Asking, ModelRole, Question
from vitagym.llm.chat import Completion

T = TypeVar("T")
_MILLION = 1_000_000
_NAMES = {role: role.value for role in ModelRole}
Prices = Mapping[str, tuple[float, float]]
"""Model -> price of a million tokens of prompt and of completion, in any one currency."""


def read_prices(given: Mapping[str, Sequence[float]] | None) -> Prices:
    """Return prices as a caller gives them; raises CallerError where they are no two numbers from 0."""
    prices = {}
    for model, price in (given or {}).items():
        try:
            prompt, completion = (float(amount) for amount in price)
            if not (prompt >= 0 and completion >= 0):
                raise ValueError
        except (TypeError, ValueError):
            raise CallerError(
                f"price {price!r} of {model!r}: expected two numbers from 0, for a million tokens of prompt and of "
                "completion"
            ) from None
        prices[model] = (prompt, completion)
    return prices


@dataclass(frozen=True, slots=True)
class Used:
    """What one answer of a model took.

    Attributes:
        model: The model; empty where nobody said.
        requests: Requests, failed ones too.
        failed_requests: Requests without a usable answer.
        prompt_tokens: Tokens of the requests.
        completion_tokens: Tokens of the answers.
    """

    model: str = ""
    requests: int = 0
    failed_requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @classmethod
    def by(cls, model: str, completion: Completion) -> Used:
        """Return what an answer took; one that was recalled took nothing."""
        if completion.recalled:
            return cls(model)
        failed = completion.attempts - 1
        return cls(model, completion.attempts, failed, completion.prompt_tokens, completion.completion_tokens)

    @classmethod
    def in_vain(cls, model: str, fault: EndpointError) -> Used:
        """Return what a question took that got no answer."""
        return cls(model, fault.attempts, fault.attempts)

    def plus(self, other: Used) -> Used:
        """Return both together, of one model."""
        return Used(
            self.model or other.model,
            self.requests + other.requests,
            self.failed_requests + other.failed_requests,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )


@dataclass(slots=True)
class RoleUsage:
    """What one role's model has used in an episode.

    Attributes:
        requests: Requests, failed ones too; answers that were known already took none.
        failed_requests: Requests without a usable answer.
        prompt_tokens: Tokens of the requests.
        completion_tokens: Tokens of the answers.
        cost: In the currency of the prices; what no price is known for costs nothing.
    """

    requests: int = 0
    failed_requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0

    def data(self) -> dict[str, float]:
        """Return the figures by name."""
        return {
            "requests": self.requests,
            "failed_requests": self.failed_requests,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "cost": self.cost,
        }


class Accounts:
    """What the models behind an episode have used so far.

    Args:
        prices: Prices of the models.
        complete: Whether a model without a price is a mistake of the caller.

    Attributes:
        roles: By role.
        priced: Whether a price was known for every model that was used.
    """

    __slots__ = ("_complete", "_prices", "priced", "roles")

    def __init__(self, prices: Prices, *, complete: bool = False) -> None:
        self._prices, self._complete = prices, complete
        self.priced = True
        self.roles = {role: RoleUsage() for role in ModelRole}

    @property
    def tokens(self) -> int:
        """Tokens of all roles."""
        return sum(used.prompt_tokens + used.completion_tokens for used in self.roles.values())

    @property
    def cost(self) -> float:
        """Cost of all roles."""
        return sum(used.cost for used in self.roles.values())

    def add(self, role: ModelRole, used: Used) -> None:
        """Take in what was used.

        Raises:
            CallerError: No price is known for the model, and one is needed.
        """
        if not used.requests:
            return
        account = self.roles[role]
        account.requests += used.requests
        account.failed_requests += used.failed_requests
        account.prompt_tokens += used.prompt_tokens
        account.completion_tokens += used.completion_tokens
        price = self._prices.get(used.model)
        if price is not None:
            account.cost += (used.prompt_tokens * price[0] + used.completion_tokens * price[1]) / _MILLION
        elif used.prompt_tokens or used.completion_tokens:
            self.priced = False
            if self._complete:
                raise CallerError(
                    f"max_cost needs the price of every model; prices={dict(self._prices)!r} has none of {used.model!r}"
                )

    def data(self) -> dict[str, Any]:
        """Return ``roles`` and ``priced``."""
        return {"roles": {_NAMES[role]: used.data() for role, used in self.roles.items()}, "priced": self.priced}

    def fork(self) -> Accounts:
        """Return a copy that goes on by itself."""
        other = Accounts(self._prices, complete=self._complete)
        other.priced = self.priced
        other.roles = {role: replace(used) for role, used in self.roles.items()}
        return other


def counted(asking: Asking[T], take: Callable[[ModelRole, Used], None]) -> Asking[T]:
    """Pass questions and answers on, and tell what each took."""
    try:
        question = next(asking)
        while True:
            try:
                completion = yield question
            except EndpointError as error:
                take(question.role, Used.in_vain(_model(question), error))
                question = asking.throw(error)
            else:
                take(question.role, Used.by(_model(question), completion))
                question = asking.send(completion)
    except StopIteration as end:
        result: T = end.value
        return result


def _model(question: Question) -> str:
    return question.model.endpoint.model
