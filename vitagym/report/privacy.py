"""Takes out of what is to be shown what only this machine should know: keys of endpoints, and where files lie.

``holds_secrets`` is a quick look at written JSON that may cry wolf; ``clean`` goes over the data text by text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

HIDDEN = "•••"
"""Stands where a key stood."""
_KEYS = re.compile(
    r"\b(?:sk|pk|rk|hf|gsk|xai|ghp)[-_][A-Za-z0-9_-]{16,}|\b(?:AKIA|AIza)[A-Za-z0-9_-]{12,}"
    r"|(?i:(?<=bearer )[A-Za-z0-9._~+/=-]{8,}|(?<=api[_-]key=)[^\s&\"',;)]+|(?<=apikey=)[^\s&\"',;)]+)"
    r"|(?<=://)[^\s/@:]+:[^\s/@]+(?=@)"
)
_ROOTS = ("home", "root", "Users", "tmp", "var", "opt", "mnt", "media", "work", "srv", "data", "private", "workspace")
_MORE_ROOTS = ("content", "scratch", "usr", "etc", "Volumes", "lustre", "nfs", "gpfs")
_PATHS = re.compile(
    rf"(?:file://|(?<![\w./\\-]))/(?:{'|'.join(_ROOTS + _MORE_ROOTS)})(?:/[^\s/\"'<>|:,;)]+)+/?"
    r"|(?<!\w)[A-Za-z]:\\(?:[^\s\\\"'<>|:,;)]+\\?)+"
)
_SIGNS = (
    *("sk-", "sk_", "pk-", "pk_", "rk_", "rk-", "hf_", "hf-", "xai-", "xai_", "ghp_", "ghp-", "AKIA", "AIza"),
    *("earer ", "EARER ", "key=", "KEY=", "Key=", "@"),
    *(f"/{root}/" for root in _ROOTS + _MORE_ROOTS),
    ":\\\\",
)
"""Without one of these in it, written JSON holds neither a key of a known form nor a path."""
_SECRET_NAME = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)$")
_SHORTEST_SECRET = 8


def known_secrets() -> tuple[str, ...]:
    """Return what the environment's variables hold whose names say that it is secret (``OPENAI_API_KEY``, …)."""
    values = {value for name, value in os.environ.items() if _SECRET_NAME.search(name.upper())}
    return tuple(sorted((v for v in values if len(v.strip()) >= _SHORTEST_SECRET), key=lambda v: (-len(v), v)))


def holds_secrets(written: str, secrets: Sequence[str]) -> bool:
    """Return whether written JSON may hold a key or an absolute path; False is certain."""
    return any(sign in written for sign in (*_SIGNS, *secrets))


def clean(value: Any, secrets: Sequence[str]) -> Any:
    """Return a copy of JSON data in which no text holds a key or an absolute path.

    A path becomes its last part. Keys are known by their form, and by being one of the secrets.
    """
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, HIDDEN)
        return _KEYS.sub(HIDDEN, _PATHS.sub(_last_part, value))
    if isinstance(value, dict):
        return {clean(str(name), secrets): clean(inner, secrets) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [clean(inner, secrets) for inner in value]
    return value


def _last_part(path: re.Match[str]) -> str:
    return re.split(r"[/\\]", path.group().rstrip("/\\"))[-1]
