"""Time, for logs and progress alone: nothing that an agent, a user or a judge sees depends on it."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> str:
        """Return the time of day, ISO 8601 in UTC."""

    def seconds(self) -> float:
        """Return seconds since any fixed moment."""


class WallClock:
    """The clock on the wall."""

    def now(self) -> str:
        """Return the time of day, ISO 8601 in UTC."""
        return datetime.now(UTC).isoformat(timespec="milliseconds")

    def seconds(self) -> float:
        """Return seconds since any fixed moment."""
        return time.monotonic()
