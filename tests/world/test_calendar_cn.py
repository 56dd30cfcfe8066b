"""The calendar: public holidays as recorded, feasts where they fall, and names that never mean another feast."""

import gzip
import json
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitagym.language import Language, texts
from vitagym.world.calendar_cn import (
    FIRST_YEAR,
    LAST_YEAR,
    feast_keys,
    feasts_of,
    feasts_on,
    has_year,
    public_holiday,
)
from vitagym.world.feast_names import feasts_named

years = st.integers(FIRST_YEAR, LAST_YEAR)


def day_of(year, key):
    return feasts_of(year, key)[0].date.isoformat()


def test_public_holidays_agree_with_every_recorded_day_in_both_languages(official):
    recorded = json.loads(gzip.decompress((official / "holidays_cn.json.gz").read_bytes()))["days"]
    days = [date(2022, 1, 1) + timedelta(days=n) for n in range(6 * 365 + 1)]
    assert (days[0].year, days[-1]) == (2022, date(2027, 12, 31))
    for locale, language in (("C.UTF-8", Language.EN), ("zh_CN.UTF-8", Language.ZH)):
        ours = {day.isoformat(): name for day in days if (name := public_holiday(day, language)) is not None}
        assert ours == recorded[locale]


@pytest.mark.parametrize(
    ("year", "name", "expected"),
    [
        (2025, "Lantern Festival", "2025-02-12"),
        (2024, "七夕节", "2024-08-10"),
        (2025, "Spring Festival", "2025-01-29"),
        (2025, "dragon boat", "2025-05-31"),
        (2025, "Mid-Autumn Festival", "2025-10-06"),
        (2025, "Double Ninth Festival", "2025-10-29"),
        (2025, "Laba Festival", "2025-01-07"),
        (2025, "除夕", "2025-01-28"),
        (2025, "小年", "2025-01-22"),
        (2025, "Mother's Day", "2025-05-11"),
        (2025, "Father's Day", "2025-06-15"),
        (2025, "Thanksgiving", "2025-11-27"),
        (2025, "Valentine's Day", "2025-02-14"),
        (2025, "Christmas", "2025-12-25"),
        (2025, "冬至", "2025-12-21"),
        (2024, "Start of Spring", "2024-02-04"),
        (1970, "Spring Festival", "1970-02-06"),
        (2030, "National Day", "2030-10-01"),
        (2033, "Mid-Autumn Festival", "2033-09-08"),
        (2100, "Spring Festival", "2100-02-09"),
    ],
)
def test_well_known_days(year, name, expected):
    assert day_of(year, feasts_named(name)[0]) == expected


@given(year=years)
def test_every_feast_falls_in_every_year_but_for_the_twelfth_lunar_month(year):
    for key in feast_keys():
        days = [feast.date for feast in feasts_of(year, key)]
        assert days
        assert days == sorted(days)
        if key not in {"laba", "little_new_year_north", "little_new_year_south"}:
            assert [day.year for day in days] == [year]
        for day in days:
            if day.year == year:
                assert key in feasts_on(day)


@given(year=st.integers(2008, 2099))
def test_two_independent_libraries_agree_on_the_public_feasts(year):
    for key, name in (
        ("spring_festival", "Spring Festival"),
        ("qingming", "Tomb-Sweeping Day"),
        ("dragon_boat", "Dragon Boat Festival"),
        ("mid_autumn", "Mid-Autumn Festival"),
    ):
        (feast,) = feasts_of(year, key)
        assert name in str(public_holiday(feast.date, Language.EN))


@given(year=years)
def test_the_24_solar_terms_are_a_fortnight_apart(year):
    keys = feast_keys()
    terms = keys[keys.index("slight_cold") : keys.index("winter_solstice") + 1]
    days = [feasts_of(year, key)[0].date for key in terms]
    assert len(days) == 24
    assert all(14 <= (later - day).days <= 16 for day, later in pairwise(days))


@pytest.mark.parametrize("name", [entry[language] for entry in texts("feasts").values() for language in ("en", "zh")])
def test_shown_names_mean_their_own_feast_whatever_the_case_and_the_words_around(name):
    (key,) = (k for k, entry in texts("feasts").items() if name in (entry["en"], entry["zh"]))
    for spelling in (name, name.upper(), f" {name} ", f"{name} 2025", f"the {name} holiday", f"{name}假期"):
        assert feasts_named(spelling) == (key,)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("mid autum festival", "mid_autumn"),
        ("Winter Soltice", "winter_solstice"),
        ("Dragonboat", "dragon_boat"),
        ("Fathers day", "father"),
        ("Qixi Festival (七夕节)", "qixi"),
    ],
)
def test_slips_of_spelling_are_forgiven(typed, meant):
    assert feasts_named(typed) == (meant,)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "节",
        "festival",
        "Nonexistent Feast",
        "Orthodox Christmas",
        "Canadian Thanksgiving",
        "Brother's Day",
        "春天",
        "Autumn Festival",
        "Mother's Day 母亲节 七夕节",
        "Step-Father's Festival of Lights",
        "\ud800",
        "x" * 1_000_000,
    ],
)
def test_a_name_of_no_feast_is_never_answered_with_another(name):
    assert feasts_named(name) == ()


def test_only_names_that_stand_with_several_feasts_mean_several():
    shared = {("lunar_new_years_eve", "new_years_eve"), ("little_new_year_north", "little_new_year_south")}
    for entry in texts("feasts").values():
        for name in entry["also"]:
            keys = feasts_named(name)
            assert len(keys) == 1 or keys in shared, name


def test_names_and_dates_know_the_same_feasts():
    assert set(feast_keys()) == set(texts("feasts"))


def test_years_outside_are_known_as_such():
    assert [has_year(year) for year in (FIRST_YEAR - 1, FIRST_YEAR, LAST_YEAR, LAST_YEAR + 1)] == [
        False,
        True,
        True,
        False,
    ]
