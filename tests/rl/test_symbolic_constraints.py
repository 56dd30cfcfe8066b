"""What points convey says the same of what tools show as the requirements that the rubrics are made from."""

from __future__ import annotations

import pytest

from vitagym.generation.dials import Dials
from vitagym.generation.families import draft_of, families
from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.terms import rendered
from vitagym.language import Language
from vitagym.rl.belief import Belief
from vitagym.rl.clauses import Clause
from vitagym.rl.judging import OPEN
from vitagym.rl.sightings import sight
from vitagym.tasks.constraints import Constraint, Sense

FAMILIES = [(domain, name) for domain in ("delivery", "instore", "ota", "cross") for name in families(domain)]
_OF_THE_EPISODE = (Sense.NEAR, Sense.SOLD_BY, Sense.NOT_SOLD_BY, Sense.BEST, Sense.FREE_ON, Sense.BETWEEN)
"""These depend on what else was looked up."""
_UNSAID = {"paid", "nothing_more", "untouched", "told_none", "takes_bookings", "takes_reservations"}
"""What goes without saying, what must not be, and what only the search can show."""


def _draft(domain, family, seed):
    return draft_of(domain, "test", seed, "t", Dials(family=family))


@pytest.mark.parametrize(("domain", "family"), FAMILIES)
@pytest.mark.parametrize("language", list(Language))
def test_a_constraint_judges_what_is_shown_as_its_requirement_judges_what_was_drawn(domain, family, language):
    draft = _draft(domain, family, 3)
    task = draft.task(language)
    belief = Belief(task)
    shown = {t.id: t for data in _listings(task.environment) for t in sight(data).things}
    for goal in draft.scene.goals:
        for requirement in goal.requirements:
            content = requirement.conveys() if isinstance(requirement, OfferRequirement) else None
            if content is None or content["sense"] in _OF_THE_EPISODE:
                continue
            said = {"goal": goal.key, "record": goal.record.value, "kind": requirement.kind, **content}
            constraint = Constraint(**rendered(said, language))
            clause = Clause(constraint)
            for offer in goal.offers:
                told_by = offer.product if clause.of_product or clause.dated else offer.provider
                verdict = clause.verdict(belief, shown[told_by.id])
                assert verdict != OPEN, constraint
                assert (verdict > 0) == requirement.met_by(offer), (constraint, offer.product.name)


@pytest.mark.parametrize(("domain", "family"), FAMILIES)
@pytest.mark.parametrize("seed", [0, 1])
def test_every_rubric_about_a_choice_is_conveyed(domain, family, seed):
    task = _draft(domain, family, seed).task(Language.EN)
    said = {(c.goal, c.kind) for point in task.points for c in point.conveys}
    goals = {c.goal for point in task.points for c in point.conveys}
    for rubric in task.rubrics:
        if rubric.requirement in _UNSAID or rubric.goal is None:
            continue
        if rubric.requirement == "pieces" and rubric.check.quantity == 1:
            continue
        assert (rubric.goal, rubric.requirement) in said, (rubric.id, goals)


@pytest.mark.parametrize(("domain", "family"), FAMILIES)
def test_both_languages_convey_the_same(domain, family):
    draft = _draft(domain, family, 5)
    plain = ("goal", "part", "record", "kind", "sense", "level", "field", "number", "earliest", "latest", "home")
    first, second = (
        [(p.id, [tuple(getattr(c, name) for name in plain) for c in p.conveys]) for p in draft.task(language).points]
        for language in Language
    )
    assert first == second


@pytest.mark.parametrize(("domain", "family"), FAMILIES)
def test_what_comes_up_later_is_not_conveyed_before(domain, family):
    task = _draft(domain, family, 2).task(Language.EN)
    order = {point.id: n for n, point in enumerate(task.points)}
    for point in task.points:
        if not point.id.endswith("_wish"):
            continue
        new = {c.goal for c in point.conveys}
        before = [p for p in task.points if order[p.id] < order[point.id]]
        stems = {point.id.removesuffix("_wish")} & new
        assert new
        assert not any(c.goal in stems for p in before if p.release.value != "asked" for c in p.conveys)


def _listings(environment):
    sections = [value for value in environment.values() if isinstance(value, dict)]
    for section in sections:
        yield from (row for row in section.values() if isinstance(row, dict) and "products" in row)
