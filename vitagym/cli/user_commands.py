"""The commands about users: whether they can be trusted, and how much it matters which one is used."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import typer

from vitagym.agents.user_comparison import Cell, compare_users
from vitagym.agents.user_promises import BREACHES, Made, Promises, try_promises
from vitagym.cli.app import DEFAULT_ENV, FAILED, AsJson, app
from vitagym.cli.rollout import check_id
from vitagym.cli.screen import print_json, progress_bar, screen, table
from vitagym.domains import CROSS, domains
from vitagym.errors import UnknownName
from vitagym.language import Language, as_language
from vitagym.randomness import Stream
from vitagym.tasks.sources import make_task
from vitagym.tasks.task import Persona, Task
from vitagym.users.choice import check_user, make_user
from vitagym.users.fidelity import PAPER, Fidelity, MakeUser, Talk, measure
from vitagym.users.interviews import INTERVIEWS, interview
from vitagym.users.persona_classifier import PersonaClassifier
from vitagym.users.user import User

users_app = typer.Typer(no_args_is_help=True, help="Users: measured, and compared.")
app.add_typer(users_app, name="users")
_STEPS = 50
"""So many lines of progress are written."""
_TRAINING_SEEDS = range(90_000, 90_010)
"""Seeds of the tasks from which the classifier of personas learns; none of them is measured."""


@users_app.command()
def check(
    user: Annotated[str, typer.Option(help="Which user: scripted, solo, llm, llm:MODEL, replay:PATH.")] = "scripted",
    domain: Annotated[str, typer.Option(help="delivery, instore, ota or cross.")] = "cross",
    tasks: Annotated[int, typer.Option(min=1, help="How many generated tasks.")] = 20,
    persona: Annotated[list[str] | None, typer.Option(help="A persona; may be given again. Default: all ten.")] = None,
    language: Annotated[str, typer.Option(help="en or zh.")] = "en",
    json: AsJson = False,
) -> None:
    """Interview a user over many tasks: points said, missed and early, facts it was not told, early stops, persona."""
    check_user(user)
    spoken = as_language(language)
    personas = [_persona(name) for name in persona] if persona else [p for p in Persona if p is not Persona.NEUTRAL]
    made = [make_task(domain, seed, language=spoken) for seed in range(tasks)]
    classifier = _classifier(domain, spoken)
    with progress_bar(screen(stderr=True), hidden=json) as bar:
        steps = bar.add_task("talks", total=len(made) * len(personas))

        def watch(_: Talk) -> None:
            bar.advance(steps)

        report = measure(_maker(user), made, personas, classifier, watch)
    if json:
        print_json({"user": user, "domain": domain, "language": spoken.value, **report.data()})
    else:
        _show(user, report)


@users_app.command()
def promises(
    tasks: Annotated[int, typer.Option(min=1, help="How many made tasks, of the four sets in turn.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="How many processes.")] = 1,
    json: AsJson = False,
) -> None:
    """Try the scripted user's promises on made tasks x 10 personas x 2 languages; exit code 1 where one is broken."""
    names = (*domains(), CROSS)
    made = [Made(names[n % len(names)], seed + n // len(names)) for n in range(tasks)]
    started = perf_counter()

    def watch(so_far: Promises) -> None:
        if so_far.tasks % max(1, tasks // _STEPS) == 0:
            breaches = sum(so_far.breaches.values())
            typer.echo(f"{so_far.tasks} tasks, {so_far.talks} talks, {breaches} breaches, {_since(started)}", err=True)

    found = try_promises(made, jobs=jobs, progress=watch)
    if json:
        counts = {promise: found.breaches[promise] for promise in BREACHES}
        print_json(
            {"tasks": found.tasks, "talks": found.talks, "points": found.points, "utterances": found.utterances,
             "breaches": counts, "examples": found.examples, "seconds": perf_counter() - started}
        )  # fmt: skip
    else:
        for example in found.examples:
            typer.echo(": ".join(example))
        counted = ", ".join(f"{promise} {found.breaches[promise]}" for promise in BREACHES)
        typer.echo(
            f"{found.tasks} tasks, {found.talks} talks, {found.points} points, {found.utterances} utterances in "
            f"{_since(started)}; {counted}."
        )
    if found.breaches:
        raise typer.Exit(FAILED)


def _since(start: float) -> str:
    return f"{perf_counter() - start:.0f} s"


@users_app.command()
def compare(
    users: Annotated[list[str], typer.Argument(help="Two users or more; USER/PERSONA plays a persona.")],
    env_id: Annotated[str, typer.Option("--env", help="Id of the environment.")] = DEFAULT_ENV,
    agent: Annotated[list[str] | None, typer.Option(help="An agent; may be given again.")] = None,
    tasks: Annotated[int, typer.Option(min=1, help="How many episodes each agent plays with each user.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="The first seed; the same for all.")] = 0,
    language: Annotated[str, typer.Option(help="en or zh.")] = "en",
    json: AsJson = False,
) -> None:
    """Play the same agents on the same tasks with several users: success with intervals, and the order of agents."""
    check_id(env_id)
    agents = agent or ["reference", "random", "noop"]
    with progress_bar(screen(stderr=True), hidden=json) as bar:
        steps = bar.add_task("episodes", total=len(users) * len(agents) * tasks)
        comparison = compare_users(
            env_id, users, agents, tasks=tasks, seed=seed, language=language, watch=lambda: bar.advance(steps)
        )
    if json:
        print_json({"env_id": env_id, "tasks": tasks, "seed": seed, **comparison.data()})
        return
    rows = [
        (user, name, _share(cell), f"{cell.rubric_score:.3f}", f"{cell.turns:.1f}", str(cell.failed))
        for user, cells in comparison.cells.items()
        for name, cell in cells.items()
    ]
    console = screen()
    console.print(table("", ("user", "agent", "success (95 %)", "rubrics", "turns", "failed"), rows))
    orders = [(*pair, "none" if tau is None else f"{tau:.2f}") for pair, tau in comparison.agreement.items()]
    console.print(table("order of agents", ("user", "user", "Kendall's tau-b"), orders))


def _share(cell: Cell) -> str:
    if cell.success is None or cell.interval is None:
        return "not scored"
    low, high = cell.interval
    return f"{100 * cell.success:.0f} % ({100 * low:.0f} to {100 * high:.0f})"


def _maker(spec: str) -> MakeUser:
    def make(task: Task, persona: Persona, seed: int) -> User:
        return make_user(spec, task, Stream(seed, "user"), persona)

    return make


def _classifier(domain: str, language: Language) -> PersonaClassifier:
    """Return a classifier trained on the scripted user's words."""
    make = _maker("scripted")
    examples = []
    for seed in _TRAINING_SEEDS:
        task = make_task(domain, seed, language=language)
        for number, persona in enumerate(Persona):
            way = tuple(INTERVIEWS)[(seed + number) % len(INTERVIEWS)]
            talk = interview(make(task, persona, seed), task, way)
            examples.append((persona, " ".join(reply.text for _, reply in talk)))
    return PersonaClassifier(examples)


def _persona(name: str) -> Persona:
    try:
        return Persona(name)
    except ValueError:
        raise UnknownName("persona", name, [str(p) for p in Persona]) from None


def _show(user: str, report: Fidelity) -> None:
    data = report.data()
    points = data["points"]
    rows = [
        ("talks", str(data["talks"])),
        ("points said", f"{points['said']} of {points['due']}"),
        ("points said too early", str(points["early"])),
        ("utterances", str(data["utterances"])),
        ("with a fact that it was not told", str(data["untraced"]["utterances"])),
        ("talks stopped early", str(data["early_stops"])),
        ("talks not ended", str(data["unended"])),
        ("empty, or more than a line", str(sum(data["rule_breaks"].values()))),
        ("distinct words, pairs", f"{data['distinct_1']:.3f}, {data['distinct_2']:.3f}"),
        ("fidelity, of 10 (paper, by people: " + str(PAPER["fidelity"]) + ")", f"{report.fidelity:.2f}"),
        ("persona told, of 10 (paper, by people: " + str(PAPER["consistency"]) + ")", f"{report.consistency or 0:.2f}"),
    ]
    console = screen()
    console.print(table(f"user {user}", ("", ""), rows))
    told = data["persona_told"]
    spread = [(name, f"{turns:.1f}", f"{told.get(name, 0):.2f}") for name, turns in data["turns"].items()]
    console.print(table("", ("persona", "turns a talk", "persona told"), spread))
    for task_id, text, strange in report.examples:
        console.print(f"{task_id}: {', '.join(strange)} in: {text}", markup=False, highlight=False)
