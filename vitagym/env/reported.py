"""What an agent reports beside its message: what its model used, and that its model gave no message at all.

Both are keys of an assistant message, written by the program around a model and never by the model's words:

- ``usage``: ``{"model": …, "requests": …, "failed_requests": …, "prompt_tokens": …, "completion_tokens": …}``, all but
  the model counts; what is left out is 0
- ``error``: ``{"kind": "endpoint_failed" | "endpoint_timed_out" | "context_overflow", "message": …}``; it ends the
  episode as truncated
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from vitagym.env.ends import AGENT_FAULTS, EndReason
from vitagym.errors import EndpointError
from vitagym.llm.usage import Used

_COUNTS = [field.name for field in fields(Used) if field.name != "model"]


@dataclass(frozen=True, slots=True)
class Failed:
    """The agent's model gave no message.

    Attributes:
        end: The end that this makes.
        message: What went wrong.
    """

    end: EndReason
    message: str


def failed_action(fault: EndpointError, used: Used) -> dict[str, Any]:
    """Return the action of an agent whose model gave no message: it ends the episode as truncated.

    Args:
        fault: What went wrong.
        used: What its model used in vain.
    """
    error = {"kind": EndReason.of_agent_fault(fault).value, "message": str(fault)}
    return {"role": "assistant", "content": None, "error": error, "usage": asdict(used)}


def read_usage(said: Any) -> Used | None:
    """Return what a message says of its model's usage; raises ValueError where that cannot be read."""
    if said is None:
        return None
    model = said.get("model", "") if isinstance(said, dict) else None
    counts = [said.get(name, 0) for name in _COUNTS] if isinstance(said, dict) else []
    if not isinstance(model, str) or any(type(count) is not int or count < 0 for count in counts):
        raise ValueError(f"usage {said!r:.200}")
    requests, *rest = counts
    return Used(model, requests or int(any(rest)), *rest)


def read_failure(said: Any) -> Failed | None:
    """Return what a message says of its model's failure; raises ValueError where that cannot be read."""
    if said is None:
        return None
    kind, message = (said.get("kind"), said.get("message", "")) if isinstance(said, dict) else (None, None)
    if kind not in AGENT_FAULTS or not isinstance(message, str):
        raise ValueError(f"error {said!r:.200}")
    return Failed(EndReason(kind), message)
