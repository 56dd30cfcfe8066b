"""Badminton with friends, and supper at home afterwards.

- **Who**: somebody who plays once a week and is hungry after it.
- **What they want**: a voucher for a court, long enough and near home, and the visit reserved; then something to eat,
  delivered home when they are back.
- **How they say it**: the game and how many play at once; the supper once the court is reserved. What they do not eat
  comes only when asked.
- **What satisfies it**: one hall; a dish for the hour at which they are home again.
- **What nearly does**: a court for too short a time or too far away, for more or fewer people; another dish, one with
  what they do not eat, one that is too dear.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import OfCourse, course, diet, diet_profile
from vitagym.envs.cross.scenarios.history import add_history
from vitagym.envs.cross.scenarios.tables import tell_done
from vitagym.envs.delivery.scenarios.arrival import around_time
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, place
from vitagym.envs.delivery.scenarios.ordering import report as delivery_report
from vitagym.envs.delivery.scenarios.stores import Kitchens
from vitagym.envs.instore.scenarios.shops import Shops, for_so_many, lasting, service, takes, wished
from vitagym.envs.instore.scenarios.visiting import bought, buy, reserve, reserved
from vitagym.envs.instore.scenarios.visiting import look_up as look_up_shop
from vitagym.generation.calendar import a_day
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import PriceAtMost, Within
from vitagym.generation.people import draw_person
from vitagym.generation.pools import draw_pool, fill_menus
from vitagym.generation.record_requirements import DeliverTo, ForPeople, InStatus, Pieces, Visits, WithProvider
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import clock, metres, number
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/cross_after_the_game"
_DIETS = ("peanut", "cilantro", "shellfish", "egg", "fried")
_COURSES = ("noodles", "rice_noodles", "rice_bowl", "dumplings", "porridge")
_UNIT = Term("", "份")


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    avoided = draw.choice(_DIETS)
    scene.in_city()
    scene.person = draw_person(draw, scene.addresses, persona=scene.persona, diet=diet_profile(avoided))
    home = scene.person.home
    scene.places.append(home)
    scene.now = datetime.combine(a_day(draw), time(draw.between(9, 20), draw.below(60)))
    out = scene.now.date() + timedelta(days=draw.between(1, 5))
    scene.weather.append(weather_day(draw, scene.city, out, draw.choice((Sky.DRY, Sky.RAIN))))
    plays = datetime.combine(out, time(draw.between(17, 19), draw.choice((0, 30))))
    people = draw.choice((2, 4, 6))
    minutes = draw.choice((90, 120))
    near = draw.choice((1500, 2000, 3000))
    supper = plays + timedelta(minutes=minutes + draw.choice((30, 45, 60)))
    dish = draw.choice(_COURSES)

    # What they want: a court …
    badminton = service("badminton")
    court_is: list[OfferRequirement] = [
        wished("wish", draw.choice(tuple(badminton.wishes)), badminton),
        for_so_many(people, badminton),
        lasting(minutes, badminton),
        Within(near, home, _words("home")),
    ]
    halls = Shops(scene, home, badminton)
    courts = draw_pool(draw, halls, [*court_is, takes("reservations")], valid=1, noise=scene.distractors)
    fill_menus(draw, courts, badminton.package, 0, 2)
    hall = courts.chosen.provider
    # … and supper at home.
    supper_is: list[OfferRequirement] = [
        OfCourse(course(dish), tuple(course(other) for other in _COURSES if other != dish)),
        diet(avoided),
        PriceAtMost(float(draw.between(24, 32))),
    ]
    meals = draw_pool(draw, Kitchens(scene, home, course(dish)), supper_is, noise=scene.distractors)
    scene.lay([*courts.providers, *meals.providers])
    paid = InStatus(Meaning.PAID)
    voucher = [*court_is, Pieces(1, _UNIT), paid]
    scene.goal("court", _words("court"), RecordKind.INSTORE, voucher, pool=courts)
    visit = [WithProvider(hall), Visits(plays, plays, scene.now), ForPeople(people)]
    scene.goal("visit", _words("visit"), RecordKind.RESERVATION, visit)
    on_order = [
        DeliverTo(home, _words("home")),
        around_time(supper, scene.now),
        Pieces(1, course(dish).unit),
        paid,
    ]
    scene.goal("supper", _words("supper"), RecordKind.DELIVERY, [*supper_is, *on_order], pool=meals)

    add_history(scene)

    # How they say it.
    values = {
        "when": Visits(plays, plays, scene.now).values()["latest_day"],
        "plays": clock(plays),
        "people": number(people),
        "digits": people,
        "minutes": minutes,
        "wish": court_is[0].values()["wish"],
        "near": metres(near),
        "dish": course(dish).name,
        "unit": course(dish).unit,
        "supper": clock(supper),
        "price": supper_is[2].values()["price"],
        "avoided": supper_is[1].values()["avoided"],
    }
    also = (Slot.DATE, Slot.TIME, Slot.PEOPLE)
    scene.opening("need", saying(STORY, "need").fill(**values), also=also)
    scene.later("court", saying(STORY, "court_wish").fill(**values), Slot.PRODUCT, also=(Slot.DURATION, Slot.QUANTITY))
    scene.later("near", saying(STORY, "near").fill(**values), Slot.DISTANCE)
    scene.later("pay", saying(STORY, "pay"), Slot.OTHER)
    before = scene.said()
    about = [_words("about_court"), hall.name]
    wish = saying(STORY, "supper_wish").fill(**values)
    scene.when(EventKind.REPORTED, about, "supper_wish", wish, Slot.TASTE, also=(Slot.BUDGET, Slot.ADDRESS))
    scene.asked("diet", saying("requirements", "diet").fill(subject=_words("supper"), **values), Slot.DIET)

    # What a good agent does.
    scene.call("get_user_historical_behaviors")
    look_up_shop(scene, courts.chosen, badminton.name, near=home, after=("need",))
    buy(scene, courts.chosen, "$court", after=before)
    reserve(scene, hall, plays, people, "$visit")
    tell_done(scene, [bought(courts.chosen), reserved(scene, hall, plays, people)])
    basket = Basket.of(meals.chosen, 1, home, arrival=supper, keywords=[course(dish).plain])
    look_up(scene, basket, after=("supper_wish", "diet"))
    place(scene, basket, "$supper")
    scene.tell(delivery_report(scene, basket), reports="done")


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("after_the_game", ("delivery", "instore"), tell)
