"""Searches rank by fuzzy partial match, lose nothing, and keep ties in stored order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz import fuzz
from rapidfuzz.utils import default_process
from support.worlds import environment, make_task, make_world

from vitagym.world.search import Index

texts = st.lists(st.text(alphabet="ab 饭面!", max_size=8), min_size=1, max_size=8)


@settings(max_examples=100, deadline=None)
@given(texts, st.lists(st.text(alphabet="ab 饭面!", max_size=5), max_size=3))
def test_every_entry_is_ranked_once_by_descending_score_with_ties_in_stored_order(entries, keywords):
    """T1: there, entries with the same text collapse into one that is listed twice."""
    index = Index(range(len(entries)), entries)
    query = default_process("".join(keywords))
    scores = [fuzz.partial_ratio(query, default_process(entry)) for entry in entries]
    expected = sorted(range(len(entries)), key=lambda i: (-scores[i], i))
    assert list(index.ranked(keywords)) == expected
    assert list(index.ranked(keywords)) == expected


@pytest.mark.parametrize(
    ("tool", "part", "key"),
    [
        ("delivery_store_search_recommand", "stores", "store_id"),
        ("delivery_product_search_recommand", "products", "product_id"),
        ("instore_shop_search_recommend", "shops", "shop_id"),
        ("instore_product_search_recommend", "products", "product_id"),
    ],
)
def test_twins_are_both_listed(tool, part, key):
    """T1: two public tasks' solutions cannot be found at all for it."""
    world = environment()
    stores, shops = world["stores"], world["shops"]
    for number in range(3):
        twin = {**stores["ST1"], "store_id": f"TW{number}"}
        twin["products"] = [{**stores["ST1"]["products"][0], "product_id": f"TP{number}"}]
        stores[f"TW{number}"] = twin
        spa = {**shops["SH1"], "shop_id": f"TS{number}"}
        spa["products"] = [{**shops["SH1"]["products"][0], "product_id": f"TV{number}"}]
        shops[f"TS{number}"] = spa
    found = make_world(make_task(world)).call(tool, {"keywords": ["Beef"]}).data[part]
    ids = [one[key] for one in found]
    assert len(ids) == len(set(ids))
    twins = [one for one in ids if one.startswith("T")]
    assert len(twins) == 3
    assert twins == sorted(twins)


def test_long_lists_are_cut_at_the_recorded_length():
    world = environment()
    for number in range(150):
        store_id = f"N{number}"
        world["stores"][store_id] = {**world["stores"]["ST1"], "store_id": store_id, "products": []}
        shop_id = f"M{number}"
        world["shops"][shop_id] = {**world["shops"]["SH1"], "shop_id": shop_id, "products": []}
    here = make_world(make_task(world))
    assert len(here.call("delivery_store_search_recommand", {"keywords": ["x"]}).data["stores"]) == 100
    assert len(here.call("instore_shop_search_recommend", {"keywords": ["x"]}).data["shops"]) == 153
