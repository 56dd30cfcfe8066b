"""Finding hotels, attractions, flights and trains: by city, by both ends, by date."""

import pytest
from support.worlds import NIGHTS, environment, make_task, make_world, place

from vitagym.envs.ota.cities import city_in
from vitagym.language import Language

SEARCHES = {
    "hotel_search_recommand": ("hotels", "hotel_id", {"city_name": "Alder City"}),
    "attractions_search_recommend": ("attractions", "attraction_id", {"city_name": "Alder City", "key_words": []}),
    "flight_search_recommend": ("flights", "flight_id", {"departure": "Alder City", "destination": "Birch City"}),
    "train_ticket_search": (
        "trains",
        "train_id",
        {"departure": "Alder City", "destination": "Birch City", "date": NIGHTS[0]},
    ),
}


def two_cities():
    """A world with a hotel and an attraction in Birch City too, and journeys both ways."""
    rows = environment()
    for table, key, new in (("hotels", "hotel_id", "hotel_B"), ("attractions", "attraction_id", "attraction_B")):
        row = next(iter(rows[table].values()))
        rows[table][new] = {**row, key: new, "location": place("4 Harbour Square, Birch City"), "products": []}
    for table, key, new in (("flights", "flight_id", "flight_B"), ("trains", "train_id", "train_B")):
        row = next(iter(rows[table].values()))
        back = {"departure_city": row["arrival_city"], "arrival_city": row["departure_city"]}
        rows[table][new] = {**row, key: new, **back}
    return rows


def found(world, tool, **changes):
    table, key, arguments = SEARCHES[tool]
    result = world.call(tool, arguments | changes)
    assert result.ok, result.text
    return [row[key] for row in result.data[table]]


def test_a_train_is_listed_once_whatever_the_number_of_its_seat_types():
    """T4: there, once for each seat type."""
    rows = environment()
    products = rows["trains"]["train_P"]["products"]
    products += [{**products[0], "product_id": "train_P_9", "seat_type": "First"}]
    assert found(make_world(make_task(rows)), "train_ticket_search") == ["train_P"]


def test_only_trains_that_sell_seats_for_the_date_are_listed():
    world = make_world()
    assert found(world, "train_ticket_search", date=NIGHTS[1]) == ["train_P"]
    assert found(world, "train_ticket_search", date="2025-07-01") == []
    assert world.call("train_ticket_search", SEARCHES["train_ticket_search"][2] | {"date": "06/21"}).code == "not_date"


@pytest.mark.parametrize("city", ["Alder City", "alder city", "Alder", "3 Lakeside Road, Alder City"])
def test_other_cities_are_left_out(city):
    """T10: there, the fuzzy city filter lets other cities in."""
    world = make_world(make_task(two_cities()))
    assert found(world, "hotel_search_recommand", city_name=city) == ["hotel_P"]
    assert found(world, "attractions_search_recommend", city_name=city) == ["attraction_P"]
    assert found(world, "flight_search_recommend", departure=city) == ["flight_P"]
    assert found(world, "train_ticket_search", departure=city) == ["train_P"]


def test_flights_and_trains_are_filtered_at_both_ends():
    world = make_world(make_task(two_cities()))
    for tool, back in (("flight_search_recommend", "flight_B"), ("train_ticket_search", "train_B")):
        assert found(world, tool, departure="Birch City", destination="Alder City") == [back]
        assert found(world, tool, departure="Alder City", destination="Alder City") == []


@pytest.mark.parametrize("tool", SEARCHES)
@pytest.mark.parametrize("city", ["Paris", "Zxzxz", "", " ", "City", "x" * 10_000, "北京市"])
def test_a_city_that_the_world_does_not_know_is_refused(tool, city):
    """T10, T7."""
    world = make_world(make_task(two_cities()))
    arguments = SEARCHES[tool][2]
    for name in ("city_name", "departure", "destination"):
        if name in arguments:
            assert world.call(tool, arguments | {name: city}).code == "no_such_city"


def test_a_road_called_after_a_city_lies_where_its_address_says():
    rows = two_cities()
    rows["hotels"]["hotel_P"]["location"] = place("3 Birch Road, Alder City")
    world = make_world(make_task(rows))
    assert found(world, "hotel_search_recommand", city_name="Birch City") == ["hotel_B"]
    assert found(world, "hotel_search_recommand", city_name="Alder City") == ["hotel_P"]


def test_a_hotel_whose_address_names_no_city_may_be_in_any():
    rows = two_cities()
    rows["hotels"]["hotel_P"]["location"] = place("Alder Lakeside Villa 3")
    assert "hotel_P" in found(make_world(make_task(rows)), "hotel_search_recommand")


def test_chinese_cities_are_told_apart_with_and_without_their_suffix():
    rows = two_cities()
    for table, key, address in (
        ("hotels", "hotel_P", "江苏省南京市玄武区北京东路8号"),
        ("hotels", "hotel_B", "北京市朝阳区建国路1号"),
    ):
        rows[table][key]["location"] = place(address)
    world = make_world(make_task(rows, language=Language.ZH))
    for city in ("北京", "北京市"):
        assert found(world, "hotel_search_recommand", city_name=city) == ["hotel_B"]
    for city in ("南京", "南京市"):
        assert found(world, "hotel_search_recommand", city_name=city) == ["hotel_P"]


@pytest.mark.parametrize(
    ("address", "city"),
    [
        ("18 Lakeside Road, Heron District, Qinghe City", "qinghe"),
        ("No. 46 Yuanxi Road, Wuhua District, Kunming, Yunnan Province, Jade Rice Noodles", "kunming"),
        ("Lakeview Plaza, 158 Qinxian Street, Xiaodian District, Taiyuan City (Swimming Club)", "taiyuan"),
        ("156 Beijing Road, Yunyan District, Guiyang", "guiyang"),
        ("Lakeside Villa", None),
        ("3 Birch Road, Old Town District", None),
        ("云南省昆明市五华区园西路46号", "昆明"),
        ("南京市玄武区北京东路8号", "南京"),
        ("湖畔路3号", None),
        ("", None),
    ],
)
def test_the_city_of_an_address(address, city):
    assert city_in(address) == city


def test_details_show_what_is_left_and_the_catalogue_stays_as_it_was():
    """S3: there, an order overwrites the catalogue entry's quantity."""
    world = make_world()
    arguments = {"hotel_id": "hotel_P", "room_id": "hotel_P_0", "user_id": "U100"}
    assert world.call("create_hotel_order", arguments).ok
    rooms = world.call("get_ota_hotel_info", {"hotel_id": "hotel_P"}).data["products"]
    assert [(room["product_id"], room["quantity"]) for room in rooms] == [("hotel_P_0", 2), ("hotel_P_1", 3)]
    assert [product.quantity for product in world.catalogue.providers["hotel_P"].products] == [3, 3]
