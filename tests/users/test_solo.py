"""Without a user to talk with: everything at once, every confirmation given, until all is reported."""

import pytest
from support.talks import dinner, task_texts

from vitagym.dialogue.acts import UserActKind
from vitagym.users.interviews import says
from vitagym.users.solo import SoloUser


@pytest.mark.parametrize("language", ["en", "zh"])
def test_everything_is_said_at_once(language):
    task = dinner(language)
    said = SoloUser(task).open().text
    assert "\n" not in said
    for told in task_texts(task):
        assert told.rstrip(".。")[1:] in said


@pytest.mark.parametrize("language", ["en", "zh"])
def test_confirmations_are_given_until_all_is_reported(language):
    task = dinner(language)
    user = SoloUser(task)
    user.open()
    assert {act.kind for act in user.reply(says("confirm", task)).acts} == {UserActKind.CONFIRM}
    assert not user.reply(says("report_event", task, mention="A")).done, "the change is not reported yet"
    other = user.fork()
    assert user.reply(says("report_event", task, mention="B")).done
    assert other.reply(says("done", task)).done
