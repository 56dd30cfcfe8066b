"""Pools: the offers that a goal chooses among. Valid ones, one near-miss a requirement at least, and named noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from vitagym.generation.requirement import OfferRequirement
from vitagym.generation.sketches import Offer, ProductSketch, ProviderSketch
from vitagym.randomness import Stream

Sketcher = Callable[[Stream], Offer]
_TRIES = 300
_TRIES_EACH = 20


class CannotBuild(Exception):
    """A draw led nowhere (say, no dish meets all of it): the scene is drawn again, from another stream."""


@dataclass
class Pool:
    """The offers of one goal.

    Attributes:
        requirements: What they are measured by.
        valid: Offers that meet all of it; the first is the one that the reference solution takes.
        near: Kind of requirement -> the offer that meets all but this one.
        noise: Offers that miss more than one, or that the scene names itself.
        menu: Draws further products of the sort that its providers sell; None where that is not known.
        providers: Every provider that has one of these offers.
    """

    requirements: Sequence[OfferRequirement]
    valid: list[Offer] = field(default_factory=list)
    near: dict[str, Offer] = field(default_factory=dict)
    noise: list[Offer] = field(default_factory=list)
    menu: Callable[[Stream], ProductSketch] | None = None

    @property
    def chosen(self) -> Offer:
        """The offer that the reference solution takes."""
        return self.valid[0]

    @property
    def offers(self) -> list[Offer]:
        """All of them: valid ones, near-misses, noise."""
        return [*self.valid, *self.near.values(), *self.noise]

    @property
    def providers(self) -> list[ProviderSketch]:
        """Every provider of an offer, each once."""
        return list({id(offer.provider): offer.provider for offer in self.offers}.values())

    def misses(self, offer: Offer) -> list[str]:
        """Return the names of the requirements that an offer misses."""
        return [r.name for r in self.requirements if not r.met_by(offer)]


def draw_pool(
    stream: Stream,
    sketch: Sketcher,
    requirements: Sequence[OfferRequirement],
    *,
    valid: int = 2,
    noise: int = 2,
) -> Pool:
    """Draw a pool.

    Args:
        stream: Where the draws come from.
        sketch: Draws an offer of the right sort, whether or not it meets anything; every call makes new sketches.
        requirements: What valid offers meet; one that replaces the product or provider comes before those it may undo.
        valid: How many valid offers; none where the point is that there is none.
        noise: How many offers that miss at least two requirements (or the only one).

    Raises:
        CannotBuild: Some offer could not be drawn.
    """
    pool = Pool(requirements)
    for _ in range(valid):
        _add(pool.valid, _drawn(pool, stream, sketch, None))
    for requirement in requirements:
        offer = _drawn(pool, stream, sketch, requirement)
        if pool.valid and requirement.level == "product" and stream.random() < 0.35:
            for provider in by_menu(stream, [other.provider for other in (*pool.valid, *pool.near.values())]):
                moved = Offer(provider, offer.product)
                if pool.misses(moved) == [requirement.name] and not same_name(moved):
                    offer = moved
                    break
        pool.near[requirement.name] = offer
        _list(offer)
    for _ in range(noise):
        _add(pool.noise, _noise(pool, stream, sketch))
    _even_out(stream, [pool])
    return pool


def draw_companion(
    stream: Stream, main: Pool, sketch: Callable[[Stream], ProductSketch], requirements: Sequence[OfferRequirement]
) -> Pool:
    """Draw what is ordered together with the offers of another pool, from the same providers.

    Every provider of the main pool sells something that meets the requirements, so that none of them falls out by this;
    for each requirement a near-miss stands beside it with one of the valid providers.

    Raises:
        CannotBuild: Some offer could not be drawn.
    """
    pool = Pool(requirements)
    chosen = main.chosen.provider
    for provider in [chosen, *(p for p in main.providers if p is not chosen)]:
        _add(pool.valid, _drawn(pool, stream, _sold_by([provider], sketch), None, apart=main))
    valid = [offer.provider for offer in main.valid]
    for requirement in requirements:
        pool.near[requirement.name] = offer = _drawn(pool, stream, _sold_by(valid, sketch), requirement, apart=main)
        _list(offer)
    if any(not pool.misses(offer) for offer in main.offers):
        raise CannotBuild("what is wrong by itself would do along with it")
    _even_out(stream, [main, pool])
    return pool


def fill_menus(stream: Stream, pool: Pool, sketch: Callable[[Stream], ProductSketch], low: int, high: int) -> None:
    """Give every provider of a pool some more products of the same sort, each of which misses something.

    Args:
        stream: Where the draws come from.
        pool: The pool; the new offers are noise of it.
        sketch: Draws a product.
        low: The fewest that a provider gets.
        high: The most.
    """
    pool.menu = sketch
    for provider in pool.providers:
        for _ in range(stream.between(low, high)):
            add_to_menu(stream, pool, provider)


def add_to_menu(
    stream: Stream, pool: Pool, provider: ProviderSketch, apart: Sequence[Pool] = ()
) -> ProductSketch | None:
    """Draw one more product for a provider of a pool, as noise of it.

    Returns:
        The product; None where the one drawn would do for the pool or one of ``apart``, or is sold there already.
    """
    if pool.menu is None:
        return None
    offer = Offer(provider, pool.menu(stream))
    if same_name(offer) or not all(other.misses(offer) for other in (pool, *apart)):
        return None
    _add(pool.noise, offer)
    return offer.product


def _sold_by(providers: Sequence[ProviderSketch], sketch: Callable[[Stream], ProductSketch]) -> Sketcher:
    return lambda stream: Offer(stream.choice(providers), sketch(stream))


def _drawn(
    pool: Pool, stream: Stream, sketch: Sketcher, missed: OfferRequirement | None, apart: Pool | None = None
) -> Offer:
    """Draw an offer that meets all requirements but ``missed``, and would not do for the pool ``apart``."""
    wanted = [] if missed is None else [missed.name]
    for _ in range(_TRIES):
        offer = sketch(stream)
        for requirement in pool.requirements:
            if requirement is not missed and not requirement.met_by(offer):
                requirement.grant(offer, stream)
        if missed is not None and missed.met_by(offer):
            missed.deny(offer, stream)
        if pool.misses(offer) == wanted and not same_name(offer) and (apart is None or apart.misses(offer)):
            return offer
    raise CannotBuild(f"no offer misses {wanted or 'nothing'}; requirements: {[r.name for r in pool.requirements]}")


def _noise(pool: Pool, stream: Stream, sketch: Sketcher) -> Offer:
    least = min(2, len(pool.requirements))
    for _ in range(_TRIES):
        offer = sketch(stream)
        for requirement in stream.sample(list(pool.requirements), least):
            if requirement.met_by(offer):
                requirement.deny(offer, stream)
        if len(pool.misses(offer)) >= least and not same_name(offer):
            return offer
    raise CannotBuild("no noise")


def _add(where: list[Offer], offer: Offer) -> None:
    where.append(offer)
    _list(offer)


def _list(offer: Offer) -> None:
    if all(product is not offer.product for product in offer.provider.products):
        offer.provider.products.append(offer.product)


def _even_out(stream: Stream, pools: Sequence[Pool]) -> None:
    """Let every provider of some pools sell about as much, with what others of them sell that would not do there.

    What is sold by the day is left alone: its menus are as long as the days are many.
    """
    offers = [(pool, offer) for pool in pools for offer in pool.offers if "date" not in offer.product.facts]
    providers = list({id(offer.provider): offer.provider for _, offer in offers}.values())
    longest = max((len(provider.products) for provider in providers), default=0)
    if longest < 2:
        return
    for provider in providers:
        length = stream.between(longest - 1, longest + 1)
        for _ in range(_TRIES_EACH):
            if len(provider.products) >= length:
                break
            pool, offer = stream.choice(offers)
            product = offer.product.copy()
            product.price += stream.between(-2, 3)
            copied = Offer(provider, product)
            if not same_name(copied) and all(other.misses(copied) for other in pools):
                _add(pool.noise, copied)


def by_menu(stream: Stream, providers: Sequence[ProviderSketch]) -> list[ProviderSketch]:
    """Return providers, each once, in a drawn order, those with the shortest menus first.

    Whatever goes into a menu beside what is wanted goes there in this order: else the longest menu would give away
    who sells what is wanted.
    """
    once = list({id(provider): provider for provider in providers}.values())
    return sorted(stream.shuffled(once), key=lambda provider: len(provider.products))


def same_name(offer: Offer) -> bool:
    """Return whether its provider already sells something of that name: for that day, or with the same facts."""
    others = (p for p in offer.provider.products if p is not offer.product)
    return any(_named(p) == _named(offer.product) for p in others)


def _named(product: ProductSketch) -> tuple[object, ...]:
    date = product.facts.get("date")
    return (product.name, date) if date is not None else (product.name, *product.facts.items())
