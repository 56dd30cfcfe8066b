"""A night or two in another city, near a sight that the person wants to see; then tickets for it.

- **Who**: somebody who plans a short trip with a partner, a friend or a child.
- **What they want**: a room by bed and view, in a hotel of some stars near the sight, free on every night of the stay;
  perhaps with breakfast, an amenity, a limit per night. Once it is booked, tickets for the sight.
- **How they say it**: city, days and sight at once, the rest later; the tickets come up when the hotel is booked.
- **What satisfies it**: a room that is right in all of this, the same hotel on both nights, all of it paid.
- **What nearly does**: a hotel a star short, a little too far away or booked up on the second night; a room with
  another view or bed, without breakfast, too dear; tickets for another day or another visitor.
"""

from __future__ import annotations

from datetime import date, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.ota.scenarios.buying import (
    bought,
    buy,
    look_up_hotels,
    look_up_sights,
    look_up_user,
    measure,
    report,
)
from vitagym.envs.ota.scenarios.hotels import (
    Amenity,
    FreeThroughout,
    Hotels,
    book_up,
    breakfast_included,
    fill_up,
    room_bed,
    room_view,
    stars_at_least,
    views,
)
from vitagym.envs.ota.scenarios.past import add_past_trips, draw_travel_habits
from vitagym.envs.ota.scenarios.sights import Sights, VisitorIs, with_all_tickets
from vitagym.envs.ota.scenarios.travel import (
    OnDate,
    days_from,
    on_day,
    plan_trip,
    sibling_pool,
    spread,
    with_all_products,
)
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import AtProvider, PriceAtMost, Within
from vitagym.generation.pools import Pool, draw_pool
from vitagym.generation.record_requirements import InStatus, Pieces
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer
from vitagym.generation.speech import number
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/ota_hotel_stay"
_PARTIES = {"king": ("couple", "married"), "twin": (), "family": ("children",), "triple": ()}
_LIMITS = {3: (330, 420), 4: (560, 700), 5: (1100, 1400)}
_UNIT = Term("", "张")


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    bed = draw.choice(tuple(_PARTIES))
    trip = plan_trip(scene, km=(150, 1400), families=_PARTIES[bed])
    there, addresses = trip.there, trip.addresses
    nights = days_from(trip.first, draw.between(1, 2))
    shown = days_from(nights[0] - timedelta(days=1), len(nights) + 2)
    scene.weather += [weather_day(draw, there, day, Sky.DRY) for day in shown]
    sights = Sights(addresses, [nights[0]])
    sight = sights(draw)
    sight.provider.spot = addresses.place(sight.provider.name, sight.provider.at)

    # What they want: the hotel first.
    star = draw.choice((3, 4, 4, 5))
    wanted: list[OfferRequirement] = [
        stars_at_least(star),
        room_bed(bed, tuple(_PARTIES)),
        room_view(draw.choice([v for v in views(there) if v != "courtyard"]), there),
        Within(1000 * draw.between(1, 3), sight.provider.spot, sight.provider.name),
        OnDate(nights[0], [day for day in shown if day not in nights], scene.now),
    ]
    if draw.random() < 0.6:
        wanted.insert(3, breakfast_included())
    if draw.random() < 0.7:
        wanted.append(Amenity(draw.choice(_AMENITIES[bed])))
    if draw.random() < 0.6:
        wanted.append(PriceAtMost(float(10 * (draw.between(*_LIMITS[star]) // 10))))
    if len(nights) > 1:
        wanted.append(FreeThroughout(nights))
    hotels = Hotels(addresses, sight.provider.spot, nights[:1], beds=tuple(_PARTIES))
    rooms = draw_pool(draw, hotels, wanted, valid=1 if len(nights) > 1 else 2, noise=scene.distractors)
    fill_up(rooms.providers, there, draw)
    spread(rooms.providers, shown, draw, drift=0)
    book_up(rooms.providers, nights[-1])
    for hotel in rooms.providers:
        hotel.spot = addresses.house(hotel.at)
    # Then the tickets.
    visit = nights[-1] + timedelta(days=1) if len(nights) == 1 else nights[1]
    tickets = _tickets(scene, sights, sight, visit, shown)
    visitors = 3 if bed == "triple" else 2
    for other in tickets.providers:
        other.spot = other.spot or addresses.place(other.name, other.at)
    scene.lay([*rooms.providers, *tickets.providers])
    with_all_products(rooms)
    stay = scene.goal("hotel", _words("hotel"), RecordKind.HOTEL, [*wanted, InStatus(Meaning.PAID)], pool=rooms)
    stays = [rooms.chosen]
    if len(nights) > 1:
        stays.append(_second_night(scene, rooms, wanted, nights[1], shown).chosen)
    of_ticket = [*tickets.requirements, Pieces(visitors, _UNIT), InStatus(Meaning.PAID)]
    scene.goal("tickets", _words("tickets"), RecordKind.ATTRACTION, of_ticket, pool=with_all_products(tickets))

    draw_travel_habits(scene)
    add_past_trips(scene)

    # How they say it.
    values: dict[str, object] = {
        "city": there.name,
        "sight": sight.provider.name,
        "when": on_day(nights[0], scene.now),
        "nights": _words(f"nights_{len(nights)}"),
        "party": _words(f"i_{bed}"),
        "party_told": _words(f"you_{bed}"),
    }
    also = (Slot.DESTINATION, Slot.DATE, Slot.DURATION, Slot.PEOPLE)
    scene.opening("need", saying(STORY, "need").fill(**values), also=also)
    values |= {"bed": wanted[1].values()["value"], "view": wanted[2].values()["value"]}
    scene.say_requirements(stay, STORY, _POINTS, names=values)
    wish = saying(STORY, "tickets_wish").fill(**values, visit=on_day(visit, scene.now), count=number(visitors))
    about = [_words("about_hotel"), _words("about_room")]
    scene.when(EventKind.REPORTED, about, "tickets_wish", wish, Slot.TICKET, also=(Slot.QUANTITY,))

    # What a good agent does.
    look_up_user(scene)
    look_up_sights(scene, there, sight.provider, [sight.provider.name], after=("need",))
    look_up_hotels(scene, there, rooms.chosen.provider)
    measure(scene, sight.provider.spot, rooms.chosen.provider)
    for index, offer in enumerate(stays):
        buy(scene, offer, f"$night{index + 1}", after=scene.said())
    report(scene, [bought(offer) for offer in stays])
    buy(scene, tickets.chosen, "$tickets", visitors, after=["tickets_wish"])
    report(scene, [bought(tickets.chosen, visitors)])


_AMENITIES = {
    "king": ("parking", "gym", "pool", "late_checkout", "shuttle"),
    "twin": ("gym", "parking", "laundry", "front_desk", "charging"),
    "family": ("play", "pool", "laundry", "parking"),
    "triple": ("parking", "laundry", "front_desk", "charging"),
}
_POINTS = {
    "stars_at_least": "stars",
    "room_bed": "room",
    "room_breakfast": "breakfast",
    "within": "distance",
    **{f"has_{trait}": "amenity" for traits in _AMENITIES.values() for trait in traits},
    "price_at_most": "budget",
    "paid": "pay",
}


def _second_night(scene: Scene, rooms: Pool, wanted: list[OfferRequirement], night: date, shown: list[date]) -> Pool:
    """Add the goal of the second night, in the hotel of the first, and return its pool."""
    at = AtProvider(rooms.chosen.provider, _words("same_hotel"))
    other_days = [day for day in shown if day != night]
    again = [at, *(r for r in wanted if r.kind.startswith("room_")), OnDate(night, other_days, scene.now)]
    pool = sibling_pool(rooms, again)
    scene.goal("second_night", _words("second_night"), RecordKind.HOTEL, [*again, InStatus(Meaning.PAID)], pool=pool)
    return pool


def _tickets(scene: Scene, sights: Sights, sight: Offer, visit: date, shown: list[date]) -> Pool:
    """Draw the tickets for the sight and what is like them."""
    wanted: list[OfferRequirement] = [
        AtProvider(sight.provider, sight.provider.name),
        VisitorIs("adult", visit),
        OnDate(visit, [day for day in shown if day != visit], scene.now),
    ]
    sights.days = [visit]
    pool = draw_pool(scene.stream, sights, wanted, valid=1, noise=scene.distractors)
    with_all_tickets(pool.providers, shown)
    return pool


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("hotel_stay", ("ota",), tell)
