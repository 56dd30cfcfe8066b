"""The promises of the scripted user, tried on very many made tasks with cooperative agents.

Of each task, in both languages and with every persona: all points are said, none too early, nothing is invented, the
user does not stop before all is said and reported, and the talk ends within a bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple

from vitagym.language import Language
from vitagym.randomness import Stream
from vitagym.tasks.sources import make_draft
from vitagym.tasks.task import Persona, Task
from vitagym.users.agenda import brief_of
from vitagym.users.fidelity import Talk, points_told
from vitagym.users.interviews import INTERVIEWS, interview
from vitagym.users.scripted import ScriptedUser
from vitagym.users.tracing import untraced

PERSONAS = tuple(persona for persona in Persona if persona is not Persona.NEUTRAL)
BREACHES = ("missed", "early", "untraced", "early_stop", "unended", "empty", "more_than_a_line")
"""How a promise can be broken."""
_EXAMPLES = 20
_AT_ONCE = 5
"""So many tasks are given to a process at a time."""


class Made(NamedTuple):
    """A made task, by its domain and seed."""

    domain: str
    seed: int


@dataclass(slots=True)
class Promises:
    """What was counted.

    Attributes:
        tasks: Tasks tried, each in both languages.
        talks: Talks held.
        points: Points that had to be said.
        utterances: What users said.
        breaches: How often each promise was broken.
        examples: The first breaches: which promise, task, language, persona, and what was said.
    """

    tasks: int = 0
    talks: int = 0
    points: int = 0
    utterances: int = 0
    breaches: Counter[str] = field(default_factory=Counter)
    examples: list[tuple[str, str, str, str, str]] = field(default_factory=list)

    def add(self, other: Promises) -> None:
        """Add what another counted."""
        self.tasks += other.tasks
        self.talks += other.talks
        self.points += other.points
        self.utterances += other.utterances
        self.breaches += other.breaches
        self.examples = (self.examples + other.examples)[:_EXAMPLES]

    def broken(self, promise: str, task: Task, persona: Persona, said: str, times: int = 1) -> None:
        """Note a breach."""
        self.breaches[promise] += times
        if len(self.examples) < _EXAMPLES:
            self.examples.append((promise, task.id, task.language.value, persona.value, said))


def try_promises(
    made: Sequence[Made], *, jobs: int = 1, progress: Callable[[Promises], None] = lambda _: None
) -> Promises:
    """Try the promises on made tasks.

    Args:
        made: The tasks.
        jobs: How many processes.
        progress: Shown what was counted so far, after each task.
    """
    total = Promises()
    if jobs == 1:
        for one in made:
            total.add(promises_of(one))
            progress(total)
        return total
    with ProcessPoolExecutor(jobs) as pool:
        for found in pool.map(promises_of, made, chunksize=_AT_ONCE):
            total.add(found)
            progress(total)
    return total


def promises_of(made: Made) -> Promises:
    """Try the promises on one task, in both languages, with every persona, each in the next way of asking."""
    found = Promises(tasks=1)
    draft = make_draft(made.domain, made.seed)
    ways = tuple(INTERVIEWS)
    for language in Language:
        task = draft.task(language)
        for number, persona in enumerate(PERSONAS):
            user = ScriptedUser(task, Stream(made.seed, f"user {persona.value}"), persona)
            _check(interview(user, task, ways[(made.seed + number) % len(ways)]), task, persona, found)
    return found


def _check(talk: Talk, task: Task, persona: Persona, found: Promises) -> None:
    brief = brief_of(task)
    told = points_told(talk, task, brief)
    missed = brief.instructed - told.said
    found.talks += 1
    found.points += len(brief.instructed)
    found.utterances += len(talk)
    if missed:
        found.broken("missed", task, persona, ", ".join(sorted(missed)), len(missed))
    if told.early:
        found.broken("early", task, persona, talk[-1][1].text, told.early)
    if told.early_stops:
        found.broken("early_stop", task, persona, talk[-1][1].text)
    if not talk[-1][1].done:
        found.broken("unended", task, persona, talk[-1][1].text)
    for _, reply in talk:
        if untraced(reply.text, task):
            found.broken("untraced", task, persona, reply.text)
        if not reply.text.strip():
            found.broken("empty", task, persona, "")
        elif "\n" in reply.text:
            found.broken("more_than_a_line", task, persona, reply.text)
