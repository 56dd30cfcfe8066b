"""Judges by name: what ``judge=`` of the environment may be."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from vitagym.errors import CallerError, UnknownName
from vitagym.llm.endpoint import Endpoint, endpoint
from vitagym.rewards.judge import Judge
from vitagym.rewards.ledger_judge import LedgerJudge
from vitagym.rewards.rule_judge import RuleJudge
from vitagym.tasks.task import Task

JudgeMaker = Callable[[Task], Judge]


def _model_judge(task: Task) -> Judge:
    return _model_judge_at(endpoint("judge"))(task)


@lru_cache(maxsize=8)
def _model_judge_at(at: Endpoint) -> JudgeMaker:
    # Imported here: most episodes need no language model.
    from vitagym.rewards.model_judge import ModelJudge

    return ModelJudge(at)


JUDGES: dict[str, JudgeMaker] = {"rules": RuleJudge, "ledger": LedgerJudge, "llm": _model_judge}
"""``rules``: by the rubrics' checks (the default). ``ledger``: public tasks, by the records that they expect.
``llm``: a language model, named by the process environment (see ``vitagym.rewards.model_judge``); ``llm:MODEL``: this
one."""


def check_judge(name: str) -> None:
    """Raise UnknownName for what names no judge; reads no environment."""
    kind, colon, model = name.partition(":")
    if kind not in JUDGES or (colon and not (kind == "llm" and model)):
        raise UnknownName("judge", name, JUDGES)


def make_judge(spec: str | JudgeMaker | Judge, task: Task) -> Judge:
    """Return a judge for one episode of a task.

    Args:
        spec: The name of a judge or ``llm:MODEL``, a callable that makes one for a task, or a judge, of which every
            episode gets a copy.
        task: The task to be judged.

    Raises:
        UnknownName: No judge has that name.
        CallerError: It is neither a name nor a judge nor what makes one.
    """
    if isinstance(spec, str):
        check_judge(spec)
        name, _, model = spec.partition(":")
        maker = _model_judge_at(endpoint("judge", model=model)) if model else JUDGES[name]
        return task.built(f"judge {spec}", maker).fork()
    if callable(spec):
        return spec(task)
    if not hasattr(spec, "fork"):
        raise CallerError(f"judge={spec!r}: expected a name, a judge, or a callable that makes one for a task")
    return spec.fork()
