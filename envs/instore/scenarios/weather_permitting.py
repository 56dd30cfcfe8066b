"""An outdoor court is reserved for Saturday; the forecast decides whether it stays, moves or goes.

- **Who**: somebody with a reservation at a tennis club for Saturday, on a day of the week before.
- **What they want**: rain on Saturday: the same time on Sunday; rain on both: cancelled. If they play, one player more
  and a package of the club; if not, a badminton package near home instead.
- **How they say it**: the conditions first; they have not looked at the forecast.
- **What satisfies it**: what the forecast makes of it: the reservation changed and a tennis package, or the reservation
  cancelled and a badminton package.
- **What nearly does**: a package of another club, too short, too dear; a hall too far away, a package for two.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.settling import at, settle
from vitagym.envs.instore.scenarios.habits import draw_habits
from vitagym.envs.instore.scenarios.shops import Shops, for_so_many, lasting, service, wished
from vitagym.envs.instore.scenarios.visiting import bought, buy, look_up, look_up_user, moved, past_reservation
from vitagym.generation.calendar import a_workday
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import AtProvider, PriceAtMost, Within
from vitagym.generation.pools import draw_pool, fill_menus
from vitagym.generation.record_requirements import ForPeople, InStatus, TheExisting, Visits
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer
from vitagym.generation.speech import number, stamp, weekday
from vitagym.generation.terms import Term, phrase, saying, sentences
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind

STORY = "stories/instore_weather_permitting"
_SKIES = ((Sky.DRY, Sky.RAIN), (Sky.RAIN, Sky.DRY), (Sky.RAIN, Sky.RAIN))


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    settle(scene, a_workday(draw), draw.between(9, 21), (0, 59), avoided="mango")
    home, tennis, badminton = scene.person.home, service("tennis"), service("badminton")
    draw_habits(scene, without=("badminton",))
    saturday = scene.now.date() + timedelta(days=5 - scene.now.weekday())
    sunday = saturday + timedelta(days=1)
    skies = draw.choice(_SKIES)
    forecast = [weather_day(draw, scene.city, on, sky) for on, sky in zip((saturday, sunday), skies, strict=True)]
    scene.weather += forecast
    playing_on = saturday if skies[0] is Sky.DRY else sunday if skies[1] is Sky.DRY else None

    # What they have, and what they want if they play, or if they do not.
    clubs = Shops(scene, home, tennis)
    club = clubs.shop(draw)
    wish = draw.choice(tuple(tennis.wishes))
    long_enough = lasting(draw.choice((90, 120)), tennis)
    budget = PriceAtMost(float(draw.between(14, 18) * 10 if wish == "rackets" else draw.between(28, 34) * 10))
    here = AtProvider(club, phrase("requirements", "regular_place"))
    outdoors: list[OfferRequirement] = [here, wished("wish", wish, tennis), long_enough, budget]
    tennis_pool = draw_pool(draw, clubs, outdoors, valid=1, noise=max(1, scene.distractors - 1))
    before, hour = draw.between(2, 3), draw.between(9, 16)
    people, size = ForPeople(before + 1), for_so_many(4, badminton)
    indoor_wish = draw.choice(tuple(badminton.wishes))
    near = Within(draw.choice((1500, 2000, 3000)), home, phrase(STORY, "my_home"))
    indoors: list[OfferRequirement] = [wished("wish", indoor_wish, badminton), near, size]
    hall_pool = draw_pool(draw, Shops(scene, home, badminton), indoors, noise=max(1, scene.distractors - 1))
    fill_menus(draw, tennis_pool, tennis.package, 1, 3)
    fill_menus(draw, hall_pool, badminton.package, 0, 3)
    scene.lay([*tennis_pool.providers, *hall_pool.providers])
    reservation = past_reservation(scene, club, at(saturday, hour), before, days_ago=draw.between(1, 4))
    what = TheExisting(reservation, phrase(STORY, "what_visit").fill(shop=club.name))
    visit = phrase(STORY, "subject_visit")
    if playing_on is not None:
        time = at(playing_on, hour)
        then = Visits(time, time, scene.now)
        change = scene.goal("visit", visit, RecordKind.RESERVATION, [what, then, people])
        package_of = scene.goal("package", phrase(STORY, "subject"), RecordKind.INSTORE, outdoors, pool=tennis_pool)
    else:
        cancelled = InStatus(Meaning.CANCELLED, kind="cancelled", thinking=True)
        change = scene.goal("visit", visit, RecordKind.RESERVATION, [what, cancelled])
        package_of = scene.goal(
            "package", phrase(STORY, "subject_indoors"), RecordKind.INSTORE, indoors, pool=hall_pool
        )

    # How they say it.
    days = {"day": weekday(saturday), "next_day": weekday(sunday)}
    scene.opening("need", saying(STORY, "need").fill(**days), also=(Slot.WEATHER, Slot.HISTORY, Slot.DATE, Slot.TIME))
    count = {**people.values(), "before": number(before), "before_digits": before}
    scene.later("people", saying(STORY, "people").fill(**count), Slot.PEOPLE)
    package = saying(STORY, "package").fill(wish=tennis.wishes[wish], **long_enough.values())
    scene.later("package", package, Slot.PRODUCT, also=(Slot.DURATION,))
    scene.later("budget", saying(STORY, "budget").fill(**budget.values()), Slot.BUDGET)
    otherwise = saying(STORY, "indoors").fill(wish=badminton.wishes[indoor_wish], **near.values())
    scene.later("indoors", otherwise, Slot.OTHER, also=(Slot.DISTANCE,))
    scene.later("indoors_size", saying(STORY, "indoors_size").fill(**size.values()), Slot.QUANTITY)
    # What the forecast decides is understood once it was seen.
    seen = [text for row in forecast for text in (row["datetime"], row["category"])]
    if playing_on is not None:
        scene.means("need", change, then, shown_by=seen)
        scene.means("people", change, people, shown_by=seen)
        scene.means("package", package_of, *outdoors[:3], shown_by=seen)
        scene.means("budget", package_of, budget, shown_by=seen)
    else:
        scene.means("need", change, cancelled, shown_by=seen)
        scene.means("indoors", package_of, *indoors[:2], shown_by=seen)
        scene.means("indoors_size", package_of, size, shown_by=seen)

    # What a good agent does.
    look_up_user(scene)
    scene.call("get_instore_reservations", user_id=scene.person.user_id, after=("need",))
    weekend = {"date_start": saturday.isoformat(), "date_end": sunday.isoformat()}
    scene.call("weather", address=scene.city.name, **weekend)
    sky = {"sky": forecast[0]["category"], "next_sky": forecast[1]["category"], "shop": club.name, **days}
    if playing_on is None:
        look_up(scene, hall_pool.chosen, badminton.name, near=home)
        scene.call("instore_cancel_reservation", reservation_id=reservation, after=scene.said())
        _buy(scene, hall_pool.chosen, [phrase(STORY, "found_wet").fill(**sky)])
    else:
        look_up(scene, tennis_pool.chosen, club.name)
        _move(scene, reservation, at(playing_on, hour), people.count)
        found = phrase(STORY, "found_dry" if playing_on == saturday else "found_moved").fill(**sky)
        done = moved(scene, club, at(playing_on, hour), people.count)
        _buy(scene, tennis_pool.chosen, [found, done])


def _move(scene: Scene, reservation: str, time: datetime, people: int) -> None:
    scene.call(
        "instore_modify_reservation",
        after=scene.said(),
        reservation_id=reservation,
        time=stamp(time),
        customer_count=people,
    )


def _buy(scene: Scene, offer: Offer, done: list[Term]) -> None:
    buy(scene, offer, "$package")
    scene.tell(sentences([*done, bought(offer)]), reports="done")


FAMILY = Family("weather_permitting", ("instore",), tell)
