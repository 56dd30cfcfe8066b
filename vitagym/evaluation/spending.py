"""What a run spends: prices of models, and a budget in money, tokens and time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from vitagym.errors import CallerError

_MILLION = 1_000_000
_PRICE = re.compile(r"(?P<model>.+)=(?P<prompt>[\d.]+),(?P<completion>[\d.]+)")
_BUDGET = re.compile(r"(?P<amount>\d+(?:\.\d+)?)\s*(?P<times>[kM]?)(?P<unit>[a-zA-Z$€¥]+)")
_TIMES = {"": 1, "k": 1_000, "M": _MILLION}
_SECONDS = {"s": 1, "min": 60, "h": 3600}
_TOKENS = ("token", "tokens")
_MONEY = ("usd", "eur", "cny", "$", "€", "¥")


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of models for a million tokens of prompt and of completion, in any one currency.

    Attributes:
        of_model: Model -> price of prompt and of completion.
    """

    of_model: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @classmethod
    def read(cls, texts: Iterable[str]) -> Prices:
        """Return the prices of texts ``MODEL=IN,OUT``; raises CallerError for any other text."""
        prices = {}
        for text in texts:
            found = _PRICE.fullmatch(text)
            try:
                prices[found["model"]] = (float(found["prompt"]), float(found["completion"]))  # type: ignore[index]
            except (TypeError, ValueError):
                raise CallerError(
                    f"price {text!r}: expected MODEL=IN,OUT for a million tokens of prompt and of completion, "
                    "e.g. gpt-x=2.5,10"
                ) from None
        return cls(prices)

    def cost(self, model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
        """Return what tokens cost; None where the model's price is not known."""
        price = self.of_model.get(model)
        if price is None:
            return None
        return (prompt_tokens * price[0] + completion_tokens * price[1]) / _MILLION


@dataclass(slots=True)
class Spent:
    """What a run has spent so far, over all its calls; seconds are those of this call.

    Attributes:
        cost: Money, in the currency of the prices.
        tokens: Tokens of prompts and completions.
        seconds: Seconds.
        priced: Whether a price was known for every model.
    """

    cost: float = 0.0
    tokens: int = 0
    seconds: float = 0.0
    priced: bool = True

    def add(self, usage: Mapping[str, Any]) -> None:
        """Add what an episode's log says that it used."""
        for role in usage["roles"].values():
            self.cost += role["cost"]
            self.tokens += role["prompt_tokens"] + role["completion_tokens"]
        self.priced = self.priced and usage["priced"]


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a run may spend; when any of it is spent, no further episode begins, and those in flight are ended.

    Attributes:
        cost: Money, over all calls of the run; None: any.
        tokens: Tokens, over all calls of the run; None: any.
        seconds: Seconds of this call; None: any.
    """

    cost: float | None = None
    tokens: float | None = None
    seconds: float | None = None

    @classmethod
    def read(cls, texts: Iterable[str]) -> Budget:
        """Return the budget of texts such as ``5usd``, ``2Mtokens`` or ``90min``; raises CallerError for any other."""
        limits: dict[str, float] = {}
        for text in texts:
            kind, amount = _limit(text)
            if kind in limits:
                raise CallerError(f"budget {text!r}: there is a limit for {kind} already")
            limits[kind] = amount
        return cls(**limits)

    def reached(self, spent: Spent) -> str | None:
        """Return which limit is reached, in words; None where there is something left of all."""
        if self.cost is not None and spent.cost >= self.cost:
            return f"{spent.cost:.2f} of {self.cost:g} in money"
        if self.tokens is not None and spent.tokens >= self.tokens:
            return f"{spent.tokens:,} of {self.tokens:,.0f} tokens"
        if self.seconds is not None and spent.seconds >= self.seconds:
            return f"{spent.seconds:.0f} of {self.seconds:.0f} seconds"
        return None


def _limit(text: str) -> tuple[str, float]:
    found = _BUDGET.fullmatch(text.strip())
    if found is not None:
        amount, unit = float(found["amount"]) * _TIMES[found["times"]], found["unit"].lower()
        if unit in _SECONDS:
            return "seconds", amount * _SECONDS[unit]
        if unit in _TOKENS:
            return "tokens", amount
        if unit in _MONEY:
            return "cost", amount
    raise CallerError(
        f"budget {text!r}: expected a number and its unit: money ({', '.join(_MONEY)}; the currency of the prices), "
        f"tokens (500ktokens, 2Mtokens) or time ({', '.join(_SECONDS)})"
    )
