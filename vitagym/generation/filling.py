"""Filling: bringing the world of a finished scene to a size, by named noise alone; what is valid stays as it is.

Too much: noise is trimmed (see ``trimming``). Too little: shops get further packages of their own sort that miss
something, and the person further closed orders of what they may have. Whatever cannot be reached is CannotBuild.
"""

from __future__ import annotations

from vitagym.generation.past import add_past_orders
from vitagym.generation.pools import CannotBuild, Pool, add_to_menu
from vitagym.generation.scene import Scene
from vitagym.generation.trimming import drop_products, drop_providers, drop_transactions, pools_of_goals, rivals
from vitagym.tasks.size import Size

_TRIES_EACH = 12
_MOST_A_PROVIDER = 9
_MOST_PAST_ORDERS = 9


def size_of_scene(scene: Scene) -> Size:
    """Return how much there is in the world of a scene."""
    products = sum(len(provider.products) for provider in scene.providers)
    return Size(len(scene.providers), products, sum(map(len, scene.records.values())))


def fill(scene: Scene, size: Size) -> None:
    """Bring a scene to a size.

    Raises:
        CannotBuild: It cannot be reached without padding or touching what is valid.
    """
    drop_providers(scene, size.providers)
    drop_products(scene, size.products)
    drop_transactions(scene, size.transactions)
    _fill_menus(scene, size.products - size_of_scene(scene).products)
    add_past_orders(scene, size.transactions - size_of_scene(scene).transactions)
    if size_of_scene(scene) != size:
        raise CannotBuild(f"{size_of_scene(scene)} is as near as it comes to {size}")


def grown(scene: Scene) -> tuple[Size, Size]:
    """Return the smallest and the largest size that a scene can have with the providers that it has.

    The scene is of no use afterwards.
    """
    providers = len(scene.providers)
    before = size_of_scene(scene)
    _fill_menus(scene, _MOST_A_PROVIDER * providers - before.products)
    high = size_of_scene(scene)
    drop_products(scene, 0)
    drop_transactions(scene, 0)
    low = size_of_scene(scene)
    add_past_orders(scene, _MOST_PAST_ORDERS)
    return low, Size(providers, high.products, size_of_scene(scene).transactions)


def smallest(scene: Scene) -> Size:
    """Trim a scene as far as it goes, and return its size then."""
    drop_providers(scene, 0)
    drop_products(scene, 0)
    drop_transactions(scene, 0)
    return size_of_scene(scene)


def _fill_menus(scene: Scene, count: int) -> None:
    """Let providers whose sort of product is known sell more of it, the shortest menu first."""
    pools = [pool for pool in pools_of_goals(scene) if pool.menu is not None]
    for _ in range(count):
        if not _grow(scene, pools):
            return


def _grow(scene: Scene, pools: list[Pool]) -> bool:
    # In a drawn order where menus are as long: pools list those first that sell what is wanted.
    places = scene.filling.shuffled([(provider, pool) for pool in pools for provider in pool.providers])
    for provider, pool in sorted(places, key=lambda place: len(place[0].products)):
        for _ in range(_TRIES_EACH):
            product = add_to_menu(scene.filling, pool, provider, apart=rivals(scene, provider.kind))
            if product is not None:
                product.id = scene.product_id()
                return True
    return False
