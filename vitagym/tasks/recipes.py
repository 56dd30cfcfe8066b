"""Recipes: how a fixed task is made, so that it can be made anew and proved."""

from __future__ import annotations

from dataclasses import dataclass

from vitagym.generation.dials import Dials
from vitagym.generation.drafts import Draft
from vitagym.generation.families import draft_of
from vitagym.tasks.size import Size
from vitagym.tasks.splits import TEST_SPLIT
from vitagym.tasks.task import Persona


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a task of the pack is made.

    Attributes:
        family: Which scenario family tells it.
        persona: The user's personality.
        seed: The seed of its draws, in the streams of the test split.
        distractors: How many more wrong offers each goal is drawn with, before the world is brought to its size.
        size: How much there is in its world.
    """

    family: str
    persona: Persona
    seed: int
    distractors: int
    size: Size


def draft_of_recipe(domain: str, task_id: str, recipe: Recipe) -> Draft:
    """Return the task of a recipe before it has a language.

    Raises:
        CannotBuild: Its world cannot have that size.
    """
    dials = Dials(family=recipe.family, persona=recipe.persona, distractors=recipe.distractors, size=recipe.size)
    return draft_of(domain, TEST_SPLIT, recipe.seed, task_id, dials)
