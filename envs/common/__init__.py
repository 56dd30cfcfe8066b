"""What all domains share: general tools, and the user's history, records and surroundings.

- ``conditions``: what parameters refer to: users, addresses, coordinates, dates, orders
- ``listing``: the shape of every list
- ``geography``: tools on places, distances and weather
- ``holidays``: tools on holidays, feasts and solar terms
- ``reading``: tools on the user's history and records, and on what is near
"""

from vitagym.domains import Domain
from vitagym.envs.common import geography, holidays, reading

COMMON_DOMAIN = Domain(
    name="common",
    tools=(
        geography.longitude_latitude_to_distance,
        geography.weather,
        geography.address_to_longitude_latitude,
        holidays.get_date_holiday_info,
        holidays.get_holiday_date,
        reading.get_user_historical_behaviors,
        reading.get_user_all_orders,
        reading.get_nearby,
    ),
    read_providers=lambda _: (),
)
