"""The base of typed checks, so that a task can carry checks that ``vitagym.rewards`` defines."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, SerializeAsAny

from vitagym.errors import UnknownName
from vitagym.frozen import quickly_made

if TYPE_CHECKING:
    from vitagym.dialogue.transcript import Transcript
    from vitagym.world.world import World


@quickly_made
@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a requirement is met at the moment, and the reason in a few words (for the log, never for an agent)."""

    met: bool
    reason: str


@quickly_made
@dataclass(frozen=True, slots=True)
class Evidence:
    """What checks look at. They change nothing."""

    world: World
    transcript: Transcript


class Check(BaseModel):
    """A typed requirement over ledger and transcript. Subclasses set ``kind`` as a literal field with a default.

    Attributes:
        forbids: Whether it holds as long as something does not happen (class attribute): such a check is met only
            together with the goal that it belongs to.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    kind: str
    forbids: ClassVar[bool] = False
    kinds: ClassVar[dict[str, type[Check]]] = {}

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        default = cls.model_fields["kind"].default
        if isinstance(default, str):
            Check.kinds[default] = cls


def _read(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    importlib.import_module("vitagym.rewards")
    kind = value.get("kind")
    if kind not in Check.kinds:
        raise UnknownName("kind of check", kind, Check.kinds)
    return Check.kinds[kind].model_validate(value)


AnyCheck = Annotated[SerializeAsAny[Check], BeforeValidator(_read)]
