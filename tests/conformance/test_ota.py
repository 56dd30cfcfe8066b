"""Recorded public calls on a small travel world: ours agrees, or a named public fault explains why it does not."""

import pytest
from conformance.compare import Case, Replay, Rule, Tally, load

from vitagym.domains import toolset
from vitagym.language import Language
from vitagym.tasks.task import Persona, Profile, Task
from vitagym.world.records import Status
from vitagym.world.world import World

NAME = "ota_handmade"
SEARCHES = {
    "hotel_search_recommand": "city_name",
    "attractions_search_recommend": "city_name",
    "flight_search_recommend": "departure",
    "train_ticket_search": "departure",
}
CITIES = ("Qinghe", "Lanwei", "Yunpo")


def repaired(case: Case) -> dict[str, list[str]]:
    """Return fault -> the recorded ids once this fault and those before it are put right."""
    catalogue = case.world.catalogue
    ids, steps = case.recorded_ids, {}
    steps["T4"] = ids = list(dict.fromkeys(ids)) if case.tool == "train_ticket_search" else ids
    twins = {"HT002": ["HT001", "HT002"]}
    seen = dict.fromkeys(twins, 0)
    distinct = []
    for one in ids:
        distinct.append(twins[one][seen[one]] if one in twins else one)
        seen[one] = seen.get(one, 0) + 1
    steps["T1"] = ids = distinct
    wanted = [next(c for c in CITIES if c.lower() in case.arguments[name].lower()) for name in _ends(case)]
    steps["T10"] = [
        one
        for one in ids
        if all(city in place.address for city, place in zip(wanted, catalogue.providers[one].places, strict=True))
    ]
    return steps


def explained_by(code):
    def applies(case: Case) -> bool:
        if case.tool not in SEARCHES or not (case.result.ok and case.recorded_ok):
            return False
        steps = repaired(case)
        before = case.recorded_ids
        for fault, ids in steps.items():
            if fault == code:
                return ids != before and steps["T10"] == case.ids
            before = ids
        return False

    return applies


def _ends(case):
    return ("departure", "destination") if "departure" in case.arguments else ("city_name",)


def pays_another_kind(case):
    return case.recorded_ok and case.tool.startswith("pay_") and case.result.code == "other_kind_of_order"


def cancels_anothers_order(case):
    return case.recorded_ok and case.tool.startswith("cancel_") and case.result.code == "order_of_another_user"


def orders_unknown_room(case):
    refused = ("unknown_hotel_product", "product_of_another_provider")
    return case.recorded_ok and case.tool == "create_hotel_order" and case.result.code in refused


def empty_was_an_error(case):
    empty = case.result.ok and case.result.data.get("orders") == []
    return not case.recorded_ok and case.tool.startswith("search_") and bool(empty)


def dated_search_finds_history(case):
    extra = set(case.ids) - set(case.recorded_ids)
    return case.result.ok and case.arguments.get("date") is not None and "90000001O01" in extra


def city_unknown(case):
    return case.recorded_ok and case.recorded_ids == [] and case.result.code == "no_such_city"


RULES = (
    Rule("T4", explained_by("T4")),
    Rule("T1", explained_by("T1")),
    Rule("T10", explained_by("T10")),
    Rule("T10", city_unknown),
    Rule("T2", pays_another_kind),
    Rule("T2", cancels_anothers_order),
    Rule("T3", orders_unknown_room),
    Rule("T7", empty_was_an_error),
    Rule("T9", dated_search_finds_history),
)


@pytest.fixture(scope="module")
def replay(official):
    environment = load(official, "world_ota.json.gz")
    user = environment["user_id"]
    task = Task(
        id=NAME,
        split="public",
        domains=("ota",),
        language=Language.EN,
        time=environment["time"],
        profile=Profile(user_id=user, public={}, hidden={}),
        persona=Persona.NEUTRAL,
        instruction="",
        environment=environment,
    )
    tally = Tally()
    replay = Replay(NAME, World(task.catalogue, toolset(("ota",))), RULES, tally)
    replay.run(load(official, "golden_ota.json.gz")[NAME]["calls"])
    return replay


def test_every_differing_call_is_a_public_fault(replay, capsys):
    with capsys.disabled():
        print("\n" + replay.tally.table("travel"))
    assert replay.tally.left_over == []
    assert replay.tally.calls == 287


def test_the_end_state_differs_only_by_public_faults(replay, official):
    recorded = load(official, "golden_ota.json.gz")[NAME]["final_state"]
    ledger = replay.world.ledger
    ours = {replay.named(order.id): order for order in ledger.orders.values()}
    assert {name for name in recorded["orders"] if name not in ours} == {"$order2", "$order3"}
    assert {replay.odd[name] for name in ("$order2", "$order3")} == {"T3"}
    for name, order in ours.items():
        expected = recorded["orders"][name]
        data = order.data()
        for key in ("order_type", "user_id", "store_id", "total_price", "create_time", "products"):
            assert data[key] == expected[key], (name, key)
        if data["status"] != expected["status"]:
            assert replay.odd[name] == "T2", name


def test_stock_is_as_at_the_start_once_everything_is_cancelled(replay, official):
    """There, cancelling keeps the stock (T2); the recorded figure is what was sold or moved and never came back."""
    recorded = load(official, "golden_ota.json.gz")[NAME]["final_state"]["inventory"]
    ledger, catalogue = replay.world.ledger, replay.world.catalogue
    cancelled = {}
    for order in ledger.orders.values():
        for line in order.lines if order.status == Status.CANCELLED else ():
            cancelled[line.product_id] = cancelled.get(line.product_id, 0) + line.quantity
    for provider_id, rows in recorded.items():
        for product, (product_id, left_there) in zip(catalogue.providers[provider_id].products, rows, strict=True):
            assert ledger.stock(product) == left_there + cancelled.get(product_id, 0), product_id
