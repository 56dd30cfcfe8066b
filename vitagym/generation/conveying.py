"""What each point of a scene conveys, in the typed form of ``vitagym.tasks.constraints``.

Where a family says a requirement as a point of its own, it is that point. Where one point tells several, a requirement
belongs to the point whose words have its values, or else that is about its slot; ``Scene.means`` says it outright.
Places and providers are conveyed as they were said: the user's own address, a name or address in the words, the place
of another goal; or, where the words only hint at it, once a result has shown it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from vitagym.generation.record_requirements import Pieces
from vitagym.generation.terms import Term
from vitagym.tasks.constraints import Sense
from vitagym.tasks.task import Release

if TYPE_CHECKING:
    from vitagym.generation.goals import Goal
    from vitagym.generation.requirement import Requirement
    from vitagym.generation.scene import PointSketch, Scene
    from vitagym.generation.sketches import ProviderSketch
    from vitagym.generation.spots import Spot

_LEAST_EVIDENCE = 2
"""So many letters a value must have for its standing in the words to say anything."""
_ANYTHING = frozenset({"a", "an", "one"})
"""Values that stand in all sorts of sentences."""
_WISH = "_wish"
"""How the ids of points end with which something new comes up."""


@dataclass(frozen=True, slots=True)
class Meant:
    """A requirement of a goal that is in the words of a point.

    Attributes:
        shown_by: Texts that one result has to show before it is understood.
        condition: ``optional`` or ``instead_of`` of the constraint, where the goal has a condition.
    """

    point: str
    goal: Goal
    requirement: Requirement
    shown_by: tuple[object, ...] = ()
    condition: tuple[tuple[str, object], ...] = ()


def conveyed(scene: Scene) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """Return point id -> the constraints that its words convey, their texts still terms."""
    out: dict[str, list[Mapping[str, Any]]] = {}
    points = {point.id: point for point in scene.points}
    for meant in (*scene.meant, *_left(scene)):
        content = meant.requirement.conveys()
        if content is not None:
            said = _said(scene, meant, content, points[meant.point])
            if said not in out.setdefault(meant.point, []):
                out[meant.point].append(said)
    return out


def _left(scene: Scene) -> list[Meant]:
    """Return the requirements that no family has given to a point, with the points whose words they are in."""
    given = {(meant.goal.key, meant.goal.part, meant.requirement.name) for meant in scene.meant}
    by_object = {id(meant.requirement): meant.point for meant in scene.meant}
    order = [point.id for point in scene.points]
    out: list[Meant] = []
    without: list[tuple[Goal, Requirement]] = []
    for goal in scene.goals:
        for requirement in goal.requirements:
            if (goal.key, goal.part, requirement.name) in given:
                continue
            said = _points_for(scene, goal)
            shared = by_object.get(id(requirement))
            point = shared if shared in {p.id for p in said} else _point_of(said, goal, requirement)
            if point is None or _follows(requirement):
                without.append((goal, requirement))
            else:
                out.append(Meant(point, goal, requirement))
    for goal, requirement in without:
        if not _goes_without_saying(requirement):
            own = [meant.point for meant in (*scene.meant, *out) if meant.goal.key == goal.key]
            if own:
                out.append(Meant(min(own, key=order.index), goal, requirement))
    return out


def _points_for(scene: Scene, goal: Goal) -> list[PointSketch]:
    """Return the points that may speak of a goal: a wish that comes up later is not spoken of before it does."""
    wish = next((n for n, point in enumerate(scene.points) if goal.key in _wished(scene, point)), None)
    if wish is None:
        return [point for point in scene.points if not _wished(scene, point)]
    return [p for n, p in enumerate(scene.points) if n >= wish or p.release is Release.ASKED]


def _wished(scene: Scene, point: PointSketch) -> tuple[str, ...]:
    """Return the keys of the goals that a point brings up: ``back_wish`` does so for ``back``."""
    if point.id in scene.wishes:
        return scene.wishes[point.id]
    return (point.id.removesuffix(_WISH),) if point.id.endswith(_WISH) else ()


def _follows(requirement: Requirement) -> bool:
    """Return whether it is said where the rest of its goal is: that an old record is to be cancelled."""
    content = requirement.conveys() or {}
    return content.get("sense") == Sense.CANCELLED.value


def _goes_without_saying(requirement: Requirement) -> bool:
    """Return whether it is that of one piece, and nobody said so."""
    return isinstance(requirement, Pieces) and requirement.count == 1


def _point_of(points: Sequence[PointSketch], goal: Goal, requirement: Requirement) -> str | None:
    """Return the point that says a requirement most likely; None where nothing speaks for any."""
    values = [value for name, value in requirement.values().items() if not name.endswith("_day")]
    scored = [(_fit(point, goal, requirement, values), -n, point.id) for n, point in enumerate(points)]
    fit, _, point = max(scored, default=(0, 0, None))
    return point if fit > 0 else None


def _fit(point: PointSketch, goal: Goal, requirement: Requirement, values: Sequence[object]) -> int:
    """Return how likely a point's words say a requirement: by its values in them, its slot, and whose it is."""
    evidence = sum(_stands_in(value, point) for value in values)
    slot = 2 * (requirement.slot is point.slot) + (requirement.slot in point.also)
    if not evidence and not slot:
        return 0
    return 4 * min(evidence, 2) + 2 * slot + point.id.startswith(goal.key)


def _stands_in(value: object, point: PointSketch) -> bool:
    text = (value.en if isinstance(value, Term) else str(value)).lower()
    if len(text) < _LEAST_EVIDENCE or text in _ANYTHING:
        return False
    return any(text in spoken and _is_word(text, spoken) for spoken in point.spoken)


def _is_word(text: str, words: str) -> bool:
    """Return whether a text stands in some words with no letter or digit on either side of it."""
    at = words.find(text)
    while at >= 0:
        sides = words[at - 1 : at] if at else "", words[at + len(text) : at + len(text) + 1]
        if not any(side.isalnum() or side == "_" for side in sides):
            return True
        at = words.find(text, at + 1)
    return False


def _said(scene: Scene, meant: Meant, content: Mapping[str, Any], point: PointSketch) -> Mapping[str, Any]:
    goal = meant.goal
    out: dict[str, Any] = {"goal": goal.key, "part": goal.part, "record": goal.record.value}
    out["kind"] = meant.requirement.kind
    rest = dict(content)
    spot, place, provider = rest.pop("spot", None), rest.pop("place", None), rest.pop("provider", None)
    out |= rest
    if spot is not None:
        out |= _place(scene, goal, spot, place, point)
    if provider is not None:
        out |= _provider(scene, goal, provider, point)
    shown_by = list(meant.shown_by or out.get("shown_by", ()))
    if scene.feast is not None and (out.get("earliest") or out["sense"] == Sense.ON_DATE.value):
        shown_by.append(feast_shown(scene.feast))
    if shown_by:
        out["shown_by"] = shown_by
    return out | dict(meant.condition)


def feast_shown(day: date) -> str:
    """Return what only the look-up of a feast's date shows of it."""
    return f'}},"date":"{day.isoformat()}"}}'


def _place(scene: Scene, goal: Goal, spot: Spot, place: Term, point: PointSketch) -> dict[str, Any]:
    """Return a place as it was said."""
    if _stands_in(spot.address, point):
        return {"place": spot.address}
    if spot == scene.person.home:
        return {"home": "home"}
    if spot == scene.person.work:
        return {"home": "work"}
    owner = next((p for p in scene.providers if p.spot == spot), None)
    if owner is not None and _stands_in(owner.name, point):
        return {"place": owner.name}
    if owner is not None and (other := _chosen_by(scene, goal, owner, named=True)):
        return {"same_as": other}
    said = spot.address if _anywhere(scene, spot.address) else place
    return {"place": said} if _anywhere(scene, said) else {"place": spot.address, "shown_by": [spot.address]}


def _provider(scene: Scene, goal: Goal, provider: ProviderSketch, point: PointSketch) -> dict[str, Any]:
    """Return a provider as it was said: by name, as that of another goal, or as one that the history shows."""
    if _stands_in(provider.name, point):
        return {"text": provider.name, "called": provider.name}
    other = _chosen_by(scene, goal, provider)
    if other:
        return {"same_as": other}
    rows = ((key, row) for section in scene.records.values() for key, row in section.items())
    record = next((key for key, row in rows if provider.id in row.values()), None)
    if record is None:
        return {"text": provider.name, "shown_by": [provider.name]}
    return {"text": provider.id, "shown_by": [record, provider.id]}


def _chosen_by(scene: Scene, goal: Goal, provider: ProviderSketch, *, named: bool = False) -> str:
    """Return the key of another goal for which a provider is chosen; with ``named`` also because it was named."""
    for other in scene.goals:
        own = other.pool is not None and other.key != goal.key and other.pool.chosen.provider is provider
        if own and (named or not any(_names(requirement, provider) for requirement in other.requirements)):
            return other.key
    return ""


def _names(requirement: Requirement, provider: ProviderSketch) -> bool:
    content = requirement.conveys() or {}
    return content.get("provider") is provider


def _anywhere(scene: Scene, text: Term) -> bool:
    return any(_stands_in(text, point) for point in scene.points)
