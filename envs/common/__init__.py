"""What all domains share: general tools, and the user's history, orders and surroundings."""

from vitagym.domains import Domain

COMMON_DOMAIN = Domain(name="common", tools=(), read_providers=lambda _: ())
