"""The spaces of observations and actions: any Unicode, any length, which Gymnasium's own ``Text`` cannot be.

How they are batched and shared between processes stands in ``vitagym.env.shared_texts``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import orjson
from gymnasium import spaces

from vitagym.env.shared_texts import register_text_space
from vitagym.errors import CallerError

Action = str | dict[str, Any] | list[Any]

_RANGES = ((0x20, 0x7F), (0x4E00, 0x9FFF), (0xA0, 0x2FF), (0x1F300, 0x1F6FF), (0x09, 0x0E))
_MAX_SAMPLE = 64


class AnyText(spaces.Space[str]):
    """Every text: any Unicode, lone surrogates included, of any length, the empty one too.

    >>> "你好 🌊" in AnyText()
    True
    """

    def __init__(self, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """Text has no fixed number of dimensions."""
        return False

    def sample(self, mask: None = None, probability: None = None) -> str:
        """Return a short text of mixed scripts; masks mean nothing here and are refused."""
        _refuse_masks(mask, probability)
        return _some_text(self.np_random)

    def contains(self, x: Any) -> bool:
        """Return whether it is a text."""
        return isinstance(x, str)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class AgentActions(spaces.Space[Action]):
    """Every action that an agent may send: a text, an assistant message in OpenAI format, or a call or calls as JSON.

    What is outside this space can be sent all the same: the environment answers that it is no action.
    """

    def __init__(self, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """Text has no fixed number of dimensions."""
        return False

    def sample(self, mask: None = None, probability: None = None) -> Action:
        """Return an utterance, or a call of some tool in one of the forms; masks are refused.

        The space does not know which tools there are; a random agent that does is ``vitagym.make_agent("random")``.
        """
        _refuse_masks(mask, probability)
        rng = self.np_random
        call = {"name": _SAMPLED[int(rng.integers(len(_SAMPLED)))], "arguments": {}}
        match int(rng.integers(5)):
            case 0:
                return orjson.dumps(call).decode()
            case 1:
                return f"<tool_call>{orjson.dumps(call).decode()}</tool_call>"
            case 2:
                function = {"name": call["name"], "arguments": "{}"}
                calls = [{"id": "call_1", "type": "function", "function": function}]
                return {"role": "assistant", "content": None, "tool_calls": calls}
            case _:
                return "." + _some_text(rng)

    def contains(self, x: Any) -> bool:
        """Return whether it is a text, or an object or list that JSON can say."""
        if isinstance(x, str):
            return True
        if not isinstance(x, dict | list):
            return False
        try:
            orjson.dumps(x)
        except (TypeError, ValueError, RecursionError):
            return False
        return True

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


_SAMPLED = ("get_user_historical_behaviors", "get_user_all_orders")


def _refuse_masks(mask: object, probability: object) -> None:
    if mask is not None or probability is not None:
        raise CallerError("text cannot be sampled with a mask or with probabilities")


def _some_text(rng: np.random.Generator) -> str:
    low, high = _RANGES[int(rng.integers(len(_RANGES)))]
    return "".join(chr(code) for code in rng.integers(low, high, size=int(rng.integers(_MAX_SAMPLE))))


for _kind in (AnyText, AgentActions):
    register_text_space(_kind)
