"""Table bookings and visit reservations."""

import pytest
from support.worlds import LATER, PAST, TIME, USER, make_world

BOOK = {"user_id": USER, "shop_id": "SH1", "time": LATER, "customer_count": 3}
VISITS = ("instore_book", "instore_reservation")


@pytest.mark.parametrize("tool", VISITS)
@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"time": PAST}, "time_past"),
        ({"time": "2025-06-21"}, "not_time"),
        ({"time": ""}, "not_time"),
        ({"customer_count": 0}, "no_people"),
        ({"shop_id": "ST1"}, "unknown_shop"),
    ],
)
def test_a_visit_that_is_not_in_order_is_refused(tool, changes, code):
    """T6: there, a past time is accepted."""
    world = make_world()
    assert world.call(tool, BOOK | changes).code == code
    assert world.ledger.changes == []


@pytest.mark.parametrize("tool", VISITS)
def test_a_visit_may_be_at_this_very_second(tool):
    assert make_world().call(tool, BOOK | {"time": TIME}).ok


def test_only_shops_that_support_it_are_booked_or_reserved():
    """T6: there, enable_reservation is not looked at."""
    world = make_world()
    assert world.call("instore_book", BOOK | {"shop_id": "SH3"}).code == "no_booking_there"
    assert world.call("instore_reservation", BOOK | {"shop_id": "SH2"}).code == "no_reservation_there"


def test_a_booking_with_a_fee_has_to_be_paid_and_one_without_is_paid_at_once():
    world = make_world()
    booking = world.call("instore_book", BOOK).data
    assert (booking["status"], booking["book_price"], booking["customer_count"]) == ("unpaid", 30, 3)
    free = world.call("instore_book", BOOK | {"shop_id": "SH2"}).data
    assert (free["status"], free["book_price"]) == ("paid", 0)
    assert world.call("pay_instore_book", {"book_id": free["book_id"]}).code == "wrong_status"
    assert world.call("pay_instore_book", {"book_id": booking["book_id"]}).data["amount_paid"] == 30
    assert world.call("pay_instore_book", {"book_id": booking["book_id"]}).code == "wrong_status"


@pytest.mark.parametrize("paid", [False, True])
def test_cancelling_a_booking_refunds_a_fee_that_was_paid(paid):
    world = make_world()
    book_id = world.call("instore_book", BOOK).data["book_id"]
    if paid:
        world.call("pay_instore_book", {"book_id": book_id})
    cancelled = world.call("instore_cancel_book", {"book_id": book_id}).data
    assert cancelled == {"book_id": book_id, "status": "cancelled", "amount_refunded": 30 if paid else 0}
    assert world.call("instore_cancel_book", {"book_id": book_id}).code == "wrong_status"


def test_changing_a_reservation_without_a_head_count_keeps_it():
    """T6: there, it becomes 0."""
    world = make_world()
    one = world.call("instore_reservation", BOOK).data
    change = {"reservation_id": one["reservation_id"], "time": "2025-06-20 19:00:00"}
    after = world.call("instore_modify_reservation", change).data
    assert (after["reservation_time"], after["customer_count"]) == ("2025-06-20 19:00:00", 3)
    assert world.call("instore_modify_reservation", change | {"customer_count": 5}).data["customer_count"] == 5
    assert world.call("instore_modify_reservation", change | {"customer_count": -1}).code == "negative_people"
    assert world.call("instore_modify_reservation", change | {"time": PAST}).code == "time_past"


def test_a_consumed_or_cancelled_reservation_stays_as_it_is():
    world = make_world()
    change = {"reservation_id": "RS2", "time": LATER}
    assert world.call("instore_modify_reservation", change).code == "wrong_status"
    assert world.call("instore_cancel_reservation", {"reservation_id": "RS2"}).code == "wrong_status"
    mine = {"reservation_id": world.call("instore_reservation", BOOK).data["reservation_id"]}
    assert world.call("instore_cancel_reservation", mine).ok
    assert world.call("instore_cancel_reservation", mine).code == "wrong_status"


@pytest.mark.parametrize(("kind", "make"), [("book", "instore_book"), ("reservation", "instore_reservation")])
def test_visits_are_found_one_by_one_or_all_and_only_the_users_own(kind, make):
    search, every, part, key = f"search_instore_{kind}", f"get_instore_{kind}s", f"{kind}s", f"{kind}_id"
    world = make_world()
    made = world.call(make, BOOK).data[key]
    before = [one[key] for one in make_world().call(every, {"user_id": USER}).data[part]]
    assert len(before) == 1, "the other user's is left out"
    assert [one[key] for one in world.call(every, {"user_id": USER}).data[part]] == [*before, made]
    assert world.call(search, {"user_id": USER}).data == world.call(every, {"user_id": USER}).data
    assert [one[key] for one in world.call(search, {"user_id": USER, key: made}).data[part]] == [made]
    assert not world.call(search, {"user_id": USER, key: "?"}).ok
