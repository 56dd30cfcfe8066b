"""Worlds are brought to a size by named noise alone: what is valid, and every near-miss, stays."""

import pytest

from vitagym.generation.drafts import Draft
from vitagym.generation.families import families
from vitagym.generation.filling import fill, size_of_scene, smallest
from vitagym.generation.pools import CannotBuild
from vitagym.generation.proofs import prove
from vitagym.generation.sketches import Offer
from vitagym.generation.trimming import pools_of_goals
from vitagym.language import Language
from vitagym.tasks.size import Size
from vitagym.tasks.sources import make_draft

DOMAINS = ("delivery", "instore", "ota", "cross")
FAMILIES = [(domain, name) for domain in DOMAINS for name in families(domain)]


def retold(draft):
    return Draft(draft.task_id, draft.split, draft.domains, draft.family, draft.scene)


@pytest.mark.parametrize(("domain", "family"), FAMILIES)
def test_the_smallest_world_is_proved_and_keeps_a_near_miss_of_every_requirement(domain, family):
    draft = make_draft(domain, 5, family=family)
    before, missed = size_of_scene(draft.scene), [set(pool.near) for pool in pools_of_goals(draft.scene)]
    after = smallest(draft.scene)
    assert prove(retold(draft)).faults == ()
    assert after.search_space < before.search_space
    assert [set(pool.near) for pool in pools_of_goals(draft.scene)] == missed
    assert all(provider.products for provider in draft.scene.providers)


@pytest.mark.parametrize(("domain", "family"), FAMILIES)
def test_a_world_in_between_is_reached_to_the_last_product_and_proved(domain, family):
    low = smallest(make_draft(domain, 7, family=family).scene)
    high = size_of_scene(make_draft(domain, 7, family=family).scene)
    size = Size(
        (low.providers + high.providers) // 2,
        (2 * low.products + high.products) // 3,
        (low.transactions + high.transactions) // 2,
    )
    draft = make_draft(domain, 7, family=family, size=size)
    assert size_of_scene(draft.scene) == size
    assert prove(draft).faults == ()


def test_shops_get_further_packages_of_their_own_sort():
    draft = make_draft("instore", 2, family="table_first")
    before = size_of_scene(draft.scene)
    fill(draft.scene, Size(before.providers, before.products + 12, before.transactions))
    assert prove(retold(draft)).faults == ()
    menus = [len(provider.products) for provider in draft.scene.providers]
    assert max(menus) - min(menus) <= 4


def test_further_orders_from_before_are_closed_and_of_what_the_person_may_have():
    draft = make_draft("delivery", 3, family="office_lunch", size=Size(6, 12, 3))
    assert prove(draft).faults == ()
    orders = draft.task(Language.EN).environment["orders"].values()
    assert len(orders) == 3
    assert {order["status"] for order in orders} == {"delivered"}
    assert {order["store_id"] for order in orders} <= {provider.id for provider in draft.scene.providers}
    (diet,) = [r for pool in pools_of_goals(draft.scene) for r in pool.requirements if r.name == "diet"]
    sold = {product.id: Offer(provider, product) for provider in draft.scene.providers for product in provider.products}
    assert all(diet.met_by(sold[line["product_id"]]) for order in orders for line in order["products"])


def test_what_cannot_be_reached_is_refused():
    draft = make_draft("delivery", 1)
    with pytest.raises(CannotBuild):
        fill(draft.scene, Size(1, 1, 0))
