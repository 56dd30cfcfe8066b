"""``vitagym eval``: agents evaluated on many tasks, many episodes at once, every one of them kept."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Annotated, Any

import gymnasium as gym
import orjson
import typer
from typer.core import TyperCommand

from vitagym.agents.agent import make_agent
from vitagym.agents.language_model import LanguageModelAgent
from vitagym.cli.app import (
    DEFAULT_AGENTS,
    DEFAULT_ENV,
    FAILED,
    AsJson,
    EnvIds,
    Feedback,
    Language,
    Reward,
    Seed,
    Strictness,
    Tools,
    app,
)
from vitagym.cli.evaluation_progress import Shown
from vitagym.cli.evaluation_results import show_results
from vitagym.cli.rollout import check_id
from vitagym.cli.screen import screen
from vitagym.errors import CallerError, UnknownName
from vitagym.evaluation.clock import WallClock
from vitagym.evaluation.cluster import Cluster
from vitagym.evaluation.folder import RunFolder
from vitagym.evaluation.plan import Plan
from vitagym.evaluation.playing import Player, agent_options
from vitagym.evaluation.runner import Play, Progress, Stop, Stopping, run
from vitagym.evaluation.spending import Budget, Prices
from vitagym.llm.endpoint import endpoint

_REQUESTS = "VITAGYM_CONCURRENCY"
_STOPPED = 130
"""As a shell says of a command that Ctrl-C ended."""


class _RayMayStandAlone(TyperCommand):
    """Reads ``--ray`` with an address behind it or without one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Give a bare ``--ray`` an empty address."""
        read: list[str] = []
        for at, arg in enumerate(args):
            read.append(arg)
            if arg == "--ray" and not _is_address(args[at + 1 : at + 2]):
                read.append("")
        return super().parse_args(ctx, read)


def _is_address(following: list[str]) -> bool:
    return any(arg == "auto" or arg.startswith("ray://") or arg.rpartition(":")[2].isdigit() for arg in following)


@app.command(name="eval", cls=_RayMayStandAlone)
def evaluate(
    out: Annotated[Path, typer.Option(help="Folder of the run; what is there already is not played again.")],
    env_ids: EnvIds = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(help="Agent, llm:MODEL, or module:Class; may be given again. Default: reference, noop."),
    ] = None,
    user: Annotated[
        list[str] | None, typer.Option(help="User, as of rollout; may be given again. Default: scripted.")
    ] = None,
    judge: Annotated[
        list[str] | None,
        typer.Option(help="Judge: rules, ledger, llm or llm:MODEL; may be given again. Default: rules."),
    ] = None,
    tasks: Annotated[
        int | None, typer.Option(min=1, help="How many tasks. Default: all; 20 of an endless split.")
    ] = None,
    trials: Annotated[int, typer.Option(min=1, help="Episodes on each task, each with a seed of its own.")] = 4,
    agent_option: Annotated[
        list[str] | None,
        typer.Option(
            help="AGENT.NAME=VALUE: what an agent is made with, e.g. llm.temperature=0.7; may be given again."
        ),
    ] = None,
    seed: Seed = 0,
    language: Language = "en",
    persona: Annotated[str | None, typer.Option(help="A persona in place of the task's own.")] = None,
    reward: Reward = None,
    feedback: Feedback = "plain",
    strictness: Strictness = "state",
    offer: Tools = "own",
    max_turns: Annotated[int, typer.Option(min=2, help="Messages an episode may have.")] = 300,
    concurrency: Annotated[int, typer.Option(min=1, help="Episodes in flight at once, at most.")] = 64,
    budget: Annotated[
        list[str] | None,
        typer.Option(
            help="What may be spent, e.g. 5usd, 2Mtokens, 90min; may be given again. When it is spent no "
            "further episode begins."
        ),
    ] = None,
    price: Annotated[
        list[str] | None,
        typer.Option(help="MODEL=IN,OUT: price of a million tokens of prompt and completion; may be given again."),
    ] = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Try episodes again that a failing endpoint cut off.")
    ] = False,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="[ADDRESS]",
            help="Play on the Ray cluster at this address; without one on the cluster that runs here, or a new one.",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Play every agent on every task, many episodes at once, and keep each as it ends; the same call goes on."""
    settings: dict[str, Any] = {
        "language": language,
        "feedback": feedback,
        "strictness": strictness,
        "tools": offer,
        "max_turns": max_turns,
        **({} if reward is None else {"reward": reward}),
        **({} if persona is None else {"persona": persona}),
    }
    plan = Plan(
        env_ids=tuple(env_ids or (DEFAULT_ENV,)),
        agents=tuple(agent or DEFAULT_AGENTS),
        users=tuple(user or ("scripted",)),
        judges=tuple(judge or ("rules",)),
        tasks=tasks,
        trials=trials,
        seed=seed,
        settings=settings,
        agent_options=read_agent_options(agent_option or ()),
    )
    check(plan)
    prices, limits = Prices.read(price or ()), Budget.read(budget or ())
    if limits.cost is not None and not prices.of_model:
        raise CallerError("a budget in money needs prices: --price MODEL=IN,OUT")
    for model in models_of(plan) if limits.cost is not None else ():
        if model not in prices.of_model:
            raise CallerError(f"a budget in money needs the price of every model: --price {model}=IN,OUT")
    clock = WallClock()
    stopping = Stopping()

    async def go() -> Progress:
        with (
            RunFolder(out, plan) as folder,
            _playing(plan, prices, ray, concurrency) as play,
            Shown(screen(stderr=True)) as shown,
            _stopped_by_signals(stopping),
        ):
            return await run(
                plan,
                folder,
                play,
                concurrency=concurrency,
                clock=clock,
                budget=limits,
                retry_failed=retry_failed,
                stopping=stopping,
                watcher=shown,
            )

    with _as_many_requests(concurrency):
        progress = asyncio.run(go())
    show_results(progress, out, json=json)
    if stopping.wanted is not Stop.NOT:
        raise typer.Exit(_STOPPED)
    if progress.left or progress.failed:
        raise typer.Exit(FAILED)


@contextmanager
def _as_many_requests(concurrency: int) -> Iterator[None]:
    """Let as many requests be in flight to an endpoint as episodes are, unless the caller has said otherwise."""
    if _REQUESTS in os.environ:
        yield
        return
    os.environ[_REQUESTS] = str(concurrency)
    try:
        yield
    finally:
        del os.environ[_REQUESTS]


@contextmanager
def _playing(plan: Plan, prices: Prices, ray: str | None, concurrency: int) -> Iterator[Play]:
    """Give what plays an episode: here, or on a cluster."""
    if ray is None:
        yield Player(plan, prices, WallClock()).play
        return
    with Cluster(plan, prices, ray, most_workers=min(concurrency, plan.episodes)) as cluster:
        yield cluster.play
        if cluster.lost:
            typer.echo(f"{cluster.lost} workers were lost; their episodes were played again.", err=True)


def check(plan: Plan) -> None:
    """Refuse a plan with a name in it that nothing has; raises what the name's owner raises."""
    for env_id in plan.env_ids:
        check_id(env_id)
    for name in plan.agent_options:
        if name not in plan.agents:
            raise UnknownName("agent of the run", name, plan.agents)
    for name in plan.agents:
        if name == "human":
            raise CallerError("a person plays with: vitagym play")
        make_agent(name, **agent_options(plan, name, 0))
    for env_id, user, judge in product(plan.env_ids, plan.users, plan.judges):
        gym.make(env_id, disable_env_checker=True, user=user, judge=judge, **plan.settings).close()
    for name in ("agents", "users", "judges", "env_ids"):
        named = getattr(plan, name)
        if len(set(named)) < len(named):
            raise CallerError(f"{name}: one is given twice: {', '.join(named)}")


def models_of(plan: Plan) -> list[str]:
    """Return the models that a plan asks, each once."""
    agents = [make_agent(name, **agent_options(plan, name, 0)) for name in plan.agents]
    models = [agent.endpoint.model for agent in agents if isinstance(agent, LanguageModelAgent)]
    for role, names in (("user", plan.users), ("judge", plan.judges)):
        asked = [name.partition(":")[2] for name in names if name.partition(":")[0] == "llm"]
        models += [endpoint(role, model=model or None).model for model in asked]
    return list(dict.fromkeys(models))


def read_agent_options(texts: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return agent -> options from texts ``AGENT.NAME=VALUE``; a value is JSON, or else a text.

    Raises:
        CallerError: A text is of another form, or holds a key, which must not stand in a log.
    """
    options: dict[str, dict[str, Any]] = {}
    for written in texts:
        path, equals, value = written.partition("=")
        agent, dot, name = path.rpartition(".")
        if not (equals and dot and agent and name):
            raise CallerError(f"agent option {written!r}: expected AGENT.NAME=VALUE, e.g. llm.temperature=0.7")
        if name == "api_key":
            raise CallerError("a key would stand in every log; give it as VITAGYM_AGENT_API_KEY or VITAGYM_API_KEY")
        options.setdefault(agent, {})[name] = _value(value)
    return options


def _value(written: str) -> Any:
    try:
        return orjson.loads(written)
    except orjson.JSONDecodeError:
        return written


@contextmanager
def _stopped_by_signals(stopping: Stopping) -> Iterator[None]:
    """Let Ctrl-C and a plain kill ask to stop; the second time they drop what is in flight."""
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM) if threading.current_thread() is threading.main_thread() else ()

    def ask() -> None:
        stopping.ask()
        if stopping.wanted is Stop.SOON:
            typer.echo("Stopping when the episodes in flight have ended; once more drops them.", err=True)

    for sign in signals:
        loop.add_signal_handler(sign, ask)
    try:
        yield
    finally:
        for sign in signals:
            loop.remove_signal_handler(sign)
