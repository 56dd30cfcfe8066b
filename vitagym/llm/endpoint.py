"""Which model answers, where, and how long to try: given by arguments, else by the process environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from vitagym.errors import CallerError, UnknownName


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model at an endpoint.

    Attributes:
        model: Name of the model, as the endpoint calls it.
        base_url: Address of the endpoint; None: the one of the ``openai`` package.
        api_key: Key of the endpoint; None: ``OPENAI_API_KEY``, or none for an endpoint that needs none.
        temperature: Sampling temperature.
        seed: Seed of the sampling, where the endpoint takes one.
        max_tokens: How many tokens a completion may have; None: as many as the endpoint allows.
        timeout_s: How many seconds one request may take.
        attempts: How often a request is made before the endpoint counts as failed.
        backoff_s: Seconds waited after the first failure; each further one doubles it, up to 30.
        patience_s: How many seconds all attempts together may take.
        concurrency: How many requests may be in flight at once in one event loop.
        extra: More fields of the request body, e.g. ``{"top_p": 0.9}``.
    """

    model: str
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    temperature: float = 0.0
    seed: int | None = None
    max_tokens: int | None = None
    timeout_s: float = 60.0
    attempts: int = 5
    backoff_s: float = 0.5
    patience_s: float = 300.0
    concurrency: int = 64
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        for name, least in (("attempts", 1), ("concurrency", 1), ("timeout_s", 0), ("patience_s", 0), ("backoff_s", 0)):
            if getattr(self, name) < least:
                raise CallerError(f"{name}={getattr(self, name)!r} of an endpoint: expected at least {least}")


_IN_ENVIRONMENT: Mapping[str, type[str] | type[int] | type[float]] = {
    "model": str,
    "base_url": str,
    "api_key": str,
    "temperature": float,
    "seed": int,
    "max_tokens": int,
    "timeout_s": float,
    "attempts": int,
    "backoff_s": float,
    "patience_s": float,
    "concurrency": int,
}


def endpoint(role: str, **given: Any) -> Endpoint:
    """Return the endpoint for a role.

    What is not given, or None, is read from the process environment: ``VITAGYM_<ROLE>_MODEL``, ``…_BASE_URL``,
    ``…_API_KEY``, ``…_TIMEOUT_S`` and so on for every field but ``extra``, then the same without the role,
    ``VITAGYM_MODEL`` ….

    Args:
        role: ``user``, ``judge`` or ``agent``.
        given: Fields of ``Endpoint``.

    Raises:
        UnknownName: A field that an endpoint does not have.
        CallerError: No model is named anywhere, or a variable that should be a number is none.
    """
    allowed = [f.name for f in fields(Endpoint)]
    for name in given:
        if name not in allowed:
            raise UnknownName("setting of an endpoint", name, allowed)
    settings = {name: value for name, value in given.items() if value is not None}
    for name, kind in _IN_ENVIRONMENT.items():
        for variable in (f"VITAGYM_{role.upper()}_{name.upper()}", f"VITAGYM_{name.upper()}"):
            if name not in settings and (found := os.environ.get(variable)):
                settings[name] = _read(variable, found, kind)
    if "model" not in settings:
        raise CallerError(
            f"no model for the {role}: give model=…, or set VITAGYM_{role.upper()}_MODEL (or VITAGYM_MODEL) "
            f"and, for an endpoint of your own, VITAGYM_{role.upper()}_BASE_URL"
        )
    return Endpoint(**settings)


def _read(variable: str, found: str, kind: type[str] | type[int] | type[float]) -> str | int | float:
    try:
        return kind(found)
    except ValueError:
        raise CallerError(f"{variable}={found!r}: expected a number") from None
