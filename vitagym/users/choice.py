"""Which user an episode gets: by name, as an object, or drawn from a mixture.

| spec | user |
|---|---|
| ``"scripted"`` | follows its agenda, offline |
| ``"solo"`` | no user to talk with: the instruction at once, every confirmation given |
| ``"llm"``, ``"llm:MODEL"`` | a language model; endpoint and model as ``vitagym.llm.endpoint`` says |
| ``"replay:PATH"`` | says what the user of a log said; ``"replay"`` alone reads ``VITAGYM_REPLAY`` |
| ``{spec: weight, …}`` | one of several, drawn anew for each episode |
| an ``Endpoint`` | a language model there |
| an object | with ``open``, ``reply`` and ``fork``; each episode gets a fork |
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import cast

from vitagym.errors import CallerError, UnknownName
from vitagym.llm.endpoint import Endpoint, endpoint
from vitagym.randomness import Stream
from vitagym.tasks.task import Persona, Task
from vitagym.users.language_model import LanguageModelUser
from vitagym.users.replay import replayed
from vitagym.users.scripted import ScriptedUser
from vitagym.users.solo import SoloUser
from vitagym.users.user import User

USERS = ("scripted", "solo", "llm", "replay")
"""The names of users."""
UserSpec = str | Mapping[str, float] | Endpoint | User
"""What says which user an episode gets."""
_WITH_ARGUMENT = ("llm", "replay")


def make_user(spec: object, task: Task, stream: Stream, persona: Persona | str | None = None) -> User:
    """Return a user for an episode.

    Args:
        spec: Which user; see the module.
        stream: Where the user's randomness comes from.
        persona: Whom a scripted user or a language model plays; None: as the task says.

    Raises:
        UnknownName: The name is none of ``USERS``, or the persona none of ``Persona``.
        CallerError: The spec cannot be used as it is.
    """
    check_user(spec)
    played = None if persona is None else _persona(persona)
    if isinstance(spec, Mapping):
        return make_user(_drawn(spec, stream), task, stream, persona)
    if isinstance(spec, Endpoint):
        return LanguageModelUser(task, spec, stream, played)
    if not isinstance(spec, str):
        return cast(User, spec).fork()
    name, _, argument = spec.partition(":")
    if name == "scripted":
        return ScriptedUser(task, stream, played)
    if name == "solo":
        return SoloUser(task)
    if name == "llm":
        return LanguageModelUser(task, endpoint("user", model=argument or None), stream, played)
    return replayed(_log(argument), task, stream)


def check_user(spec: object) -> None:
    """Raise what ``make_user`` would raise for a spec that no task can use; reads no file and no environment."""
    if isinstance(spec, str):
        name, colon, _ = spec.partition(":")
        if name not in USERS or (colon and name not in _WITH_ARGUMENT):
            raise UnknownName("user", spec, USERS)
    elif isinstance(spec, Mapping):
        if (
            not spec
            or any(not isinstance(w, int | float) or not w >= 0 for w in spec.values())
            or not sum(spec.values())
        ):
            raise CallerError(f"a mixture of users needs weights from 0, not all 0; got {dict(spec)!r}")
        for part in spec:
            check_user(part)
    elif not isinstance(spec, Endpoint):
        missing = [name for name in ("open", "reply", "fork") if not callable(getattr(spec, name, None))]
        if missing:
            raise CallerError(f"a user needs the methods open, reply and fork; {spec!r} lacks {', '.join(missing)}")


def _drawn(mixture: Mapping[object, float], stream: Stream) -> object:
    """Return one part of a mixture, by weight."""
    left = stream.random() * sum(mixture.values())
    for part, weight in mixture.items():
        left -= weight
        if left < 0:
            return part
    return [part for part, weight in mixture.items() if weight][-1]


def _log(argument: str) -> str:
    path = argument or os.environ.get("VITAGYM_REPLAY", "")
    if not path:
        raise CallerError('a replayed user needs a log: "replay:PATH", or VITAGYM_REPLAY')
    return path


def _persona(value: Persona | str) -> Persona:
    try:
        return Persona(value)
    except ValueError:
        raise UnknownName("persona", value, [str(p) for p in Persona]) from None
