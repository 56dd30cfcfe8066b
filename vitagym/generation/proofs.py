"""Proofs that a task is sound: it can be solved, in few ways; every rubric bites; both languages are the same task."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vitagym.domains import tool_named
from vitagym.generation.choices import refused_choices
from vitagym.generation.drafts import Draft
from vitagym.generation.excess import everything_on_offer, everything_twice
from vitagym.generation.playback import play
from vitagym.generation.sketches import Offer
from vitagym.generation.spoiling import near_misses, spoilt
from vitagym.language import Language
from vitagym.rewards.checks import CallCheck, Includes
from vitagym.tasks.task import CallStep, Step, Task
from vitagym.tools.results import Strictness
from vitagym.tools.tool import Kind


@dataclass(frozen=True)
class Proof:
    """What was found.

    Attributes:
        faults: What is wrong, one sentence each; empty: the task is sound.
        solutions: Goal -> how many offers satisfy it.
        bitten: How many rubrics were shown to bite.
    """

    faults: tuple[str, ...]
    solutions: dict[str, int]
    bitten: int

    @property
    def holds(self) -> bool:
        """Whether the task is sound."""
        return not self.faults


def prove(draft: Draft) -> Proof:
    """Return the proof of a draft, or what is wrong with it."""
    tasks = {language: draft.task(language) for language in Language}
    faults: list[str] = []
    for language, task in tasks.items():
        faults += [f"{language.value}: {fault}" for fault in _unsolved(task)]
    english = tasks[Language.EN]
    faults += _same(english, tasks[Language.ZH])
    faults += _pool_faults(draft)
    bitten, harmless = _bites(draft, english)
    faults += harmless
    faults += _unpunished(english)
    faults += refused_choices(draft, english)
    solutions = {goal.key: len(goal.pool.valid) for goal in draft.scene.goals if goal.pool is not None}
    return Proof(tuple(faults), solutions, bitten)


def _unpunished(task: Task) -> Iterator[str]:
    """Yield which runs that do nothing, or too much, do not fail."""
    if play(task, ()).success is not False:
        yield "doing nothing does not fail"
    for done, steps in (("twice", everything_twice(task)), ("and everything on offer", everything_on_offer(task))):
        if len(steps) > len(task.solution) and play(task, _without_look_ups(task, steps)).success is not False:
            yield f"making all that is wanted {done} does not fail"


def _unsolved(task: Task) -> list[str]:
    """Return why the reference solution does not solve the task, even where ids must have been seen."""
    run = play(task, task.solution, strictness=Strictness.OBSERVED, traced=True)
    faults = [f"refused: {refusal}" for refusal in run.refusals]
    faults += [f"used before it was known: {unseen}" for unseen in run.unseen]
    faults += [f"not met by the solution: {key} ({run.states[key].reason})" for key in run.unmet]
    known = {point.id for point in task.points}
    faults += [f"step waits for no point: {p}" for step in task.solution for p in step.after if p not in known]
    return faults


def _same(english: Task, chinese: Task) -> list[str]:
    """Return where the two languages are not the same task."""
    faults = []
    if english.rubrics != chinese.rubrics:
        faults.append("the rubrics differ between the languages")
    for a, b in zip(english.points, chinese.points, strict=True):
        if (a.id, a.slot, a.also, a.release, a.replaces, len(a.wordings)) != (
            *(b.id, b.slot, b.also, b.release, b.replaces, len(b.wordings)),
        ):
            faults.append(f"point {a.id} differs between the languages")
    for one, other in zip(english.solution, chinese.solution, strict=True):
        if isinstance(one, CallStep) and isinstance(other, CallStep):
            if (one.tool, _fixed(one)) != (other.tool, _fixed(other)):
                faults.append(f"the solution differs between the languages at {one.tool}")
        elif type(one) is not type(other):
            faults.append("the solutions take other steps in the other language")
    if _numbers(english.environment) != _numbers(chinese.environment):
        faults.append("the worlds differ between the languages")
    return faults


def _pool_faults(draft: Draft) -> list[str]:
    """Return where offers do not miss what they should, and solutions that nobody counted."""
    faults = []
    for goal in draft.scene.goals:
        pool = goal.pool
        if pool is None:
            continue
        for offer in pool.valid:
            faults += [f"{goal.key}: a valid offer misses {name}" for name in pool.misses(offer)]
        for name, offer in pool.near.items():
            if pool.misses(offer) != [name]:
                faults.append(f"{goal.key}: the near-miss of {name} misses {pool.misses(offer)}")
        counted = {id(offer.product) for offer in pool.valid}
        alike = [p for p in draft.scene.providers if p.kind == pool.chosen.provider.kind]
        for provider in alike:
            for product in provider.products:
                if id(product) not in counted and not pool.misses(Offer(provider, product)):
                    faults.append(f"{goal.key}: {product.name.en} of {provider.name.en} satisfies it, uncounted")
    return faults


def _bites(draft: Draft, task: Task) -> tuple[int, list[str]]:
    """Return how many rubrics fail when they should, and those that do not."""
    faults = []
    shown: set[str] = set()
    for rubric, steps in near_misses(draft, task):
        if rubric.id in play(task, _without_look_ups(task, steps)).unmet:
            shown.add(rubric.id)
        else:
            faults.append(f"{rubric.id} is met by its near-miss")
    for rubric in task.rubrics:
        if rubric.id in shown:
            continue
        off = spoilt(task, rubric)
        if off is None:
            faults.append(f"{rubric.id}: no way known to miss it")
        elif rubric.id in play(task, _without_look_ups(task, off)).unmet:
            shown.add(rubric.id)
        elif not (isinstance(rubric.check, Includes) and rubric.check.quantity is None):
            faults.append(f"{rubric.id} is met by a spoilt solution")
    return len(shown), faults


def _without_look_ups(task: Task, steps: Sequence[Step]) -> Sequence[Step]:
    """Return the steps without those that only look something up, unless a rubric is about what was looked up."""
    if any(isinstance(rubric.check, CallCheck) for rubric in task.rubrics):
        return steps
    return [s for s in steps if not isinstance(s, CallStep) or tool_named(s.tool).kind is Kind.WRITE]


def _fixed(step: CallStep) -> list[object]:
    return [value for value in step.arguments.values() if not isinstance(value, str | list)]


def _numbers(value: object) -> object:
    """Return a structure with its words taken out: keys, ids and numbers stay."""
    if isinstance(value, dict):
        return [_numbers(v) for v in value.values()]
    if isinstance(value, list):
        return [_numbers(v) for v in value]
    return value if isinstance(value, int | float) else None
