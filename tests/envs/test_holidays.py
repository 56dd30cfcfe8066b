"""The holiday tools, called as an agent calls them."""

from datetime import datetime

import pytest

from vitagym.envs.common import COMMON_DOMAIN
from vitagym.language import Language
from vitagym.tools.toolset import Toolset
from vitagym.world.catalogue import Catalogue
from vitagym.world.world import World


@pytest.fixture(params=list(Language))
def world(request):
    catalogue = Catalogue(
        task_id="T1",
        language=request.param,
        time=datetime(2025, 1, 1, 9, 0, 0),
        user_id="U1",
        behaviors={},
        places=(),
        weather=(),
        providers={},
    )
    return World(catalogue, Toolset(COMMON_DOMAIN.tools))


def date_of(world, year, name):
    return world.call("get_holiday_date", {"year": year, "holiday_name": name}).data["date"]


def test_a_holiday_is_named_in_both_languages_whatever_the_worlds(world):
    found = world.call("get_date_holiday_info", {"date": "2025-10-01"})
    assert found.data["holiday"] == {"en": "National Day", "zh": "国庆节"}


def test_a_working_day_is_no_holiday_but_may_have_a_festival(world):
    found = world.call("get_date_holiday_info", {"date": "2025-08-29"})
    assert found.data["holiday"] is None
    assert [feast["en"] for feast in found.data["festivals"]] == ["Qixi Festival"]


def test_holiday_names_do_not_follow_the_locale_of_the_process(world, monkeypatch):
    before = world.call("get_date_holiday_info", {"date": "2029-10-01"}).text
    for name in ("LANG", "LC_ALL", "LANGUAGE"):
        monkeypatch.setenv(name, "th_TH.UTF-8")
    from vitagym.world import calendar_cn

    calendar_cn._year.cache_clear()
    assert world.call("get_date_holiday_info", {"date": "2029-10-01"}).text == before


def test_festivals_the_public_implementation_gets_wrong(world):
    assert date_of(world, "2025", "Lantern Festival") == "2025-02-12"
    assert date_of(world, "2025", "Spring Festival") == "2025-01-29"
    assert date_of(world, "2030", "National Day") == "2030-10-01"
    assert date_of(world, 2025, "National Day") == date_of(world, "2025", "国庆节") == "2025-10-01"


def test_a_name_shared_by_two_festivals_gives_both(world):
    found = world.call("get_holiday_date", {"year": "2025", "holiday_name": "New Year's Eve"}).data
    assert (found["date"], [other["date"] for other in found["also"]]) == ("2025-01-28", ["2025-12-31"])


def test_an_unknown_festival_has_no_date(world):
    found = world.call("get_holiday_date", {"year": "2025", "holiday_name": "Nonexistent Feast"})
    assert (found.ok, found.data["date"], found.data["holiday"]) == (True, None, None)


@pytest.mark.parametrize(
    ("year", "code"),
    [
        ("1969", "year_not_covered"),
        ("2101", "year_not_covered"),
        ("25", "not_year"),
        ("next", "not_year"),
        ("２０２５", "not_year"),
        (True, "wrong_type"),
        (2025.0, "wrong_type"),
        (None, "wrong_type"),
    ],
)
def test_what_is_no_year_is_refused(world, year, code):
    assert world.call("get_holiday_date", {"year": year, "holiday_name": "Qixi"}).code == code


@pytest.mark.parametrize(("date", "code"), [("2025/10/01", "not_date"), ("1969-12-31", "year_not_covered")])
def test_what_is_no_date_of_the_calendar_is_refused(world, date, code):
    assert world.call("get_date_holiday_info", {"date": date}).code == code
