"""A task for users to talk about, and the means to trace every word that a user says."""

from __future__ import annotations

import re
from functools import cache

from vitagym.dialogue.acts import Slot
from vitagym.language import Language, texts
from vitagym.tasks.task import Event, EventKind, Persona, Point, Profile, Release, Task
from vitagym.users.interviews import interview
from vitagym.users.user import Reply, User

PERSONAS = tuple(Persona)
_WORDS = {
    "en": {
        "background": "It's my mother's birthday on Saturday",
        "need": "I'd like to book a table at a Sichuan restaurant",
        "people": "There will be six of us",
        "time": "It should be at 6:30 PM",
        "later": "Please make it 7:15 PM, my sister is late",
        "budget": "It shouldn't cost more than 800 yuan in all",
        "diet": "My father can't have peanuts",
        "home": "12 Lake Road, Wuhan",
        "work": "3 Tower Street, Wuhan",
        "nurse": "Nurse",
        "coffee": "No coffee",
        "elderly": "Living with elderly",
        "city": "Wuhan",
    },
    "zh": {
        "background": "这周六是我妈妈的生日",
        "need": "我想订一家川菜馆的位子",
        "people": "我们一共六个人",
        "time": "晚上6点半到",
        "later": "时间改到7点一刻吧，我妹妹要晚点到",
        "budget": "总共别超过800元",
        "diet": "我爸不能吃花生",
        "home": "武汉市湖滨路12号",
        "work": "武汉市塔街3号",
        "nurse": "护士",
        "coffee": "不喝咖啡",
        "elderly": "与老人同住",
        "city": "武汉",
    },
}


def dinner(language: str = "en", persona: Persona = Persona.NEUTRAL) -> Task:
    """A small task with every kind of point: opening, volunteered, a change of mind after a report, asked only."""
    words = _WORDS[language]

    def point(name: str, slot: Slot, release: Release, **more: object) -> Point:
        return Point(id=name, slot=slot, wordings=(words[name],), release=release, **more)  # type: ignore[arg-type]

    return Task(
        id="dinner",
        split="test",
        domains=("instore",),
        language=Language(language),
        time="2025-07-01 10:00:00",
        profile=Profile(
            user_id="U000123",
            public={
                "home address": words["home"],
                "work_address": words["work"],
                "occupation": words["nurse"],
                "residence": words["city"],
            },
            hidden={"dietary restrictions": words["coffee"], "family status": words["elderly"]},
        ),
        persona=persona,
        instruction="",
        points=(
            point("background", Slot.OCCASION, Release.OPENING),
            point("need", Slot.NEED, Release.OPENING),
            point("people", Slot.PEOPLE, Release.VOLUNTEERED),
            point("time", Slot.TIME, Release.VOLUNTEERED),
            point("later", Slot.TIME, Release.EVENT, event=Event(kind=EventKind.REPORTED), replaces="time"),
            point("budget", Slot.BUDGET, Release.VOLUNTEERED),
            point("diet", Slot.DIET, Release.ASKED),
        ),
        environment={},
    )


def talk(user: User, way: str, task: Task) -> list[tuple[str, Reply]]:
    """An interview that the user has to end."""
    turns = interview(user, task, way)
    assert turns[-1][1].done, turns[-5:]
    return turns


def task_texts(task: Task) -> list[str]:
    """Everything the user was told."""
    points = [words for point in task.points for words in (*point.wordings, *point.answers)]
    profile = [task.profile.user_id, *task.profile.public.values(), *task.profile.hidden.values()]
    return [*points, task.instruction, *profile]


def untraced(utterance: str, task: Task) -> set[str]:
    """The words (Chinese: characters) and numbers in an utterance that are neither the task's nor the user's own."""
    told = _tokens(" ".join(task_texts(task)))
    return _tokens(utterance) - told - _own_words()


@cache
def _own_words() -> frozenset[str]:
    own: set[str] = set()
    for persona in Persona:
        for entry in texts(f"user_{persona.value}").values():
            own |= _tokens(" ".join([*entry["en"], *entry["zh"]]))
    return frozenset(own)


def _tokens(said: str) -> set[str]:
    return set(re.findall(r"\d+(?:[.:]\d+)*|[a-z']+|[\u4e00-\u9fff]", said.lower().replace("|", " ")))
