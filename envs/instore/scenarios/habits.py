"""What the platform knows of the user's habits in shops, in the public shape."""

from __future__ import annotations

from typing import Any

from vitagym.envs.common.dishes import a_store_name
from vitagym.envs.instore.scenarios.shops import Service, service
from vitagym.generation.scene import Scene
from vitagym.generation.sketches import Offer
from vitagym.generation.terms import Term, phrase

DINING, SERVICES = "in-store dining", "other in-store services"
_MEALS = ("fine-dining", "light meal")
_RESTAURANTS = ("hot_pot", "western", "seafood", "dim_sum")
_SERVICES = ("massage", "hair", "nails", "pottery", "badminton")


def draw_habits(scene: Scene, without: tuple[str, ...] = ()) -> None:
    """Fill the history with habits of dining and services, but for some services."""
    stream = scene.stream
    scene.history[DINING] = {
        meal: _dining(scene, meal, without) for meal in stream.sample(_MEALS, stream.between(1, 2))
    }
    liked = [service(key) for key in stream.sample([k for k in _SERVICES if k not in without], 2)]
    share = stream.between(5, 8) * 10
    scene.history[SERVICES] = {
        "frequently consumed categories": {
            f"category {n}": Term(f"{one.name.en} ({part}%)", f"{one.name.zh}（{part}%）")
            for n, (one, part) in enumerate(zip(liked, (share, 100 - share), strict=True), 1)
        },
        "preferred store rating": f"{4 + 0.1 * stream.below(5):.1f}~{4.6 + 0.1 * stream.below(5):.1f}",
        "preferred distance": f"0~{stream.between(3, 10) * 500}m",
        "recent orders": [_recent(scene, one) for one in liked],
        "search history": [one.name for one in liked],
    }


def add_recent(scene: Scene, offer: Offer, dining: bool) -> None:
    """Put an offer on top of the recent orders."""
    if dining:
        meal = next(iter(scene.history[DINING].values()))
        meal["recent orders"].insert(0, _row(offer))
    else:
        scene.history[SERVICES]["recent orders"].insert(0, _row(offer))


def _dining(scene: Scene, meal: str, without: tuple[str, ...]) -> dict[str, Any]:
    stream = scene.stream
    liked = [service(key) for key in stream.sample([k for k in _RESTAURANTS if k not in without], 2)]
    low = stream.between(3, 9) * 10 if meal == "light meal" else stream.between(8, 15) * 10
    return {
        "frequently purchased categories": [one.name for one in liked],
        "preferred average price per person": phrase("habits", "average").fill(low=low, high=low + 60),
        "preferred store rating": f"{4 + 0.1 * stream.below(5):.1f}~{4.6 + 0.1 * stream.below(5):.1f}",
        "typical dining time": stream.choice(("11:30-13:00", "18:00-20:00", "19:00-21:30")),
        "recent orders": [_recent(scene, one) for one in liked],
    }


def _recent(scene: Scene, liked: Service) -> dict[str, Term]:
    return {
        "store": a_store_name(scene.stream, liked.shops),
        "product": liked.package(scene.stream).name,
    }


def _row(offer: Offer) -> dict[str, Term]:
    return {"store": offer.provider.name, "product": offer.product.name}
