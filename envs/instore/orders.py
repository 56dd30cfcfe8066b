"""In-store tools that search shops, and order and pay vouchers and packages."""

from __future__ import annotations

from typing import Any

from vitagym.envs.common.conditions import UserId, known_provider, own_order
from vitagym.envs.common.listing import listing
from vitagym.envs.common.orders import cancel_order, now, pay_order, price_of
from vitagym.envs.instore.conditions import (
    KIND,
    PRODUCT_ID,
    SHOP,
    CancelledOrderResult,
    NewOrderResult,
    OpenOrderId,
    OrdersResult,
    PaidOrderResult,
    ProductId,
    ProductsResult,
    ShopId,
    ShopsResult,
    UnpaidOrderId,
)
from vitagym.envs.instore.search import product_index, shop_index
from vitagym.tools.results import Refused
from vitagym.tools.tool import Kind, tool
from vitagym.world.entities import Product
from vitagym.world.records import Order, OrderLine, Status
from vitagym.world.world import World

MOST_RESULTS = 1000


@tool(Kind.READ)
def instore_shop_search_recommend(world: World, keywords: list[str]) -> ShopsResult:
    """Shops, best match first."""
    found = shop_index(world.catalogue).ranked(keywords)[:MOST_RESULTS]
    return listing(world, shops=[shop.data for shop in found])


@tool(Kind.READ)
def instore_product_search_recommend(world: World, keywords: list[str]) -> ProductsResult:
    """Vouchers and packages of all shops, best match first, each with how many are left."""
    found = product_index(world.catalogue).ranked(keywords)[:MOST_RESULTS]
    moved = world.ledger.stock_changes()
    return listing(world, products=[_with_stock(product, moved) for product in found])


@tool(Kind.WRITE)
def create_instore_product_order(
    world: World, user_id: UserId, shop_id: ShopId, product_id: ProductId, quantity: int = 1
) -> NewOrderResult:
    """A new, unpaid order of one shop's voucher or package; stock is taken."""
    product = _product_in_stock(world, shop_id, product_id, quantity)
    line = OrderLine(
        product_id=product_id,
        price=product.price,
        quantity=quantity,
        details=(("name", product.name),),
        sold_by=("shop_id", shop_id),
    )
    created = now(world)
    order = Order(
        id=world.ledger.new_id("O"),
        kind=KIND,
        user_id=user_id,
        provider_id=shop_id,
        lines=(line,),
        total_price=price_of((line,)),
        status=Status.UNPAID,
        create_time=created,
        update_time=created,
    )
    world.ledger.put(order)
    world.ledger.move_stock(product, -quantity)
    return order.data()


@tool(Kind.WRITE)
def pay_instore_order(world: World, order_id: UnpaidOrderId) -> PaidOrderResult:
    """An unpaid order is paid."""
    return pay_order(world, own_order(world, order_id, KIND))


@tool(Kind.WRITE)
def instore_cancel_order(world: World, order_id: OpenOrderId) -> CancelledOrderResult:
    """An order that is not closed is cancelled; its stock is given back."""
    return cancel_order(world, own_order(world, order_id, KIND))


@tool(Kind.READ)
def get_instore_orders(world: World, user_id: UserId) -> OrdersResult:
    """The user's in-store orders."""
    orders = world.ledger.orders.values()
    return listing(world, orders=[o.data() for o in orders if o.kind == KIND and o.user_id == user_id])


def _product_in_stock(world: World, shop_id: str, product_id: str, quantity: int) -> Product:
    product = known_provider(world, SHOP, shop_id).product(product_id)
    if product is None:
        raise Refused("product_of_another_shop", fact=PRODUCT_ID.name, value=product_id, shop=shop_id)
    if quantity < 1:
        raise Refused("count_below_one", parameter="quantity", value=quantity)
    left = world.ledger.stock(product)
    if left is not None and quantity > left:
        raise Refused("not_enough_left", parameter="quantity", value=quantity, left=left, product=product_id)
    return product


def _with_stock(product: Product, moved: dict[str, int]) -> Any:
    left = moved.get(product.key)
    return product.data if left is None else {**product.data, "quantity": left}
