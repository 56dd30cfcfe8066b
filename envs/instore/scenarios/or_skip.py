"""A salon for oneself, and grooming for the pet next to it; if there is none, skip it.

- **Who**: somebody with a pet and a big day ahead.
- **What they want**: a salon package (near home, rated, not too dear) and a visit; then grooming for their pet near
  that salon, if there is any that fits.
- **What satisfies it**: one salon. Of groomers, in half of the tasks one fits; in the other half none does, and the
  user wants to hear so and nothing bought.
- **What nearly does**: for each condition one that fits but for it: too far, rated too low; for dogs of the wrong size.
"""

from __future__ import annotations

from datetime import timedelta

from vitagym.dialogue.acts import Slot
from vitagym.envs.common.settling import at, settle
from vitagym.envs.instore.scenarios.habits import draw_habits
from vitagym.envs.instore.scenarios.shops import Shops, service, takes, wished
from vitagym.envs.instore.scenarios.visiting import bought, buy, look_up, look_up_user, reserve, reserved
from vitagym.generation.calendar import a_day
from vitagym.generation.families import Family
from vitagym.generation.offer_requirements import PriceAtMost, RatedAtLeast, Within
from vitagym.generation.pools import draw_pool, fill_menus
from vitagym.generation.record_requirements import ForPeople, SaysThereIsNone, Visits, WithProvider
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.scene import Scene
from vitagym.generation.speech import day
from vitagym.generation.terms import phrase, saying, sentences
from vitagym.rewards.checks import RecordKind

STORY = "stories/instore_or_skip"


def tell(scene: Scene) -> None:
    """Tell the story on an empty scene."""
    draw = scene.stream
    settle(scene, a_day(draw), draw.between(9, 20), (0, 59), avoided="mango", families=("pets",))
    draw_habits(scene, without=("hair",))
    home, when = scene.person.home, scene.now.date() + timedelta(days=draw.between(1, 2))
    hair, grooming = service("hair"), service("pet_grooming")

    # First the salon.
    wish = draw.choice(("cut", "colour", "perm"))
    of_salon: list[OfferRequirement] = [
        wished("wish", wish, hair),
        Within(draw.choice((1500, 2000)), home, phrase(STORY, "home")),
        RatedAtLeast(draw.choice((4.5, 4.6))),
        PriceAtMost(float({"cut": 128, "colour": 328, "perm": 338}[wish])),
    ]
    salons = draw_pool(
        draw, Shops(scene, home, hair), [*of_salon, takes("reservations")], valid=1, noise=scene.distractors
    )
    fill_menus(draw, salons, hair.package, 1, 3)
    scene.lay(salons.providers)
    salon = salons.chosen
    time = at(when, draw.between(10, 17), draw.choice((0, 30)))
    visit = Visits(time, time, scene.now)

    # Then the groomer next to it, if there is one.
    pet, found = draw.choice(tuple(grooming.wishes)), draw.random() < 0.5
    within = Within(draw.choice((500, 800, 1000)), salon.provider.where, phrase(STORY, "the_salon"))
    budget = PriceAtMost(float({"cat": 148, "small_dog": 138, "large_dog": 168}[pet]))
    of_groomer: list[OfferRequirement] = [wished("wish", pet, grooming), within, budget]
    groomers = draw_pool(
        draw,
        Shops(scene, salon.provider.where, grooming),
        of_groomer,
        valid=1 if found else 0,
        noise=scene.distractors,
    )
    fill_menus(draw, groomers, grooming.package, 1, 3)
    scene.lay(groomers.providers)

    goal = scene.goal("salon", phrase(STORY, "subject"), RecordKind.INSTORE, of_salon, pool=salons)
    scene.goal(
        "visit",
        phrase(STORY, "subject_visit"),
        RecordKind.RESERVATION,
        [WithProvider(salon.provider), visit, ForPeople(1)],
    )
    if found:
        pets = scene.goal("pet", phrase(STORY, "subject_pet"), RecordKind.INSTORE, of_groomer, pool=groomers)
    else:
        none = SaysThereIsNone(phrase(STORY, "what_pet"), [("pet", "groom", "宠物")])
        pets = scene.goal("pet", phrase(STORY, "subject_pet"), RecordKind.INSTORE, [none])

    # How they say it.
    need = saying(STORY, "need").fill(wish=hair.wishes[wish], day=day(when, scene.now))
    scene.opening("need", need, also=(Slot.PRODUCT, Slot.DATE))
    scene.say_requirements(goal, STORY, {"within": "near", "rated_at_least": "rating", "price_at_most": "budget"})
    scene.later("when", saying(STORY, "when").fill(**visit.values()), Slot.TIME, also=(Slot.PEOPLE,))
    names = {"pet": phrase(STORY, f"pet_{pet}"), "your_pet": phrase(STORY, f"your_{pet}")}
    values = {**within.values(), **names, "wish": grooming.wishes[pet]}
    scene.later("pet", saying(STORY, "pet").fill(**values), Slot.OTHER, also=(Slot.FAMILY,))
    scene.later("pet_budget", saying(STORY, "pet_budget").fill(**budget.values()), Slot.BUDGET)
    scene.means("pet", pets, *of_groomer[:2], optional=True, called=phrase(STORY, "what_pet"))
    scene.means("pet_budget", pets, budget, optional=True)

    # What a good agent does.
    look_up_user(scene)
    look_up(scene, salon, hair.name, near=home, after=("need",))
    buy(scene, salon, "$salon", after=scene.said())
    reserve(scene, salon.provider, time, 1, "$visit")
    done = [bought(salon), reserved(scene, salon.provider, time, 1)]
    nearest = groomers.chosen if found else groomers.near["within"]
    look_up(scene, nearest, grooming.name, near=salon.provider.where)
    if found:
        buy(scene, nearest, "$pet")
        done.append(bought(nearest))
    else:
        none_found = phrase(STORY, "none_found")
        about = {"shop": salon.provider.name, "wish": grooming.wishes[pet]}
        done.append(none_found.fill(**about, **within.values(), **budget.values()))
    scene.tell(sentences(done), reports="done")


FAMILY = Family("or_skip", ("instore",), tell)
