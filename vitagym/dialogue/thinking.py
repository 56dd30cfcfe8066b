"""What a model thinks aloud is nobody else's business."""

from __future__ import annotations

import re

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_UNOPENED = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)


def without_thinking(text: str) -> str:
    """Return a text without its ``<think>`` parts; one left open goes to the end, one never opened starts it."""
    if "think" not in text.lower():
        return text
    return _UNOPENED.sub("", _THOUGHT.sub("", text))
