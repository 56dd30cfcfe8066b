"""The online travel domain: hotels, attractions, flights and trains.

- ``entities``: providers and their dated products
- ``conditions``: what parameters refer to and what results make known
- ``cities``: what belongs to a city
- ``look_up``: tools that find providers
- ``orders``: tools that make, pay, find and cancel orders
- ``changes``: tools that move an order to another date
- ``lines``: what an order says of a product
"""

from vitagym.domains import Domain
from vitagym.envs.ota import changes, look_up, orders
from vitagym.envs.ota.entities import read_providers
from vitagym.envs.ota.expected_calls import expected_calls

OTA_DOMAIN = Domain(
    name="ota",
    tools=(
        look_up.get_ota_hotel_info,
        look_up.get_ota_attraction_info,
        look_up.get_ota_flight_info,
        look_up.get_ota_train_info,
        look_up.hotel_search_recommand,
        look_up.attractions_search_recommend,
        look_up.flight_search_recommend,
        look_up.train_ticket_search,
        orders.create_hotel_order,
        orders.create_attraction_order,
        orders.create_flight_order,
        orders.create_train_order,
        orders.pay_hotel_order,
        orders.pay_attraction_order,
        orders.pay_flight_order,
        orders.pay_train_order,
        orders.search_hotel_order,
        orders.search_attraction_order,
        orders.search_flight_order,
        orders.search_train_order,
        orders.get_hotel_order_detail,
        orders.get_attraction_order_detail,
        orders.get_flight_order_detail,
        orders.get_train_order_detail,
        changes.modify_train_order,
        changes.modify_flight_order,
        orders.cancel_hotel_order,
        orders.cancel_attraction_order,
        orders.cancel_flight_order,
        orders.cancel_train_order,
    ),
    read_providers=read_providers,
    expected_calls=expected_calls,
)
