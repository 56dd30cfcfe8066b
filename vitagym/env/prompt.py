"""The system prompt of agents: time, rules for tools and conversation, how to end. Texts: ``assets/prompts``."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import resources

from vitagym.errors import CallerError
from vitagym.language import Language, text
from vitagym.world.times import parse_time


@lru_cache(maxsize=1024)
def system_prompt(time: str, language: Language) -> str:
    """Return the system prompt for an episode.

    Args:
        time: The episode's clock, ``YYYY-MM-DD HH:MM:SS``.
        language: The language that user and tools speak.
    """
    now = parse_time(time)
    if now is None:
        raise CallerError(f"time {time!r} is not YYYY-MM-DD HH:MM:SS")
    return _template(language).format(time=time, weekday=text("weekdays", str(now.weekday()), language))


@cache
def _template(language: Language) -> str:
    source = resources.files("vitagym.assets").joinpath("prompts", f"agent_{language.value}.md")
    return source.read_text(encoding="utf-8").strip()
