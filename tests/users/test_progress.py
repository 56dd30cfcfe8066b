"""Every state that a user could be in, reachable or not: a report brings the talk nearer to its end, and no message
draws out what its point forbids. One step is all there is to check, so tasks of any size are covered."""

from functools import cache
from itertools import cycle

from hypothesis import given, settings
from hypothesis import strategies as st
from support.talks import PERSONAS

from vitagym.dialogue.acts import Slot
from vitagym.randomness import Stream
from vitagym.tasks.sources import make_task
from vitagym.tasks.task import Release
from vitagym.users.agenda import happens
from vitagym.users.answers import REFUSED_AT
from vitagym.users.interviews import says
from vitagym.users.scripted import ScriptedUser
from vitagym.users.temper import FULL_PATIENCE
from vitagym.users.understanding import hear


@cache
def tasks():
    """Tasks of every domain in both languages, some with changes of mind."""
    return [
        make_task(domain, seed, language=language, changes=seed % 3)
        for domain in ("delivery", "instore", "ota", "cross")
        for seed, language in zip(range(100, 106), cycle(("en", "zh")), strict=False)
    ]


KEYS = ("ask_more", "ask_time", "ask_diet", "confirm", "done")


@st.composite
def users(draw):
    """A user of any task and persona, in any state that has its parts within their bounds."""
    task = draw(st.sampled_from(tasks()))
    user = ScriptedUser(task, Stream(draw(st.integers(0, 99)), "user"), draw(st.sampled_from(PERSONAS)))
    agenda = user._agenda
    said = draw(st.sets(st.sampled_from([point.id for point in task.points])))
    if draw(st.booleans()):  # towards the end, where a loop would be
        said = agenda.brief.instructed - set(sorted(said)[: draw(st.integers(0, 2))])
    for point in task.points:  # a change of mind comes after what it changes
        if point.replaces is not None and point.replaces not in said:
            said = said - {point.id}
    agenda.said = frozenset(said)
    events = [point.id for point in task.points if point.event]
    agenda.noticed = frozenset(draw(st.sets(st.sampled_from(events)))) if events else frozenset()
    needs = agenda.brief.needs
    user.patience = draw(st.integers(0, FULL_PATIENCE))
    user._asked = draw(st.dictionaries(st.sampled_from(Slot), st.integers(1, REFUSED_AT + 1)))
    user._claims, user._checks = draw(st.integers(0, needs)), draw(st.integers(0, needs))
    user._delays = draw(st.integers(0, needs + REFUSED_AT + 1))
    user._done_before = draw(st.booleans())
    return user, task


def unsaid(user):
    return len(user._agenda.brief.instructed - user.said)


@settings(max_examples=250, deadline=None)
@given(users(), st.sampled_from(["done", "done and more", "event"]))
def test_a_report_says_a_point_counts_a_check_or_ends(drawn, kind):
    user, task = drawn
    message = {
        "done": says("done", task),
        "done and more": says("done", task) + says("ask_more", task),
        "event": says("report_event", task, mention="A"),
    }[kind]
    left, checks = unsaid(user), user._checks
    reply = user.reply(message)
    if left:
        assert not reply.done
        assert unsaid(user) < left
    else:
        assert reply.done or user._checks > checks


@settings(max_examples=250, deadline=None)
@given(users(), st.data())
def test_no_message_draws_out_what_has_to_wait(drawn, data):
    user, task = drawn
    points = {point.id: point for point in task.points}
    keys = [*KEYS, *(f"ask_{point.slot.value}" for point in task.points if point.release is Release.ASKED)]
    messages = ["", says("report_event", task, mention="A"), *(says(key, task) for key in keys)]
    message = data.draw(st.sampled_from(messages))
    before, noticed = user.said, user._agenda.noticed
    rest = {
        name
        for name in user._agenda.brief.instructed - before
        if points[name].release is not Release.EVENT or name in noticed
    }
    reply = user.reply(message)
    assert user.said >= before
    heard = hear(message, task.language)
    for point in (points[name] for name in user.said - before):
        if point.release is Release.ASKED:
            assert {point.slot, *point.also} & set(heard.asked)
        if point.replaces is not None:
            assert point.replaces in before
        if point.event is not None:
            assert point.id in noticed or happens(point.event, heard) or not rest
    assert not reply.done or before >= user._agenda.brief.instructed


def test_the_tasks_have_what_is_checked():
    """Among them are points that wait to be asked for, that wait for an event, and changes of mind."""
    points = [point for task in tasks() for point in task.points]
    assert sum(point.release is Release.ASKED for point in points) >= 6
    assert sum(point.event is not None for point in points) >= 6
    assert sum(point.replaces is not None for point in points) >= 6
