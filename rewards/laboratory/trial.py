"""Runs judges on made transcripts and sums up what the paper's table 4 sums up, against truths known beforehand.

Transcripts are made, judged and dropped one after the other; only judgements are kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from vitagym.domains import CROSS, domains
from vitagym.errors import EndpointError
from vitagym.generation.drafts import Draft
from vitagym.generation.pools import CannotBuild
from vitagym.language import Language
from vitagym.llm.asking import arun
from vitagym.randomness import Stream
from vitagym.rewards.agreement import Agreement, Judgement, agreement
from vitagym.rewards.judge import Judge, updating
from vitagym.rewards.laboratory.makings import Making, Way, makings
from vitagym.rewards.laboratory.playing import Sample, play
from vitagym.rewards.laboratory.structure import CannotTell
from vitagym.rewards.laboratory.variants import Variant
from vitagym.rewards.rubrics import RubricStatus, success
from vitagym.tasks.checks import Evidence
from vitagym.tasks.sources import draft_of_test, task_ids

AT_ONCE = 16
PER_TASK = 8
"""How many transcripts a task gives where nothing else is asked for: enough for a thousand from the fixed tasks."""


@dataclass(frozen=True)
class Wrong:
    """A judgement that is not the truth.

    Attributes:
        way: How the transcript was made.
        what: What in particular.
        rubric: Id of the rubric; empty: success of the task.
        truth: Whether it is met.
        reason: What the judge says.
    """

    task: str
    way: str
    what: str
    rubric: str
    truth: bool
    reason: str


@dataclass
class Count:
    """How many transcripts of one way there are, and how often a judge is wrong on them."""

    transcripts: int = 0
    rubrics: int = 0
    wrong_tasks: int = 0
    wrong_rubrics: int = 0


@dataclass
class Trial:
    """What one judge made of the transcripts.

    Attributes:
        variant: The judge.
        on_tasks: Its judgements of success.
        on_rubrics: Its judgements of rubrics.
        wrong: Those that are not the truth.
        ways: The same by how the transcripts were made.
    """

    variant: Variant
    on_tasks: list[Judgement] = field(default_factory=list)
    on_rubrics: list[Judgement] = field(default_factory=list)
    wrong: list[Wrong] = field(default_factory=list)
    ways: dict[Way, Count] = field(default_factory=dict)

    @property
    def accuracy(self) -> float | None:
        """Share of the transcripts that it calls a success, among those of which it says anything."""
        said = [one.judged for one in self.on_tasks if one.judged is not None]
        return sum(said) / len(said) if said else None

    def tasks(self) -> Agreement:
        """Return how well it finds success."""
        return agreement(self.on_tasks)

    def rubrics(self) -> Agreement:
        """Return how well it finds rubrics."""
        return agreement(self.on_rubrics)

    def enter(self, sample: Sample, judge: Judge, *, answered: bool = True) -> None:
        """Note what the judge says of a transcript that it has seen to its end; all is unscored where it failed."""
        making, states = sample.making, judge.states
        count = self.ways.setdefault(making.way, Count())
        count.transcripts += 1
        truth = making.truth
        for rubric, met in truth.items():
            state = states[rubric]
            scored = answered and state.status is not RubricStatus.UNSCORED
            judged = state.status is RubricStatus.MET if scored else None
            self.on_rubrics.append(Judgement(making.task.id, met, judged))
            count.rubrics += 1
            if judged is not None and judged is not met:
                count.wrong_rubrics += 1
                self.wrong.append(_wrong(making, rubric, met, state.reason))
        done = all(truth.values())
        said = judge.scores["judged_success"] if "judged_success" in judge.scores else success(states)
        whole = None if said is None or not answered else bool(said)
        self.on_tasks.append(Judgement(making.task.id, done, whole))
        if whole is not None and whole is not done:
            count.wrong_tasks += 1
            if not any(w.task == making.task.id and w.what == making.what for w in self.wrong):
                self.wrong.append(_wrong(making, "", done, ""))

    def data(self) -> dict[str, Any]:
        """Return it as JSON can say it."""
        return {
            "judge": self.variant.name,
            "accuracy": self.accuracy,
            "tasks": self.tasks().data(),
            "rubrics": self.rubrics().data(),
            "ways": {way.value: vars(self.ways[way]) for way in Way if way in self.ways},
            "wrong": [vars(one) for one in self.wrong],
        }


@dataclass
class Made:
    """What became of the makings.

    Attributes:
        transcripts: How many were played and judged.
        gone_wrong: Those that did not go as they were to go, each with the reason: not judged.
        unclear: Tasks that could not be made anew or taken apart, each with the reason.
    """

    transcripts: int = 0
    gone_wrong: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)


def fixed_drafts(tasks: int | None, made: Made, names: Sequence[str] = ()) -> Iterator[Draft]:
    """Yield the fixed tasks of every domain, at most so many of each; what cannot be made anew is noted."""
    for domain in names or (*domains(), CROSS):
        for task_id in task_ids(domain)[:tasks]:
            try:
                yield draft_of_test(domain, task_id)
            except CannotBuild as reason:
                made.unclear.append(f"{task_id}: {reason}")


def chosen(draft: Draft, language: Language, per_task: int | None, seed: int) -> list[Making]:
    """Return some makings of a task: the reference run first, then one of every way in turn, as often as they last.

    Args:
        draft: The task.
        language: Its language.
        per_task: How many at most; None: all.
        seed: Fixes the choice.
    """
    found = list(makings(draft, draft.task(language)))
    if per_task is None:
        return found
    stream = Stream(seed, f"laboratory/{draft.task_id}")
    of_way = {way: stream.shuffled([m for m in found if m.way is way]) for way in Way}
    turns = [Way.REFERENCE, *stream.shuffled([way for way in Way if way is not Way.REFERENCE])]
    out: list[Making] = []
    while len(out) < per_task and any(of_way.values()):
        for way in turns:
            if of_way[way] and len(out) < per_task:
                out.append(of_way[way].pop())
    return out


def samples(
    drafts: Iterable[Draft],
    made: Made,
    *,
    language: Language = Language.EN,
    per_task: int | None = PER_TASK,
    seed: int = 0,
) -> Iterator[Sample]:
    """Make transcripts, one after the other.

    Args:
        drafts: The tasks.
        made: Where to note what becomes of them.
        language: Language of tasks and users.
        per_task: How many of each task at most; None: all there are.
        seed: Fixes which, and the users.
    """
    for draft in drafts:
        try:
            found = chosen(draft, language, per_task, seed)
        except CannotTell as reason:
            made.unclear.append(f"{draft.task_id}: {reason}")
            continue
        for making in found:
            sample = play(making, seed=seed)
            if sample.gone_wrong:
                made.gone_wrong.append(f"{draft.task_id}, {making.way.value} {making.what}: {sample.gone_wrong}")
                continue
            made.transcripts += 1
            yield sample


def run(variants: Iterable[Variant], transcripts: Iterable[Sample], *, at_once: int = AT_ONCE) -> list[Trial]:
    """Have judges judge transcripts, each at its end.

    Args:
        variants: The judges.
        transcripts: What they judge.
        at_once: How many transcripts a judge that can wait for several answers is given at once.
    """
    trials = [Trial(variant) for variant in variants]
    left = iter(transcripts)
    with asyncio.Runner() as runner:
        while batch := list(islice(left, at_once)):
            for trial in trials:
                judges = [trial.variant.make(sample.making.task) for sample in batch]
                answered = runner.run(_judge_all(judges, batch))
                for sample, judge, answer in zip(batch, judges, answered, strict=True):
                    trial.enter(sample, judge, answered=answer)
    return trials


async def _judge_all(judges: Sequence[Judge], batch: Sequence[Sample]) -> list[bool]:
    """Return of each judge whether it gave an answer."""
    return await asyncio.gather(*(_judge(judge, one.evidence) for judge, one in zip(judges, batch, strict=True)))


async def _judge(judge: Judge, evidence: Evidence) -> bool:
    try:
        await arun(updating(judge, evidence, final=True))
    except EndpointError:
        return False
    return True


def _wrong(making: Making, rubric: str, truth: bool, reason: str) -> Wrong:
    return Wrong(making.task.id, making.way.value, making.what, rubric, truth, reason)
