"""Delivery orders: what is refused, what an order holds, and what becomes of it."""

import pytest
from support.worlds import HOME, LATER, PAST, TIME, USER, make_world, noodle_order

from vitagym.envs.delivery.tools import shipping_minutes


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"user_id": "U200"}, "wrong_user"),
        ({"user_id": ""}, "wrong_user"),
        ({"store_id": "SH1"}, "unknown_store"),
        ({"product_ids": ["V1"]}, "unknown_store_product"),
        ({"product_ids": ["P3"]}, "product_of_another_store"),
        ({"product_ids": ["P1", "P1"], "product_cnts": [1, 1]}, "repeated_product"),
        ({"product_ids": [], "product_cnts": []}, "no_product"),
        ({"product_cnts": [1, 1]}, "counts_differ"),
        ({"product_cnts": []}, "counts_differ"),
        ({"product_cnts": [0]}, "count_below_one"),
        ({"product_cnts": [-2]}, "count_below_one"),
        ({"address": ""}, "unknown_address"),
        ({"address": "221B Baker Street, London"}, "unknown_address"),
        ({"dispatch_time": "2025-06-20 12:00"}, "not_time"),
        ({"dispatch_time": "2025-06-31 12:00:00"}, "not_time"),
        ({"dispatch_time": "2025-06-20T12:00:00"}, "not_time"),
        ({"dispatch_time": ""}, "not_time"),
        ({"dispatch_time": PAST}, "time_past"),
        ({"dispatch_time": "9999-12-31 23:59:59"}, "time_too_late"),
    ],
)
def test_an_order_that_is_not_in_order_is_refused(changes, code):
    """T5: there, another store's product, a repeated product and no product at all are accepted."""
    world = make_world()
    assert world.call("create_delivery_order", noodle_order(**changes)).code == code
    assert world.ledger.changes == []


def test_an_order_holds_what_was_asked_for_and_arrives_after_the_way():
    order = make_world().call("create_delivery_order", noodle_order(attributes=["hot"], note="no coriander")).data
    assert order["status"] == "unpaid"
    assert order["total_price"] == 40
    assert (order["amount_paid"], order["amount_due"]) == (0, 40)
    assert order["note"] == "no coriander"
    assert order["shipping_time"] == 28
    assert order["dispatch_time"] == LATER
    assert order["delivery_time"] == "2025-06-20 12:28:00"
    assert order["location"] == {"address": HOME, "longitude": 118.5, "latitude": 31.5}
    (line,) = order["products"]
    assert (line["product_id"], line["quantity"], line["price"], line["attributes"]) == ("P1", 2, 20, "hot")


def test_dispatch_may_be_at_this_very_second():
    assert make_world().call("create_delivery_order", noodle_order(dispatch_time=TIME)).ok


@pytest.mark.parametrize(("metres", "minutes"), [(0, 25), (1234, 33), (1234.9, 33), (5000, 58)])
def test_minutes_follow_the_recorded_formula(metres, minutes):
    assert shipping_minutes(metres) == minutes
    assert make_world().call("delivery_distance_to_time", {"distance": metres}).data == {"minutes": minutes}


def test_the_distance_that_one_tool_gives_is_taken_by_the_next():
    """T12."""
    world = make_world()
    home = world.call("address_to_longitude_latitude", {"address": HOME}).data
    store = world.call("get_delivery_store_info", {"store_id": "ST1"}).data["location"]
    ends = {"longitude1": home["longitude"], "latitude1": home["latitude"]}
    ends |= {"longitude2": store["longitude"], "latitude2": store["latitude"]}
    distance = world.call("longitude_latitude_to_distance", ends).data
    assert distance == {"distance": 500}
    assert world.call("delivery_distance_to_time", distance).data == {"minutes": 28}


def test_an_order_is_paid_once():
    world = make_world()
    order = {"order_id": world.call("create_delivery_order", noodle_order()).data["order_id"]}
    assert world.call("pay_delivery_order", order).data == {"status": "paid", "amount_paid": 40}
    assert world.call("pay_delivery_order", order).code == "wrong_status"
    assert world.call("get_delivery_order_detail", order).data["amount_due"] == 0


@pytest.mark.parametrize("paid", [False, True])
def test_cancelling_refunds_what_was_paid_and_is_final(paid):
    """T5: there, a cancelled order's note can still be changed."""
    world = make_world()
    order = {"order_id": world.call("create_delivery_order", noodle_order()).data["order_id"]}
    if paid:
        world.call("pay_delivery_order", order)
    assert world.call("cancel_delivery_order", order).data["amount_refunded"] == (40 if paid else 0)
    assert world.call("get_delivery_order_status", order).data == {"status": "cancelled"}
    for tool, more in (
        ("cancel_delivery_order", {}),
        ("pay_delivery_order", {}),
        ("modify_delivery_order", {"note": "x"}),
    ):
        assert world.call(tool, order | more).code == "wrong_status"


def test_a_delivered_order_can_be_read_but_not_changed():
    """T5: there, a delivered order can be cancelled."""
    world = make_world()
    assert world.call("get_delivery_order_detail", {"order_id": "OD1"}).data["status"] == "delivered"
    assert world.call("cancel_delivery_order", {"order_id": "OD1"}).code == "wrong_status"
    assert world.call("modify_delivery_order", {"order_id": "OD1", "note": "x"}).code == "wrong_status"


def test_orders_are_searched_by_status_and_only_the_users_own():
    world = make_world()
    unpaid = world.call("create_delivery_order", noodle_order()).data["order_id"]

    def found(**status):
        return [o["order_id"] for o in world.call("search_delivery_orders", {"user_id": USER, **status}).data["orders"]]

    assert found() == [unpaid]
    assert found(status="paid") == ["OD2"]
    assert found(status="cancelled") == []
    assert world.call("search_delivery_orders", {"user_id": USER, "status": "canceled"}).code == "not_allowed"
