"""The delivery domain."""

from vitagym.domains import Domain

DELIVERY_DOMAIN = Domain(name="delivery", tools=(), read_providers=lambda _: ())
