"""Where a story of everyday life begins: who, where and when."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from vitagym.envs.common.dishes import diet_profile
from vitagym.generation.people import draw_person
from vitagym.generation.scene import Scene
from vitagym.generation.weather import Sky, weather_day


def settle(
    scene: Scene,
    day: date,
    hour: int,
    minutes: tuple[int, int],
    *,
    avoided: str,
    desk: bool = False,
    families: Sequence[str] = (),
) -> None:
    """Set the scene in a drawn city, with a person who does not eat something.

    Args:
        scene: The empty scene.
        day: The day.
        hour: The hour of the clock.
        minutes: The minutes after it are drawn between these.
        avoided: Key of the person's diet.
        desk: Whether they must work at an office.
        families: The family statuses that fit; empty: any.
    """
    draw = scene.stream
    scene.in_city()
    scene.person = draw_person(
        draw, scene.addresses, persona=scene.persona, desk=desk, families=families, diet=diet_profile(avoided)
    )
    scene.places.append(scene.person.home)
    if scene.person.work is not None:
        scene.places.append(scene.person.work)
    scene.now = at(day, hour, draw.between(*minutes))
    scene.weather.append(weather_day(draw, scene.city, day, draw.choice((Sky.DRY, Sky.DRY, Sky.RAIN))))


def at(day: date, hour: int, minute: int = 0) -> datetime:
    """Return a time of a day; minutes may run over the hour."""
    return datetime.combine(day, time()) + timedelta(hours=hour, minutes=minute)


def on_the_clock(when: datetime, minutes: int = 5) -> datetime:
    """Return the time at the next full five minutes (or so), as people name times."""
    return when + timedelta(minutes=-when.minute % minutes)
