"""The domains of VitaBench. Importing this package makes them known to the engine."""

from vitagym.domains import register_domain
from vitagym.envs.common import COMMON_DOMAIN
from vitagym.envs.delivery import DELIVERY_DOMAIN
from vitagym.envs.instore import INSTORE_DOMAIN
from vitagym.envs.ota import OTA_DOMAIN

for _domain in (COMMON_DOMAIN, DELIVERY_DOMAIN, INSTORE_DOMAIN, OTA_DOMAIN):
    register_domain(_domain)
