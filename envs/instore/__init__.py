"""The instore domain."""

from vitagym.domains import Domain

INSTORE_DOMAIN = Domain(name="instore", tools=(), read_providers=lambda _: ())
