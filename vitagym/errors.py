"""Mistakes of the caller (not of the agent): exceptions that name the value, what is allowed, and the nearest match."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import fuzz, process


class CallerError(ValueError):
    """The caller of the library passed something that cannot be used."""


class UnknownName(CallerError, KeyError):
    """A name that is not one of the allowed ones.

    Attributes:
        what: What kind of name it is, e.g. ``"domain"``.
        value: The name that was given.
        allowed: The names that are allowed.
        nearest: The allowed name that looks most like the given one, or None if nothing is allowed.
    """

    def __init__(self, what: str, value: object, allowed: Iterable[str]) -> None:
        self.what, self.value, self.allowed = what, value, tuple(allowed)
        self.nearest = nearest_name(str(value), self.allowed)
        shown = ", ".join(self.allowed[:20]) + (f", … ({len(self.allowed)} in all)" if len(self.allowed) > 20 else "")
        hint = f" Did you mean {self.nearest!r}?" if self.nearest is not None else ""
        self.sentence = f"unknown {what} {value!r}; allowed: {shown or 'none'}.{hint}"
        super().__init__(self.sentence)

    def __str__(self) -> str:
        return self.sentence

    def __reduce__(self) -> tuple[type[UnknownName], tuple[str, object, tuple[str, ...]]]:
        return type(self), (self.what, self.value, self.allowed)


def nearest_name(value: str, allowed: Iterable[str]) -> str | None:
    """Return the allowed name most like ``value``; ties go to the first; None when nothing is allowed."""
    found = process.extractOne(value, list(allowed), scorer=fuzz.ratio)
    return None if found is None else str(found[0])


class EndpointError(RuntimeError):
    """A model's endpoint gave no usable answer, after all retries; the episode is cut off, not failed.

    Attributes:
        timed_out: Whether it gave no answer in time.
        overflow: Whether the conversation was longer than the model's context.
        attempts: How many requests were made.
    """

    def __init__(self, message: str, *, timed_out: bool = False, overflow: bool = False, attempts: int = 0) -> None:
        super().__init__(message)
        self.timed_out = timed_out
        self.overflow = overflow
        self.attempts = attempts
