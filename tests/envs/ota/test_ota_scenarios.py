"""What generated travel worlds are made of, what is asked of it, and that every family can be played."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vitagym.envs.ota.scenarios import FAMILIES
from vitagym.envs.ota.scenarios.hotels import (
    Amenity,
    FreeThroughout,
    Hotels,
    breakfast_included,
    room_bed,
    room_view,
    stars_at_least,
)
from vitagym.envs.ota.scenarios.rides import EndsAt, RideHas, Rides, Route, SeatIs, TrainIs, fare, shown_times
from vitagym.envs.ota.scenarios.sights import (
    SightHas,
    SightRated,
    Sights,
    VisitorIs,
    description,
    indoors,
    open_on,
    open_until,
    outdoors,
    sort_is,
    with_all_tickets,
)
from vitagym.envs.ota.scenarios.travel import ArrivesBy, ArrivesFrom, LeavesFrom, OnDate, hhmm
from vitagym.generation.addresses import Addresses
from vitagym.generation.families import families
from vitagym.generation.geography import cities, city, rail_km
from vitagym.generation.pools import CannotBuild
from vitagym.language import Language
from vitagym.randomness import Stream
from vitagym.rewards.checks import ToldNone
from vitagym.tasks.sources import make_draft, make_task

DAY = date(2025, 6, 14)
NOW = datetime(2025, 6, 10, 9, 30)
SEEDS = st.integers(0, 10**6)
MAINLAND = sorted(key for key in cities() if key not in ("haikou", "sanya"))
PAIRS = st.tuples(st.sampled_from(MAINLAND), st.sampled_from(MAINLAND)).filter(lambda pair: pair[0] != pair[1])


def a_ride(seed, origin="nanjing", target="wuhan", types=("G",), seats=()):
    return Rides(city(origin), city(target), [DAY], types=types, seats=seats)(Stream(seed, "ride"))


def a_room(seed, key="qingdao"):
    here = city(key)
    return Hotels(Addresses(Stream(seed, "a"), here), here.station.spot, [DAY])(Stream(seed, "hotel"))


def a_sight(seed, key="qingdao"):
    return Sights(Addresses(Stream(seed, "a"), city(key)), [DAY])(Stream(seed, "sight"))


@given(SEEDS, PAIRS, st.sampled_from("GDK"))
def test_trains_take_as_long_as_the_line_is(seed, pair, kind):
    train = a_ride(seed, *pair, types=(kind,)).provider
    km = rail_km(city(pair[0]), city(pair[1]))
    hours = (train.facts["arrives"] - train.facts["leaves"]) / 60
    slow, fast = {"G": (200, 285), "D": (125, 185), "K": (70, 100)}[kind]
    assert km / fast - 0.05 <= hours <= max(km / slow, 0.31)
    assert train.name.en.startswith(kind)


@given(SEEDS, PAIRS)
def test_flights_take_as_long_as_the_way_is_and_leave_from_airports(seed, pair):
    origin, target = city(pair[0]), city(pair[1])
    if not (origin.airports and target.airports):
        with pytest.raises(CannotBuild):
            a_ride(seed, *pair, types=("flight",))
        return
    flight = a_ride(seed, *pair, types=("flight",)).provider
    minutes = flight.facts["arrives"] - flight.facts["leaves"]
    assert abs(minutes - (origin.km_to(target) / 700 * 60 + 45)) <= 16
    assert flight.fields["start"] in origin.airports
    assert flight.fields["end"] in target.airports


def test_no_train_crosses_the_sea():
    with pytest.raises(CannotBuild, match="no railway"):
        a_ride(0, "haikou", "guangzhou")


@given(SEEDS, PAIRS)
def test_better_classes_cost_more(seed, pair):
    train = a_ride(seed, *pair).provider
    second, first, business = (fare(train, seat, Stream(seed, "fare")) for seat in ("second", "first", "business"))
    assert second > 0
    assert second <= first <= business
    assert business > second


def test_times_are_shown_on_the_clock():
    assert [hhmm(m) for m in (0, 61, 725, 1439, 1500)] == ["00:00", "01:01", "12:05", "23:59", "01:00"]
    train = a_ride(1).provider
    assert all(len(text) == 5 and text[2] == ":" for text in shown_times(train))


@given(SEEDS, st.sampled_from(sorted(cities())))
def test_a_room_is_called_what_it_is(seed, key):
    offer = a_room(seed, key)
    room = offer.product
    breakfast_included().deny(offer, Stream(seed, "x"))
    assert "no breakfast" in room.name.en
    assert "不含早餐" in room.name.zh
    room_bed("twin").grant(offer, Stream(seed, "x"))
    assert "Twin Room" in room.name.en
    assert "双床房" in room.name.zh
    assert room.price > 80


@given(SEEDS)
def test_only_cities_by_the_sea_have_rooms_with_a_view_of_it(seed):
    assert a_room(seed, "taiyuan").product.facts["view"] != "sea"


@given(SEEDS)
def test_a_sight_says_when_it_is_closed_and_costs_children_less(seed):
    sight = a_sight(seed).provider
    with_all_tickets([sight], [DAY])
    prices = {ticket.facts["visitor"]: ticket.price for ticket in sight.products}
    assert prices["child"] < prices["adult"]
    assert prices["senior"] < prices["adult"]
    assert "Open every day." in description(sight).en
    sight.facts["closed"] = 0
    assert "Closed on Mondays." in description(sight).en
    assert "周一闭馆" in description(sight).zh


REQUIREMENTS = {
    "route": (a_ride, Route(city("nanjing"), city("wuhan"))),
    "train_is": (lambda seed: a_ride(seed, types=("G", "D"), seats=("first", "second")), TrainIs("G")),
    "seat_is": (a_ride, SeatIs("first")),
    "arrives_by": (a_ride, ArrivesBy(15 * 60)),
    "arrives_from": (a_ride, ArrivesFrom(12 * 60)),
    "leaves_from": (a_ride, LeavesFrom(13 * 60)),
    "ride_has": (a_ride, RideHas("quiet")),
    "ends_at": (
        lambda seed: a_ride(seed, "xian", "shanghai", types=("flight",)),
        EndsAt(city("shanghai").airports[0], city("shanghai").airports[1:]),
    ),
    "on_date": (a_room, OnDate(DAY, [DAY + timedelta(days=1)], NOW)),
    "view": (a_room, room_view("sea", city("qingdao"))),
    "bed": (a_room, room_bed("family")),
    "breakfast": (a_room, breakfast_included()),
    "stars": (a_room, stars_at_least(4)),
    "amenity": (a_room, Amenity("gym")),
    "throughout": (a_room, FreeThroughout([DAY, DAY + timedelta(days=1)])),
    "indoors": (a_sight, indoors()),
    "outdoors": (a_sight, outdoors()),
    "sort": (a_sight, sort_is("aquarium")),
    "open_until": (a_sight, open_until(18 * 60)),
    "visitor": (a_sight, VisitorIs("senior", DAY)),
    "feature": (a_sight, SightHas("step_free")),
    "rated": (a_sight, SightRated(4.5)),
}


@pytest.mark.parametrize("name", REQUIREMENTS)
@settings(max_examples=25)
@given(SEEDS)
def test_what_is_granted_is_met_and_what_is_denied_is_missed(name, seed):
    draw, requirement = REQUIREMENTS[name]
    granted, denied = draw(seed), draw(seed)
    requirement.grant(granted, Stream(seed, "grant"))
    assert requirement.met_by(granted)
    if requirement.met_by(denied):
        requirement.deny(denied, Stream(seed, "deny"))
    assert not requirement.met_by(denied)
    rubric = requirement.saying.rubric
    assert rubric is not None
    filled = rubric.fill(subject="it", **requirement.values())
    assert "{" not in filled.en + filled.zh
    assert filled.en != filled.zh


@given(SEEDS)
def test_a_sight_that_may_be_closed_that_weekday_is_told_apart_by_its_fact(seed):
    sight = a_sight(seed)
    open_on(DAY).deny(sight, Stream(seed, "deny"))
    assert sight.provider.facts["closed"] == DAY.weekday()
    assert not open_on(DAY).met_by(sight)


def test_there_are_families_enough():
    assert len(FAMILIES) >= 6
    assert set(families("ota")) == {family.name for family in FAMILIES}
    assert all(family.domains == ("ota",) for family in FAMILIES)


def test_the_weather_decides_where_a_day_out_goes():
    kinds = {}
    for seed in range(16):
        task = make_task("ota", seed, family="day_out")
        rain = any("rain" in row["category"] or "shower" in row["category"] for row in task.environment["weather"])
        names = {rubric.requirement for rubric in task.rubrics}
        kinds.setdefault(frozenset(names & {"indoors", "outdoors"}), []).append(rain)
    assert set(kinds) == {frozenset({"indoors"}), frozenset({"outdoors"})}


def test_a_trip_put_off_is_moved_or_taken_by_train_as_the_prices_say():
    seen = set()
    for seed in range(16):
        task = make_task("ota", seed, family="plans_change")
        kinds = {rubric.requirement for rubric in task.rubrics if rubric.goal == "flight"}
        tools = {step.tool for step in task.solution if step.kind == "call"}
        assert ("moved_to" in kinds) == ("modify_flight_order" in tools) == ("create_train_order" not in tools)
        seen.add("moved_to" in kinds)
    assert seen == {True, False}


def test_where_no_night_train_fits_the_user_has_to_hear_so():
    seen = set()
    for seed in range(16):
        task = make_task("ota", seed, family="night_train")
        told = any(isinstance(rubric.check, ToldNone) for rubric in task.rubrics)
        tools = {step.tool for step in task.solution if step.kind == "call"}
        assert told == ("create_flight_order" in tools)
        seen.add(told)
    assert seen == {True, False}


@pytest.mark.parametrize("family", [family.name for family in FAMILIES])
def test_prices_stock_and_dates_of_a_world_are_sensible(family):
    environment = make_draft("ota", 4, family=family).task(Language.EN).environment
    for section in ("hotels", "attractions", "flights", "trains"):
        for provider in environment.get(section, {}).values():
            assert provider["products"]
            for product in provider["products"]:
                assert 5 < product["price"] < 9_000
                assert product["quantity"] >= 0
                assert environment["time"][:10] <= product["date"]


def test_the_flight_home_is_moved_and_the_flight_there_is_not():
    for seed in range(6):
        task = make_draft("ota", seed, family="flight_home_moved").task(Language.EN)
        made = {s.binds: s.arguments for s in task.solution if getattr(s, "tool", "") == "create_flight_order"}
        (moved,) = [s.arguments for s in task.solution if getattr(s, "tool", "") == "modify_flight_order"]
        assert moved["order_id"] == "$back"
        assert moved["new_date"] != made["$back"]["date"] > made["$there"]["date"]
        change = next(point for point in task.points if point.id == "change")
        assert change.replaces == "return"


def test_sights_for_the_morning_and_the_afternoon_have_all_that_can_be_asked_for():
    scenes = [make_draft("ota", seed, family="two_sights").scene for seed in range(16)]
    asked = {r.name for scene in scenes for goal in scene.goals for r in goal.requirements if r.name.startswith("has_")}
    assert asked == {"has_pushchairs", "has_guide", "has_workshop", "has_step_free"}
