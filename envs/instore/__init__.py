"""The in-store domain: vouchers and packages, table bookings and visit reservations at shops.

- ``entities``: shops and what they sell
- ``conditions``: what parameters refer to and what results make known
- ``search``: indexes
- ``orders``: tools that search, order and pay
- ``visits``: tools for bookings and reservations
"""

from vitagym.domains import Domain
from vitagym.envs.instore import orders, visits
from vitagym.envs.instore.entities import read_shops
from vitagym.envs.instore.expected_calls import expected_calls

INSTORE_DOMAIN = Domain(
    name="instore",
    tools=(
        orders.instore_shop_search_recommend,
        orders.instore_product_search_recommend,
        orders.create_instore_product_order,
        orders.pay_instore_order,
        orders.instore_cancel_order,
        visits.instore_book,
        visits.pay_instore_book,
        visits.instore_cancel_book,
        visits.instore_reservation,
        visits.instore_modify_reservation,
        visits.instore_cancel_reservation,
        orders.get_instore_orders,
        visits.get_instore_reservations,
        visits.get_instore_books,
        visits.search_instore_book,
        visits.search_instore_reservation,
    ),
    read_providers=read_shops,
    expected_calls=expected_calls,
)
