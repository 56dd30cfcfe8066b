"""Which user an episode gets."""

from __future__ import annotations

from typing import cast

from vitagym.errors import CallerError, UnknownName
from vitagym.randomness import Stream
from vitagym.tasks.task import Persona, Task
from vitagym.users.scripted import ScriptedUser
from vitagym.users.solo import SoloUser
from vitagym.users.user import User

USERS = ("scripted", "solo")
"""The names of users."""


def make_user(spec: object, task: Task, stream: Stream, persona: Persona | str | None = None) -> User:
    """Return a user for an episode.

    Args:
        spec: One of ``USERS``; or an object with ``open``, ``reply`` and ``fork``, of which a fork is used.
        stream: Where the user's randomness comes from.
        persona: Which persona a scripted user has; None: the task's.

    Raises:
        UnknownName: The name is none of ``USERS``, or the persona none of ``Persona``.
        CallerError: The object lacks a method of a user.
    """
    if isinstance(spec, str):
        if spec == "scripted":
            return ScriptedUser(task, stream, None if persona is None else _persona(persona))
        if spec == "solo":
            return SoloUser(task)
        raise UnknownName("user", spec, USERS)
    missing = [name for name in ("open", "reply", "fork") if not callable(getattr(spec, name, None))]
    if missing:
        raise CallerError(f"a user needs the methods open, reply and fork; {spec!r} lacks {', '.join(missing)}")
    return cast(User, spec).fork()


def _persona(value: Persona | str) -> Persona:
    try:
        return Persona(value)
    except ValueError:
        raise UnknownName("persona", value, [str(p) for p in Persona]) from None
