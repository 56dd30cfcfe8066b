"""In-store orders and their stock."""

import pytest
from support.worlds import USER, make_world


def buy(world, **changes):
    return world.call("create_instore_product_order", {"user_id": USER, "shop_id": "SH1", "product_id": "V1"} | changes)


def left(world, product_id="V1"):
    found = world.call("instore_product_search_recommend", {"keywords": ["massage"]}).data["products"]
    return next(one["quantity"] for one in found if one["product_id"] == product_id)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"shop_id": "ST1"}, "unknown_shop"),
        ({"product_id": "P1"}, "unknown_shop_product"),
        ({"product_id": "V3"}, "product_of_another_shop"),
        ({"quantity": 0}, "count_below_one"),
        ({"quantity": -1}, "count_below_one"),
        ({"quantity": 6}, "not_enough_left"),
        ({"product_id": "V2"}, "not_enough_left"),
        ({"quantity": 2**53}, "wrong_type"),
    ],
)
def test_an_order_that_is_not_in_order_is_refused(changes, code):
    """T6: there, stock is not looked at."""
    world = make_world()
    assert buy(world, **changes).code == code
    assert left(world) == 5


def test_ordering_takes_stock_and_cancelling_gives_it_back():
    """T2: there, stock is never given back."""
    world = make_world()
    order = buy(world, quantity=4).data
    assert (order["total_price"], order["status"], left(world)) == (200, "unpaid", 1)
    assert buy(world, quantity=2).code == "not_enough_left"
    assert buy(world).ok
    assert left(world) == 0
    assert world.call("pay_instore_order", {"order_id": order["order_id"]}).ok
    cancelled = world.call("instore_cancel_order", {"order_id": order["order_id"]}).data
    assert cancelled["amount_refunded"] == 200
    assert left(world) == 4
    assert world.call("instore_cancel_order", {"order_id": order["order_id"]}).code == "wrong_status"
    assert left(world) == 4


def test_a_consumed_order_is_not_cancelled():
    """T5."""
    world = make_world()
    assert world.call("instore_cancel_order", {"order_id": "OI1"}).code == "wrong_status"
    assert world.call("instore_cancel_order", {"order_id": "OI2"}).ok
    assert left(world) == 6, "an order from history gives its stock back too"


def test_labels_of_the_data_reach_no_result():
    """D7: "target" and "distraction" must never reach an agent."""
    world = make_world()
    for tool in ("instore_shop_search_recommend", "instore_product_search_recommend"):
        text = world.call(tool, {"keywords": ["spa"]}).text
        assert "target" not in text
        assert "distraction" not in text
