"""People: who the user is, where they live and work, what the platform knows of them and what only they know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from vitagym.generation.addresses import Addresses
from vitagym.generation.spots import Spot, around
from vitagym.generation.terms import Term, word, words
from vitagym.randomness import Stream
from vitagym.tasks.task import Persona

PERSONAS: tuple[Persona, ...] = tuple(p for p in Persona if p is not Persona.NEUTRAL)
_AGES = ("20~25", "25~30", "30~35", "35~40", "40~45")
_WAY_TO_WORK_M = (1_200, 4_200)
NO_DIET = Term("None", "无")
"""How the hidden profile writes that there is nothing a person does not eat or drink."""


@dataclass(frozen=True, slots=True)
class Person:
    """The user of a task.

    Attributes:
        gender: ``male`` or ``female``.
        family: Key of ``families`` in ``assets/words/people.toml``.
        work: Where they work; None where nothing can be delivered there.
        diet: What they do not eat or drink, as the hidden profile writes it.
    """

    user_id: str
    persona: Persona
    gender: str
    age: str
    occupation: Term
    family: str
    residence: Term
    home: Spot
    work: Spot | None
    diet: Term

    @property
    def office(self) -> Spot:
        """Where they work, for those to whom something can be delivered there.

        Raises:
            ValueError: It cannot.
        """
        if self.work is None:
            raise ValueError(f"nothing can be delivered to where {self.user_id} works")
        return self.work

    @property
    def public(self) -> dict[str, object]:
        """The profile as the platform knows it, in the public keys."""
        work = self.home if self.work is None else self.work
        return {
            "user id": self.user_id,
            "occupation": self.occupation,
            "gender": word(words("people")["genders"][self.gender]),
            "age group": self.age,
            "residence": self.residence,
            "home address": self.home.address,
            "work address": work.address,
        }

    @property
    def hidden(self) -> dict[str, object]:
        """What only the user knows."""
        return {
            "dietary restrictions": self.diet,
            "family status": word(words("people")["families"][self.family]),
            "personality": word(words("people")["personalities"][self.persona.value]),
        }


def draw_person(
    stream: Stream,
    addresses: Addresses,
    *,
    persona: Persona,
    desk: bool = False,
    families: Sequence[str] = (),
    diet: Term = NO_DIET,
) -> Person:
    """Draw a person who lives in a city.

    Args:
        stream: Where the draws come from.
        addresses: The addresses of the city.
        persona: Their personality.
        desk: Whether they must work at an office.
        families: The family statuses that fit; empty: any.
        diet: What they do not eat or drink.
    """
    occupation, at_desk = stream.choice([o for o in _occupations() if o[1] or not desk])
    home = addresses.home()
    return Person(
        user_id=f"U{stream.between(100_000, 999_999)}",
        persona=persona,
        gender=stream.choice(("male", "female")),
        age=stream.choice(_AGES[1:] if at_desk else _AGES),
        occupation=occupation,
        family=stream.choice(families or tuple(words("people")["families"])),
        residence=addresses.city.name,
        home=home,
        work=addresses.office(around(stream, home, *_WAY_TO_WORK_M)) if at_desk else None,
        diet=diet,
    )


@cache
def _occupations() -> tuple[tuple[Term, bool], ...]:
    return tuple((word(row), row["desk"]) for row in words("people")["occupations"])
