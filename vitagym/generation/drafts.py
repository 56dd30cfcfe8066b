"""Drafts: a finished scene, in no language yet, and the task that it is in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vitagym.generation.conveying import conveyed
from vitagym.generation.scene import PointSketch, Scene, StepSketch
from vitagym.generation.telling import instruction
from vitagym.generation.terms import Term, rendered, saying
from vitagym.language import Language
from vitagym.rewards.checks import Existing, NoOther, RecordCheck
from vitagym.tasks.complexity import complexity_of
from vitagym.tasks.constraints import Constraint
from vitagym.tasks.task import CallStep, Complexity, Event, Point, Profile, Rubric, SayStep, Step, Task


@dataclass
class Draft:
    """A finished scene. Its tasks in the two languages have the same world, points, rubrics and solution."""

    task_id: str
    split: str
    domains: tuple[str, ...]
    family: str
    scene: Scene

    def __post_init__(self) -> None:
        self._tasks: dict[Language, Task] = {}
        self._environment = self.scene.environment()
        own = [rubric for goal in self.scene.goals for rubric in goal.rubrics()]
        self._conveyed = conveyed(self.scene)
        self._rubrics = (*own, _nothing_more(own, self.scene.steps))

    def task(self, language: Language) -> Task:
        """Return the task in one language; the same object every time."""
        if language not in self._tasks:
            self._tasks[language] = self._made(language)
        return self._tasks[language]

    def _made(self, language: Language) -> Task:
        scene = self.scene
        environment: dict[str, Any] = rendered(self._environment, language)
        person = scene.person
        return Task(
            id=self.task_id,
            split=self.split,
            domains=self.domains,
            language=language,
            time=environment["time"],
            profile=Profile(
                user_id=person.user_id,
                public=rendered(person.public, language),
                hidden=rendered(person.hidden, language),
            ),
            persona=person.persona,
            instruction=self.instruction(language),
            points=tuple(_point(point, self._conveyed.get(point.id, ()), language) for point in scene.points),
            environment=environment,
            rubrics=self._rubrics,
            solution=tuple(_step(step, language) for step in scene.steps),
            family=self.family,
            complexity=self.complexity(),
        )

    @property
    def rubrics(self) -> tuple[Rubric, ...]:
        """The rubrics, the same in both languages."""
        return self._rubrics

    def complexity(self) -> Complexity:
        """Return how hard it is, known before anything is run."""
        return complexity_of(self.scene, self.domains)

    def instruction(self, language: Language) -> str:
        """Return the whole need in one language."""
        return instruction([point.told for point in self.scene.points if point.told is not None]).text(language)


def _nothing_more(rubrics: list[Rubric], steps: list[StepSketch]) -> Rubric:
    """Return the rubric that nothing is made beyond what the goals want: no further record, and no further piece."""
    new = {(r.goal, r.check.record) for r in rubrics if isinstance(r.check, RecordCheck)}
    old = {(r.goal, r.check.record) for r in rubrics if isinstance(r.check, Existing)}
    wanted = len(new - old)
    pieces = _pieces(steps)
    filled = saying("requirements", "nothing_more").in_rubric.fill(digits=wanted, pieces=pieces)
    return Rubric(
        id="nothing_more",
        sentences={language.value: filled.text(language) for language in Language},
        check=NoOther(at_most=wanted, pieces=pieces),
        prohibition=True,
        requirement="nothing_more",
    )


def _pieces(steps: list[StepSketch]) -> int:
    """Return how many pieces the orders are of that the reference solution makes and does not cancel."""
    calls = [(step.tool, step) for step in steps if step.tool is not None]
    undone = {value for tool, step in calls if "cancel_" in tool for value in step.arguments.values()}
    made = [step for tool, step in calls if tool.startswith("create_") and step.binds not in undone]
    return sum(sum(step.arguments.get("product_cnts") or [step.arguments.get("quantity", 1)]) for step in made)


def _point(point: PointSketch, conveys: Sequence[Mapping[str, Any]], language: Language) -> Point:
    event = None
    if point.event is not None:
        event = Event(kind=point.event, mention=_texts(point.mention, language))
    return Point(
        id=point.id,
        slot=point.slot,
        also=point.also,
        wordings=_texts(point.saying.say, language),
        answers=_texts(point.saying.answer, language),
        release=point.release,
        event=event,
        replaces=point.replaces,
        conveys=tuple(Constraint(**rendered(dict(one), language)) for one in conveys),
    )


def _step(step: StepSketch, language: Language) -> Step:
    if step.tool is not None:
        arguments = rendered(step.arguments, language)
        return CallStep(tool=step.tool, arguments=arguments, binds=step.binds, after=step.after)
    text = Term("", "") if step.text is None else step.text
    return SayStep(text=text.text(language), reports=step.reports, after=step.after)


def _texts(terms: tuple[Term, ...], language: Language) -> tuple[str, ...]:
    return tuple(term.text(language) for term in terms)
