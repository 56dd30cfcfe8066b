"""How far a user can be trusted: whether it says what it was told, no more and no sooner, as the persona it plays.

``measure`` interviews a user over many tasks and counts what the rules of the paper's appendix B speak of. The paper
has people grade its simulator out of ten: 9.48 for fidelity, 9.34 for persona (section 5.1). Ours counts, and grades
by shares of what was counted, so the two are alike in scale and not in kind.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import Any, NamedTuple

from vitagym.dialogue.acts import AgentActKind, Slot
from vitagym.tasks.task import Persona, Release, Task
from vitagym.users.agenda import Brief, brief_of, happens
from vitagym.users.interviews import INTERVIEWS, interview
from vitagym.users.persona_classifier import PersonaClassifier
from vitagym.users.tracing import untraced
from vitagym.users.understanding import hear
from vitagym.users.user import Reply, User

MakeUser = Callable[[Task, Persona, int], User]
"""Makes the user of a task, as a persona, with a seed."""
Talk = list[tuple[str, Reply]]
PAPER = {"fidelity": 9.48, "consistency": 9.34}
"""What people gave the paper's simulator, out of ten."""
_REPORTS = (AgentActKind.REPORT_DONE, AgentActKind.REPORT_IMPOSSIBLE)
_EXAMPLES = 10


class Fault(StrEnum):
    """What a user must not do."""

    EARLY = "early"
    """It says a point before its event, or without a question that it waits for."""
    EARLY_STOP = "early_stop"
    """It ends before everything was said, or before the agent reported after that."""


@dataclass(slots=True)
class Fidelity:
    """What was counted.

    Attributes:
        talks: Talks held.
        due: Points that had to be said, over all talks.
        said: Of those, points said.
        early: Points said before their event, or without a question that they wait for.
        utterances: Utterances of the user.
        untraced: Utterances with a number or a name that the user was not told.
        early_stops: Talks that the user ended before everything was said, or before the agent reported after that.
        unended: Talks that the user did not end.
        empty: Utterances without words.
        broken_lines: Utterances of more than one line.
        turns: Utterances of each talk, by persona.
        told: Talks whose persona the classifier told from the user's words, by persona.
        classified: Talks that the classifier was asked about.
        examples: The first utterances with something untraced, each with what it was.
        words: How often each word was said, and each pair of words.
    """

    talks: int = 0
    due: int = 0
    said: int = 0
    early: int = 0
    utterances: int = 0
    untraced: int = 0
    early_stops: int = 0
    unended: int = 0
    empty: int = 0
    broken_lines: int = 0
    turns: dict[Persona, list[int]] = field(default_factory=lambda: defaultdict(list))
    told: Counter[Persona] = field(default_factory=Counter)
    classified: Counter[Persona] = field(default_factory=Counter)
    examples: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)
    words: tuple[Counter[str], Counter[tuple[str, str]]] = field(default_factory=lambda: (Counter(), Counter()))

    @property
    def fidelity(self) -> float:
        """Ten times the mean of four shares: points said, points not early, utterances traced, talks ended in time."""
        talks, utterances = max(1, self.talks), max(1, self.utterances)
        shares = (
            self.said / max(1, self.due),
            1 - self.early / max(1, self.due),
            1 - self.untraced / utterances,
            1 - (self.early_stops + self.unended) / talks,
        )
        return 10 * sum(shares) / len(shares)

    @property
    def consistency(self) -> float | None:
        """Ten times the share of talks whose persona was told; None where no classifier was asked."""
        asked = sum(self.classified.values())
        return 10 * sum(self.told.values()) / asked if asked else None

    @property
    def distinct(self) -> tuple[float, float]:
        """Share of different words among all, and of different pairs of words."""
        one, two = self.words
        return len(one) / max(1, sum(one.values())), len(two) / max(1, sum(two.values()))

    def data(self) -> dict[str, Any]:
        """Return the report as JSON can say it."""
        return {
            "talks": self.talks,
            "points": {"due": self.due, "said": self.said, "missed": self.due - self.said, "early": self.early},
            "utterances": self.utterances,
            "untraced": {"utterances": self.untraced, "examples": [list(example) for example in self.examples]},
            "early_stops": self.early_stops,
            "unended": self.unended,
            "rule_breaks": {"empty": self.empty, "more_than_a_line": self.broken_lines},
            "turns": {persona.value: sum(turns) / len(turns) for persona, turns in sorted(self.turns.items())},
            "persona_told": {p.value: self.told[p] / n for p, n in sorted(self.classified.items())},
            "distinct_1": self.distinct[0],
            "distinct_2": self.distinct[1],
            "fidelity": self.fidelity,
            "consistency": self.consistency,
            "paper": PAPER,
        }


def measure(
    make: MakeUser,
    tasks: Iterable[Task],
    personas: Sequence[Persona],
    classifier: PersonaClassifier | None = None,
    watch: Callable[[Talk], None] | None = None,
) -> Fidelity:
    """Interview a user on every task as every persona, each time in the next way of asking, and count.

    Args:
        make: Makes the user.
        tasks: The tasks.
        personas: Whom it plays.
        classifier: Tells its persona from its words; None: not asked.
        watch: Is shown each talk; None: nobody is.
    """
    report = Fidelity()
    ways = tuple(INTERVIEWS)
    for number, task in enumerate(tasks):
        for turn, persona in enumerate(personas):
            user = make(task, persona, number)
            talk = interview(user, task, ways[(number + turn) % len(ways)])
            _count(talk, task, persona, report)
            if classifier is not None:
                said = " ".join(reply.text for _, reply in talk)
                report.classified[persona] += 1
                report.told[persona] += classifier.persona(said) is persona
            if watch is not None:
                watch(talk)
    return report


def faults(talk: Talk, task: Task) -> Iterator[tuple[int, Fault, str]]:
    """Yield what a user did that it must not: which of its replies, the fault, and the point (empty for a stop)."""
    brief = brief_of(task)
    points = {point.id: point for point in brief.points}
    said: set[str] = set()
    asked: set[Slot] = set()
    happened: set[str] = set()
    for number, (message, reply) in enumerate(talk):
        heard = hear(message, task.language)
        asked |= set(heard.asked)
        happened |= {point.id for point in brief.points if point.event and happens(point.event, heard)}
        had_said_all = brief.instructed <= said
        rest = {p.id for p in brief.points if p.id in brief.instructed and p.release is not Release.EVENT} - said
        for point in [points[act.point] for act in reply.acts if act.point in points]:
            waits = point.release is Release.EVENT and point.id not in happened and bool(rest - {point.id})
            unasked = point.release is Release.ASKED and not {point.slot, *point.also} & asked
            if point.id not in said and (waits or unasked):
                yield number, Fault.EARLY, point.id
            said.add(point.id)
        if reply.done and not (had_said_all and heard.has(*_REPORTS)):
            yield number, Fault.EARLY_STOP, ""


def _count(talk: Talk, task: Task, persona: Persona, report: Fidelity) -> None:
    brief = brief_of(task)
    told = points_told(talk, task, brief)
    report.early += told.early
    report.early_stops += told.early_stops
    report.talks += 1
    report.due += len(brief.instructed)
    report.said += len(brief.instructed & told.said)
    report.turns[persona].append(len(talk))
    report.unended += not talk[-1][1].done
    for _, reply in talk:
        _count_words(reply.text, task, report)


class Told(NamedTuple):
    """What became of the points in a talk.

    Attributes:
        said: Ids of the points said.
        early: How many were said before their event, or without a question that they wait for.
        early_stops: 1 where the user ended before all was said, or before the agent reported after that; else 0.
    """

    said: frozenset[str]
    early: int
    early_stops: int


def points_told(talk: Talk, task: Task, brief: Brief) -> Told:
    """Return which points a talk told, which of them too early, and whether the user stopped early."""
    points = {point.id: point for point in brief.points}
    due_at_any_time = {p.id for p in brief.points if p.id in brief.instructed and p.release is not Release.EVENT}
    waiting = [point for point in brief.points if point.event]
    said: set[str] = set()
    asked: set[Slot] = set()
    happened: set[str] = set()
    early = early_stops = 0
    for message, reply in talk:
        heard = hear(message, task.language)
        asked |= set(heard.asked)
        happened |= {point.id for point in waiting if point.event and happens(point.event, heard)}
        had_said_all = brief.instructed <= said
        rest = due_at_any_time - said
        for point in [points[act.point] for act in reply.acts if act.point in points]:
            waits = point.release is Release.EVENT and point.id not in happened and bool(rest - {point.id})
            unasked = point.release is Release.ASKED and not {point.slot, *point.also} & asked
            early += point.id not in said and (waits or unasked)
            said.add(point.id)
        early_stops += reply.done and not (had_said_all and heard.has(*_REPORTS))
    return Told(frozenset(said), early, early_stops)


def _count_words(text: str, task: Task, report: Fidelity) -> None:
    report.utterances += 1
    report.empty += not text.strip()
    report.broken_lines += "\n" in text.strip()
    strange = untraced(text, task)
    if strange:
        report.untraced += 1
        if len(report.examples) < _EXAMPLES:
            report.examples.append((task.id, text, tuple(sorted(strange))))
    words = text.lower().split() if " " in text else list(text)
    report.words[0].update(words)
    report.words[1].update(pairwise(words))
