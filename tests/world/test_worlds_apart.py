"""Worlds know nothing of each other, and nothing that happens in one outlives it."""

from support.worlds import HOME, LATER, USER, environment, make_task, make_world, noodle_order, place, shop, store

from vitagym.language import Language


def another_town():
    """Return a world with the same ids for other things, and things of its own."""
    world = environment()
    world["stores"] = {
        "ST1": store("ST1", "Lotus Kitchen", {"P1": "Rice"}, 300),
        "ST9": store("ST9", "Ivy Kitchen", {"P9": "Soup"}, 400),
    }
    world["shops"] = {"SH9": shop("SH9", "Ivy Cinema", fee=None, reservation=True, products={"V9": 1})}
    world["location"] = [place("77 Ferry Road, Sorrel District, Birch City")]
    world["weather"] = []
    return world


def test_a_world_finds_and_orders_only_what_is_its_own():
    """S1: there, providers and addresses live in registries of the whole process."""
    first, second = make_world(), make_world(make_task(another_town(), task_id="T2"))
    first_stores = first.call("delivery_store_search_recommand", {"keywords": ["kitchen"]}).data["stores"]
    second_stores = second.call("delivery_store_search_recommand", {"keywords": ["kitchen"]}).data["stores"]
    assert {one["store_id"]: one["name"] for one in first_stores} == {
        "ST1": "Reed Noodles",
        "ST2": "Reed Noodles",
        "ST3": "Fern Bakery",
    }
    assert {one["store_id"]: one["name"] for one in second_stores} == {"ST1": "Lotus Kitchen", "ST9": "Ivy Kitchen"}
    assert first.call("get_delivery_store_info", {"store_id": "ST9"}).code == "unknown_store"
    assert first.call("create_delivery_order", noodle_order(product_ids=["P9"])).code == "unknown_store_product"
    assert second.call("get_delivery_product_info", {"product_id": "P1"}).data["name"] == "Rice"
    assert first.call("address_to_longitude_latitude", {"address": "77 Ferry Road, Sorrel District"}).ok is False
    assert second.call("address_to_longitude_latitude", {"address": "77 Ferry Road, Sorrel District"}).ok


def test_an_earlier_world_still_finds_its_places_after_later_ones_were_made():
    """S1: there, clearing the registry for a new world breaks those that are still alive."""
    first = make_world()
    for number in range(5):
        make_world(make_task(another_town(), task_id=f"T{number}")).call("get_user_all_orders", {})
    assert first.call("address_to_longitude_latitude", {"address": HOME}).data == {
        "longitude": 118.5,
        "latitude": 31.5,
    }


def test_ids_come_from_the_task_and_a_counter():
    """S2: there, ids come from the wall clock, and two in one tick collide."""
    ids = []
    for _ in range(2):
        world = make_world()
        ids.append([world.call("create_delivery_order", noodle_order()).data["order_id"] for _ in range(300)])
    assert ids[0] == ids[1]
    assert len(set(ids[0])) == 300
    other = make_world(make_task(task_id="T2")).call("create_delivery_order", noodle_order()).data["order_id"]
    assert other not in ids[0]


def test_a_later_order_does_not_rewrite_an_earlier_one():
    """S3: there, orders share the catalogue's entry, so the last quantity and options hold for all."""
    world = make_world()
    first = world.call("create_delivery_order", noodle_order(product_cnts=[2], attributes=["hot"])).data
    world.call("create_delivery_order", noodle_order(product_cnts=[7], attributes=["cold"]))
    assert world.call("get_delivery_order_detail", {"order_id": first["order_id"]}).data == first
    voucher = {"user_id": USER, "shop_id": "SH1", "product_id": "V1"}
    one = world.call("create_instore_product_order", voucher | {"quantity": 1}).data
    world.call("create_instore_product_order", voucher | {"quantity": 3})
    assert world.call("get_instore_orders", {"user_id": USER}).data["orders"][2] == one


def test_worlds_of_two_languages_live_side_by_side():
    """S4: there, the language belongs to the process."""
    english = make_world(make_task(language=Language.EN))
    before = english.call("get_delivery_store_info", {"store_id": "?"}).text
    chinese = make_world(make_task(language=Language.ZH))
    assert "没有" in chinese.call("get_delivery_store_info", {"store_id": "?"}).text
    assert english.call("get_delivery_store_info", {"store_id": "?"}).text == before


def test_an_address_typed_into_an_order_does_not_become_a_known_place():
    """S5."""
    world = make_world()
    typed = HOME + ", please ring the bell twice and mind the heron"
    known = "mind the heron, ring the bell twice"
    assert world.call("create_delivery_order", noodle_order(address=typed)).ok
    assert world.call("address_to_longitude_latitude", {"address": known}).code == "unknown_address"
    fresh = make_world().call("address_to_longitude_latitude", {"address": known})
    assert fresh.code == "unknown_address"


def test_what_was_read_in_an_empty_world_hides_nothing_in_the_next():
    """S6: there, a tool that reads the catalogue before anything is loaded hides everything loaded later."""
    empty = make_world(make_task({"weather": [], "location": []}, task_id="T0"))
    reads = {
        "delivery_store_search_recommand": {"keywords": ["a"]},
        "instore_product_search_recommend": {"keywords": ["a"]},
        "get_nearby": {"longitude": 118.5, "latitude": 31.5, "range": 5000},
        "get_user_all_orders": {},
    }
    for name, arguments in reads.items():
        assert "message" in empty.call(name, arguments).data
        assert "message" not in make_world().call(name, arguments).data


def test_an_order_in_one_episode_is_not_seen_in_another_of_the_same_task():
    task = make_task()
    one, other = make_world(task), make_world(task)
    assert one.call("create_instore_product_order", {"user_id": USER, "shop_id": "SH1", "product_id": "V1"}).ok
    assert one.call("instore_book", {"user_id": USER, "shop_id": "SH2", "time": LATER}).ok
    assert len(other.call("get_instore_orders", {"user_id": USER}).data["orders"]) == 2
    assert (
        other.call("get_instore_books", {"user_id": USER}).data != one.call("get_instore_books", {"user_id": USER}).data
    )
    found = other.call("instore_product_search_recommend", {"keywords": []}).data["products"]
    assert {one["product_id"]: one["quantity"] for one in found} == {"V1": 5, "V2": 0, "V3": 3}
