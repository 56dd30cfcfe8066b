"""Judges to be tried in the laboratory, each beside the judge of the paper that it is most like (paper: table 4)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources

from vitagym.rewards.judges import JUDGES, JudgeMaker, make_judge
from vitagym.rewards.windows import Windows


@dataclass(frozen=True)
class Printed:
    """What the paper prints of a judge.

    Attributes:
        accuracy: Per cent of the trajectories that it calls a success.
        task: Per cent of them on which it agrees with people.
        kappa: Cohen's κ of that.
        rubric: Per cent of the rubrics on which it agrees with people; None without rubrics.
    """

    accuracy: float
    task: float
    kappa: float
    rubric: float | None = None


@dataclass(frozen=True)
class Variant:
    """A judge to be tried.

    Attributes:
        name: What tables call it.
        make: Makes one for a task.
        like: The judge of the paper that it is like, a key of ``printed()``.
        exact: Whether it has to be right throughout.
    """

    name: str
    make: JudgeMaker
    like: str
    exact: bool = False


@cache
def printed() -> Mapping[str, Printed]:
    """Return what the paper prints, by judge: ``window`` or ``whole``, with ``_rubrics`` or without."""
    source = resources.files("vitagym.assets").joinpath("paper_judges.toml")
    return {key: Printed(**row) for key, row in tomllib.loads(source.read_text(encoding="utf-8")).items()}


def variants(judge: str, windows: Windows) -> Iterator[Variant]:
    """Yield a judge by name; a language model in the four ways that the paper compares.

    Args:
        judge: A name that ``judge=`` of the environment knows.
        windows: How a language model's transcripts are cut.
    """
    if judge != "llm" or judge not in JUDGES:
        yield Variant(judge, partial(make_judge, judge), "window_rubrics", exact=judge == "rules")
        return
    from vitagym.rewards.model_judge import ModelJudge

    cut = f"windows of {windows.width}, overlap {windows.overlap}"
    yield Variant(f"llm, {cut}, rubrics", ModelJudge(windows=windows), "window_rubrics")
    yield Variant("llm, whole, rubrics", ModelJudge(windows=Windows(None)), "whole_rubrics")
    yield Variant(f"llm, {cut}", ModelJudge(windows=windows, rubrics=False), "window")
    yield Variant("llm, whole", ModelJudge(windows=Windows(None), rubrics=False), "whole")
