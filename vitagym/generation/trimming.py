"""Trimming: taking noise out of a finished scene, never what is valid, misses one requirement, or is spoken of.

Providers go in this order: those with nothing but noise; those whose valid offer is one of several; and those whose
near-misses miss something of the product alone: those products are then sold by others that are right for them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Any

from vitagym.generation.pools import Pool, by_menu, same_name
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer, ProductSketch, ProviderSketch


def drop_providers(scene: Scene, count: int) -> None:
    """Take providers out, as far as it can be done, until ``count`` are left."""
    spoken_of = SpokenOf(scene)
    for provider in scene.filling.shuffled(scene.providers):
        if len(scene.providers) <= count:
            return
        if not spoken_of.provider(provider) and _pools_of(scene, provider) and not _has(scene, provider, valid=True):
            _drop(scene, provider)
    for provider in scene.filling.shuffled(scene.providers):
        if len(scene.providers) <= count:
            return
        if not spoken_of.provider(provider) and _pools_of(scene, provider) and not _has(scene, provider, valid=False):
            _drop(scene, provider)
    for provider in scene.filling.shuffled(scene.providers):
        if len(scene.providers) <= count:
            return
        if not spoken_of.provider(provider):
            _merge(scene, provider)


def drop_products(scene: Scene, count: int) -> None:
    """Take products out, as far as it can be done, until ``count`` are left; every provider keeps one.

    The longest menu gives first, and at first no menu becomes shorter than what a rival that sells something valid has
    to keep: so the length of a menu tells nothing. Where that is still too much, one provider after another gives all.
    """
    groups = scene.filling.shuffled(list(_spare(scene)))
    dropped = _Dropped(scene, count)
    fewest = _fewest(scene, groups)
    menus = [(-len(provider.products), n) for n, (provider, _) in enumerate(groups)]
    heapify(menus)
    while menus and dropped.too_many:
        length, n = heappop(menus)
        provider, group = groups[n]
        now = dropped.listed[id(provider)]
        if -length == now:
            dropped.take(provider, group, fewest[id(provider)])
        else:
            heappush(menus, (-now, n))
    for provider in scene.filling.shuffled(scene.providers):
        for other, group in groups:
            if other is provider and dropped.too_many:
                dropped.take(provider, group, 1)
    _unlist(scene, dropped.gone)
    _level(scene)


class _Dropped:
    """Products that go, and how many are left of the others."""

    def __init__(self, scene: Scene, count: int) -> None:
        self.listed = {id(provider): len(provider.products) for provider in scene.providers}
        self.gone: set[int] = set()
        self._beyond = sum(self.listed.values()) - count

    @property
    def too_many(self) -> bool:
        """Whether more of them have to go."""
        return self._beyond > 0

    def take(self, provider: ProviderSketch, group: Sequence[ProductSketch], fewest: int) -> None:
        """Drop products of a provider, as long as too many are left and it keeps the fewest."""
        for product in group:
            if self.too_many and self.listed[id(provider)] > fewest and id(product) not in self.gone:
                self.gone.add(id(product))
                self.listed[id(provider)] -= 1
                self._beyond -= 1


def _fewest(scene: Scene, groups: Sequence[tuple[ProviderSketch, list[ProductSketch]]]) -> dict[int, int]:
    """Return how many products each provider should keep: as many as a rival that sells something valid has to."""
    bound = {id(provider): len(provider.products) for provider in scene.providers}
    for provider, group in groups:
        bound[id(provider)] -= len(group)
    fewest = {key: max(1, count) for key, count in bound.items()}
    for pool in pools_of_goals(scene):
        longest = max((bound[id(offer.provider)] for offer in pool.valid), default=1)
        for provider in pool.providers:
            fewest[id(provider)] = max(fewest[id(provider)], longest)
    return fewest


def _level(scene: Scene) -> None:
    """Move near-misses from where something valid is sold to where nothing is, as long as that menu is shorter."""
    spoken_of = SpokenOf(scene)
    for pool in pools_of_goals(scene):
        valid = {id(offer.provider) for offer in pool.valid}
        hosts = [offer.provider for offer in pool.near.values() if id(offer.provider) not in valid]
        for name, offer in pool.near.items():
            dated = "date" in offer.product.facts  # It is sold for other days there, too.
            if dated or id(offer.provider) not in valid or spoken_of.product(offer.product):
                continue
            moved = _moved(scene, pool, name, offer, by_menu(scene.filling, hosts))
            if moved is not None and len(moved.provider.products) < len(offer.provider.products):
                offer.provider.products[:] = [p for p in offer.provider.products if p is not offer.product]
                moved.provider.products.append(moved.product)
                pool.near[name] = moved


def drop_transactions(scene: Scene, count: int) -> None:
    """Take records out that the story does not need, as far as it can be done."""
    told = {record_id for record_id, _ in told_records(scene)}
    for table in scene.records.values():
        for record_id in scene.filling.shuffled([key for key in table if key not in told]):
            if sum(map(len, scene.records.values())) <= count:
                return
            del table[record_id]


def told_records(scene: Scene, spoken_of: SpokenOf | None = None) -> list[tuple[str, dict[str, Any]]]:
    """Return the records that the story needs: spoken of, or the first with a provider that a goal chooses."""
    named = spoken_of or SpokenOf(scene)
    chosen = {pool.chosen.provider.id for pool in pools_of_goals(scene) if pool.valid}
    told = []
    for table in scene.records.values():
        for record_id, row in table.items():
            where = _provider_of(row)
            if named.name(record_id) or where in chosen:
                told.append((record_id, row))
            if not named.name(record_id):
                chosen.discard(where)
    return told


def _provider_of(row: Mapping[str, Any]) -> str:
    return str(row.get("store_id") or row["shop_id"])


def pools_of_goals(scene: Scene) -> list[Pool]:
    """Return the pools that goals choose among, each once."""
    return list({id(goal.pool): goal.pool for goal in scene.goals if goal.pool is not None}.values())


def rivals(scene: Scene, kind: str) -> list[Pool]:
    """Return the pools that choose among providers of a kind."""
    return [pool for pool in pools_of_goals(scene) if any(offer.provider.kind == kind for offer in pool.offers)]


class SpokenOf:
    """Knows the names that a scene's words, steps, requirements, and the records that it needs mention."""

    def __init__(self, scene: Scene) -> None:
        steps = [(step.arguments, step.text) for step in scene.steps]
        points = [(point.saying, point.mention) for point in scene.points]
        self._words = repr((steps, points))
        values = [v for goal in scene.goals for r in goal.requirements for v in vars(r).values()]
        self._things = {id(value) for value in values}
        self._words += repr([v for v in values if isinstance(v, str)])
        self._records = repr([row for _, row in told_records(scene, self)])

    def name(self, name: str) -> bool:
        """Return whether a record's id occurs."""
        return name in self._words

    def provider(self, provider: ProviderSketch) -> bool:
        """Return whether a provider occurs: it, its id, its name or where it is."""
        where = [] if provider.spot is None else [provider.spot.address.en, str(provider.spot.longitude)]
        named = any(word in self._words for word in (provider.id, provider.name.en, *where))
        return named or provider.id in self._records or id(provider) in self._things

    def product(self, product: ProductSketch) -> bool:
        """Return whether a product occurs."""
        return product.id in self._words or product.id in self._records or id(product) in self._things


def _pools_of(scene: Scene, provider: ProviderSketch) -> list[Pool]:
    return [pool for pool in pools_of_goals(scene) if any(offer.provider is provider for offer in pool.offers)]


def _has(scene: Scene, provider: ProviderSketch, *, valid: bool) -> bool:
    """Return whether a provider has a chosen offer or a near-miss or (``valid``) another valid one."""
    for pool in pools_of_goals(scene):
        needed = [*(pool.valid if valid else pool.valid[:1]), *pool.near.values()]
        if any(offer.provider is provider for offer in needed):
            return True
    return False


def _drop(scene: Scene, provider: ProviderSketch) -> None:
    scene.providers.remove(provider)
    for table in scene.records.values():
        for record_id in [key for key, row in table.items() if _provider_of(row) == provider.id]:
            del table[record_id]
    for pool in pools_of_goals(scene):
        pool.valid[:] = [offer for offer in pool.valid if offer.provider is not provider]
        pool.noise[:] = [offer for offer in pool.noise if offer.provider is not provider]


def _merge(scene: Scene, provider: ProviderSketch) -> None:
    """Let other providers sell a provider's near-misses, where each stays one, and drop the provider."""
    pools = pools_of_goals(scene)
    if any(pool.valid and pool.chosen.provider is provider for pool in pools):
        return
    moves: list[tuple[Pool, str, Offer]] = []
    for pool in pools:
        hosts = [other.provider for other in (*pool.valid, *pool.near.values())]
        for name, offer in pool.near.items():
            if offer.provider is provider:
                taken = {id(to.provider) for _, _, to in moves} | {id(provider)}
                free = [host for host in by_menu(scene.filling, hosts) if id(host) not in taken]
                moved = _moved(scene, pool, name, offer, free)
                if moved is None:
                    return
                moves.append((pool, name, moved))
    for pool, name, moved in moves:
        moved.provider.products.append(moved.product)
        pool.near[name] = moved
    _drop(scene, provider)


def _moved(scene: Scene, pool: Pool, name: str, offer: Offer, hosts: list[ProviderSketch]) -> Offer | None:
    """Return a near-miss as sold by the first of some providers where it is one as well."""
    for host in hosts:
        moved = Offer(host, offer.product)
        if pool.misses(moved) == [name] and not same_name(moved) and _counted_elsewhere(scene, pool, moved):
            return moved
    return None


def _counted_elsewhere(scene: Scene, own: Pool, offer: Offer) -> bool:
    """Return whether an offer would do for no other goal."""
    return all(pool.misses(offer) for pool in rivals(scene, offer.provider.kind) if pool is not own)


def _spare(scene: Scene) -> Iterator[tuple[ProviderSketch, list[ProductSketch]]]:
    """Yield the products that can go, those of one name together (a room on all nights that it is sold for)."""
    spoken_of = SpokenOf(scene)
    pools = pools_of_goals(scene)
    needed = {id(offer.product) for pool in pools for offer in (*pool.valid[:1], *pool.near.values())}
    # What has several valid nights is needed on all of them.
    dated = {id(o.product) for pool in pools for o in pool.valid if "date" in o.product.facts}
    known = {id(offer.provider) for pool in pools for offer in pool.offers}
    for provider in scene.providers:
        if id(provider) not in known:
            continue
        groups: dict[str, list[ProductSketch]] = {}
        for product in provider.products:
            groups.setdefault(product.name.en, []).append(product)
        for group in groups.values():
            if not any(id(p) in needed or id(p) in dated or spoken_of.product(p) for p in group):
                yield provider, group


def _unlist(scene: Scene, gone: Collection[int]) -> None:
    """Take the products of some identities out of all menus and pools."""
    for provider in scene.providers:
        provider.products[:] = [product for product in provider.products if id(product) not in gone]
    for pool in pools_of_goals(scene):
        pool.valid[:] = [offer for offer in pool.valid if id(offer.product) not in gone]
        pool.noise[:] = [offer for offer in pool.noise if id(offer.product) not in gone]
