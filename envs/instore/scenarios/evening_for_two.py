"""An evening for two on one budget: a pottery workshop, then dinner close by with what is left.

- **Who**: somebody who takes a partner, friend or sister out.
- **What they want**: a pottery package for two (a technique, a duration, near home), reserved for a time; then a dinner
  set for two with a certain dish, near that workshop, for what is left of the budget.
- **How they say it**: the plan first; the distance of dinner is told from "the pottery place", its price as the rest.
- **What satisfies it**: one workshop; of the dinners only those close to it and within what is left.
- **What nearly does**: a package for one or three, too short, too far; a dinner a little above the rest, or rated low.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.settling import at, settle
from vitagym.envs.instore.scenarios.habits import draw_habits
from vitagym.envs.instore.scenarios.shops import Shops, for_so_many, lasting, service, takes, wished
from vitagym.envs.instore.scenarios.visiting import bought, buy, look_up, look_up_user, reserve, reserved
from vitagym.generation.calendar import a_day
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import PriceAtMost, RatedAtLeast, Within
from vitagym.generation.pools import draw_pool, fill_menus
from vitagym.generation.record_requirements import ForPeople, Visits, WithProvider
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import day, money
from vitagym.generation.terms import phrase, saying, sentences
from vitagym.rewards.checks import RecordKind

STORY = "stories/instore_evening_for_two"


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    who = draw.choice(("partner", "friend", "sister"))
    families = ("couple", "married") if who == "partner" else ()
    settle(scene, a_day(draw), draw.between(9, 20), (0, 59), avoided="cilantro", families=families)
    draw_habits(scene, without=("pottery", "western"))
    home, out = scene.person.home, scene.now.date() + timedelta(days=draw.between(1, 3))
    pottery, western = service("pottery"), service("western")

    # First the workshop.
    craft = draw.choice(tuple(pottery.wishes))
    of_workshop: list[OfferRequirement] = [
        wished("wish", craft, pottery),
        for_so_many(2, pottery),
        lasting(draw.choice((120, 180)), pottery),
        Within(draw.choice((2000, 3000)), home, phrase(STORY, "the_studio")),
    ]
    workshops = draw_pool(
        draw,
        Shops(scene, home, pottery),
        [*of_workshop, takes("reservations")],
        valid=1,
        noise=max(1, scene.distractors - 1),
    )
    fill_menus(draw, workshops, pottery.package, 0, 3)
    scene.lay(workshops.providers)
    workshop = workshops.chosen
    time = at(out, draw.between(14, 16), draw.choice((0, 30)))
    visit = Visits(time, time, scene.now)

    # Then dinner, close to it, for what is left.
    dish, left = draw.choice(tuple(western.wishes)), float(draw.between(22, 28) * 10)
    total = workshop.product.price + left
    of_dinner: list[OfferRequirement] = [
        wished("wish", dish, western),
        for_so_many(2, western),
        Within(draw.choice((500, 800, 1000)), workshop.provider.where, phrase(STORY, "the_studio")),
        RestOfBudget(left, total=total),
    ]
    if draw.random() < 0.6:
        of_dinner.append(RatedAtLeast(draw.choice((4.4, 4.6))))
    dinners = draw_pool(draw, Shops(scene, workshop.provider.where, western), of_dinner, noise=scene.distractors)
    fill_menus(draw, dinners, western.package, 0, 3)
    scene.lay(dinners.providers)
    first = scene.goal("pottery", phrase(STORY, "subject_first"), RecordKind.INSTORE, of_workshop, pool=workshops)
    scene.goal(
        "visit",
        phrase(STORY, "subject_visit"),
        RecordKind.RESERVATION,
        [WithProvider(workshop.provider), visit, ForPeople(2)],
    )
    second = scene.goal("dinner", phrase(STORY, "subject_second"), RecordKind.INSTORE, of_dinner, pool=dinners)

    # How they say it.
    names = {"who": phrase(STORY, f"who_{who}"), "whose": phrase(STORY, f"whose_{who}")}
    need = saying(STORY, "need").fill(day=day(out, scene.now), **names)
    scene.opening("need", need, also=(Slot.PRODUCT, Slot.OCCASION, Slot.PEOPLE))
    scene.say_requirements(first, STORY, {"wish": "wish", "within": "near", "lasts_at_least": "minutes"})
    scene.later("when", saying(STORY, "when").fill(**visit.values()), Slot.TIME, also=(Slot.DATE,))
    points = {"wish": "dinner", "within": "close", "rest_of_budget": "total", "rated_at_least": "rating"}
    scene.say_requirements(second, STORY, points)

    # What a good agent does.
    look_up_user(scene)
    look_up(scene, workshop, pottery.name, near=home, after=("need",))
    buy(scene, workshop, "$pottery", after=scene.said())
    reserve(scene, workshop.provider, time, 2, "$visit")
    look_up(scene, dinners.chosen, western.name, near=workshop.provider.where)
    buy(scene, dinners.chosen, "$dinner")
    done = [bought(workshop), reserved(scene, workshop.provider, time, 2), bought(dinners.chosen)]
    scene.tell(sentences(done), reports="done")


@dataclass
class RestOfBudget(PriceAtMost):
    """It costs no more than what something else has left of a budget."""

    kind: str = "rest_of_budget"
    total: float = 0

    def values(self) -> dict[str, object]:
        """Return what is left, and the budget."""
        return {"price": money(self.yuan), "total": money(self.total)}


FAMILY = Family("evening_for_two", ("instore",), tell)
