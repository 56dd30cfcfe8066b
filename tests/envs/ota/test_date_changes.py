"""Moving a flight or train order to another date: price difference, stock, and what may be moved at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.worlds import NIGHTS, PRICES, USER, environment, make_task, make_world

KINDS = ("flight", "train")
CHEAP, DEAR = NIGHTS


class Trip:
    """A paid order of seats on one date, in a fresh world."""

    def __init__(self, kind, date=CHEAP, quantity=2, rows=None):
        self.kind = kind
        self.world = make_world(make_task(rows), "ota")
        seat = f"{kind}_P_{NIGHTS.index(date)}"
        wish = {f"{kind}_id": f"{kind}_P", "seat_id": seat, "user_id": USER, "date": date, "quantity": quantity}
        self.order_id = self.world.call(f"create_{kind}_order", wish).data["order_id"]
        assert self.pay().ok

    def call(self, does, **arguments):
        return self.world.call(f"{does}_{self.kind}_order", {"order_id": self.order_id, **arguments})

    def pay(self):
        return self.call("pay")

    def move(self, date, user=USER):
        return self.call("modify", user_id=user, new_date=date)

    def cancel(self):
        return self.call("cancel", user_id=USER)

    @property
    def order(self):
        return self.world.call(f"get_{self.kind}_order_detail", {"order_id": self.order_id}).data

    @property
    def money(self):
        """Status, price, paid, due."""
        return tuple(self.order[key] for key in ("status", "total_price", "amount_paid", "amount_due"))

    @property
    def left(self):
        """Seats left on both dates."""
        info = self.world.call(f"get_ota_{self.kind}_info", {f"{self.kind}_id": f"{self.kind}_P"}).data
        return [product["quantity"] for product in info["products"]]


@pytest.mark.parametrize("kind", KINDS)
def test_a_dearer_date_keeps_what_was_paid_and_leaves_the_difference_due(kind):
    """T8: there, the whole paid order becomes unpaid, and cancelling it then refunds nothing."""
    trip = Trip(kind)
    assert trip.left == [1, 3]
    moved = trip.move(DEAR)
    assert (moved.data["amount_due"], moved.data["amount_refunded"]) == (80, 0)
    assert trip.money == ("paid", 280, 200, 80)
    assert trip.left == [3, 1]
    assert [(p["product_id"], p["date"], p["seat_type"]) for p in trip.order["products"]] == [
        (f"{kind}_P_1", DEAR, "Standard")
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_the_difference_is_settled_by_the_pay_tool_once(kind):
    trip = Trip(kind)
    trip.move(DEAR)
    assert trip.pay().ok
    assert trip.money == ("paid", 280, 280, 0)
    assert trip.pay().code == "nothing_due"
    assert trip.cancel().data["amount_refunded"] == 280


@pytest.mark.parametrize("kind", KINDS)
def test_cancelling_with_a_difference_due_refunds_what_was_paid(kind):
    """T8."""
    trip = Trip(kind)
    trip.move(DEAR)
    assert trip.cancel().data == {"status": "cancelled", "amount_refunded": 200}
    assert trip.left == [3, 3]


@pytest.mark.parametrize("kind", KINDS)
def test_a_cheaper_date_refunds_the_difference(kind):
    trip = Trip(kind, date=DEAR)
    moved = trip.move(CHEAP)
    assert (moved.data["amount_due"], moved.data["amount_refunded"]) == (0, 80)
    assert trip.money == ("paid", 200, 200, 0)
    assert trip.left == [1, 3]


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_date_changes_nothing_even_with_few_seats_left(kind):
    trip = Trip(kind, quantity=3)
    assert trip.left == [0, 3]
    assert trip.move(CHEAP).ok
    assert trip.money == ("paid", 300, 300, 0)
    assert trip.left == [0, 3]


@pytest.mark.parametrize("kind", KINDS)
def test_while_a_difference_is_due_the_order_is_not_moved_again(kind):
    trip = Trip(kind)
    trip.move(DEAR)
    assert trip.move(CHEAP).code == "amount_due"


@pytest.mark.parametrize("kind", KINDS)
def test_an_order_from_the_history_is_moved_too(kind):
    rows = environment()
    old = rows["orders"][f"O{kind}"]
    old["status"] = "paid"
    old["products"][0]["seat_type"] = "Standard"
    world = make_world(make_task(rows), "ota")
    arguments = {"order_id": f"O{kind}", "user_id": USER, "new_date": DEAR}
    moved = world.call(f"modify_{kind}_order", arguments)
    assert (moved.data["amount_paid"], moved.data["amount_due"]) == (20, PRICES[1] - 20)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("date", "user", "code"),
    [
        ("2025-06-30", USER, "no_such_seat_then"),
        ("tomorrow", USER, "not_date"),
        ("", USER, "not_date"),
        (DEAR, "U200", "wrong_user"),
        (DEAR, "", "wrong_user"),
    ],
)
def test_a_move_that_cannot_be_is_refused_and_changes_nothing(kind, date, user, code):
    trip = Trip(kind)
    before, changes = trip.order, len(trip.world.ledger.changes)
    assert trip.move(date, user).code == code
    assert trip.order == before
    assert len(trip.world.ledger.changes) == changes


@pytest.mark.parametrize("kind", KINDS)
def test_too_few_seats_on_the_new_date_are_refused(kind):
    rows = environment()
    rows[f"{kind}s"][f"{kind}_P"]["products"][1]["quantity"] = 1
    trip = Trip(kind, rows=rows)
    assert trip.move(DEAR).code == "not_enough_left"
    assert trip.left == [1, 1]


@pytest.mark.parametrize("kind", KINDS)
def test_another_type_of_seat_is_not_given_instead(kind):
    rows = environment()
    rows[f"{kind}s"][f"{kind}_P"]["products"][1]["seat_type"] = "First"
    assert Trip(kind, rows=rows).move(DEAR).code == "no_such_seat_then"


@pytest.mark.parametrize("kind", KINDS)
def test_only_a_paid_order_of_one_product_is_moved(kind):
    rows = environment()
    rows["orders"]["two"] = {**rows["orders"][f"O{kind}"], "order_id": "two", "status": "paid"}
    rows["orders"]["two"]["products"] = rows["orders"][f"O{kind}"]["products"] * 2
    world = make_world(make_task(rows), "ota")
    for order_id, code in (
        ("two", "several_products"),
        (f"O{kind}", "wrong_status"),
        ("Ohotel", "other_kind_of_order"),
        ("O404", "unknown_order"),
        (f"X{kind}", "order_of_another_user"),
    ):
        arguments = {"order_id": order_id, "user_id": USER, "new_date": DEAR}
        assert world.call(f"modify_{kind}_order", arguments).code == code
    trip = Trip(kind)
    trip.cancel()
    assert trip.move(DEAR).code == "wrong_status"


@given(
    kind=st.sampled_from(KINDS),
    first=st.sampled_from(NIGHTS),
    actions=st.lists(st.sampled_from(["pay", "cancel", *NIGHTS]), max_size=8),
)
def test_money_and_seats_add_up_whatever_is_done(kind, first, actions):
    trip = Trip(kind, date=first)
    balance = trip.money[2]
    for action in actions:
        due_before = trip.money[3]
        result = trip.move(action) if action in NIGHTS else getattr(trip, action)()
        if result.ok:
            balance += due_before if action == "pay" else -result.data["amount_refunded"]
        status, total, paid, due = trip.money
        assert paid == balance
        if status == "cancelled":
            assert (paid, due, trip.left) == (0, 0, [3, 3])
        else:
            assert paid + due == total
            assert sum(trip.left) == 4
