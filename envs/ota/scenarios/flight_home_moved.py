"""There and back by air, both ways booked at once; then the flight home has to be moved.

- **Who**: somebody who is away for a few days: to help with a move, for a course, to look after somebody.
- **What they want**: seats of one class there and back, both with checked baggage; to land by some hour, where the city
  has two airports at one of them; a room for the first night; to fly home no earlier than some hour, with a meal. Once
  all is booked, the day of the flight home changes.
- **How they say it**: where, when and why at once, the rest later; the new day when they hear that all is booked.
- **What satisfies it**: the flight there and the room as they are; seats home for the new day, whatever the way there:
  the order moved and the difference paid, or it cancelled and a new one made.
- **What nearly does**: a flight that lands too late, leaves too early, takes hand baggage only, serves no meal, has
  another class, goes the other way or to the other airport; the flight home on the day of before; both flights moved;
  a hotel too far away, a star short, a room without breakfast.
"""

from __future__ import annotations

from datetime import date, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.ota.scenarios.buying import bought, buy, look_up_flight, look_up_user, report, report_phrase
from vitagym.envs.ota.scenarios.past import add_past_trips, draw_travel_habits
from vitagym.envs.ota.scenarios.rides import EndsAt, RideHas, Rides, Route, SeatIs, on_another_day, ride_pool
from vitagym.envs.ota.scenarios.stays import draw_stay, look_up_stay, say_stay
from vitagym.envs.ota.scenarios.travel import (
    ArrivesBy,
    LeavesFrom,
    OnDate,
    clock_at,
    date_of,
    on_day,
    plan_trip,
    share,
)
from vitagym.generation.families import Family
from vitagym.generation.geography import City
from vitagym.generation.pools import Pool
from vitagym.generation.record_requirements import InStatus, Pieces
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import calendar_day
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/ota_flight_home_moved"
_REASONS = ("move", "course", "ill", "fair")
_UNIT = Term("", "张")
_POINTS = {
    "arrives_by": "landing",
    "seat_is": "seat",
    "pieces": "people",
    "has_bag": "baggage",
    "ends_at": "airport",
    "paid": "pay",
}


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    trip = plan_trip(scene, km=(600, 2600), flies=True)
    back_on = trip.first + timedelta(days=draw.between(2, 4))
    shift = draw.choice((-1, 1, 2))
    then = back_on + timedelta(days=shift)
    days = sorted({trip.first, trip.first + timedelta(days=1), back_on, then})
    scene.weather += [weather_day(draw, trip.there, day, draw.choice((Sky.DRY, Sky.RAIN))) for day in days]
    people = draw.between(1, 2)
    after = 30 * draw.between(22, 34)

    # What they want: there …
    seat, bag = SeatIs(draw.choice(("economy", "economy", "club"))), RideHas("bag", rival="no_bag")
    route = Route(scene.city, trip.there)
    there_on = OnDate(trip.first, [day for day in days if day != trip.first], scene.now)
    wanted: list[OfferRequirement] = [
        route,
        ArrivesBy(30 * draw.between(23, 38)),
        seat,
        bag,
        there_on,
    ]
    airports = trip.there.airports
    if len(airports) > 1:
        # Flights that go the other way would not end there either: the airport stands for the route.
        airport = draw.choice(airports)
        wanted[0] = EndsAt(airport, [other for other in airports if other != airport])
    # … and back, in the end.
    leaves, meal = LeavesFrom(after), RideHas("meal", rival="no_meal")
    home = OnDate(then, [back_on], scene.now)
    back_wanted: list[OfferRequirement] = [Route(trip.there, scene.city), leaves, seat, bag, meal, home]
    used: set[str] = set()
    there = _pool(scene, scene.city, trip.there, wanted, trip.first, days, used)
    back = _pool(scene, trip.there, scene.city, back_wanted, then, days, used)
    share(there, back)
    # In between, a room for the first night.
    house = trip.addresses.house()
    scene.places.append(house)
    rooms = draw_stay(scene, trip.addresses, house, house.address, trip.first, days[:3])
    scene.lay([*there.providers, *back.providers, *rooms.providers])
    bought_right = [Pieces(people, _UNIT), InStatus(Meaning.PAID)]
    outward = scene.goal("there", _words("there"), RecordKind.FLIGHT, [*wanted, *bought_right], pool=there)
    inward = scene.goal("back", _words("back"), RecordKind.FLIGHT, [*back_wanted, *bought_right], pool=back)
    of_room = [*rooms.requirements, InStatus(Meaning.PAID)]
    stay = scene.goal("hotel", _words("hotel"), RecordKind.HOTEL, of_room, pool=rooms)

    draw_travel_habits(scene)
    add_past_trips(scene)

    # How they say it.
    why = draw.choice(_REASONS)
    values = {
        "origin": scene.city.name,
        "city": trip.there.name,
        "when": on_day(trip.first, scene.now),
        "reason": _words(f"reason_{why}"),
        "reason_told": _words(f"reason_{why}_told"),
        "back": on_day(back_on, scene.now),
        "then": on_day(then, scene.now),
        "after": clock_at(after),
        "news": _words("news_longer" if shift > 0 else "news_sooner"),
        "news_told": _words("news_longer_told" if shift > 0 else "news_sooner_told"),
        "party": _words(f"party_{people}"),
        "party_told": _words(f"party_{people}_told"),
    }
    scene.opening("need", saying(STORY, "need").fill(**values), also=(Slot.ORIGIN, Slot.DESTINATION, Slot.DATE))
    scene.later("return", saying(STORY, "return").fill(**values), Slot.DATE, also=(Slot.TIME,))
    scene.say_requirements(outward, STORY, _POINTS, names=values)
    scene.later("meal", saying(STORY, "meal"), Slot.FACILITY)
    say_stay(scene, rooms, _words("night"))
    change = saying(STORY, "change").fill(**values)
    about = [_words("about_flight"), _words("about_ticket")]
    scene.when(EventKind.REPORTED, about, "change", change, Slot.DATE, also=(Slot.TIME,), replaces="return")
    scene.means("need", outward, route, there_on)
    scene.means("stay", stay, there_on)
    scene.means("need", inward, back_wanted[0])
    scene.means("return", inward, OnDate(back_on, [then], scene.now), leaves)
    scene.means("meal", inward, meal)
    scene.means("change", inward, home, leaves)

    # What a good agent does.
    before = on_another_day(back.chosen, back_on)
    look_up_user(scene)
    look_up_flight(scene, there.chosen.provider, after=("need",))
    look_up_flight(scene, before.provider)
    buy(scene, there.chosen, "$there", people, after=scene.said())
    buy(scene, before, "$back", people)
    look_up_stay(scene, trip.there, rooms, house)
    buy(scene, rooms.chosen, "$room")
    report(scene, [bought(there.chosen, people), bought(before, people), bought(rooms.chosen)])
    scene.call(
        "modify_flight_order",
        order_id="$back",
        user_id=scene.person.user_id,
        new_date=date_of(then),
        after=("change",),
    )
    if back.chosen.product.price > before.product.price:
        scene.call("pay_flight_order", order_id="$back")
    moved = report_phrase("moved").fill(what=_words("flight_home"), day=calendar_day(then))
    report(scene, [moved, bought(back.chosen, people)])


def _pool(
    scene: Scene,
    origin: City,
    target: City,
    wanted: list[OfferRequirement],
    when: date,
    days: list[date],
    used: set[str],
) -> Pool:
    rides = Rides(origin, target, [when], types=("flight",), used=used)
    on = [when, *(day for day in days if day != when)]
    return ride_pool(scene.stream, rides, wanted, on, valid=2, noise=scene.distractors)


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("flight_home_moved", ("ota",), tell)
