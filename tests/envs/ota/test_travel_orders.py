"""Travel orders: what can be bought, what stock and money do, and which order a tool takes."""

import pytest
from support.worlds import NIGHTS, PRICES, USER, environment, make_task, make_world

KINDS = ("hotel", "attraction", "flight", "train")
PRODUCT = {"hotel": "room_id", "attraction": "ticket_id", "flight": "seat_id", "train": "seat_id"}


@pytest.fixture
def world():
    return make_world(make_task(), "ota")


def wish(kind, **changes):
    """Return the arguments that order one product of that kind for the first night."""
    out = {f"{kind}_id": f"{kind}_P", PRODUCT[kind]: f"{kind}_P_0", "user_id": USER}
    if kind != "hotel":
        out |= {"date": NIGHTS[0], "quantity": 1}
    return out | changes


def order(world, kind, **changes):
    result = world.call(f"create_{kind}_order", wish(kind, **changes))
    assert result.ok, result.text
    return result.data["order_id"]


def left(world, kind, date=NIGHTS[0]):
    products = world.call(f"get_ota_{kind}_info", {f"{kind}_id": f"{kind}_P"}).data["products"]
    return next(product["quantity"] for product in products if product["date"] == date)


def detail(world, kind, order_id):
    return world.call(f"get_{kind}_order_detail", {"order_id": order_id}).data


@pytest.mark.parametrize("kind", KINDS)
def test_an_order_takes_stock_and_cancelling_gives_it_back_with_the_money(world, kind):
    """T2: there, cancelling gives no stock back."""
    made = order(world, kind)
    assert left(world, kind) == 2
    assert world.call(f"pay_{kind}_order", {"order_id": made}).data["amount_paid"] == PRICES[0]
    cancelled = world.call(f"cancel_{kind}_order", {"order_id": made, "user_id": USER})
    assert cancelled.data == {"status": "cancelled", "amount_refunded": PRICES[0]}
    assert left(world, kind) == 3
    assert (detail(world, kind, made)["amount_paid"], detail(world, kind, made)["amount_due"]) == (0, 0)
    assert world.call(f"cancel_{kind}_order", {"order_id": made, "user_id": USER}).code == "wrong_status"
    assert left(world, kind) == 3


@pytest.mark.parametrize("kind", KINDS)
def test_cancelling_an_unpaid_order_refunds_nothing(world, kind):
    made = order(world, kind)
    cancelled = world.call(f"cancel_{kind}_order", {"order_id": made, "user_id": USER})
    assert cancelled.data["amount_refunded"] == 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("other", KINDS)
@pytest.mark.parametrize("does", ["pay", "cancel"])
def test_an_order_is_paid_and_cancelled_with_the_tool_of_its_kind_alone(world, kind, other, does):
    """T2: there, paying with another kind's tool works."""
    made = order(world, kind)
    arguments = {"order_id": made} | ({"user_id": USER} if does == "cancel" else {})
    result = world.call(f"{does}_{other}_order", arguments)
    assert result.code == ("ok" if kind == other else "other_kind_of_order")


@pytest.mark.parametrize("kind", KINDS)
def test_another_users_order_is_neither_shown_paid_nor_cancelled(world, kind):
    """T2: there, cancelling does not check the owner."""
    theirs = f"X{kind}"
    assert world.call(f"cancel_{kind}_order", {"order_id": theirs, "user_id": USER}).code == "order_of_another_user"
    assert world.call(f"pay_{kind}_order", {"order_id": theirs}).code == "order_of_another_user"
    assert world.call(f"get_{kind}_order_detail", {"order_id": theirs}).code == "order_of_another_user"
    listed = world.call(f"search_{kind}_order", {"user_id": USER, "status": None}).data["orders"]
    assert theirs not in [one["order_id"] for one in listed]


@pytest.mark.parametrize(
    ("kind", "changes", "code"),
    [
        ("hotel", {"room_id": "R404"}, "unknown_hotel_product"),
        ("hotel", {"hotel_id": "H404"}, "unknown_hotel"),
        ("hotel", {"hotel_id": "flight_P"}, "unknown_hotel"),
        ("hotel", {"room_id": "attraction_P_0"}, "unknown_hotel_product"),
        ("hotel", {"user_id": "U200"}, "wrong_user"),
        ("flight", {"seat_id": "train_P_0"}, "unknown_flight_product"),
        ("train", {"date": "2025-06-30"}, "not_on_that_date"),
        ("train", {"date": NIGHTS[1]}, "not_on_that_date"),
        ("train", {"date": "21 June"}, "not_date"),
        ("attraction", {"quantity": 0}, "count_below_one"),
        ("attraction", {"quantity": -3}, "count_below_one"),
        ("attraction", {"quantity": 4}, "not_enough_left"),
        ("attraction", {"quantity": "2"}, "wrong_type"),
        ("attraction", {"quantity": True}, "wrong_type"),
    ],
)
def test_what_cannot_be_bought_is_refused_and_takes_no_stock(world, kind, changes, code):
    """T3: there, a hotel order for an unknown room succeeds, empty and free."""
    assert world.call(f"create_{kind}_order", wish(kind, **changes)).code == code
    assert left(world, kind) == 3
    assert world.ledger.changes == []


def test_a_room_of_another_hotel_is_refused():
    """T3."""
    rows = environment()
    hotel = rows["hotels"]["hotel_P"]
    room = {**hotel["products"][0], "product_id": "Q_0"}
    rows["hotels"]["hotel_Q"] = {**hotel, "hotel_id": "hotel_Q", "products": [room]}
    world = make_world(make_task(rows), "ota")
    assert world.call("create_hotel_order", wish("hotel", room_id="Q_0")).code == "product_of_another_provider"
    assert world.call("create_hotel_order", wish("hotel", hotel_id="hotel_Q", room_id="Q_0")).ok


def test_the_last_room_is_sold_once(world):
    for _ in range(3):
        order(world, "hotel")
    assert world.call("create_hotel_order", wish("hotel")).code == "not_enough_left"
    assert left(world, "hotel") == 0
    assert left(world, "hotel", NIGHTS[1]) == 3


@pytest.mark.parametrize("kind", KINDS)
def test_orders_are_found_by_status_and_date_the_old_ones_too(world, kind):
    """T9: there, a date never matches an order from the history."""
    made = order(world, kind)
    status_before = "paid" if kind in ("hotel", "attraction") else "unpaid"

    def found(**arguments):
        result = world.call(f"search_{kind}_order", {"user_id": USER, **arguments})
        return [one["order_id"] for one in result.data["orders"]]

    assert found(status=None) == [f"O{kind}", made]
    assert found(date=NIGHTS[0], status=None) == [f"O{kind}", made]
    assert found(date=NIGHTS[1], status=None) == []
    assert found(status="unpaid") == ([made] if status_before == "paid" else [f"O{kind}", made])
    assert found() == ([f"O{kind}"] if status_before == "paid" else []), "paid is the default"
    assert world.call(f"search_{kind}_order", {"user_id": USER, "date": "06/21"}).code == "not_date"
    assert world.call(f"search_{kind}_order", {"user_id": USER, "status": "lost"}).code == "not_allowed"


@pytest.mark.parametrize("kind", ["hotel", "attraction"])
def test_a_paid_order_is_not_paid_again(world, kind):
    made = order(world, kind)
    assert world.call(f"pay_{kind}_order", {"order_id": made}).ok
    assert world.call(f"pay_{kind}_order", {"order_id": made}).code == "wrong_status"
