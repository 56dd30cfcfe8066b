"""Every kind of check, with what meets it and what misses it by one thing."""

import json
from dataclasses import replace

import pytest
from pydantic import ValidationError
from support.episodes import make_booking, make_order, make_reservation

from vitagym.dialogue.transcript import Role, ToolCall, Turn
from vitagym.rewards.checks import AbsenceCheck, RecordCheck, TalkCheck
from vitagym.rewards.phrases import Said
from vitagym.tasks.checks import Check
from vitagym.tasks.task import Rubric
from vitagym.tools.results import Result
from vitagym.world.entities import Place
from vitagym.world.records import OrderLine


def line(product_id, quantity=1, date=None, **details):
    return OrderLine(product_id=product_id, price=10, quantity=quantity, date=date, details=tuple(details.items()))


def order(*lines, **fields):
    return make_order(**({"lines": lines} if lines else {}), **fields)


ON_RECORDS = [
    (
        {"kind": "provider", "record": "delivery", "ids": ["S1", "S2"]},
        [order(provider_id="S2")],
        [order(provider_id="S3"), order(kind="instore")],
    ),
    (
        {"kind": "provider", "record": "book", "ids": ["S1"]},
        [make_booking()],
        [make_booking(shop_id="S2"), make_reservation()],
    ),
    (
        {"kind": "includes", "record": "delivery", "ids": ["P1", "P2"], "quantity": 3},
        [order(line("P1", 3)), order(line("P1", 1), line("P2", 2), line("P9"))],
        [order(line("P1", 2)), order(line("P1", 4)), order(line("P9", 3))],
    ),
    (
        {"kind": "includes", "record": "delivery", "ids": ["P1"], "at_least": 2},
        [order(line("P1", 3))],
        [order(line("P1", 1))],
    ),
    (
        {"kind": "includes", "record": "delivery", "ids": ["P1"], "none_of": ["P2", "P3"]},
        [order(line("P1", 2)), order(line("P1"), line("P9"))],
        [order(line("P1", 2), line("P3")), order(line("P2")), order(line("P9"))],
    ),
    (
        {"kind": "only_products", "record": "delivery", "ids": ["P1", "P2"]},
        [order(line("P2"))],
        [order(line("P1"), line("P3")), order(lines=())],
    ),
    (
        {"kind": "delivered_to", "longitude": 102.7, "latitude": 25.0, "within_m": 50},
        [order(location=Place("Home, gate 2", 102.7001, 25.0))],
        [order(location=Place("Home", 102.701, 25.0)), order(location=None)],
    ),
    (
        {"kind": "delivered_between", "earliest": "2025-07-25 12:00:00", "latest": "2025-07-25 12:30:00"},
        [order(delivery_time="2025-07-25 12:00:00"), order(delivery_time="2025-07-25 12:30:00")],
        [order(delivery_time=t) for t in ("2025-07-25 11:59:59", "2025-07-25 12:30:01", "2025-07-26 12:10:00", "")],
    ),
    (
        {"kind": "delivered_between", "latest": "2025-07-25 12:30:00"},
        [order(delivery_time="2025-07-25 09:00:00")],
        [order(delivery_time="2025-07-25 12:30:01"), order(delivery_time="")],
    ),
    (
        {
            "kind": "visit_between",
            "record": "reservation",
            "earliest": "2025-07-26 18:00:00",
            "latest": "2025-07-26 18:00:00",
        },
        [make_reservation(time="2025-07-26 18:00:00")],
        [make_reservation(time="2025-07-26 18:00:01"), make_booking(time="2025-07-26 18:00:00")],
    ),
    (
        {"kind": "people", "record": "book", "count": 3},
        [make_booking(customer_count=3)],
        [make_booking(customer_count=2)],
    ),
    (
        {"kind": "product_date", "record": "flight", "dates": ["2025-08-01", "2025-08-02"]},
        [order(line("P1", date="2025-08-02"), kind="flight")],
        [
            order(line("P1", date="2025-08-03"), kind="flight"),
            order(line("P1"), kind="flight"),
            order(kind="flight", lines=()),
        ],
    ),
    (
        {"kind": "quantity", "record": "train", "count": 3},
        [order(line("P1", 2), line("P2"), kind="train")],
        [order(line("P1", 2), kind="train")],
    ),
    (
        {"kind": "note_says", "groups": [["no spice", "not spicy", "不辣"], ["chopsticks"]]},
        [order(note="Not  SPICY, two chopsticks please"), order(note="不辣，chopsticks")],
        [order(note="Not spicy"), order(note="chopsticks"), order()],
    ),
    (
        {"kind": "attributes", "ids": ["P1"], "groups": [["large", "大份"]]},
        [order(line("P1", attributes="Large; iced"))],
        [order(line("P1", attributes="small")), order(line("P2", attributes="large")), order(line("P1"))],
    ),
    (
        {"kind": "attributes", "groups": [["large"]]},
        [order(line("P2", attributes=["large"]))],
        [order(line("P2", size="large"))],
    ),
    (
        {"kind": "status", "record": "delivery", "meaning": "paid"},
        [order(status=s) for s in ("paid", "processed", "in_progress", "delivered")],
        [order(), order(status="cancelled"), order(status="paid", paid=10.0)],
    ),
    (
        {"kind": "status", "record": "reservation", "meaning": "placed"},
        [make_reservation()],
        [make_reservation(status="cancelled")],
    ),
    (
        {"kind": "status", "record": "book", "meaning": "cancelled"},
        [make_booking(status="cancelled")],
        [make_booking()],
    ),
    (
        {"kind": "total_at_most", "record": "delivery", "yuan": 30},
        [order(total_price=30.0)],
        [order(total_price=30.01)],
    ),
    ({"kind": "total_at_most", "record": "book", "yuan": 30}, [make_booking(price=30.0)], [make_booking(price=31.0)]),
    ({"kind": "existing", "record": "book", "id": "B7"}, [make_booking(id="B7")], [make_booking(id="B8")]),
    (
        {"kind": "changed_to", "record": "reservation", "time": "2025-07-26 19:00:00"},
        [make_reservation(time="2025-07-26 19:00:00")],
        [make_reservation()],
    ),
    (
        {"kind": "changed_to", "record": "train", "time": "2025-07-27"},
        [order(line("P1", date="2025-07-27"), kind="train")],
        [order(line("P1", date="2025-07-26"), kind="train")],
    ),
]

ON_TALK = [
    (
        {"kind": "told", "groups": [["25 minutes"], ["Sunny"]]},
        ["Sunny takes 25分钟."],
        ["Sunny takes a while.", "25 minutes"],
    ),
    (
        {"kind": "told_none", "groups": [["gluten-free"]]},
        ["Sorry, there is no gluten-free set."],
        ["The gluten-free set is 3 yuan.", "There is none."],
    ),
    ({"kind": "told_none"}, ["没有这样的店。"], ["有一家。"]),
    ({"kind": "asked_before", "groups": [["budget"]]}, ["What is your budget?"], ["Your budget is 3 yuan.", "Why?"]),
]

CALL = ToolCall("c1", "weather", {}, "{}")
LOOKED_UP = Turn(3, Role.TOOL, '{"category": "rain"}', call=CALL, result=Result.accepted({"category": "rain"}))
REFUSED = replace(LOOKED_UP, result=Result(False, None, "No.", "unknown_place"))
ELSEWHERE = replace(LOOKED_UP, call=replace(CALL, name="get_nearby"))
ON_CALLS = [
    ({"kind": "looked_up", "tools": ["weather"]}, [(LOOKED_UP, False)], [(LOOKED_UP, True)]),
    ({"kind": "looked_up", "tools": ["weather"], "late": True}, [(LOOKED_UP, True)], [(REFUSED, True)]),
    (
        {"kind": "looked_up", "tools": ["weather"], "groups": [["rain"]]},
        [(LOOKED_UP, False)],
        [(replace(LOOKED_UP, text="{}"), False)],
    ),
    ({"kind": "looked_up", "tools": ["get_nearby"]}, [(ELSEWHERE, False)], [(LOOKED_UP, False)]),
]
BEFORE = (Turn(0, Role.USER, "I want Sunny Noodles."), replace(LOOKED_UP, text='{"price": 25}'))
ECHO = replace(BEFORE[1], call=replace(CALL, raw='{"note": "25 yuan"}'))
ON_TALK_AND_BEFORE = [
    ({"kind": "told", "groups": [["25 yuan"]], "found": True}, [("¥25", BEFORE)], [("¥25", ()), ("¥26", BEFORE)]),
    (
        {"kind": "not_invented", "wordings": ["25 yuan", "Sunny Noodles"]},
        [("Sunny Noodles, ¥25", BEFORE), ("¥26", ())],
        [("¥25", BEFORE[:1]), ("¥25", (ECHO,))],
    ),
]

RECORDS = {
    r.id: r for r in (order(), order(id="O2", kind="hotel", total_price=40.0), order(id="O3", status="cancelled"))
}
ON_ABSENCE = [
    (
        {"kind": "no_other", "records": ["delivery"], "at_most": 1},
        [(RECORDS, {})],
        [(RECORDS | {"O9": order(id="O9")}, {})],
    ),
    ({"kind": "no_other", "at_most": 2}, [(RECORDS, {})], [(RECORDS | {"B1": make_booking()}, {})]),
    (
        {"kind": "no_other", "at_most": 2, "pieces": 5},
        [({"O1": order(line("P1", 5)), "B1": make_booking()}, {})],
        [({"O1": order(line("P1", 6))}, {}), ({"O1": order(line("P1", 5)), "O2": order(line("P2"))}, {})],
    ),
    ({"kind": "none_of_kind", "records": ["book"]}, [(RECORDS, {})], [(RECORDS | {"B1": make_booking()}, {})]),
    (
        {"kind": "untouched", "id": "B7"},
        [({}, {}), ({}, {"B8": make_booking(id="B8")})],
        [({}, {"B7": make_booking(id="B7")})],
    ),
    ({"kind": "untouched"}, [(RECORDS, {})], [({}, {"B7": make_booking(id="B7")})]),
    (
        {"kind": "spent_at_most", "yuan": 70},
        [(RECORDS, {})],
        [(RECORDS | {"O9": order(id="O9", total_price=0.01)}, {})],
    ),
    (
        {"kind": "spent_at_most", "records": ["hotel"], "yuan": 40},
        [(RECORDS, {})],
        [(RECORDS | {"O9": order(id="O9", kind="hotel", total_price=1.0)}, {})],
    ),
]

ALL = [*ON_RECORDS, *ON_TALK, *ON_CALLS, *ON_TALK_AND_BEFORE, *ON_ABSENCE]


def read(check):
    return Rubric(id="r", sentences={"en": "-"}, check=check).check


@pytest.mark.parametrize(("check", "meets", "misses"), ON_RECORDS)
def test_on_records(check, meets, misses):
    read_check = read(check)
    assert isinstance(read_check, RecordCheck)
    assert [r for r in meets if not read_check.on(r).met] == []
    assert [r for r in misses if read_check.on(r).met] == []


@pytest.mark.parametrize(("check", "meets", "misses"), ON_TALK)
def test_on_talk(check, meets, misses):
    read_check = read(check)
    assert isinstance(read_check, TalkCheck)
    assert [t for t in meets if not read_check.verdict(Said(t)).met] == []
    assert [t for t in misses if read_check.verdict(Said(t)).met] == []


@pytest.mark.parametrize(("check", "meets", "misses"), ON_TALK_AND_BEFORE)
def test_on_talk_and_what_came_before(check, meets, misses):
    read_check = read(check)
    assert [case for case in meets if not read_check.verdict(Said(case[0], before=case[1])).met] == []
    assert [case for case in misses if read_check.verdict(Said(case[0], before=case[1])).met] == []


@pytest.mark.parametrize(("check", "meets", "misses"), ON_CALLS)
def test_on_calls(check, meets, misses):
    read_check = read(check)
    assert [case for case in meets if not read_check.verdict(*case).met] == []
    assert [case for case in misses if read_check.verdict(*case).met] == []


@pytest.mark.parametrize(("check", "meets", "misses"), ON_ABSENCE)
def test_on_absence(check, meets, misses):
    read_check = read(check)
    assert isinstance(read_check, AbsenceCheck)
    assert [case for case in meets if not read_check.verdict(*case).met] == []
    assert [case for case in misses if read_check.verdict(*case).met] == []


def test_every_kind_has_an_example():
    assert {check["kind"] for check, _, _ in ALL} == set(Check.kinds)


@pytest.mark.parametrize("check", [check for check, _, _ in ALL])
def test_checks_survive_json(check):
    rubric = Rubric(id="r", sentences={"en": "-"}, check=check)
    assert Rubric.model_validate(json.loads(rubric.model_dump_json())) == rubric


@pytest.mark.parametrize(
    "check",
    [
        {"kind": "people", "record": "hotel", "count": 2},
        {"kind": "delivered_between"},
        {"kind": "delivered_between", "latest": "12:30"},
        {"kind": "delivered_to", "record": "hotel", "longitude": 1, "latitude": 1},
        {"kind": "product_date", "record": "hotel", "dates": ["July 1"]},
        {"kind": "changed_to", "record": "book", "time": "2025-07-27"},
        {"kind": "told", "groups": []},
        {"kind": "provider", "record": "shop", "ids": ["S1"]},
        {"kind": "quantity", "record": "train", "count": 0},
        {"kind": "no_other", "at_most": 1, "atmost": 1},
    ],
)
def test_checks_that_make_no_sense_cannot_be_made(check):
    with pytest.raises(ValidationError):
        read(check)


def test_an_unknown_kind_is_named_with_the_nearest():
    with pytest.raises(ValidationError, match="Did you mean 'includes'"):
        read({"kind": "include"})
