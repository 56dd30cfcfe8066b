"""Users by name."""

import pytest

from vitagym.errors import CallerError, UnknownName
from vitagym.randomness import Stream
from vitagym.tasks.task import Persona, Profile, Task
from vitagym.users.choice import make_user
from vitagym.users.scripted import ScriptedUser
from vitagym.users.solo import SoloUser

TASK = Task(
    id="t",
    split="test",
    domains=("delivery",),
    language="en",
    time="2025-07-01 10:00:00",
    profile=Profile(user_id="U1", public={}, hidden={}),
    persona=Persona.COLD,
    instruction="You want noodles.",
    environment={},
)


def test_names_make_users():
    assert isinstance(make_user("scripted", TASK, Stream(1, "user")), ScriptedUser)
    assert isinstance(make_user("solo", TASK, Stream(1, "user")), SoloUser)


def test_the_persona_is_the_tasks_unless_another_is_given():
    assert make_user("scripted", TASK, Stream(1, "user")).persona is Persona.COLD
    assert make_user("scripted", TASK, Stream(1, "user"), "neutral").persona is Persona.NEUTRAL


def test_an_unknown_user_or_persona_is_refused_with_the_nearest():
    with pytest.raises(UnknownName, match="scripted"):
        make_user("scriptd", TASK, Stream(1, "user"))
    with pytest.raises(UnknownName, match="cold"):
        make_user("scripted", TASK, Stream(1, "user"), "colt")


def test_an_object_is_used_as_a_user_of_its_own():
    mine = make_user("scripted", TASK, Stream(1, "user"))
    given = make_user(mine, TASK, Stream(2, "user"))
    assert given is not mine
    assert given.open() == mine.open()


def test_an_object_without_the_methods_is_refused():
    with pytest.raises(CallerError, match="reply"):
        make_user(object(), TASK, Stream(1, "user"))
