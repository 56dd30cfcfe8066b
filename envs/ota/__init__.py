"""The ota domain."""

from vitagym.domains import Domain

OTA_DOMAIN = Domain(name="ota", tools=(), read_providers=lambda _: ())
