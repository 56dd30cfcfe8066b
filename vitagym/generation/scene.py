"""A scene: what a scenario family fills in, part by part, and what a task is made of in the end.

A family gets an empty scene and tells its story on it::

    scene.in_city(); scene.person = …            # who and where
    goal = scene.goal("lunch", …, pool)          # what they want: requirements, and offers that meet or miss them
    scene.opening(…); scene.later(…)             # how they say it, and when
    scene.call(…); scene.tell(…)                 # the reference solution

Nothing here is in a language: texts are terms until ``Draft.task(language)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal

from vitagym.dialogue.acts import Slot
from vitagym.generation.addresses import Addresses
from vitagym.generation.conveying import Meant
from vitagym.generation.geography import City, cities
from vitagym.generation.goals import Goal
from vitagym.generation.people import Person
from vitagym.generation.pools import CannotBuild, Pool
from vitagym.generation.requirement import Requirement
from vitagym.generation.shapes import shape_of
from vitagym.generation.sketches import ProviderSketch
from vitagym.generation.speech import stamp
from vitagym.generation.spots import Spot
from vitagym.generation.terms import Saying, Term, sayings
from vitagym.randomness import Stream
from vitagym.rewards.checks import RecordKind
from vitagym.tasks.task import EventKind, Persona, Release

_LEAST = {digits: 10 ** (digits - 1) for digits in (2, 5, 8, 17)}
"""How many digits a number of an id has -> the least such number."""
# What people speak of in one breath.
_TOPICS = (
    (Slot.PRODUCT, Slot.TASTE, Slot.DURATION, Slot.QUANTITY, Slot.DIET, Slot.ROOM, Slot.SEAT, Slot.TICKET),
    (Slot.PROVIDER, Slot.RATING, Slot.DISTANCE, Slot.FACILITY),
    (Slot.BUDGET,),
    (Slot.TIME, Slot.DATE, Slot.ADDRESS, Slot.PEOPLE),
)


@dataclass(frozen=True, slots=True)
class PointSketch:
    """A point before it has a language (see ``vitagym.tasks.task.Point``).

    Attributes:
        spoken: Its wordings in English, in lower case: where words are looked for.
    """

    id: str
    slot: Slot
    saying: Saying
    told: Term | None
    release: Release
    also: tuple[Slot, ...] = ()
    event: EventKind | None = None
    mention: tuple[Term, ...] = ()
    replaces: str | None = None
    spoken: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StepSketch:
    """A step of the reference solution before it has a language: a call, or (``tool`` None) something said."""

    after: tuple[str, ...]
    tool: str | None = None
    arguments: dict[str, Any] = field(default_factory=dict)
    binds: str | None = None
    text: Term | None = None
    reports: Literal["done", "impossible"] | None = None


class Scene:
    """The world, the person, the need and the solution, while a family puts them together.

    Args:
        name: Name of the streams: fixes every draw together with the seed.
        seed: The seed of the task.
        persona: The user's personality.
        distractors: How many more offers than the near-misses each goal gets.

    Attributes:
        stream: Where a family draws from.
        filling: Where draws that bring the finished scene to a size come from.
        settling: Where draws come from that leave one provider right for a goal that others go by.
        now: The episode's clock.
        cities: Keys of the cities that it may lie in; empty: any.
        city, addresses: Set by ``in_city``.
        person: The user; set by the family.
        history: Scene of life -> habits, in the public shape (see ``vitagym.tasks.environment``).
        deciding: Pools whose choice decides about times of other goals.
        feast: The date of the feast that the person names instead of dates; None: they name none.
    """

    city: City
    addresses: Addresses
    person: Person
    now: datetime

    def __init__(self, name: str, seed: int, persona: Persona, distractors: int) -> None:
        self.stream = Stream(seed, f"{name}/story")
        self.persona = persona
        self.distractors = distractors
        self.cities: tuple[str, ...] = ()
        self.history: dict[str, Any] = {}
        self.places: list[Spot] = []
        self.weather: list[dict[str, Any]] = []
        self.providers: list[ProviderSketch] = []
        self.records: dict[str, dict[str, dict[str, Any]]] = {"orders": {}, "books": {}, "reservations": {}}
        self.goals: list[Goal] = []
        self.points: list[PointSketch] = []
        self.meant: list[Meant] = []
        self.wishes: dict[str, tuple[str, ...]] = {}
        self.feast: date | None = None
        self.steps: list[StepSketch] = []
        self.filling = Stream(seed, f"{name}/filling")
        self.settling = Stream(seed, f"{name}/settling")
        self.deciding: list[Pool] = []
        self._ids = Stream(seed, f"{name}/ids")
        self._order = Stream(seed, f"{name}/order")
        self._words = Stream(seed, f"{name}/words")
        self._cities = Stream(seed, f"{name}/city")
        self._places = Stream(seed, f"{name}/addresses")
        self._serial = 0

    def in_city(self, choices: Sequence[str] = ()) -> None:
        """Draw the city (of some keys; empty: any that the scene may lie in) and its addresses."""
        known = cities()
        allowed = [key for key in choices or known if not self.cities or key in self.cities]
        if not allowed:
            raise CannotBuild(f"none of {', '.join(choices)} is a city of this split")
        self.city = known[self._cities.choice(allowed)]
        self.addresses = Addresses(self._places, self.city)

    def lay(self, providers: Iterable[ProviderSketch]) -> None:
        """Put providers into the world: they get ids and addresses, and their products a drawn order.

        Raises:
            CannotBuild: Two providers of a kind have the same name.
        """
        for provider in providers:
            if provider.id:
                continue
            if any(p.name == provider.name and p.kind == provider.kind for p in self.providers):
                raise CannotBuild(f"two providers are called {provider.name.en}")
            provider.id = self._provider_id()
            if provider.spot is None:
                provider.spot = self.addresses.shop(provider.at)
            provider.products[:] = self._order.shuffled(provider.products)
            for product in provider.products:
                product.id = self.product_id()
            self.providers.append(provider)

    def goal(
        self,
        key: str,
        subject: Term,
        record: RecordKind,
        requirements: Sequence[Requirement],
        *,
        pool: Pool | None = None,
        part: str = "",
    ) -> Goal:
        """Add a goal: one record (or a ``part`` of it) that meets some requirements, once its providers are laid."""
        goal = Goal(key, subject, record, list(requirements), pool, part)
        self.goals.append(goal)
        return goal

    def decides(self, pool: Pool) -> None:
        """Note that the time of another goal goes by which provider is chosen here, so that one alone may be right."""
        self.deciding.append(pool)

    def opening(self, point: str, said: Saying, slot: Slot = Slot.NEED, also: tuple[Slot, ...] = ()) -> None:
        """Add a point that comes with the first words."""
        self._point(point, said, slot, Release.OPENING, also=also)

    def later(self, point: str, said: Saying, slot: Slot, also: tuple[Slot, ...] = ()) -> None:
        """Add a point that comes in a later turn, or when asked."""
        self._point(point, said, slot, Release.VOLUNTEERED, also=also)

    def asked(self, point: str, said: Saying, slot: Slot, also: tuple[Slot, ...] = ()) -> None:
        """Add a fact of the profile, which comes only when asked, and so has no place in the instruction."""
        self._point(point, Saying(said.say, (), said.answer), slot, Release.ASKED, also=also)

    def when(
        self,
        event: EventKind,
        mention: Sequence[Term],
        point: str,
        said: Saying,
        slot: Slot,
        *,
        also: tuple[Slot, ...] = (),
        replaces: str | None = None,
    ) -> None:
        """Add a point that comes once something has happened; with ``replaces`` it is a change of mind."""
        self._point(point, said, slot, Release.EVENT, also=also, event=event, mention=tuple(mention), replaces=replaces)

    def say_requirements(
        self,
        goal: Goal,
        story: str,
        points: Mapping[str, str],
        *,
        asked: Sequence[str] = (),
        names: Mapping[str, object] | None = None,
    ) -> None:
        """Add a point for each of a goal's requirements that the person speaks of.

        Args:
            goal: The goal.
            story: The text file of the family; what it has no saying for is said in the requirement's own words.
            points: Name of a requirement -> id of its point, which is also the key of its saying.
            asked: Ids of points that come only when asked.
            names: What the sayings mention besides the values of the requirement.
        """
        own = sayings(story)
        for requirement in self._by_topic(goal.requirements):
            point = points.get(requirement.name)
            if point is None:
                continue
            said = own.get(point, requirement.saying)
            said = Saying(said.say, said.told, said.answer).fill(**{**(names or {}), **requirement.values()})
            self.meant.append(Meant(point, goal, requirement))
            if point in asked:
                self.asked(point, said, requirement.slot)
            else:
                self.later(point, said, requirement.slot)

    def means(
        self, point: str, goal: Goal, *requirements: Requirement, shown_by: Sequence[object] = (), **condition: object
    ) -> None:
        """Note which requirements of a goal are in the words of a point, where ``conveyed`` cannot tell by itself.

        Args:
            point: The point.
            goal: The goal.
            requirements: The requirements; they may be others than the goal's own (before a change of mind).
            shown_by: Texts that one result has to show before it is understood.
            condition: ``optional=True``, or ``instead_of`` another goal, where the goal has a condition.
        """
        self.meant += [Meant(point, goal, one, tuple(shown_by), tuple(condition.items())) for one in requirements]

    def brings_up(self, point: str, *goals: str) -> None:
        """Note which goals the person speaks of from a point on, and not before (by default: that of its name)."""
        self.wishes[point] = goals

    def said(self, *more: str) -> list[str]:
        """Return the ids of the points so far that wait for no event, and some more."""
        return [*(p.id for p in self.points if p.release is not Release.EVENT), *more]

    def call(self, tool: str, *, binds: str | None = None, after: Sequence[str] = (), **arguments: Any) -> None:
        """Add a tool call to the reference solution; ``after``: ids of points that must have been said."""
        self.steps.append(StepSketch(tuple(after), tool, arguments, binds))

    def tell(
        self, text: Term, *, reports: Literal["done", "impossible"] | None = None, after: Sequence[str] = ()
    ) -> None:
        """Add something that the agent says to the reference solution."""
        self.steps.append(StepSketch(tuple(after), text=text, reports=reports))

    def past_order(self, kind: str, provider: ProviderSketch, row: dict[str, Any]) -> str:
        """Add an order from before the episode and return its id; ``row`` is what ``kind``'s shape leaves open."""
        order_id = f"{self._number(8)}O{self._number(2)}"
        self.records["orders"][order_id] = {
            "order_id": order_id,
            "order_type": kind,
            "user_id": self.person.user_id,
            "store_id": provider.id,
            **row,
        }
        return order_id

    def past_visit(self, section: Literal["books", "reservations"], provider: ProviderSketch, row: Any) -> str:
        """Add a booking or reservation from before the episode and return its id."""
        prefix, key = ("B", "book_id") if section == "books" else ("R", "reservation_id")
        new = f"{self._number(8)}{prefix}{self._number(2)}"
        self.records[section][new] = {
            key: new,
            "shop_id": provider.id,
            "customer_id": self.person.user_id,
            **row,
        }
        return new

    def one_of(self, terms: Sequence[Term]) -> Term:
        """Draw one wording (from a stream of its own, so that texts can grow without moving anything else)."""
        return self._words.choice(terms)

    def product_id(self) -> str:
        """Return a new id for a product; it tells nothing."""
        return f"S{self._number(17)}_P{self._number(5)}"

    def environment(self) -> dict[str, Any]:
        """Return the world in the public JSON shape, texts still terms; positions in lists are drawn."""
        sections: dict[str, dict[str, Any]] = {}
        for provider in self._order.shuffled(self.providers):
            shape = shape_of(provider.kind)
            sections.setdefault(shape.section, {})[provider.id] = shape.data(provider)
        return {
            "time": stamp(self.now),
            "user_id": self.person.user_id,
            **self.records,
            "weather": self.weather,
            "location": [spot.data() for spot in self.places],
            "user_historical_behaviors": {**self.person.public, **self.history},
            **sections,
        }

    def _point(
        self,
        point: str,
        said: Saying,
        slot: Slot,
        release: Release,
        *,
        also: tuple[Slot, ...] = (),
        event: EventKind | None = None,
        mention: tuple[Term, ...] = (),
        replaces: str | None = None,
    ) -> None:
        told = self.one_of(said.told) if said.told else None
        spoken = tuple(wording.en.lower() for wording in said.say)
        self.points.append(PointSketch(point, slot, said, told, release, also, event, mention, replaces, spoken))

    def _by_topic(self, requirements: Sequence[Requirement]) -> list[Requirement]:
        """Return them in a drawn order, those on one topic together, as people speak of things."""
        topics = self._words.shuffled(_TOPICS)
        rank = {slot: number for number, topic in enumerate(topics) for slot in topic}
        return sorted(self._words.shuffled(requirements), key=lambda r: rank.get(r.slot, len(topics)))

    def _provider_id(self) -> str:
        return f"S{self._number(17)}_S{self._number(5)}"

    def _number(self, digits: int) -> str:
        low = _LEAST[digits]
        return str(low + int(9 * low * self._ids.random()))
