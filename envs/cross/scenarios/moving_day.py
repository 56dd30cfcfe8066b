"""Moving house with friends: lunch brought to the new flat, a table for the evening, a hotel as the bed comes later.

- **Who**: somebody who moves within the city and has friends who lend a hand.
- **What they want**: lunch for all of them at the new flat around noon, the same for everybody; a table nearby in the
  evening that suits a friend's child; a room for the first night near the new flat, as the bed is not there yet.
- **How they say it**: the day and the new address at once, lunch and hotel in turn; the table once lunch is ordered.
  What one of the friends does not eat comes only when asked.
- **What satisfies it**: everything at or near the new address, which the platform does not know.
- **What nearly does**: lunch sent to the old home, with what the friend does not eat, from a store rated too low; a
  restaurant or hotel too far away, without what they need; another night.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import course
from vitagym.envs.cross.scenarios.history import add_history
from vitagym.envs.cross.scenarios.parts import draw_meal, draw_table
from vitagym.envs.cross.scenarios.tables import fee_paid, tell_done
from vitagym.envs.delivery.scenarios.arrival import around_time
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, place
from vitagym.envs.delivery.scenarios.ordering import report as delivery_report
from vitagym.envs.instore.scenarios.visiting import book, booked
from vitagym.envs.instore.scenarios.visiting import look_up as look_up_shop
from vitagym.envs.ota.scenarios.buying import all_bought, bought, buy
from vitagym.envs.ota.scenarios.stays import draw_stay, look_up_stay, say_stay
from vitagym.envs.ota.scenarios.travel import days_from
from vitagym.generation.calendar import a_day
from vitagym.generation.families import Family
from vitagym.generation.people import draw_person
from vitagym.generation.record_requirements import DeliverTo, ForPeople, InStatus, Pieces, Visits
from vitagym.generation.scene import Scene
from vitagym.generation.speech import clock, metres, number
from vitagym.generation.speech import day as day_said
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/cross_moving_day"
_DIETS = ("peanut", "cilantro", "shellfish", "egg")
_DISHES = ("rice_bowl", "noodles", "dumplings")


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    scene.in_city()
    scene.person = draw_person(draw, scene.addresses, persona=scene.persona)
    flat = scene.addresses.home()
    scene.places += [scene.person.home, flat]
    scene.now = datetime.combine(a_day(draw), time(draw.between(9, 20), draw.below(60)))
    moves = scene.now.date() + timedelta(days=draw.between(2, 8))
    days = days_from(moves - timedelta(days=1), 3)
    scene.weather += [weather_day(draw, scene.city, one, draw.choice((Sky.DRY, Sky.RAIN))) for one in days]
    people = draw.between(3, 6)
    lunch = datetime.combine(moves, time(12, draw.choice((0, 15, 30))))
    dinner = datetime.combine(moves, time(18, draw.choice((0, 30))))
    avoided, dish = draw.choice(_DIETS), draw.choice(_DISHES)
    near = draw.choice((1500, 2000, 2500))

    # What they want: lunch, a bed, a table.
    meals = draw_meal(scene, scene.addresses, flat, dish, avoided)
    rooms = draw_stay(scene, scene.addresses, flat, _words("the_flat"), moves, days)
    tables, table_is = draw_table(scene, scene.addresses, flat, _words("the_flat"), near, ["child_menu"])
    restaurant = tables.chosen.provider
    scene.lay([*meals.providers, *rooms.providers, *tables.providers])
    paid = InStatus(Meaning.PAID)
    on_order = [
        DeliverTo(flat, flat.address),
        around_time(lunch, scene.now),
        Pieces(people, course(dish).unit),
        paid,
    ]
    scene.goal("lunch", _words("lunch"), RecordKind.DELIVERY, [*meals.requirements, *on_order], pool=meals)
    scene.goal("hotel", _words("hotel"), RecordKind.HOTEL, [*rooms.requirements, paid], pool=rooms)
    visit = [Visits(dinner, dinner, scene.now), ForPeople(people + 1), *fee_paid(restaurant)]
    scene.goal("table", _words("table"), RecordKind.BOOK, [*table_is, *visit], pool=tables)

    add_history(scene)

    # How they say it.
    values = {
        "day": day_said(moves, scene.now),
        "flat": flat.address,
        "dish": course(dish).name,
        "unit": course(dish).unit,
        "people": number(people),
        "digits": people,
        "helpers": number(people - 1),
        "seats": people + 1,
        "lunch": clock(lunch),
        "dinner": clock(dinner),
        "near": metres(near),
        "table_score": table_is[-1].values()["score"],
        **meals.requirements[1].values(),
        **meals.requirements[2].values(),
    }
    also = (Slot.OCCASION, Slot.DATE, Slot.ADDRESS)
    scene.opening("need", saying(STORY, "need").fill(**values), also=also)
    scene.later("lunch", saying(STORY, "lunch_wish").fill(**values), Slot.PRODUCT, also=(Slot.TIME, Slot.QUANTITY))
    scene.asked("diet", saying(STORY, "diet").fill(**values), Slot.DIET)
    say_stay(scene, rooms, _words("first_night"))
    scene.later("pay", saying(STORY, "pay"), Slot.BUDGET)
    about = [_words("about_lunch"), meals.chosen.provider.name, meals.chosen.product.name]
    wish = saying(STORY, "table_wish").fill(**values)
    scene.when(EventKind.REPORTED, about, "table_wish", wish, Slot.PROVIDER, also=(Slot.PEOPLE,))

    # What a good agent does.
    scene.call("get_user_historical_behaviors")
    basket = Basket.of(meals.chosen, people, flat, arrival=lunch, keywords=[course(dish).name])
    look_up(scene, basket, after=("need", "lunch", "diet"))
    look_up_stay(scene, scene.city, rooms, flat)
    place(scene, basket, "$lunch", after=scene.said())
    buy(scene, rooms.chosen, "$room")
    tell_done(scene, [delivery_report(scene, basket), all_bought([bought(rooms.chosen)])])
    look_up_shop(scene, tables.chosen, _words("about_seats"), near=flat, after=("table_wish",))
    book(scene, restaurant, dinner, people + 1, "$table")
    tell_done(scene, [booked(scene, restaurant, dinner, people + 1)])


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("moving_day", ("delivery", "instore", "ota"), tell)
