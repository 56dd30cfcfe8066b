"""Why episodes end."""

from __future__ import annotations

from enum import StrEnum

from vitagym.errors import EndpointError


class EndReason(StrEnum):
    """Why an episode ended."""

    AGENT_STOP = "agent_stop"
    """The agent wrote ``###STOP###``: terminated."""
    USER_DONE = "user_done"
    """The user ended the conversation: terminated."""
    MAX_TURNS = "max_turns"
    """The transcript holds as many messages as it may: truncated."""
    MAX_TOKENS = "max_tokens"
    """The models have used as many tokens as they may: truncated."""
    MAX_COST = "max_cost"
    """The models have cost as much as they may: truncated."""
    CONTEXT_OVERFLOW = "context_overflow"
    """The conversation no longer fits the context of the agent's model: truncated."""
    ENDPOINT_FAILED = "endpoint_failed"
    """The endpoint of a model (agent's, user's or judge's) failed for good: truncated."""
    ENDPOINT_TIMED_OUT = "endpoint_timed_out"
    """It gave no answer in time: truncated."""

    @property
    def terminated(self) -> bool:
        """Whether it is an end of the task's own; any other cuts the episode off."""
        return self in (EndReason.AGENT_STOP, EndReason.USER_DONE)

    @classmethod
    def of_fault(cls, fault: EndpointError) -> EndReason:
        """Return the end that a failing endpoint of the user or the judge makes; an overflow of theirs is a failure."""
        return cls.ENDPOINT_TIMED_OUT if fault.timed_out else cls.ENDPOINT_FAILED

    @classmethod
    def of_agent_fault(cls, fault: EndpointError) -> EndReason:
        """Return the end that a failing endpoint of the agent makes."""
        return cls.CONTEXT_OVERFLOW if fault.overflow else cls.of_fault(fault)


AGENT_FAULTS = (EndReason.CONTEXT_OVERFLOW, EndReason.ENDPOINT_FAILED, EndReason.ENDPOINT_TIMED_OUT)
"""The ends that an agent reports of its own model."""
