"""Cooperative agents for talking with users, without a world: what they say is the reference agent's.

Each is a way of asking: reports at once; lets the user talk; asks about everything; goes step by step. All report in
the end that everything is done, again and again, so that a user that keeps the rules of ending comes to its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from vitagym.dialogue.acts import Slot
from vitagym.language import text
from vitagym.tasks.task import Task
from vitagym.users.phrasing import joined
from vitagym.users.user import Reply, User

Interview = Iterator[str]


def says(key: str, task: Task, **places: str) -> str:
    """Return what the reference agent says for a key of ``assets/text/reference_agent.toml``."""
    return text("reference_agent", key, task.language).format(**places)


def _reporting(task: Task) -> Interview:
    while True:
        yield joined([says("done", task), says("ask_more", task)], task.language)


def _listening(task: Task) -> Interview:
    yield says("ask_open", task)
    for _ in range(len(task.points) + 2):
        yield says("ask_more", task)
    yield from _reporting(task)


def _asking(task: Task) -> Interview:
    for slot in Slot:
        yield says(f"ask_{slot.value}", task)
    yield says("confirm", task)
    yield from _reporting(task)


def _stepping(task: Task) -> Interview:
    mentions = [mention for point in task.points if point.event for mention in point.event.mention] or ["A"]
    for _ in range(2):
        yield says("ask_open", task)
        yield says("confirm", task)
        for mention in mentions:
            yield says("report_event", task, mention=mention)
            yield says("offer_event", task, mention=mention)
            yield says("mention_event", task, mention=mention)
    while True:
        yield says("report_event", task, mention="A")


INTERVIEWS: dict[str, Callable[[Task], Interview]] = {
    "reporting": _reporting,
    "listening": _listening,
    "asking": _asking,
    "stepping": _stepping,
}
"""The ways of asking, by name."""


def longest(task: Task) -> int:
    """Return how many turns of a rule-keeping user an interview takes at most.

    Each point takes one turn; questions about all slots, confirmations and goodbye take the rest.
    """
    return 3 * len(task.points) + 50


def interview(user: User, task: Task, way: str, most: int | None = None) -> list[tuple[str, Reply]]:
    """Talk with a user until it ends, or for ``most`` turns; return what was said to it and what it replied."""
    agent = INTERVIEWS[way](task)
    turns = [("", user.open())]
    while not turns[-1][1].done and len(turns) < (longest(task) if most is None else most):
        message = next(agent)
        turns.append((message, user.reply(message)))
    return turns
