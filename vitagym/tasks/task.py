"""A task: what a person wants, what they say of it and when, the world it happens in, and what satisfies it."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from vitagym.dialogue.acts import Slot
from vitagym.language import Language
from vitagym.tasks.checks import AnyCheck
from vitagym.tasks.constraints import Constraint
from vitagym.tasks.expected import ExpectedState
from vitagym.world.catalogue import Catalogue

T = TypeVar("T")
_MADE = ("catalogue", "_built")
"""What is made from a task's fields: neither pickled nor copied, as a copy may have other fields."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Persona(StrEnum):
    """The ten personality types of the public data, and none."""

    IMPATIENT = "impatient"
    ANXIOUS = "anxious"
    COLD = "cold"
    DETAILED = "detailed"
    LOGICAL = "logical"
    DEPENDENT = "dependent"
    SCATTERED = "scattered"
    COOPERATIVE = "cooperative"
    EMOTIONAL = "emotional"
    CONTROLLING = "controlling"
    NEUTRAL = "neutral"


class Release(StrEnum):
    """When a point may come out."""

    OPENING = "opening"
    """With the first words already."""
    VOLUNTEERED = "volunteered"
    """In a later turn, unasked, or at once when asked."""
    EVENT = "event"
    """Once its event has happened; not before, even when asked."""
    ASKED = "asked"
    """Only when asked (facts of the profile)."""


class EventKind(StrEnum):
    """What the user can notice."""

    REPORTED = "reported"
    """The agent said that something was done; with ``mention``: in an utterance that names it."""
    HEARD = "heard"
    """The agent said something that contains ``mention``."""
    OFFERED = "offered"
    """The agent offered or recommended something; with ``mention``: in an utterance that names it."""


class Event(_Part):
    """What has to happen before a point comes out.

    Attributes:
        mention: Any one of these must stand in the agent's words; empty: whatever it names.
    """

    kind: EventKind
    mention: tuple[str, ...] = ()


class Point(_Part):
    """An atom of information that the user can convey, in the task's language and the first person.

    Attributes:
        slot: What it is about: a question about this slot is answered with it.
        also: Further slots that a question answered by it may be about.
        wordings: Ways to say it, each a whole sentence or clause that stands alone.
        answers: Ways to say it as a direct answer; empty: use the wordings.
        release: When it may come out.
        event: For ``Release.EVENT``: what has to happen first.
        replaces: Id of an earlier point that this one changes (a change of mind), or None.
        conveys: What its words say, in typed form; empty where that is not known (public tasks).
    """

    id: str
    slot: Slot
    also: tuple[Slot, ...] = ()
    wordings: tuple[str, ...] = Field(min_length=1)
    answers: tuple[str, ...] = ()
    release: Release = Release.VOLUNTEERED
    event: Event | None = None
    replaces: str | None = None
    conveys: tuple[Constraint, ...] = ()


class Profile(_Part):
    """The user.

    Attributes:
        public: What the platform knows and may show (occupation, gender, age group, residence, addresses).
        hidden: What only the user knows (dietary restrictions, personality, family status).
    """

    user_id: str
    public: dict[str, str]
    hidden: dict[str, str]


class Rubric(_Part):
    """One atomic requirement.

    Attributes:
        sentences: Language code -> sentence; ours have both languages.
        check: The typed check made from the same requirement; None where there are only words (public tasks).
        goal: Id of the goal it belongs to; None: the whole task.
        prohibition: Whether it forbids something: then it counts as met only while the other rubrics of its goal are.
        requirement: What kind of requirement it is, e.g. ``arrival`` or ``diet``.
    """

    id: str
    sentences: dict[str, str]
    check: AnyCheck | None = None
    goal: str | None = None
    prohibition: bool = False
    requirement: str = ""

    def sentence(self, language: Language) -> str:
        """Return the sentence in that language, or in the one there is."""
        return self.sentences.get(language.value) or next(iter(self.sentences.values()))


class CallStep(_Part):
    """A step of the reference solution: call a tool.

    Attributes:
        arguments: Arguments; a string ``$name`` stands for the id that an earlier step's result bound to that name.
        binds: Name (with ``$``) given to the id of the record that this call makes, or None.
        after: Ids of points that must have been said before.
    """

    kind: Literal["call"] = "call"
    tool: str
    arguments: dict[str, Any]
    binds: str | None = None
    after: tuple[str, ...] = ()


class SayStep(_Part):
    """A step of the reference solution: tell the user something (``$name`` as in calls).

    Attributes:
        reports: Whether it reports something as done, or as impossible.
        after: Ids of points that must have been said before.
    """

    kind: Literal["say"] = "say"
    text: str
    reports: Literal["done", "impossible"] | None = None
    after: tuple[str, ...] = ()


Step = Annotated[CallStep | SayStep, Field(discriminator="kind")]


class Complexity(_Part):
    """How hard a task is, known before anything is run (see ``vitagym.tasks.complexity`` for the definitions).

    Attributes:
        reason: Reasoning points: constraints that need a look-up, a calculation or an inference.
        search_space: |S|: providers, products and transactions in the task's world.
        entropy: H(O) of what a first look shows, in bits.
        eta: η = 1 − |O|/|S|: the share of the world that a first look does not tell apart.
        tools: |V|: tools on offer.
        edges: |E| of their graph.
        density: ρ of their graph.
        needed_tools: |V_task|: tools that the reference solution calls.
        coverage: |V_task|/|V|.
        points: Points of information.
        hidden: Points that only a question or an event brings out.
        changes: Points that take back an earlier one.
        goals: Records that the person wants.
        constraints: Requirements on them, thinking or not.
        difficulty: One predicted number between 0 and 1.
    """

    reason: int
    search_space: int
    entropy: float = 0.0
    eta: float = 0.0
    tools: int
    edges: int = 0
    density: float = 0.0
    needed_tools: int
    coverage: float = 0.0
    points: int
    hidden: int
    changes: int = 0
    goals: int = 0
    constraints: int = 0
    difficulty: float = 0.0


class Task(_Part):
    """A task, in one language.

    Attributes:
        id: Unique in its split; with the language it fixes the task.
        split: ``test``, ``train``, ``dev`` or ``public``.
        domains: The domains it needs: ``delivery``, ``instore``, ``ota``; several in cross tasks.
        time: The episode's clock, ``YYYY-MM-DD HH:MM:SS``; it stands still.
        instruction: The whole need in the second person, as a simulator would be told.
        points: What the user can convey, in the order of telling.
        environment: The world in the public JSON shape (see ``vitagym.tasks.environment``).
        solution: The reference solution; empty where none is known.
        expected: What the public data expects in the ledger at the end; empty in our own tasks.
        family: Which scenario family made it; empty for public tasks.
        complexity: See Complexity; None where it was not computed.
    """

    id: str
    split: str
    domains: tuple[str, ...] = Field(min_length=1)
    language: Language
    time: str
    profile: Profile
    persona: Persona
    instruction: str
    points: tuple[Point, ...] = ()
    environment: dict[str, Any]
    rubrics: tuple[Rubric, ...] = ()
    solution: tuple[Step, ...] = ()
    expected: tuple[ExpectedState, ...] = ()
    family: str = ""
    complexity: Complexity | None = None

    @property
    def domain(self) -> str:
        """``cross`` where it needs several domains, else the one."""
        return self.domains[0] if len(self.domains) == 1 else "cross"

    @cached_property
    def catalogue(self) -> Catalogue:
        """The world that no action changes; built once, shared by every episode on this task."""
        from vitagym.tasks.environment import read_catalogue

        return read_catalogue(self)

    @cached_property
    def _built(self) -> dict[str, Any]:
        return {}

    def built(self, name: str, build: Callable[[Task], T]) -> T:
        """Return what ``build`` makes of this task, made once under that name and then shared by its episodes."""
        if name not in self._built:
            self._built[name] = build(self)
        found: T = self._built[name]
        return found

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        return {**state, "__dict__": {k: v for k, v in state["__dict__"].items() if k not in _MADE}}

    def __copy__(self) -> Task:
        copied = super().__copy__()
        for made in _MADE:
            copied.__dict__.pop(made, None)
        return copied

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Task:
        return super(Task, copy(self)).__deepcopy__(memo)
