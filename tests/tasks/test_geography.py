"""The map that generated tasks play on: cities, railway, addresses, weather."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitagym.errors import UnknownName
from vitagym.generation.addresses import Addresses
from vitagym.generation.geography import cities, city, rail_km
from vitagym.generation.spots import around
from vitagym.generation.weather import Sky, skies, weather_day
from vitagym.randomness import Stream
from vitagym.world.entities import Place
from vitagym.world.geography import Geography
from vitagym.world.times import distance_m

KEYS = sorted(cities())


def test_the_map_has_at_least_forty_cities():
    assert len(KEYS) >= 40


@pytest.mark.parametrize("key", KEYS)
def test_everything_of_a_city_lies_near_it(key):
    here = city(key)
    spots = [t.spot for t in (*here.stations, *here.airports, *([here.port] if here.port else []))]
    assert len(here.districts) >= 3
    assert here.stations
    for spot in spots:
        assert distance_m(here.longitude, here.latitude, spot.longitude, spot.latitude) < 75_000, spot
    for district in here.districts:
        assert distance_m(here.longitude, here.latitude, district.longitude, district.latitude) < 30_000, district


@pytest.mark.parametrize("key", KEYS)
def test_names_of_a_city_are_in_the_right_script_and_differ(key):
    here = city(key)
    names = [d.name for d in here.districts] + [t.name for t in (*here.stations, *here.airports)]
    for name in [here.name, here.province, *names]:
        assert not any("\u4e00" <= c <= "\u9fff" for c in name.en), name
        assert all("\u4e00" <= c <= "\u9fff" for c in name.zh), name
    assert len({n.en for n in names}) == len({n.zh for n in names}) == len(names)


def test_known_distances_are_right():
    """Airports of a few cities, in kilometres from the centre, and two railway lines."""
    for key, low, high in [("beijing", 20, 30), ("changsha", 20, 30), ("lanzhou", 48, 60), ("xiamen", 5, 11)]:
        here = city(key)
        airport = here.airports[0].spot
        assert low < distance_m(here.longitude, here.latitude, airport.longitude, airport.latitude) / 1000 < high
    assert 1_200 < rail_km(city("beijing"), city("shanghai")) < 1_450
    assert 850 < rail_km(city("beijing"), city("dalian")) < 1_150
    assert city("beijing").km_to(city("dalian")) < 500


def test_railways_join_the_mainland_and_no_island():
    island = {"haikou", "sanya"}
    for a in KEYS:
        for b in KEYS:
            km = rail_km(city(a), city(b))
            assert (km is not None) == ((a in island) == (b in island))
            if km is not None and a != b:
                assert km >= city(a).km_to(city(b))


def test_an_unknown_city_is_refused_with_the_nearest():
    with pytest.raises(UnknownName, match="hangzhou"):
        city("hangzhuo")


@given(st.integers(0, 10**6), st.sampled_from(KEYS))
def test_the_geocoder_finds_every_address_of_a_world_in_both_languages(seed, key):
    maker = Addresses(Stream(seed, "addresses"), city(key))
    spots = [make() for make in (maker.home, maker.office, maker.shop, maker.house) for _ in range(8)]
    spots += [terminal.spot for terminal in city(key).stations]
    for language in ("en", "zh"):
        places = [Place(getattr(s.address, language), s.longitude, s.latitude) for s in spots]
        geocoder = Geography(places, ())
        for place in places:
            assert geocoder.place(place.address) == place


@given(st.integers(0, 10**6), st.sampled_from(KEYS), st.integers(0, 3000), st.integers(0, 3000))
def test_a_point_around_another_keeps_its_distance(seed, key, low, extra):
    home = Addresses(Stream(seed, "addresses"), city(key)).home()
    point = around(Stream(seed, "around"), home, low, low + extra)
    metres = distance_m(home.longitude, home.latitude, *point)
    assert low - 0.6 <= metres <= low + extra + 0.6


def test_addresses_do_not_run_out_in_a_big_world():
    maker = Addresses(Stream(0, "addresses"), city("wuhan"))
    spots = [maker.shop().address.en for _ in range(150)]
    assert len(set(spots)) == 150


@given(
    st.integers(0, 10**6), st.sampled_from(KEYS), st.dates(date(2020, 1, 1), date(2035, 12, 31)), st.sampled_from(Sky)
)
def test_weather_is_of_its_kind_and_its_season(seed, key, day, sky):
    row = weather_day(Stream(seed, "weather"), city(key), day, sky)
    low, high = row["temperature"]
    assert row["category"] in skies(sky)
    assert low < high
    assert low > -40
    assert high < 42
    if sky is Sky.RAIN:
        assert high > 0
    if sky is Sky.SNOW:
        assert low < 0
    assert row["datetime"] == day.isoformat()
