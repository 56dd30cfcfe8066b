"""Whatever the task, the persona, the language and the seed: all points are said, none too early, nothing invented, and
the talk with an agent that reports comes to an end within a bound."""

import itertools
import os
import pickle
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.talks import PERSONAS, dinner, talk, task_texts, untraced

from vitagym.dialogue.acts import AgentActKind, UserActKind
from vitagym.language import Language
from vitagym.randomness import Stream
from vitagym.tasks.sources import make_task
from vitagym.tasks.task import Persona, Release
from vitagym.users.agenda import happens
from vitagym.users.interviews import INTERVIEWS, says
from vitagym.users.scripted import ScriptedUser
from vitagym.users.understanding import hear

DOMAINS = ("delivery", "instore", "ota", "cross")
CASES = [
    (domain, seed, language, persona)
    for (domain, language), (persona, seed) in itertools.product(
        itertools.product(DOMAINS, Language), zip(PERSONAS, range(len(PERSONAS)), strict=True)
    )
]


@pytest.mark.parametrize("agent", list(INTERVIEWS))
@pytest.mark.parametrize(("domain", "seed", "language", "persona"), CASES)
def test_a_talk_says_all_points_and_ends(domain, seed, language, persona, agent):
    task = make_task(domain, seed, language=language)
    user = ScriptedUser(task, Stream(seed, "user"), persona)
    turns = talk(user, agent, task)
    points = {point.id: point for point in task.points}
    asked, happened, told = set(), set(), set()
    for message, reply in turns:
        heard = hear(message, language) if message else None
        if heard is not None:
            asked |= set(heard.asked)
            happened |= {p.id for p in task.points if p.event and happens(p.event, heard)}
        rest = {p.id for p in task.points if p.release is not Release.ASKED and not p.event} - told
        for act in reply.acts:
            if act.point is None:
                continue
            point = points[act.point]
            if point.release is Release.ASKED:
                assert {point.slot, *point.also} & asked, (point.id, message)
            if point.release is Release.EVENT:
                assert point.id in happened or not rest, (point.id, message)
            if point.replaces:
                assert point.replaces in told
            told.add(point.id)
        assert reply.text
        assert "\n" not in reply.text
        assert not untraced(reply.text, task), (reply.text, untraced(reply.text, task))
        for point in task.points:
            if point.id not in told:
                assert not any(words.rstrip(".。") in reply.text for words in point.wordings), point.id
    assert told >= {p.id for p in task.points if p.release is not Release.ASKED}
    assert user.said == told
    assert turns[-1][1].done
    assert hear(turns[-1][0], language).has(AgentActKind.REPORT_DONE)
    assert not any(reply.done for _, reply in turns[:-1])


STATES = 400
"""So many states are looked at of each task that is made."""
CHECKED = [("dinner", 0, "en", Persona.IMPATIENT), ("dinner", 0, "zh", Persona.SCATTERED)]
CHECKED += [
    (domain, seed, language, PERSONAS[(number * 3 + seed) % len(PERSONAS)])
    for number, domain in enumerate(DOMAINS)
    for seed, language in enumerate(("en", "zh", "en"))
]


@pytest.mark.parametrize(("domain", "seed", "language", "persona"), CHECKED)
def test_no_reachable_state_keeps_a_talk_from_ending(domain, seed, language, persona):
    """States that any mix of messages leads to: nothing is said there that its point forbids, and from each of them a
    talk with an agent that keeps reporting ends. Of the small task these are all its states."""
    small = domain == "dinner"
    task = dinner(language, persona) if small else make_task(domain, seed, language=language)
    slots = [point.slot for point in task.points if point.release is Release.ASKED][:2]
    keys = ("ask_more", "ask_time", "ask_diet", "confirm", "done", *(f"ask_{slot.value}" for slot in slots))
    mentions = ["A", *(point.event.mention[0] for point in task.points if point.event and point.event.mention)][:2]
    messages = [
        "",
        *(says("report_event", task, mention=name) for name in mentions),
        *(says(key, task) for key in keys),
    ]
    start = ScriptedUser(task, Stream(1, "user"), persona)
    start.open()
    seen, todo = {start.state}, [start]
    while todo and (small or len(seen) < STATES):
        user = todo.pop(0) if len(seen) % 2 else todo.pop()
        for message in dict.fromkeys(messages):
            other = user.fork()
            said, everything = other.said, other.said >= _told(task)
            reply = other.reply(message)
            assert other.said >= said
            _keeps_what_waits(task, message, said, other.said - said)
            assert not reply.done or (everything and hear(message, task.language).has(AgentActKind.REPORT_DONE))
            if not reply.done and other.state not in seen:
                seen.add(other.state)
                todo.append(other)
        _ends(user.fork(), says("done", task) + says("ask_more", task), len(task.points) + 2)
        _ends(user.fork(), says("report_event", task, mention="A"), len(task.points) + 6)
    assert len(seen) > 100


def _keeps_what_waits(task, message, before, new):
    """Nothing new was said that waits for a question that did not come, or for an event while there is other to say."""
    heard = hear(message, task.language)
    points = {point.id: point for point in task.points}
    for point in (points[name] for name in new):
        if point.release is Release.ASKED:
            assert {point.slot, *point.also} & set(heard.asked), (point.id, message)
        if point.replaces is not None:
            assert point.replaces in before, (point.id, message)


def _told(task):
    return {point.id for point in task.points if point.release is not Release.ASKED}


def _ends(user, message, within):
    for _ in range(within):
        if user.reply(message).done:
            return
    raise AssertionError(f"still talking after {within} reports: {user.state}")


@settings(max_examples=150, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=6), st.sampled_from(PERSONAS), st.sampled_from(["en", "zh"]))
def test_any_text_is_answered(messages, persona, language):
    user = ScriptedUser(dinner(language), Stream(3, "user"), persona)
    user.open()
    for message in messages:
        reply = user.reply(message)
        assert reply.text.strip()
        assert "\n" not in reply.text


WORDS = ["I've", "booked", "?", "address", "unfortunately", "shall I", "done", ".", "\n- "]
WORDS += ["下单", "吗", "已", "没有", "几点"]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), max_size=8), st.integers(0, 99))
def test_a_fork_goes_on_as_its_origin_would(messages, seed):
    user = ScriptedUser(dinner("en", Persona.SCATTERED), Stream(seed, "user"))
    user.open()
    for message in messages[: len(messages) // 2]:
        user.reply(message)
    other = user.fork()
    first = [user.reply(message) for message in messages]
    assert [other.reply(message) for message in messages] == first
    assert other.state == user.state


def test_a_fork_does_not_touch_its_origin():
    user = ScriptedUser(dinner(), Stream(1, "user"))
    user.open()
    before = user.state
    user.fork().reply("What time should it be? How many people?")
    assert user.state == before


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_megabyte_is_read_in_a_moment(language):
    import time

    user = ScriptedUser(dinner(language), Stream(1, "user"))
    user.open()
    user.reply("...hello")
    user.reply("您好")
    for text in ("a " * 500_000, "?" * 1_000_000, "已为您下单。" * 170_000, "\n- x" * 250_000, "<think>" * 140_000):
        start = time.process_time()
        assert user.reply(text).text
        assert time.process_time() - start < 0.25


def test_what_a_persona_says_is_the_tasks_or_its_own():
    task = dinner()
    assert untraced("It should be at 9:45 PM", task) == {"9:45"}
    assert not untraced(" ".join(task_texts(task)), task)


def test_acts_say_what_the_words_do():
    task = dinner()
    user = ScriptedUser(task, Stream(1, "user"))
    kinds = {act.kind for _, reply in talk(user, "asking", task) for act in reply.acts}
    assert {UserActKind.INFORM, UserActKind.CONFIRM, UserActKind.DONT_KNOW, UserActKind.CLOSE} <= kinds


TALK = """
from vitagym.randomness import Stream
from vitagym.tasks.sources import make_task
from vitagym.users.interviews import interview
from vitagym.users.scripted import ScriptedUser
for language in ("en", "zh"):
    task = make_task("cross", 3, language=language)
    for _, reply in interview(ScriptedUser(task, Stream(3, "user")), task, "asking"):
        print(ascii(reply))
"""


def test_the_hash_seed_changes_nothing():
    said = [
        subprocess.run(
            [sys.executable, "-c", TALK], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1] != b""


def test_a_user_survives_pickling():
    user = ScriptedUser(dinner(), Stream(1, "user"))
    user.open()
    other = pickle.loads(pickle.dumps(user))
    assert other.reply("How many people?") == user.reply("How many people?")
