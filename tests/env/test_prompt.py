"""What agents are told before the conversation, in both languages."""

from datetime import date, timedelta

import pytest

from vitagym.env.actions import STOP
from vitagym.env.prompt import system_prompt
from vitagym.errors import CallerError
from vitagym.language import Language

WEEKDAYS = {
    Language.EN: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    Language.ZH: ["星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"],
}


@pytest.mark.parametrize("language", Language)
def test_it_tells_time_weekday_and_how_to_end(language):
    monday = date(2025, 7, 21)
    for days, weekday in enumerate(WEEKDAYS[language]):
        time = f"{monday + timedelta(days)} 09:05:00"
        prompt = system_prompt(time, language)
        assert time in prompt
        assert [name for name in WEEKDAYS[language] if name in prompt] == [weekday]
        assert STOP in prompt
        assert "{" not in prompt


def test_both_languages_say_the_same_in_as_many_points():
    english, chinese = (system_prompt("2025-07-21 09:00:00", language) for language in (Language.EN, Language.ZH))
    for mark in ("\n## ", "\n- ", "\n\n", STOP):
        assert english.count(mark) == chinese.count(mark) > 0
    assert english.isascii()


def test_a_time_that_is_none_is_refused():
    with pytest.raises(CallerError, match="noon"):
        system_prompt("noon", Language.EN)
