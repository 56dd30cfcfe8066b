"""The lines of travel orders: which product is sold, whether enough of it is left, and how an order shows it."""

from __future__ import annotations

from vitagym.envs.common.conditions import DATE, product_fact
from vitagym.envs.ota.entities import PRODUCT_TYPE
from vitagym.tools.results import Refused
from vitagym.world.entities import Product, Provider
from vitagym.world.records import OrderLine
from vitagym.world.world import World


def line_of(provider: Provider, product: Product, quantity: int) -> OrderLine:
    """Return the line of an order of so many of a product."""
    return OrderLine(
        product_id=product.id,
        price=product.price,
        quantity=quantity,
        date=product.date,
        details=((PRODUCT_TYPE[provider.kind], product.name),),
    )


def sold(provider: Provider, product_id: str, date: str | None) -> Product:
    """Return the provider's product of that id and (where given) date; refuse what it does not sell."""
    product = provider.product(product_id, date)
    if product is not None:
        return product
    if provider.product(product_id) is None:
        fact = product_fact(provider.kind).name
        raise Refused("product_of_another_provider", fact=fact, value=product_id, provider=provider.id)
    raise Refused("not_on_that_date", fact=DATE.name, parameter="date", value=product_id, date=date)


def require_left(world: World, product: Product, quantity: int, given_back: int = 0) -> None:
    """Refuse fewer than one, and more than are left (together with what the same call gives back)."""
    if quantity < 1:
        raise Refused("count_below_one", parameter="quantity", value=quantity)
    left = world.ledger.stock(product)
    if left is not None and quantity > left + given_back:
        raise Refused("not_enough_left", parameter="quantity", value=quantity, left=left, product=product.id)
