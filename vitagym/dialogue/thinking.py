"""What a model thinks aloud is nobody else's business."""

from __future__ import annotations

import re

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"</?think(?:ing)?>", re.IGNORECASE)
_UNOPENED = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)


def without_thinking(text: str) -> str:
    """Return a text without its ``<think>`` parts; one left open goes to the end, one never opened starts it.

    Where there is any, what is left begins and ends with a word; a text without any stays to the letter.
    """
    if "think" not in text.lower():
        return text
    left = _UNOPENED.sub("", _THOUGHT.sub("", text))
    return text if left == text else left.strip()


def thinking_in(text: str) -> str:
    """Return what ``without_thinking`` leaves out of a text, without its tags; empty where it leaves nothing out."""
    if "think" not in text.lower():
        return ""
    thoughts = _THOUGHT.findall(text)
    unopened = _UNOPENED.search(_THOUGHT.sub("", text))
    found = [*thoughts, unopened[0]] if unopened else thoughts
    return "\n".join(_TAG.sub("", thought).strip() for thought in found).strip()
