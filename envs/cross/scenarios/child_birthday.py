"""A child's birthday in a pottery workshop: vouchers, a reservation, the cake brought there, grandmother's train home.

- **Who**: somebody with a child and a handful of its friends.
- **What they want**: enough vouchers for two for all the children, the visit reserved for everybody; a cake in the
  middle of the party, without what one of the children must not eat; one seat home for the grandmother after it.
- **How they say it**: party and place at once, conditions later; the cake once the workshop is reserved, the
  grandmother any time. The allergy comes only when asked.
- **What satisfies it**: one workshop, as many vouchers as it takes, a cake that meets them there, a train after it.
- **What nearly does**: a workshop too short, too far, for three; a cake too small, too sweet, with nuts, too dear; a
  train that leaves before the party is over, of another class or day.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.dishes import OfCourse, course, diet, tasting
from vitagym.envs.cross.scenarios.history import add_history
from vitagym.envs.cross.scenarios.tables import settle_shops, tell_done
from vitagym.envs.delivery.scenarios.arrival import around_time
from vitagym.envs.delivery.scenarios.ordering import Basket, look_up, place
from vitagym.envs.delivery.scenarios.ordering import report as delivery_report
from vitagym.envs.delivery.scenarios.stores import Kitchens
from vitagym.envs.instore.scenarios.shops import Shops, for_so_many, lasting, service, takes, wished
from vitagym.envs.instore.scenarios.visiting import bought, buy, reserve, reserved
from vitagym.envs.instore.scenarios.visiting import look_up as look_up_shop
from vitagym.envs.ota.scenarios.buying import all_bought, look_up_train
from vitagym.envs.ota.scenarios.buying import bought as seat_bought
from vitagym.envs.ota.scenarios.buying import buy as buy_seat
from vitagym.envs.ota.scenarios.rides import Rides, Route, SeatIs, TrainIs, ride_pool
from vitagym.envs.ota.scenarios.travel import LeavesFrom, OnDate, another_city, clock_at, days_from, with_all_products
from vitagym.generation.calendar import a_workday
from vitagym.generation.families import Family
from vitagym.generation.geography import City
from vitagym.generation.offer_requirements import PriceAtMost, Within
from vitagym.generation.people import draw_person
from vitagym.generation.pools import Pool, draw_pool
from vitagym.generation.record_requirements import DeliverTo, ForPeople, InStatus, Note, Pieces, Visits, WithProvider
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer
from vitagym.generation.speech import clock, day, metres, number
from vitagym.generation.spots import Spot
from vitagym.generation.terms import Term, phrase, saying
from vitagym.generation.weather import Sky, weather_day
from vitagym.randomness import Stream
from vitagym.rewards.checks import Meaning, RecordKind
from vitagym.tasks.task import EventKind

STORY = "stories/cross_child_birthday"
_UNIT, _TICKET = Term("", "份"), Term("", "张")
_CAKE_POINTS = {"diet": "allergy"}


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    # Who, where and when.
    scene.in_city()
    scene.person = draw_person(draw, scene.addresses, persona=scene.persona, families=("children",))
    home = scene.person.home
    scene.places.append(home)
    today = a_workday(draw)
    party = today + timedelta(days=5 - today.weekday() + draw.below(2))
    days = days_from(party - timedelta(days=1), 3)
    scene.now = datetime.combine(today, time(draw.between(9, 20), draw.below(60)))
    scene.weather += [weather_day(draw, scene.city, one, draw.choice((Sky.DRY, Sky.RAIN))) for one in days]
    starts = datetime.combine(party, time(draw.between(13, 14), draw.choice((0, 30))))
    children = 2 * draw.between(2, 4)
    grown_ups = draw.between(2, 3)

    # What they want: the workshop …
    reach = 1000 * draw.between(3, 5)
    workshops, workshop_is = _workshops(scene, home, reach)
    settle_shops(scene.addresses, workshops.providers)
    workshop = workshops.chosen.provider
    # … the cake there …
    allergy = draw.choice(("nuts", "mango"))
    cakes, cake_is = _cakes(scene, workshop.where, allergy)
    settle_shops(scene.addresses, cakes.providers)
    cake_time = starts + timedelta(minutes=draw.choice((60, 90)))
    # … and grandmother's train home.
    hers = another_city(draw, scene.city, low=100, high=650)
    trains, train_is, after = _trains(scene, hers, starts, draw.between(3, 4))
    scene.lay([*workshops.providers, *cakes.providers, *trains.providers])
    paid = InStatus(Meaning.PAID)
    vouchers = [*workshop_is, Pieces(children // 2, _UNIT), paid]
    scene.goal("workshop", _words("workshop"), RecordKind.INSTORE, vouchers, pool=workshops)
    visit = [WithProvider(workshop), Visits(starts, starts, scene.now), ForPeople(children + grown_ups)]
    scene.goal("visit", _words("visit"), RecordKind.RESERVATION, visit)
    note = Note(_words("greeting"), [("happy birthday", "生日快乐")])
    on_order = [
        DeliverTo(workshop.where, workshop.name),
        around_time(cake_time, scene.now),
        Pieces(1, course("cake").unit),
        note,
        paid,
    ]
    cake = scene.goal("cake", _words("cake"), RecordKind.DELIVERY, [*cake_is, *on_order], pool=cakes)
    seat = [*train_is, Pieces(1, _TICKET), paid]
    scene.goal("train", _words("train"), RecordKind.TRAIN, seat, pool=with_all_products(trains))

    add_history(scene)

    # How they say it.
    values = {
        "day": day(party, scene.now),
        "starts": clock(starts),
        "children": number(children),
        "kids": children,
        "grown_ups": number(grown_ups),
        "adults": grown_ups,
        "distance": metres(reach),
        "minutes": workshop_is[2].values()["minutes"],
        "craft": workshop_is[0].values()["wish"],
        "slack": _words(f"slack_{int((cake_time - starts).total_seconds() // 60)}"),
        "sweet": cake_is[2].values()["trait"],
        "price": cake_is[-1].values()["price"],
        "hers": hers.name,
        "after": clock_at(after),
        "note": _words("greeting"),
    }
    also = (Slot.OCCASION, Slot.DATE, Slot.TIME)
    scene.opening("need", saying(STORY, "need").fill(**values), also=also)
    scene.later("workshop", saying(STORY, "workshop_wish").fill(**values), Slot.PRODUCT, also=(Slot.DURATION,))
    scene.later("who", saying(STORY, "who").fill(**values), Slot.PEOPLE, also=(Slot.QUANTITY,))
    scene.later("near", saying(STORY, "near").fill(**values), Slot.DISTANCE)
    scene.say_requirements(cake, STORY, _CAKE_POINTS, asked=("allergy",))
    scene.later("grandma", saying(STORY, "grandma").fill(**values), Slot.DESTINATION, also=(Slot.SEAT,))
    scene.later("pay", saying(STORY, "pay"), Slot.OTHER)
    about = [_words("about_workshop"), _words("about_visit"), workshop.name]
    wish = saying(STORY, "cake_wish").fill(**values)
    scene.when(EventKind.REPORTED, about, "cake_wish", wish, Slot.TASTE, also=(Slot.BUDGET, Slot.NOTE))

    # What a good agent does.
    scene.call("get_user_historical_behaviors")
    look_up_shop(scene, workshops.chosen, service("pottery").name, near=home, after=("need",))
    buy(scene, workshops.chosen, "$workshop", children // 2, after=scene.said())
    reserve(scene, workshop, starts, children + grown_ups, "$visit")
    look_up_train(scene, trains.chosen.provider, party)
    buy_seat(scene, trains.chosen, "$train")
    done = [bought(workshops.chosen, children // 2), reserved(scene, workshop, starts, children + grown_ups)]
    tell_done(scene, [*done, all_bought([seat_bought(trains.chosen)])])
    basket = Basket.of(
        cakes.chosen,
        1,
        workshop.where,
        arrival=cake_time,
        note=_words("greeting"),
        keywords=[course("cake").name],
    )
    look_up(scene, basket, after=("cake_wish",))
    place(scene, basket, "$cake")
    scene.tell(delivery_report(scene, basket), reports="done")


def _workshops(scene: Scene, home: Spot, reach: int) -> tuple[Pool, list[OfferRequirement]]:
    """Draw the pottery workshops, and what the vouchers have to be."""
    pottery = service("pottery")
    wanted: list[OfferRequirement] = [
        wished("wish", scene.stream.choice(tuple(pottery.wishes)), pottery),
        for_so_many(2, pottery),
        lasting(120, pottery),
        Within(reach, home, _words("home")),
    ]
    shops = Shops(scene, home, pottery)
    needed = [*wanted, takes("reservations")]
    return draw_pool(scene.stream, shops, needed, valid=1, noise=scene.distractors), wanted


def _cakes(scene: Scene, to: Spot, allergy: str) -> tuple[Pool, list[OfferRequirement]]:
    """Draw the cake shops around the workshop, and what the cake has to be."""
    draw = scene.stream
    wanted: list[OfferRequirement] = [
        OfCourse(course("cake"), (course("pastry"),)),
        tasting("size", "for_four"),
        tasting("sweet", draw.choice(("less_sugar", "no_sugar"))),
        diet(allergy),
        PriceAtMost(float(10 * draw.between(15, 19))),
    ]
    return draw_pool(draw, _Bakeries(scene, to, course("cake")), wanted, noise=scene.distractors), wanted


class _Bakeries(Kitchens):
    """Cake shops whose cakes come in sizes."""

    def __call__(self, stream: Stream) -> Offer:
        """Draw an offer."""
        offer = super().__call__(stream)
        offer.product.traits.add(stream.choice(("for_one", "for_two", "for_four")))
        return offer


def _trains(scene: Scene, hers: City, starts: datetime, hours: int) -> tuple[Pool, list[OfferRequirement], int]:
    """Draw the trains home, what the grandmother's has to be, and when it may leave."""
    after = (starts.hour + hours) * 60 + starts.minute
    party = starts.date()
    others = [party - timedelta(days=1), party + timedelta(days=1)]
    wanted: list[OfferRequirement] = [
        Route(scene.city, hers),
        TrainIs("G"),
        LeavesFrom(after),
        SeatIs("first"),
        OnDate(party, others, scene.now),
    ]
    rides = Rides(scene.city, hers, [party], seats=("first", "second"))
    pool = ride_pool(scene.stream, rides, wanted, [party, *others], valid=2, noise=scene.distractors)
    return pool, wanted, after


def _words(key: str) -> Term:
    return phrase(STORY, key)


FAMILY = Family("child_birthday", ("delivery", "instore", "ota"), tell)
