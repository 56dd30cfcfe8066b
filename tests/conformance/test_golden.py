"""Every recorded public call agrees with ours; where it does not, a public fault explains it, and none is left over."""

from collections import Counter
from pathlib import Path

import pytest
from conformance.compare import Replay, Tally, final_differences, load
from conformance.rules import DataFaults, delivery_rules, final_code, instore_rules

from vitagym.domains import toolset
from vitagym.tasks.public import load_public
from vitagym.world.world import World

RULES = {"delivery": delivery_rules, "instore": instore_rules}
EXPECTED_CALLS = {"delivery": 11384, "instore": 6235}


@pytest.mark.parametrize("domain", RULES)
def test_every_recorded_call_agrees_or_is_explained_by_a_fault(domain, official: Path, capsys):
    tasks = {task.id: task for task in load_public(official / f"tasks_{domain}_en.json.gz")}
    raw = {task["id"]: task for task in load(official, f"tasks_{domain}_en.json.gz")}
    tally, final, left_over = Tally(), Counter(), []
    for task_id, recorded in load(official, f"golden_{domain}_en.json.gz").items():
        world = World(tasks[task_id].catalogue, toolset((domain,)))
        replay = Replay(task_id, world, RULES[domain](DataFaults.of(raw[task_id])), tally)
        replay.run(recorded["calls"])
        for difference in final_differences(replay, recorded["final_state"]):
            code = final_code(difference, replay)
            final.update([code] if code else [])
            left_over += [] if code else [difference]
    with capsys.disabled():
        print("\n" + tally.table(domain))
        print("  final fields differing: " + (", ".join(f"{code} {n}" for code, n in sorted(final.items())) or "none"))
    assert tally.left_over == []
    assert left_over == []
    assert tally.calls == EXPECTED_CALLS[domain]
    assert tally.equal + tally.differing.total() + tally.fallen.total() == tally.calls
    assert tally.equal > 0.85 * tally.calls


SEARCHES = {
    "delivery": {"store": "delivery_store_search_recommand", "product": "delivery_product_search_recommand"},
    "instore": {"shop": "instore_shop_search_recommend", "product": "instore_product_search_recommend"},
}


@pytest.mark.parametrize("domain", SEARCHES)
def test_every_provider_and_product_of_every_public_task_is_listed_once(domain, official: Path):
    """T1, D1: there, twins hide each other, and stores under another key cannot be listed at all."""
    for task in load_public(official / f"tasks_{domain}_en.json.gz"):
        world = World(task.catalogue, toolset((domain,)))
        providers = world.catalogue.providers.values()
        for what, tool in SEARCHES[domain].items():
            found = world.call(tool, {"keywords": ["x"]}).data[f"{what}s"]
            owner = next(key for key in found[0] if key in ("store_id", "shop_id"))
            listed = Counter((one[owner], one.get("product_id")) for one in found)
            if what == "product":
                expected = {(provider.id, product.id) for provider in providers for product in provider.products}
            else:
                expected = {(provider.id, None) for provider in providers}
            assert set(listed) == expected, task.id
            assert set(listed.values()) == {1}, task.id
