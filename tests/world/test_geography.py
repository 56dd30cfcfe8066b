"""Addresses and cities are found by fuzzy match where the world knows them, and nowhere else."""

import pytest
from support.worlds import HOME, make_world

from vitagym.world.entities import Place, WeatherDay
from vitagym.world.geography import Geography, city_name, names_city

KUNMING = Geography(
    (
        Place("No. 28 Fengning Road, Wuhua District, Kunming, Yunnan Province", 102.7, 25.05),
        Place("5 Lake Street", 102.71, 25.04),
        Place("No. 9 Jade Road, Taihe Town, Dali, Yunnan Province", 100.2, 25.6),
        Place("昆明市五华区丰宁路28号", 102.7, 25.05),
    ),
    (
        WeatherDay("Kunming City", "2025-06-21", "rain", 17, 25, 84),
        WeatherDay("昆明市", "2025-06-21", "rain", 17, 25, 84),
    ),
)
FOREIGN = (
    "London",
    "10 Downing Street, London",
    "Paris",
    "5 Rue de Rivoli, Paris",
    "Kunshan",
    "No. 28 Kunming Road, Shanghai",
    "Room 3, No. 12 Nanjing Road, Shanghai",
    "伦敦",
    "北京市朝阳区建国路88号",
    "上海市昆明路28号",
)


@pytest.mark.parametrize("address", FOREIGN)
def test_a_city_that_the_world_does_not_know_is_refused(address):
    """T10: there, the geocoder finds London in Kunming, and weather finds Paris there."""
    assert KUNMING.place(address) is None
    assert KUNMING.city(address) is None


@pytest.mark.parametrize(
    "address",
    [
        "No. 28 Fengning Road, Wuhua District, Kunming, Yunnan Province",
        "NO. 28 FENGNING ROAD, WUHUA DISTRICT, KUNMING, YUNNAN PROVINCE X9",
        "No. 28 Fengning Road, Wuh",
        "28 Fengning Road, Kunming",
        "昆明市五华区丰宁路28号3楼",
        "五华区丰宁路28号",
    ],
)
def test_a_known_address_is_found_though_it_is_written_otherwise(address):
    place = KUNMING.place(address)
    assert place is not None
    assert (place.longitude, place.latitude) == (102.7, 25.05)


@pytest.mark.parametrize("name", ["Kunming", "kunming city", "Kunmin", "昆明", "昆明市", "Wuhua District, Kunming"])
def test_a_city_is_found_by_its_name_with_or_without_the_word_city(name):
    assert KUNMING.city(name) in ("Kunming City", "昆明市")


def test_an_address_that_names_no_city_belongs_to_the_city_around_it():
    assert KUNMING.city("5 Lake Street") == "Kunming City"
    assert KUNMING.city("No. 9 Jade Road, Taihe Town, Dali") is None, "250 km away"


def test_of_one_address_with_two_coordinates_the_first_counts():
    """D3."""
    twice = Geography((Place("5 Lake Street", 1.0, 2.0), Place("5 Lake Street", 3.0, 4.0)), ())
    assert twice.place("5 Lake Street") == Place("5 Lake Street", 1.0, 2.0)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("wuhua district kunming", True),
        ("kunming east road", False),
        ("kunming road", False),
        ("kunshan", False),
        ("昆明路", False),
    ],
)
def test_a_road_called_after_a_city_does_not_name_it(text, named):
    assert names_city(text, "昆明" if text.startswith("昆") else "kunming") is named


@pytest.mark.parametrize(("city", "name"), [("Kunming City", "kunming"), ("昆明市", "昆明"), ("Xi'an", "xi an")])
def test_the_distinctive_part_of_a_city_name(city, name):
    assert city_name(city) == name


def test_weather_is_listed_by_day_and_only_in_the_range():
    """T7: an empty list has the shape of any other."""
    world = make_world()
    ask = {"address": HOME, "date_start": "2025-06-21", "date_end": "2025-06-22"}
    days = world.call("weather", ask).data["weather"]
    assert [day["datetime"] for day in days] == ["2025-06-21", "2025-06-22"]
    assert days[0]["temperature"] == [18, 25.5]
    none = world.call("weather", ask | {"date_start": "2025-06-23"}).data
    assert none["weather"] == []
    assert none["message"]
