"""Which public fault explains a call on which ours differs on purpose; rules look at what differs, not at labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from conformance.compare import Case, FieldDifference, Replay, Rule


def refused_here(*codes: str, argument: Callable[[Any], bool] | None = None) -> Callable[[Case], bool]:
    """Explain a call that was accepted there and is refused here with one of some codes."""

    def applies(case: Case) -> bool:
        if not case.recorded_ok or case.result.code not in codes:
            return False
        return argument is None or any(argument(value) for value in case.arguments.values())

    return applies


def closed_record(case: Case) -> bool:
    """Explain changing or cancelling what was delivered, consumed or cancelled (not: paying it)."""
    closed = {"delivered", "consumed", "cancelled"}
    return (
        case.recorded_ok
        and case.result.code == "wrong_status"
        and case.result.values["status"] in closed
        and not case.tool.startswith("pay_")
    )


def same_text_collapsed(text_of: Callable[[Case, str], str]) -> Callable[[Case], bool]:
    """Explain a search that lists one entry twice and another never, both with the same searchable text."""

    def applies(case: Case) -> bool:
        if not (case.recorded_ok and case.result.ok) or sorted(case.ids) == sorted(case.recorded_ids):
            return False
        return [text_of(case, one) for one in case.ids] == [text_of(case, one) for one in case.recorded_ids]

    return applies


def shared_id_hidden(case: Case) -> bool:
    """Explain a search in which, of two products with the same id, only the one stored last is listed."""
    if not (case.recorded_ok and case.result.ok and case.tool == "instore_product_search_recommend"):
        return False
    last = {product.id: shop.id for shop in case.world.catalogue.of_kind("shop").values() for product in shop.products}
    pairs = zip(case.ids[::2], case.ids[1::2], strict=True)
    return case.recorded_ids == [one for shop, product in pairs if last[product] == shop for one in (shop, product)]


def bookings_missing(case: Case) -> bool:
    """Explain a list of all orders that ends, here, with the bookings and reservations too."""
    if case.tool != "get_user_all_orders" or not case.result.ok:
        return False
    visits = [*case.result.data["books"], *case.result.data["reservations"]]
    shown = len(case.ids) - len(case.recorded_ids)
    return case.ids[: len(case.recorded_ids)] == case.recorded_ids and shown == 2 * len(visits) > 0


@dataclass
class DataFaults:
    """What was repaired in the data of one task: ids by which the public implementation still goes."""

    keys: dict[str, str] = field(default_factory=dict)
    """Either id of an entry whose key differs from its own id -> one name for both (D1)."""
    owners: set[str] = field(default_factory=set)
    """Ids of the stores under which, and as whose, products are listed whose store id is not their store's (D2)."""

    @classmethod
    def of(cls, raw: dict[str, Any]) -> DataFaults:
        """Return the faults of a raw public task."""
        found = cls()
        world = raw["environment"]
        for field_name, id_key in (("stores", "store_id"), ("shops", "shop_id"), ("orders", "order_id")):
            for key, row in world.get(field_name, {}).items():
                if row[id_key] != key:
                    found.keys |= {key: key, row[id_key]: key}
                own = {key, row[id_key]}
                for product in row.get("products", ()) if field_name != "orders" else ():
                    if product[id_key] not in own:
                        found.owners |= {key, product[id_key]}
        return found

    def another_key(self, case: Case) -> bool:
        """Explain a call that goes by the other of two ids of the same entry."""
        if not self.keys:
            return False
        named = {value for value in case.arguments.values() if isinstance(value, str)}
        if not case.same_acceptance:
            return bool(self.keys.keys() & (named | set(case.recorded_ids)))
        return [self.keys.get(one, one) for one in case.ids] == [self.keys.get(one, one) for one in case.recorded_ids]

    def another_store(self, case: Case) -> bool:
        """Explain a product that is listed under a store that is not its own."""
        if not self.owners or not (case.recorded_ok and case.result.ok):
            return False
        ours, recorded = ([one for one in ids if one not in self.owners] for ids in (case.ids, case.recorded_ids))
        return ours == recorded


def delivery_text(case: Case, entity_id: str) -> str:
    """Return the searchable text of a store or a delivery product; an id of the other kind counts as its text."""
    catalogue = case.world.catalogue
    if case.tool == "delivery_product_search_recommand":
        product = catalogue.product("store", entity_id)
        data = {} if product is None else product.data
        return f"{data['store_name']} {data['name']} {data['tags']}" if data else ""
    store = catalogue.of_kind("store").get(entity_id)
    return entity_id if store is None else f"{store.name}{store.data['tags']}"


def instore_text(case: Case, entity_id: str) -> str:
    """Return the searchable text of a shop or its product; the shop of a product counts as nothing."""
    catalogue = case.world.catalogue
    if case.tool == "instore_product_search_recommend":
        product = catalogue.product("shop", entity_id)
        return "" if product is None else f"{product.name} {product.data['tags']}"
    shop = catalogue.of_kind("shop").get(entity_id)
    return entity_id if shop is None else f"{shop.name} {shop.data['tags']}"


def is_text(value: Any) -> bool:
    """Whether a value is a string."""
    return isinstance(value, str)


def common_rules(faults: DataFaults) -> list[Rule]:
    """Return the rules that hold in every domain."""
    return [
        Rule("T15", refused_here("wrong_type", argument=is_text)),
        Rule("T14", refused_here("not_allowed")),
        Rule("T5", closed_record),
        Rule("T7", bookings_missing),
        Rule("D1", faults.another_key),
        Rule("D2", faults.another_store),
    ]


def delivery_rules(faults: DataFaults) -> list[Rule]:
    """Return the rules of the delivery domain."""
    return [
        *common_rules(faults),
        Rule("T1", same_text_collapsed(delivery_text)),
        Rule("T5", refused_here("no_product", "repeated_product", "product_of_another_store")),
    ]


def instore_rules(faults: DataFaults) -> list[Rule]:
    """Return the rules of the in-store domain."""
    return [
        *common_rules(faults),
        Rule("T1", same_text_collapsed(instore_text)),
        Rule("S1", shared_id_hidden),
        Rule("T6", refused_here("not_enough_left", "time_past", "no_reservation_there")),
    ]


def final_code(difference: FieldDifference, replay: Replay) -> str | None:
    """Return the fault that explains a difference in the final state, or None."""
    if difference.field == "create_time" and difference.recorded == "":
        return "D8"
    if difference.field == "products":
        (ours,), (recorded,) = difference.ours, difference.recorded
        return "S3" if ours[0] in replay.ordered and ours[:2] == recorded[:2] else None
    if difference.field in replay.ordered:
        return "S3"
    history = (line.product_id for order in replay.world.catalogue.orders.values() for line in order.lines)
    return "T2" if difference.field in history and difference.ours > difference.recorded else None


def _ordered(replay: Replay) -> set[str]:
    """Return the products that the calls ordered: there, an order overwrites the entry that others share."""
    return replay.ordered
