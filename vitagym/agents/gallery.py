"""The gallery: some benchmark tasks of each set, in both languages, as a page to read."""

from __future__ import annotations

from collections.abc import Iterator

import gymnasium as gym

from vitagym.env.registration import DOMAIN_NAMES
from vitagym.language import Language
from vitagym.tasks.sources import load_task, task_ids
from vitagym.tasks.task import Release, Task

_EACH = 8
_LANGUAGES = {Language.EN: "English", Language.ZH: "中文"}
_RELEASES = {
    Release.OPENING: "at once",
    Release.VOLUNTEERED: "later",
    Release.ASKED: "when asked",
    Release.EVENT: "after an event",
}
_HEAD = """# Gallery

Eight tasks of each benchmark set, of a scenario family each, as they are: what the person needs, their first words to
the agent (of the scripted user, seed 0), the points of information in the order of telling, and the rubrics. This page
is made by `vitagym gallery --out docs/gallery.md`.
"""


def gallery() -> str:
    """Return the page, in Markdown."""
    parts = [_HEAD]
    for domain, name in DOMAIN_NAMES.items():
        parts.append(f"\n## {name}\n")
        for task_id in _chosen(domain):
            parts += _task(domain, task_id)
    return "\n".join(parts).rstrip("\n") + "\n"


def _chosen(domain: str) -> Iterator[str]:
    """Yield the ids of some tasks from all over the set, of a family each."""
    ids, shown = task_ids(domain), set[str]()
    for start in range(0, len(ids), len(ids) // _EACH)[:_EACH]:
        for task_id in (*ids[start:], *ids[:start]):
            family = load_task(domain, task_id).family
            if family not in shown:
                shown.add(family)
                yield task_id
                break


def _task(domain: str, task_id: str) -> Iterator[str]:
    english = load_task(domain, task_id, Language.EN.value)
    yield f"### {task_id}\n"
    yield (
        f"Family `{english.family}`, persona `{english.persona.value}`, {english.time[:16]}, "
        f"{'+'.join(english.domains)}.\n"
    )
    for language, called in _LANGUAGES.items():
        task = load_task(domain, task_id, language.value)
        yield f"**{called}.** {task.instruction}\n"
        yield f"> {_opening(domain, task)}\n"
        yield from (f"- *{_RELEASES[p.release]}*: {p.wordings[0]}" for p in task.points)
        yield ""
        yield from (f"{n}. {rubric.sentence(language)}" for n, rubric in enumerate(task.rubrics, 1))
        yield ""


def _opening(domain: str, task: Task) -> str:
    env = gym.make(f"VitaBench-{DOMAIN_NAMES[domain]}-v0", tasks=[task])
    observation, _ = env.reset(seed=0)
    return str(observation).replace("\n", " ")
