"""The delivery domain: stores deliver products to an address.

- ``entities``: stores and products
- ``conditions``: what parameters refer to and what results make known
- ``search``: indexes
- ``tools``: the tools
"""

from vitagym.domains import Domain
from vitagym.envs.delivery import tools
from vitagym.envs.delivery.entities import read_stores
from vitagym.envs.delivery.expected_calls import expected_calls

DELIVERY_DOMAIN = Domain(
    name="delivery",
    tools=(
        tools.delivery_distance_to_time,
        tools.get_delivery_store_info,
        tools.get_delivery_product_info,
        tools.delivery_store_search_recommand,
        tools.delivery_product_search_recommand,
        tools.create_delivery_order,
        tools.pay_delivery_order,
        tools.get_delivery_order_status,
        tools.cancel_delivery_order,
        tools.modify_delivery_order,
        tools.search_delivery_orders,
        tools.get_delivery_order_detail,
    ),
    read_providers=read_stores,
    expected_calls=expected_calls,
)
