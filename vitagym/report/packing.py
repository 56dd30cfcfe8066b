"""Data as it lies in the page: JSON, gzipped, in base64, so that no word of a log can be taken for markup."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from typing import Any

import orjson

from vitagym.report.privacy import clean, holds_secrets

_LEVEL = 6


def packed(value: Any, secrets: Sequence[str] = ()) -> str:
    """Return JSON data as gzip in base64, without keys, absolute paths and the secrets. Same data gives same text."""
    written = _written(value)
    if holds_secrets(written.decode("utf-8", "replace"), secrets):
        written = _written(clean(value, secrets))
    return base64.b64encode(gzip.compress(written, _LEVEL, mtime=0)).decode("ascii")


def unpacked(text: str) -> Any:
    """Return the data that ``packed`` was given."""
    return json.loads(gzip.decompress(base64.b64decode(text)))


def _written(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:  # lone surrogates, which only an escape can say, and integers of any size
        return json.dumps(value, separators=(",", ":")).encode("ascii")
