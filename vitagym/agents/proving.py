"""Proving tasks whole: the proofs of a draft, episodes with the scripted user, and its texts, counted by kind.

- ``solvable``: the reference solution reaches success (ids as observed); the reference agent does with the user, in
  both languages and each persona asked for
- ``few``: every goal has 1 to 20 valid offers, each counted by the solver over the whole catalogue
- ``choices``: every valid offer can be chosen: all rubrics are met with it, and nothing else goes by another
- ``bites``: for each rubric there is a run that fails it
- ``excess``: doing nothing fails, and so does making every record twice, and ordering everything else that providers of
  the right kind sell as well, each time with all else right
- ``learnable``: every id and address that the solution uses was shown or said before
- ``agree``: both languages have the same world, points, rubrics and solution
- ``clean``: no slot is left open in a text, no text is in the other language's writing, and ``vitagym lint`` finds
  nothing in the task's public form
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

from vitagym.agents import make_agent
from vitagym.env.environment import VitaEnv
from vitagym.generation.drafts import Draft
from vitagym.generation.playback import play
from vitagym.generation.pools import CannotBuild
from vitagym.generation.proofs import prove
from vitagym.language import Language
from vitagym.rewards.rubrics import RubricStatus
from vitagym.tasks.pack import read_task
from vitagym.tasks.public_form import faults_of
from vitagym.tasks.sources import draft_of_test, make_draft
from vitagym.tasks.splits import TEST_SPLIT
from vitagym.tasks.task import Task

LETTERS = {
    "solvable": "(a)",
    "few": "(b)",
    "choices": "(b)",
    "bites": "(c)",
    "excess": "(d)",
    "learnable": "(e)",
    "agree": "(f)",
    "clean": "(g)",
    "built": "   ",
}
"""Kind of proof -> which of the proofs (a) to (g) of ``docs/tasks.md`` it is part of."""
KINDS = tuple(LETTERS)
_MOST_SOLUTIONS = 20
_OPEN_SLOT = re.compile(r"\{[A-Za-z_]+\}")
_CHINESE = re.compile(r"[一-鿿]")


@dataclass(frozen=True, slots=True)
class Subject:
    """A task to prove: a fixed one by its id, or a made one by its seed."""

    domain: str
    split: str
    number: int

    @property
    def task_id(self) -> str:
        """Its id."""
        width = 3 if self.split == TEST_SPLIT else 6
        return f"{self.domain}-{self.split}-{self.number:0{width}d}"

    def draft(self) -> Draft:
        """Return it before it has a language."""
        if self.split == TEST_SPLIT:
            return draft_of_test(self.domain, self.task_id)
        return make_draft(self.domain, self.number, split=self.split)


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one task: kind of proof and what is wrong, for each fault."""

    task_id: str
    family: str
    faults: tuple[tuple[str, str], ...]


def prove_all(subjects: Sequence[Subject], personas: Sequence[str] = (), *, jobs: int = 1) -> list[Finding]:
    """Prove tasks, in their order (see ``proved``)."""
    return list(proved(subjects, personas, jobs=jobs))


def proved(subjects: Sequence[Subject], personas: Sequence[str] = (), *, jobs: int = 1) -> Iterator[Finding]:
    """Yield what is found of tasks, in their order, as soon as it is.

    Args:
        subjects: The tasks.
        personas: Personalities that the reference agent plays with; empty: the task's own.
        jobs: How many processes.
    """
    one = partial(prove_one, personas=tuple(personas))
    if jobs == 1:
        yield from map(one, subjects)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(one, subjects, chunksize=4)


def prove_one(subject: Subject, personas: tuple[str, ...] = ()) -> Finding:
    """Prove one task."""
    try:
        draft = subject.draft()
    except CannotBuild as failure:
        return Finding(subject.task_id, "", (("built", str(failure)),))
    tasks = {language: draft.task(language) for language in Language}
    faults = list(_of_draft(draft))
    for task in tasks.values():
        faults += _unplayed(subject.domain, task, personas)
        faults += _unclean(task)
    if subject.split == TEST_SPLIT:
        faults += _outdated(subject.domain, tasks)
    return Finding(subject.task_id, draft.family, tuple(faults))


def counted(findings: Iterable[Finding]) -> dict[str, int]:
    """Return how many tasks fail each kind of proof."""
    counts = Counter(kind for finding in findings for kind in {kind for kind, _ in finding.faults})
    return {kind: counts[kind] for kind in KINDS}


def _of_draft(draft: Draft) -> Iterable[tuple[str, str]]:
    proof = prove(draft)
    for fault in proof.faults:
        yield _kind_of(fault), fault
    for goal, count in proof.solutions.items():
        if count > _MOST_SOLUTIONS:
            yield "few", f"{goal} has {count} solutions"


def _kind_of(fault: str) -> str:
    for words, kind in (
        ("the choice of", "choices"),
        ("used before it was known", "learnable"),
        ("does not fail", "excess"),
        ("near-miss", "bites"),
        ("spoilt", "bites"),
        ("no way known", "bites"),
        ("uncounted", "few"),
        ("valid offer", "few"),
        ("differ", "agree"),
    ):
        if words in fault:
            return kind
    return "solvable"


def _unplayed(domain: str, task: Task, personas: tuple[str, ...]) -> Iterable[tuple[str, str]]:
    """Yield the personas with which the reference agent does not get there, ids as observed."""
    for persona in personas or (task.persona.value,):
        env = VitaEnv(domain, tasks=[task], persona=persona, strictness="observed")
        agent = make_agent("reference")
        observation, info = env.reset(seed=0)
        agent.start(env)
        while info["end_reason"] is None:
            observation, _, _, _, info = env.step(agent.act(observation, info))
        if info["is_success"] is not True:
            unmet = [key for key, state in env.rubrics.items() if state.status is not RubricStatus.MET]
            yield "solvable", f"{task.language.value}, {persona}: {info['end_reason']}, unmet {unmet}"


def _unclean(task: Task) -> Iterable[tuple[str, str]]:
    texts = [
        task.instruction,
        *(words for point in task.points for words in (*point.wordings, *point.answers)),
        *(rubric.sentence(task.language) for rubric in task.rubrics),
    ]
    for fault in faults_of(task, play(task, task.solution).records):
        yield "clean", f"{task.language.value}: lint: {fault.code.value} {fault.field}: {fault.what}"
    for text in texts:
        if not text.strip() or _OPEN_SLOT.search(text):
            yield "clean", f"{task.language.value}: {text!r} is empty or has an open slot"
        if task.language is Language.EN and _CHINESE.search(text):
            yield "clean", f"en: {text!r} is not English throughout"


def _outdated(domain: str, tasks: dict[Language, Task]) -> Iterable[tuple[str, str]]:
    for language, task in tasks.items():
        if read_task(domain, task.id, language) != task:
            yield "built", f"{language.value}: the pack holds another task than its recipe makes; build it anew"
