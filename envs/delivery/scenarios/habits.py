"""What the platform knows of the user's delivery habits, in the public shape."""

from __future__ import annotations

from typing import Any

from vitagym.envs.common.dishes import Course, a_store_name, course, diet
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer
from vitagym.generation.terms import Term, phrase

MEALS = ("breakfast", "weekday lunch/dinner", "weekend lunch/dinner", "desserts/drinks/snacks", "night snack")
_COURSES: dict[str, tuple[str, ...]] = {
    "breakfast": ("porridge", "dumplings", "noodles"),
    "weekday lunch/dinner": ("rice_bowl", "noodles", "rice_noodles", "salad"),
    "weekend lunch/dinner": ("stir_fry", "dumplings", "rice_noodles"),
    "desserts/drinks/snacks": ("coffee", "milk_tea", "juice"),
    "night snack": ("skewers", "rice_noodles", "noodles"),
}


def draw_habits(scene: Scene, *, avoided: str, without: tuple[str, ...] = (), meals: int = 3) -> None:
    """Fill the history with habits of some meals: nothing that a diet rules out, no course of ``without``."""
    chosen = scene.stream.sample(MEALS, meals)
    for meal in MEALS:
        if meal in chosen:
            scene.history[meal] = _habit(scene, meal, diet(avoided).traits, without)


def add_recent(scene: Scene, meal: str, offer: Offer, liked: Course) -> None:
    """Put an offer on top of the recent orders of a meal, and its course among those often bought."""
    habit = scene.history.setdefault(meal, _habit(scene, meal, (), (liked.key,)))
    habit["recent orders"].insert(0, {"store": offer.provider.name, "product": offer.product.name})
    habit["frequently purchased categories"].insert(0, liked.name)


def _habit(scene: Scene, meal: str, avoided: tuple[str, ...], without: tuple[str, ...]) -> dict[str, Any]:
    stream = scene.stream
    liked = [course(key) for key in stream.sample([k for k in _COURSES[meal] if k not in without], 2)]
    low = stream.between(2, 5) * 5
    return {
        "frequently purchased categories": [one.name for one in liked],
        "cost per order": phrase("habits", "range").fill(low=low, high=low + stream.between(3, 8) * 5),
        "preferred store rating": f"{4 + 0.1 * stream.below(5):.1f}~{4.6 + 0.1 * stream.below(5):.1f}",
        "preferred delivery time": phrase("habits", "minutes").fill(low=20, high=stream.between(6, 12) * 5),
        "preferred distance": f"0~{stream.between(3, 10) * 500}m",
        "recent orders": [_recent(scene, one, avoided) for one in liked],
        "search history": [one.name for one in liked],
    }


def _recent(scene: Scene, liked: Course, avoided: tuple[str, ...]) -> dict[str, Term]:
    dish = liked.dish(scene.stream)
    for _ in range(20):
        if not any(dish.has(trait) for trait in avoided):
            break
        dish = liked.dish(scene.stream)
    return {"store": a_store_name(scene.stream, liked.stores), "product": dish.name}
