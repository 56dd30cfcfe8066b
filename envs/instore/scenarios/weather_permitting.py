"""An outdoor court is reserved for Saturday; the forecast decides whether it stays, moves or goes.

- **Who**: somebody with a reservation at a tennis club for Saturday, on a day of the week before.
- **What they want**: rain on Saturday: the same time on Sunday; rain on both: cancelled. If they play, one player more,
  and a package of the club with what they need, long enough and not too dear.
- **How they say it**: the conditions first; they have not looked at the forecast.
- **What satisfies it**: what the forecast makes of it: two or three records, or a cancelled reservation and nothing.
- **What nearly does**: the package that fits of another club, or one of the club that is too short or too dear.
"""

from __future__ import annotations

from datetime import timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.settling import at, settle
from vitagym.envs.instore.scenarios.habits import draw_habits
from vitagym.envs.instore.scenarios.shops import Shops, lasting, service, wished
from vitagym.envs.instore.scenarios.visiting import bought, buy, look_up_user, moved, past_reservation
from vitagym.generation.calendar import a_workday
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import AtProvider, PriceAtMost
from vitagym.generation.pools import draw_pool
from vitagym.generation.record_requirements import ForPeople, InStatus, TheExisting, Visits
from vitagym.generation.requirement import OfferRequirement, Requirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import number, stamp, weekday
from vitagym.generation.terms import phrase, saying, sentences
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind

STORY = "stories/instore_weather_permitting"
_SKIES = ((Sky.DRY, Sky.RAIN), (Sky.RAIN, Sky.DRY), (Sky.RAIN, Sky.RAIN))


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    settle(scene, a_workday(draw), draw.between(9, 21), (0, 59), avoided="mango")
    tennis = service("tennis")
    draw_habits(scene, without=("tennis",))
    saturday = scene.now.date() + timedelta(days=5 - scene.now.weekday())
    sunday = saturday + timedelta(days=1)
    skies = draw.choice(_SKIES)
    forecast = [weather_day(draw, scene.city, on, sky) for on, sky in zip((saturday, sunday), skies, strict=True)]
    scene.weather += forecast
    plays = Sky.DRY in skies
    playing_on = saturday if skies[0] is Sky.DRY else sunday

    # What they have, and what they want.
    clubs = Shops(scene, scene.person.home, tennis)
    club = clubs.shop(draw)
    wish = draw.choice(tuple(tennis.wishes))
    on_offer: list[OfferRequirement] = [
        AtProvider(club, phrase("requirements", "regular_place")),
        wished("wish", wish, tennis),
        lasting(draw.choice((90, 120)), tennis),
        PriceAtMost(float(draw.between(14, 18) * 10 if wish == "rackets" else draw.between(28, 34) * 10)),
    ]
    pool = draw_pool(draw, clubs, on_offer, valid=1, noise=scene.distractors)
    scene.lay(pool.providers)
    before = draw.between(2, 3)
    hour = draw.between(9, 16)
    reservation = past_reservation(scene, club, at(saturday, hour), before, days_ago=draw.between(1, 4))
    what = phrase(STORY, "what_visit").fill(shop=club.name)
    time, people = at(playing_on, hour), ForPeople(before + 1)
    outcome: list[Requirement] = [TheExisting(reservation, what)]
    if plays:
        outcome += [Visits(time, time, scene.now, kind="visits_at"), people]
    else:
        outcome.append(InStatus(Meaning.CANCELLED, kind="cancelled"))
    scene.goal("visit", phrase(STORY, "subject_visit"), RecordKind.RESERVATION, outcome)
    if plays:
        scene.goal("package", phrase(STORY, "subject"), RecordKind.INSTORE, on_offer, pool=pool)

    # How they say it.
    days = {"day": weekday(saturday), "next_day": weekday(sunday)}
    scene.opening("need", saying(STORY, "need").fill(**days), also=(Slot.WEATHER, Slot.HISTORY, Slot.DATE, Slot.TIME))
    count = {**people.values(), "before": number(before), "before_digits": before}
    scene.later("people", saying(STORY, "people").fill(**count), Slot.PEOPLE)
    scene.later("package", saying(STORY, "package").fill(wish=tennis.wishes[wish]), Slot.PRODUCT)
    scene.later("minutes", saying(STORY, "minutes").fill(**on_offer[2].values()), Slot.DURATION)
    scene.later("budget", saying(STORY, "budget").fill(**on_offer[3].values()), Slot.BUDGET)

    # What a good agent does.
    look_up_user(scene)
    scene.call("get_instore_reservations", user_id=scene.person.user_id, after=("need",))
    scene.call(
        "weather",
        address=scene.city.name,
        date_start=saturday.isoformat(),
        date_end=sunday.isoformat(),
        after=("need",),
    )
    sky = {"sky": forecast[0]["category"], "next_sky": forecast[1]["category"], "shop": club.name, **days}
    if not plays:
        scene.call("instore_cancel_reservation", reservation_id=reservation, after=scene.said())
        scene.tell(phrase(STORY, "found_wet").fill(**sky), reports="done")
        return
    scene.call("instore_shop_search_recommend", keywords=[club.name])
    scene.call("instore_product_search_recommend", keywords=[pool.chosen.product.name])
    scene.call(
        "instore_modify_reservation",
        after=scene.said(),
        reservation_id=reservation,
        time=stamp(time),
        customer_count=people.count,
    )
    found = phrase(STORY, "found_dry" if playing_on == saturday else "found_moved").fill(**sky)
    buy(scene, pool.chosen, "$package")
    done = [found, moved(scene, club, time, people.count), bought(pool.chosen)]
    scene.tell(sentences(done), reports="done")


FAMILY = Family("weather_permitting", ("instore",), tell)
