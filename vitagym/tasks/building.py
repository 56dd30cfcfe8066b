"""Building the benchmark pack from one seed: which family, persona and seed each task has, and how large its world is.

1. Each family is surveyed: how much its tasks need at least. From that follows how many tasks it tells (``quotas``).
2. Every task has a few candidates, drawn by seeds of its own; those are taken that bring the mean of reasoning points
   to the paper's.
3. Providers, then products, then transactions of the paper's table are handed out over the tasks (``shares``).
4. Each task is made at its size, proved, and held against those before it; one that fails gives way to the next seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from rapidfuzz import fuzz, process

from vitagym.generation.dials import Dials
from vitagym.generation.drafts import Draft
from vitagym.generation.families import draft_of, families
from vitagym.generation.filling import grown, size_of_scene, smallest
from vitagym.generation.people import PERSONAS
from vitagym.generation.pools import CannotBuild
from vitagym.generation.proofs import prove
from vitagym.generation.quotas import Aim, Need, quotas
from vitagym.generation.shares import shares
from vitagym.generation.trimming import drop_providers
from vitagym.language import Language
from vitagym.randomness import Stream
from vitagym.tasks.digests import MANIFEST, text_digest
from vitagym.tasks.pack import file_name, packed, task_name
from vitagym.tasks.recipes import Recipe, draft_of_recipe
from vitagym.tasks.size import Size
from vitagym.tasks.splits import TEST_SPLIT, TEST_TASKS
from vitagym.tasks.stats import Published, published
from vitagym.tasks.task import Persona, Task

PACK_SEED = 1
"""The seed of the pack that comes with the project."""
DISTRACTORS = {"delivery": 2, "instore": 2, "ota": 6, "cross": 2}
"""How many wrong offers goals are drawn with, before worlds are brought to their size."""
ALIKE = 94.0
"""From this likeness of two instructions (0–100) on, one of two tasks has to give way."""
_SURVEYED = 5
_CANDIDATES = 2
_MOST = ((95.0, 3), (92.0, 6), (89.0, 10))
"""From which mean likeness of its texts on a family tells at most so many tasks."""
_TRIED = 12
"""How many seeds of a family are tried for one task."""
_SEEDS_EACH = 1_000
_SPREAD = 2
"""By how many points the sum of reasoning points may miss the paper's (a hundredth of this in the mean)."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A task that may come into the pack: its recipe without a size, its texts, and how large it can be."""

    family: str
    persona: Persona
    seed: int
    texts: dict[Language, str]
    reasoning: int
    low: Size
    high: Size


@dataclass(frozen=True, slots=True)
class Built:
    """A set as it goes into the pack.

    Attributes:
        recipes: How each task is made.
        tasks: Language -> the tasks.
        rejected: How many tasks were drawn and not taken, by the reason.
    """

    recipes: tuple[Recipe, ...]
    tasks: dict[Language, tuple[Task, ...]]
    rejected: dict[str, int]


def build_set(domain: str, seed: int, progress: Callable[[str], None] = lambda _: None) -> Built:
    """Return the fixed tasks of a domain.

    Raises:
        CannotBuild: The families cannot reach the paper's sums.
    """
    paper = published(domain)
    slots = _slots(domain, seed, paper)
    progress(f"{domain}: {len(slots)} tasks of {len(families(domain))} families")
    chosen = _balanced(_candidates(domain, seed, slots), paper)
    progress(f"{domain}: candidates chosen")
    sizes = _sizes(domain, chosen, paper)
    made = _Made(domain, seed)
    for number, (candidate, size) in enumerate(zip(chosen, sizes, strict=True), 1):
        made.add(candidate, size)
        if number % 20 == 0:
            progress(f"{domain}: {number} tasks made, {sum(made.rejected.values())} others rejected")
    tasks = {language: tuple(listed) for language, listed in made.tasks.items()}
    return Built(tuple(made.recipes), tasks, made.rejected)


def write_pack(sets: dict[str, Built], seed: int, folder: Path) -> None:
    """Write sets into a pack: their files, and the manifest with them and the sets that were there."""
    folder.mkdir(parents=True, exist_ok=True)
    manifest = folder / MANIFEST
    rows: dict[str, list[dict[str, Any]]] = orjson.loads(manifest.read_bytes())["sets"] if manifest.is_file() else {}
    for domain, built in sets.items():
        rows[domain] = [_row(recipe) for recipe in built.recipes]
        for language, tasks in built.tasks.items():
            members = [packed(task) for task in tasks]
            folder.joinpath(file_name(domain, language)).write_bytes(b"".join(members))
            first = 0
            for row, task, member in zip(rows[domain], tasks, members, strict=True):
                row["at"][language.value] = [first, len(member)]
                row["texts"][language.value] = text_digest(task.instruction)
                first += len(member)
    ordered = {domain: rows[domain] for domain in sorted(rows)}
    document = orjson.dumps({"seed": seed, "sets": ordered}, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    manifest.write_bytes(document)


def _slots(domain: str, seed: int, paper: Published) -> list[tuple[str, Persona]]:
    """Return family and persona of each task: every persona as often as the others, every family by its quota."""
    needs = {name: _need(domain, seed, name) for name in families(domain)}
    size = paper.size
    aim = Aim(
        paper.reasoning, size.providers / paper.tasks, size.products / paper.tasks, size.transactions / paper.tasks
    )
    told = quotas(needs, aim, TEST_TASKS)
    # Families side by side, so that each meets as many personas as it can.
    names = [name for name, count in told.items() for _ in range(count)]
    pairs = [(name, PERSONAS[n % len(PERSONAS)]) for n, name in enumerate(names)]
    return Stream(seed, f"pack/{domain}/order").shuffled(pairs)


def _need(domain: str, seed: int, family: str) -> Need:
    drawn = [_candidate(domain, family, PERSONAS[n], seed * 1_000_000 + 900_000 + n) for n in range(_SURVEYED)]
    count = len(drawn)
    return Need(
        reasoning=sum(c.reasoning for c in drawn) / count,
        providers=sum(c.low.providers for c in drawn) / count,
        products=sum(c.low.products for c in drawn) / count,
        transactions=sum(c.low.transactions for c in drawn) / count,
        most=_most(drawn),
    )


def _most(drawn: list[Candidate]) -> int:
    """Return how many tasks a family can tell: the less its texts differ, the fewer."""
    texts = [candidate.texts[Language.EN] for candidate in drawn]
    pairs = [fuzz.ratio(a, b) for n, a in enumerate(texts) for b in texts[:n]]
    likeness = sum(pairs) / len(pairs)
    return next((most for bound, most in _MOST if likeness >= bound), TEST_TASKS)


def _candidates(domain: str, seed: int, slots: list[tuple[str, Persona]]) -> list[list[Candidate]]:
    """Return candidates for each task, no two of which read alike.

    A family that has nothing new to say gives way to the one that has told the fewest tasks.
    """
    texts: dict[Language, list[str]] = {language: [] for language in Language}
    found: list[list[Candidate]] = []
    for number, (family, persona) in enumerate(slots, 1):
        told = Counter(listed[0].family for listed in found)
        others = sorted((name for name in families(domain) if name != family), key=lambda name: told[name])
        first, new = _first_seed(seed, number), []
        for n, name in enumerate((family, *others)):
            for tried in range(first + n * _TRIED, first + (n + 1) * _TRIED):
                candidate = _candidate(domain, name, persona, tried)
                if not any(_alike(candidate.texts[language], texts[language]) for language in Language):
                    new.append(candidate)
                    for language in Language:
                        texts[language].append(candidate.texts[language])
                if len(new) == _CANDIDATES:
                    break
            if new:
                break
        if not new:
            raise CannotBuild(f"{task_name(domain, number)}: no family has anything new to say")
        found.append(new)
    return found


def _candidate(domain: str, family: str, persona: Persona, seed: int) -> Candidate:
    draft = _drawn(domain, family, persona, seed)
    high = size_of_scene(draft.scene)
    reasoning = draft.complexity().reason
    texts = {language: draft.instruction(language) for language in Language}
    return Candidate(family, persona, seed, texts, reasoning, smallest(draft.scene), high)


def _drawn(domain: str, family: str, persona: Persona, seed: int) -> Draft:
    dials = Dials(family=family, persona=persona, distractors=DISTRACTORS[domain])
    return draft_of(domain, TEST_SPLIT, seed, "", dials)


def _balanced(slots: list[list[Candidate]], paper: Published) -> list[Candidate]:
    """Return one candidate a task, of small worlds, so that the sum of reasoning points comes near to the paper's."""
    taken = [min(slot, key=lambda c: (c.low.providers, c.low.products, c.seed)) for slot in slots]
    wanted = round(paper.reasoning * len(slots))
    for _ in range(len(slots)):
        off = sum(c.reasoning for c in taken) - wanted
        swaps = [
            (abs(off + other.reasoning - taken[n].reasoning), n, k)
            for n, slot in enumerate(slots)
            for k, other in enumerate(slot)
        ]
        best = min(swaps)
        if abs(off) <= _SPREAD or best[0] >= abs(off):
            break
        taken[best[1]] = slots[best[1]][best[2]]
    return taken


def _sizes(domain: str, chosen: list[Candidate], paper: Published) -> list[Size]:
    """Hand the paper's sums out over the tasks; products by what each holds at its number of providers."""
    total = paper.size
    providers = shares(total.providers, [(c.low.providers, c.high.providers) for c in chosen])
    held: list[tuple[Size, Size]] = []
    for candidate, count in zip(chosen, providers, strict=True):
        low = _drawn(domain, candidate.family, candidate.persona, candidate.seed).scene
        drop_providers(low, count)
        held.append(grown(low))
    products = shares(total.products, [(low.products, high.products) for low, high in held])
    transactions = shares(total.transactions, [(low.transactions, high.transactions) for low, high in held])
    return [Size(*parts) for parts in zip(providers, products, transactions, strict=True)]


class _Made:
    """The tasks of a set that were made so far."""

    def __init__(self, domain: str, seed: int) -> None:
        self._domain, self._seed = domain, seed
        self.recipes: list[Recipe] = []
        self.tasks: dict[Language, list[Task]] = {language: [] for language in Language}
        self.rejected: dict[str, int] = {}

    def add(self, candidate: Candidate, size: Size) -> None:
        """Add the first task, of a family's seeds and then of the others', that is sound and new.

        It has as much to think about as was reckoned with.
        """
        number = len(self.recipes) + 1
        task_id = task_name(self._domain, number)
        for family, seed in self._tries(candidate, number):
            recipe = Recipe(family, candidate.persona, seed, DISTRACTORS[self._domain], size)
            made = self._tested(task_id, recipe, candidate.reasoning)
            if isinstance(made, str):
                self.rejected[made] = self.rejected.get(made, 0) + 1
                continue
            self.recipes.append(recipe)
            for language, task in made.items():
                self.tasks[language].append(task)
            return
        raise CannotBuild(f"{task_id} ({candidate.family}): no sound task ({self.rejected})")

    def _tries(self, candidate: Candidate, number: int) -> Iterator[tuple[str, int]]:
        """Yield families with the seeds of a task that were not tried before: its own family first."""
        yield candidate.family, candidate.seed
        others = [name for name in families(self._domain) if name != candidate.family]
        seed = _first_seed(self._seed, number) + _TRIED * (1 + len(others))
        for family in (candidate.family, *others):
            for _ in range(_TRIED):
                yield family, seed
                seed += 1

    def _tested(self, task_id: str, recipe: Recipe, reasoning: int) -> dict[Language, Task] | str:
        """Return a task in both languages, or why it cannot be taken."""
        try:
            draft = draft_of_recipe(self._domain, task_id, recipe)
        except CannotBuild:
            return "size"
        if draft.complexity().reason != reasoning:
            return "reasoning"
        made = {language: draft.task(language) for language in Language}
        known = {language: [task.instruction for task in self.tasks[language]] for language in Language}
        if any(_alike(task.instruction, known[language]) for language, task in made.items()):
            return "alike"
        return made if prove(draft).holds else "proof"


def _first_seed(seed: int, number: int) -> int:
    """Return the first of the seeds that are a task's own."""
    return seed * 1_000_000 + number * _SEEDS_EACH


def _alike(instruction: str, others: list[str]) -> bool:
    return process.extractOne(instruction, others, scorer=fuzz.ratio, score_cutoff=ALIKE) is not None


def _row(recipe: Recipe) -> dict[str, Any]:
    size = recipe.size
    return {
        "family": recipe.family,
        "persona": recipe.persona.value,
        "seed": recipe.seed,
        "distractors": recipe.distractors,
        "size": [size.providers, size.products, size.transactions],
        "at": {},
        "texts": {},
    }
