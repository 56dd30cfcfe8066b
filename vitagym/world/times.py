"""Times ``YYYY-MM-DD HH:MM:SS`` and dates ``YYYY-MM-DD``, to the letter, and distances on the globe."""

from __future__ import annotations

import math
import re
from datetime import date, datetime
from functools import lru_cache

_TIME = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}", re.ASCII)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_TIME_LENGTH, _DATE_LENGTH = len("YYYY-MM-DD HH:MM:SS"), len("YYYY-MM-DD")
EARTH_RADIUS_M = 6_371_000


def parse_time(text: str) -> datetime | None:
    """Return the time that the text names, or None where it is not ``YYYY-MM-DD HH:MM:SS``."""
    return _time(text) if len(text) == _TIME_LENGTH else None


def parse_date(text: str) -> date | None:
    """Return the date that the text names, or None where it is not ``YYYY-MM-DD``."""
    return _date(text) if len(text) == _DATE_LENGTH else None


@lru_cache(maxsize=4096)
def _time(text: str) -> datetime | None:
    if not _TIME.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


@lru_cache(maxsize=4096)
def _date(text: str) -> date | None:
    if not _DATE.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def format_time(time: datetime) -> str:
    """Return the time as ``YYYY-MM-DD HH:MM:SS``."""
    return time.isoformat(sep=" ", timespec="seconds")


def distance_m(longitude1: float, latitude1: float, longitude2: float, latitude2: float) -> float:
    """Return the great-circle distance in metres between two points in degrees (haversine)."""
    phi1, phi2 = math.radians(latitude1), math.radians(latitude2)
    half_phi = (phi2 - phi1) / 2
    half_lambda = math.radians(longitude2 - longitude1) / 2
    a = math.sin(half_phi) ** 2 + math.cos(phi1) * math.cos(phi2) * math.sin(half_lambda) ** 2
    return EARTH_RADIUS_M * 2 * math.atan2(math.sqrt(a), math.sqrt(max(0.0, 1 - a)))
