"""A flight booked for one day, and moved to another as soon as it is booked.

- **Who**: somebody who flies to another city for a day or two, alone or with a colleague.
- **What they want**: seats of a class on a flight that lands by some hour, with checked baggage and a meal; where the
  city has two airports, at one of them; a room for the night of arrival, near where they have to be. No sooner is the
  flight booked than the date changes, and the night with it.
- **How they say it**: route and day at once, the rest later; the new day when they hear that the flight is booked.
- **What satisfies it**: seats for the new day, whatever the way there: the order moved and the difference paid, or it
  cancelled and a new one made; a room for the night of that day.
- **What nearly does**: a flight that lands too late, with hand baggage only, in another class, at the other airport or
  the other way; the day or the night of before; a hotel too far away, a star short, a room without breakfast.
"""

from __future__ import annotations

from datetime import timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.ota.scenarios.buying import bought, buy, look_up_flight, look_up_user, report, report_phrase
from vitagym.envs.ota.scenarios.past import add_past_trips, draw_travel_habits
from vitagym.envs.ota.scenarios.rides import EndsAt, RideHas, Rides, Route, SeatIs, on_another_day, ride_pool
from vitagym.envs.ota.scenarios.stays import draw_stay, look_up_stay, say_stay
from vitagym.envs.ota.scenarios.travel import (
    ArrivesBy,
    OnDate,
    date_of,
    on_day,
    plan_trip,
    with_all_products,
)
from vitagym.generation.families import Family
from vitagym.generation.record_requirements import InStatus, Pieces
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import calendar_day
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/ota_flight_put_off"
_UNIT = Term("", "张")
_POINTS = {
    "arrives_by": "landing",
    "seat_is": "seat",
    "pieces": "people",
    "has_bag": "baggage",
    "has_meal": "meal",
    "ends_at": "airport",
    "paid": "pay",
}


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    trip = plan_trip(scene, km=(600, 2600), flies=True)
    then = trip.first + timedelta(days=draw.choice((-1, 1, 2)))
    days = sorted({*trip.days(), then, then + timedelta(days=1)})
    scene.weather += [weather_day(draw, trip.there, day, draw.choice((Sky.DRY, Sky.RAIN))) for day in days]
    people = draw.between(1, 2)
    landing = 30 * draw.between(23, 38)

    # What they want, in the end.
    wanted: list[OfferRequirement] = [
        Route(scene.city, trip.there),
        ArrivesBy(landing),
        SeatIs(draw.choice(("economy", "economy", "club"))),
        RideHas("bag", rival="no_bag"),
        RideHas("meal", rival="no_meal"),
        OnDate(then, [trip.first], scene.now),
    ]
    airports = trip.there.airports
    if len(airports) > 1:
        # Flights that go the other way would not end there either: the airport stands for the route.
        airport = draw.choice(airports)
        wanted[0] = EndsAt(airport, [other for other in airports if other != airport])
    rides = Rides(scene.city, trip.there, [then], types=("flight",))
    on = [then, *(day for day in days if day != then)]
    flights = with_all_products(ride_pool(draw, rides, wanted, on, valid=2, noise=scene.distractors))
    meeting = trip.addresses.house()
    scene.places.append(meeting)
    rooms = draw_stay(scene, trip.addresses, meeting, meeting.address, then, days)
    scene.lay([*flights.providers, *rooms.providers])
    bought_right = [Pieces(people, _UNIT), InStatus(Meaning.PAID)]
    goal = scene.goal("flight", phrase(STORY, "flight"), RecordKind.FLIGHT, [*wanted, *bought_right], pool=flights)
    of_room = [*rooms.requirements, InStatus(Meaning.PAID)]
    stay = scene.goal("hotel", phrase(STORY, "hotel"), RecordKind.HOTEL, of_room, pool=rooms)

    draw_travel_habits(scene)
    add_past_trips(scene)

    # How they say it.
    values = {
        "origin": scene.city.name,
        "city": trip.there.name,
        "when": on_day(trip.first, scene.now),
        "reason": phrase(STORY, draw.choice(("reason_visit", "reason_work", "reason_exam"))),
        "then": on_day(then, scene.now),
        "party": phrase(STORY, f"party_{people}"),
        "party_told": phrase(STORY, f"party_{people}_told"),
    }
    also = (Slot.ORIGIN, Slot.DESTINATION, Slot.DATE)
    scene.opening("need", saying(STORY, "need").fill(**values), also=also)
    scene.say_requirements(goal, STORY, _POINTS, names=values)
    say_stay(scene, rooms, phrase(STORY, "night"))
    change = saying(STORY, "change").fill(**values)
    about = [phrase(STORY, "about_flight"), phrase(STORY, "about_ticket")]
    scene.when(EventKind.REPORTED, about, "change", change, Slot.DATE, replaces="need")
    first_day, other_day = OnDate(trip.first, [then], scene.now), OnDate(then, [trip.first], scene.now)
    scene.means("need", goal, Route(scene.city, trip.there), first_day)
    scene.means("stay", stay, first_day)
    scene.means("change", goal, other_day)
    scene.means("change", stay, other_day)

    # What a good agent does.
    chosen = flights.chosen
    before = on_another_day(chosen, trip.first)
    look_up_user(scene)
    look_up_flight(scene, chosen.provider, after=("need",))
    buy(scene, before, "$flight", people, after=scene.said())
    report(scene, [bought(before, people)])
    scene.call(
        "modify_flight_order",
        order_id="$flight",
        user_id=scene.person.user_id,
        new_date=date_of(then),
        after=("change",),
    )
    if chosen.product.price > before.product.price:
        scene.call("pay_flight_order", order_id="$flight")
    moved = report_phrase("moved").fill(what=phrase(STORY, "flight"), day=calendar_day(then))
    look_up_stay(scene, trip.there, rooms, meeting)
    buy(scene, rooms.chosen, "$room")
    report(scene, [moved, bought(chosen, people), bought(rooms.chosen)])


FAMILY = Family("flight_put_off", ("ota",), tell)
