"""The user's history and records, and what is near a point."""

import pytest
from support.worlds import HOME, LATER, NIGHTS, USER, environment, make_task, make_world

NOTHING = {"weather": [], "location": []}
LISTS = {
    "delivery_store_search_recommand": {"keywords": ["x"]},
    "delivery_product_search_recommand": {"keywords": ["x"]},
    "instore_shop_search_recommend": {"keywords": ["x"]},
    "instore_product_search_recommend": {"keywords": ["x"]},
    "search_delivery_orders": {"user_id": USER},
    "get_instore_orders": {"user_id": USER},
    "get_instore_books": {"user_id": USER},
    "get_instore_reservations": {"user_id": USER},
    "search_instore_book": {"user_id": USER},
    "search_instore_reservation": {"user_id": USER},
    "get_user_all_orders": {},
    "get_nearby": {"longitude": 0, "latitude": 0, "range": 1},
    "search_hotel_order": {"user_id": USER},
    "search_attraction_order": {"user_id": USER},
    "search_flight_order": {"user_id": USER},
    "search_train_order": {"user_id": USER},
}


@pytest.mark.parametrize("tool", LISTS)
def test_empty_lists_all_have_one_shape(tool):
    """T7: there, an empty result is sometimes an error, sometimes an empty text, sometimes a sentence."""
    result = make_world(make_task(NOTHING)).call(tool, LISTS[tool])
    assert result.ok
    message = result.data.pop("message")
    assert message == "Nothing was found."
    assert result.data
    assert all(value == [] for value in result.data.values())
    full = make_world().call(tool, LISTS[tool]).data
    full.pop("message", None)
    assert set(full) == set(result.data), "the same lists as when something is found"


def test_all_records_of_the_account_are_listed_old_and_new():
    """T7: there, bookings and reservations are missing."""
    world = make_world()
    visit = {"user_id": USER, "shop_id": "SH1", "time": LATER}
    book = world.call("instore_book", visit).data["book_id"]
    reservation = world.call("instore_reservation", visit).data["reservation_id"]
    found = world.call("get_user_all_orders", {}).data
    assert [one["book_id"] for one in found["books"]] == ["BK1", "BK2", book]
    assert [one["reservation_id"] for one in found["reservations"]] == ["RS1", "RS2", reservation]
    assert [one["order_id"] for one in found["orders"]] == list(environment()["orders"])


def test_the_history_never_shows_what_only_the_user_knows():
    result = make_world().call("get_user_historical_behaviors", {})
    assert result.data["user_id"] == USER
    assert result.data["home address"] == HOME
    assert result.data["breakfast"]["recent orders"] == [{"store": "Reed", "product": "Tea"}]
    for hidden in ("peanuts", "impatient", "children", "personality", "dietary", "family"):
        assert hidden not in result.text


def test_providers_of_every_kind_are_near_within_the_range_and_journeys_by_either_end():
    world = make_world()

    def near(metres, latitude=31.5):
        asked = {"longitude": 118.5, "latitude": latitude, "range": metres}
        found = world.call("get_nearby", asked).data["providers"]
        return [next(value for key, value in one.items() if key.endswith("_id")) for one in found]

    assert near(499) == []
    assert near(501) == ["ST1"]
    assert near(1000) == ["ST1", "SH1", "SH2", "SH3"]
    assert near(5000) == ["ST1", "ST2", "SH1", "SH2", "SH3", "hotel_P", "attraction_P", "flight_P", "train_P"]
    assert near(5000, latitude=31.5 + 400_000 / 111_195) == ["flight_P", "train_P"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"longitude": 181}, "not_longitude"),
        ({"latitude": -90.5}, "not_latitude"),
        ({"range": -1}, "negative_range"),
        ({"range": float("inf")}, "wrong_type"),
        ({"latitude": "31.5"}, "wrong_type"),
    ],
)
def test_what_is_no_point_or_range_is_refused(changes, code):
    point = {"longitude": 118.5, "latitude": 31.5, "range": 100}
    assert make_world().call("get_nearby", point | changes).code == code


@pytest.mark.parametrize("kind", ["hotel", "attraction", "flight", "train"])
def test_searching_orders_by_date_finds_those_from_history(kind):
    """T9: there, the date filter never matches an order from the history."""
    asked = {"user_id": USER, "status": "paid" if kind in ("hotel", "attraction") else "unpaid"}
    world = make_world()

    def found(date):
        return [one["order_id"] for one in world.call(f"search_{kind}_order", asked | {"date": date}).data["orders"]]

    assert found(NIGHTS[0]) == [f"O{kind}"]
    assert found(NIGHTS[1]) == []
