"""Drinks for friends tomorrow: to the park if it stays dry, home if it rains.

- **Who**: anybody who meets friends tomorrow; the weather decides where.
- **What they want**: the same drink for all: sweetness, warmth, without what one of them cannot have, at a price a cup,
  around a time tomorrow, at the place that the forecast decides.
- **How they say it**: the plan and its condition first; they have not looked at the forecast.
- **What satisfies it**: any drink that is right, at the right one of two addresses, sent off in time for the way.
- **What nearly does**: too sweet, the wrong warmth, with dairy, too dear.
"""

from __future__ import annotations

from datetime import timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import OfCourse, course, diet, tasting
from vitagym.envs.common.settling import at, settle
from vitagym.envs.delivery.scenarios.arrival import around_time
from vitagym.envs.delivery.scenarios.habits import draw_habits
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, look_up_user, place, report
from vitagym.envs.delivery.scenarios.stores import Kitchens, add_sides
from vitagym.generation.calendar import a_day
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import PriceAtMost
from vitagym.generation.pools import draw_pool
from vitagym.generation.record_requirements import DeliverTo, Pieces
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import number
from vitagym.generation.spots import around
from vitagym.generation.terms import phrase, saying, sentences
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import RecordKind

STORY = "stories/delivery_rain_or_shine"
_PARKS = ("park_riverside", "park_hill", "park_sports", "park_lawn")


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    settle(scene, a_day(draw), draw.between(10, 20), (0, 59), avoided="cilantro")
    draw_habits(scene, avoided="cilantro")
    home = scene.person.home
    park = phrase(STORY, draw.choice(_PARKS))
    ground = scene.addresses.place(park, around(draw, home, 2000, 4500))
    scene.places.append(ground)
    tomorrow = scene.now.date() + timedelta(days=1)
    wet = draw.random() < 0.5
    forecast = weather_day(draw, scene.city, tomorrow, Sky.RAIN if wet else Sky.DRY)
    scene.weather.append(forecast)
    to = home if wet else ground

    # What they want.
    drink = course(draw.choice(("milk_tea", "juice")))
    count, time = draw.between(3, 7), at(tomorrow, draw.between(14, 16), draw.choice((0, 30)))
    on_offer: list[OfferRequirement] = [
        OfCourse(drink, (course("coffee"),)),
        tasting("sweet", draw.choice(("no_sugar", "less_sugar"))),
        tasting("warmth", draw.choice(("served_hot", "served_iced", "served_plain"))),
        diet("dairy" if draw.random() < 0.6 else "mango"),
        PriceAtMost(float(draw.between(18, 22))),
    ]
    on_order = [DeliverTo(to, to.address), around_time(time, scene.now), Pieces(count, drink.unit)]

    # What satisfies it, and what nearly does.
    pool = draw_pool(draw, Kitchens(scene, home, drink), on_offer, noise=scene.distractors)
    add_sides(scene, pool.providers, course("pastry"), most=1)
    scene.lay(pool.providers)
    goal = scene.goal("drinks", phrase(STORY, "subject"), RecordKind.DELIVERY, [*on_offer, *on_order], pool=pool)

    # How they say it.
    plan = {"park": park, "address": ground.address}
    need = saying(STORY, "need").fill(count=number(count), course=drink.name, **plan)
    scene.opening("need", need, also=(Slot.PRODUCT, Slot.ADDRESS, Slot.WEATHER, Slot.PEOPLE))
    scene.later("address", saying(STORY, "address").fill(**plan), Slot.ADDRESS)
    forecast_says = [tomorrow.isoformat(), forecast["category"]]
    scene.means("need" if wet else "address", goal, on_order[0], shown_by=forecast_says)
    points = {
        "pieces": "count",
        "arrives_around": "time",
        "sweetness": "sweet",
        "warmth": "warmth",
        "diet": "diet",
        "price_at_most": "budget",
    }
    scene.say_requirements(goal, STORY, points)

    # What a good agent does.
    basket = Basket.of(pool.chosen, count, to, arrival=time, keywords=[drink.plain])
    look_up_user(scene)
    scene.call(
        "weather",
        address=scene.city.name,
        date_start=tomorrow.isoformat(),
        date_end=tomorrow.isoformat(),
        after=("need", "address"),
    )
    look_up(scene, basket)
    place(scene, basket, "$order", after=scene.said())
    why = phrase(STORY, "forecast_wet" if wet else "forecast_dry").fill(category=forecast["category"], park=park)
    scene.tell(sentences([why, report(scene, basket)]), reports="done")


FAMILY = Family("rain_or_shine", ("delivery",), tell)
