"""Nails first, hair afterwards: two visits in one afternoon, within a walk of one another.

- **Who**: somebody with a party in the evening.
- **What they want**: a nail package near home from a good salon that is no flat in a residential building, and a hair
  package next to it that is not too dear; both bought, both visits reserved, the second so long after the first.
- **How they say it**: the plan first; when the hair should begin has to be worked out.
- **What satisfies it**: one nail salon; one hair salon near it.
- **What nearly does**: too far, rated too low, in a residential building, closed on that weekday, too dear, no
  reservations.
"""

from __future__ import annotations

from datetime import timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.settling import at, settle
from vitagym.envs.instore.scenarios.habits import draw_habits
from vitagym.envs.instore.scenarios.hours import OpenThen, with_short_days
from vitagym.envs.instore.scenarios.shops import Shops, not_residential, service, takes, wished
from vitagym.envs.instore.scenarios.visiting import bought, buy, look_up, look_up_user, reserve, reserved
from vitagym.generation.calendar import a_day
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import PriceAtMost, RatedAtLeast, Within
from vitagym.generation.pools import draw_pool, fill_menus
from vitagym.generation.record_requirements import ForPeople, Visits, WithProvider
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import day
from vitagym.generation.terms import phrase, saying, sentences
from vitagym.rewards.checks import RecordKind

STORY = "stories/instore_two_appointments"
_PRICES = {"cut": 158, "colour": 338, "perm": 348, "scalp": 158}


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    settle(scene, a_day(draw), draw.between(9, 19), (0, 59), avoided="mango")
    draw_habits(scene, without=("nails", "hair"))
    home, out = scene.person.home, scene.now.date() + timedelta(days=draw.between(1, 3))
    nails, hair = service("nails"), service("hair")

    # First the nails.
    start = at(out, draw.between(12, 14), draw.choice((0, 30)))
    open_then, quiet_day = OpenThen(start), out.weekday() < 4
    manicure = draw.choice(tuple(nails.wishes))
    of_nails: list[OfferRequirement] = [
        wished("wish", manicure, nails),
        Within(draw.choice((1500, 2000, 3000)), home, phrase(STORY, "home")),
        draw.choice((RatedAtLeast(draw.choice((4.4, 4.5))), not_residential(), *([open_then] if quiet_day else []))),
    ]
    salons = Shops(scene, home, nails)
    drawn = with_short_days(salons) if open_then in of_nails else salons
    nail_salons = draw_pool(draw, drawn, of_nails, valid=1, noise=max(1, scene.distractors))
    fill_menus(draw, nail_salons, nails.package, 0, 2)
    scene.lay(nail_salons.providers)
    first = nail_salons.chosen

    # Then the hair, next to it, when the nails are done.
    style, walk = draw.choice(tuple(hair.wishes)), draw.choice((300, 500, 800))
    of_hair: list[OfferRequirement] = [
        wished("wish", style, hair),
        Within(walk, first.provider.where, phrase(STORY, "the_nails")),
        PriceAtMost(float(_PRICES[style])),
    ]
    hair_salons = draw_pool(
        draw,
        Shops(scene, first.provider.where, hair),
        [*of_hair, takes("reservations")],
        valid=1,
        noise=scene.distractors,
    )
    fill_menus(draw, hair_salons, hair.package, 0, 2)
    scene.lay(hair_salons.providers)
    second = hair_salons.chosen
    minutes, gap = draw.choice((60, 90)), 30
    then = start + timedelta(minutes=minutes + gap)

    record = RecordKind.INSTORE
    nail_goal = scene.goal("nails", phrase(STORY, "subject_nails"), record, of_nails, pool=nail_salons)
    hair_goal = scene.goal("hair", phrase(STORY, "subject_hair"), record, of_hair, pool=hair_salons)
    visit, next_visit = Visits(start, start, scene.now), Visits(then, then, scene.now)
    visits = {"nails_visit": (first.provider, visit), "hair_visit": (second.provider, next_visit)}
    visit_goals = [
        scene.goal(key, phrase(STORY, f"subject_{key}"), RecordKind.RESERVATION, [WithProvider(shop), t, ForPeople(1)])
        for key, (shop, t) in visits.items()
    ]

    # How they say it.
    wishes = {"manicure": nails.wishes[manicure], "style": hair.wishes[style]}
    need = saying(STORY, "need").fill(day=day(out, scene.now), **wishes)
    scene.opening("need", need, also=(Slot.PRODUCT, Slot.OCCASION, Slot.DATE))
    points = {"within": "near", "rated_at_least": "rating", "not_residential": "residential", "open_then": "weekday"}
    scene.say_requirements(nail_goal, STORY, points)
    scene.later("when", saying(STORY, "when").fill(**visit.values()), Slot.TIME, also=(Slot.PEOPLE,))
    scene.later("then", saying(STORY, "then").fill(minutes=minutes, gap=gap), Slot.DURATION, also=(Slot.TIME,))
    scene.means("then", visit_goals[1], next_visit)
    scene.say_requirements(hair_goal, STORY, {"within": "walk", "price_at_most": "budget"})

    # What a good agent does.
    look_up_user(scene)
    look_up(scene, first, nails.name, near=home, after=("need",))
    look_up(scene, second, hair.name, near=first.provider.where)
    buy(scene, first, "$nails", after=scene.said())
    reserve(scene, first.provider, start, 1, "$nails_visit")
    buy(scene, second, "$hair")
    reserve(scene, second.provider, then, 1, "$hair_visit")
    reports = [reserved(scene, first.provider, start, 1), reserved(scene, second.provider, then, 1)]
    scene.tell(sentences([bought(first), bought(second), *reports]), reports="done")


FAMILY = Family("two_appointments", ("instore",), tell)
