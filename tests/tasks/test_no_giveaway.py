"""What is wanted cannot be told by place, id, price, rating, stock, or how much a provider sells: measured on tasks.

For each trait, the share of pairs (one offer that would do, one that would not) in which the first has more of it: one
half where the trait says nothing.
"""

from statistics import mean

import pytest

from vitagym.generation.filling import smallest
from vitagym.generation.trimming import pools_of_goals
from vitagym.language import Language
from vitagym.tasks.sources import draft_of_test, make_draft, task_ids

TASKS = 40
ENOUGH_GOALS = 30
FARTHEST_FROM_HALF = 0.13
MORE_OFTEN_THAN_BY_CHANCE = 0.2


def listed(draft):
    """Return product id -> its place in the world, and its entry."""
    world = draft.task(Language.EN).environment
    sections = ("stores", "shops", "hotels", "attractions", "flights", "trains")
    entries = [e for s in sections for provider in world.get(s, {}).values() for e in provider["products"]]
    return {entry["product_id"]: (place, entry) for place, entry in enumerate(entries)}


def traits(provider, product, place, entry):
    return {
        "place in the world": place,
        "place in the menu": provider.products.index(product) / len(provider.products),
        "id of the product": int(product.id[1:].split("_")[0]),
        "id of the provider": int(provider.id[1:].split("_")[0]),
        "price": product.price,
        "rating": provider.score,
        "stock": entry.get("quantity") or 0,
        "tags of the provider": len(provider.tags),
        "length of the name": len(product.name.en),
    }


def goals(domain):
    """Yield the goals that choose among offers, with the providers of their kind and where each product is listed."""
    for seed in range(TASKS):
        draft = make_draft(domain, seed, split="dev")
        places = listed(draft)
        for goal in draft.scene.goals:
            if goal.pool is not None and goal.pool.valid:
                kind = goal.pool.chosen.provider.kind
                yield goal, [p for p in draft.scene.providers if p.kind == kind], places


@pytest.mark.parametrize("domain", ["delivery", "instore", "ota", "cross"])
def test_no_trait_tells_what_would_do(domain):
    above = {}
    for goal, providers, places in goals(domain):
        valid = {offer.product.id for offer in goal.pool.valid}
        offers = [
            (p.id in valid, traits(provider, p, *places[p.id])) for provider in providers for p in provider.products
        ]
        good, bad = ([t for does, t in offers if does is wanted] for wanted in (True, False))
        for name in good[0] if bad else ():
            pairs = [(g[name] > b[name]) + 0.5 * (g[name] == b[name]) for g in good for b in bad]
            above.setdefault(name, []).append(mean(pairs))
    found = {name: round(mean(shares), 2) for name, shares in above.items()}
    assert all(abs(share - 0.5) <= FARTHEST_FROM_HALF for share in found.values()), found


@pytest.mark.parametrize("domain", ["delivery", "instore", "ota", "cross"])
def test_the_longest_menu_does_not_tell_who_sells_it(domain):
    hits, chances = [], []
    for goal, providers, _ in goals(domain):
        among = [p for p in providers if any(p is other for other in goal.pool.providers)]
        valid = {offer.provider.id for offer in goal.pool.valid}
        most = max(len(p.products) for p in among)
        longest = [p for p in among if len(p.products) == most]
        hits.append(mean(p.id in valid for p in longest))
        chances.append(mean(p.id in valid for p in among))
    assert mean(hits) <= mean(chances) + MORE_OFTEN_THAN_BY_CHANCE, (mean(hits), mean(chances))


@pytest.mark.parametrize("family", ["office_lunch", "birthday_gift", "rain_or_shine", "forgotten_note"])
def test_nor_does_it_in_the_smallest_world(family):
    hits, chances = [], []
    for seed in range(30):
        draft = make_draft("delivery", seed, family=family, split="dev")
        smallest(draft.scene)
        pool = next(goal.pool for goal in draft.scene.goals if goal.pool is not None)
        valid = {offer.provider.id for offer in pool.valid}
        most = max(len(p.products) for p in pool.providers)
        hits.append(mean(p.id in valid for p in pool.providers if len(p.products) == most))
        chances.append(mean(p.id in valid for p in pool.providers))
    assert mean(hits) <= mean(chances) + 2 * MORE_OFTEN_THAN_BY_CHANCE, (mean(hits), mean(chances))


GUESSES = {
    "longest menu": lambda p, place: len(p.products),
    "shortest menu": lambda p, place: -len(p.products),
    "first in the list": lambda p, place: -place,
    "last in the list": lambda p, place: place,
    "longest name": lambda p, place: len(p.name.en),
    "shortest name": lambda p, place: -len(p.name.en),
    "highest rated": lambda p, place: p.score,
    "lowest rated": lambda p, place: -p.score,
    "most tags": lambda p, place: len(p.tags),
    "cheapest": lambda p, place: -min(product.price for product in p.products),
    "dearest": lambda p, place: max(product.price for product in p.products),
}
"""What an agent could choose a provider by that has read nothing of the task: the highest value wins."""


def rated(pool):
    """Return whether a rating is asked for: then a good one is no accident."""
    return any("rated" in requirement.kind for requirement in pool.requirements)


@pytest.mark.parametrize("domain", ["delivery", "instore", "ota", "cross"])
def test_no_guess_finds_a_seller_in_the_benchmark_much_more_often_than_chance(domain):
    hits, chances = {}, {}
    for task_id in task_ids(domain):
        draft = draft_of_test(domain, task_id)
        places = {
            provider.id: place for place, provider in enumerate(draft.task(Language.EN).catalogue.providers.values())
        }
        for pool in pools_of_goals(draft.scene):
            if not pool.valid:
                continue
            listed = {id(provider) for provider in draft.scene.providers}
            among = [provider for provider in pool.providers if id(provider) in listed]
            valid = {offer.provider.id for offer in pool.valid}
            kind = pool.chosen.provider.kind
            chances.setdefault(kind, []).append(mean(p.id in valid for p in among))
            for name, guess in GUESSES.items():
                if name == "highest rated" and rated(pool):
                    continue
                best = max(guess(p, places[p.id]) for p in among)
                chosen = [p for p in among if guess(p, places[p.id]) == best]
                hits.setdefault((kind, name), []).append(mean(p.id in valid for p in chosen))
    found = {
        (kind, name): (round(mean(shares), 2), round(mean(chances[kind]), 2))
        for (kind, name), shares in hits.items()
        if len(shares) >= ENOUGH_GOALS
    }
    assert found
    assert all(hit <= chance + MORE_OFTEN_THAN_BY_CHANCE for hit, chance in found.values()), found
