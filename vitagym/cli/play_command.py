"""``vitagym play``: a person plays, in the terminal or in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import gymnasium as gym
import typer
from rich.text import Text

from vitagym.agents import make_agent
from vitagym.agents.episodes import play_episode
from vitagym.cli.app import DEFAULT_ENV, AsJson, Language, Seed, Strictness, Tools, User, app
from vitagym.cli.rollout import check_id
from vitagym.cli.screen import print_json, screen, show_messages, table
from vitagym.cli.serving import serve
from vitagym.errors import CallerError, UnknownName

_ROLES = ("agent", "user")


@app.command()
def play(
    env_id: Annotated[str, typer.Argument(metavar="ENV_ID")] = DEFAULT_ENV,
    seed: Seed = 0,
    language: Language = "en",
    user: User = "scripted",
    feedback: Annotated[
        str | None,
        typer.Option(
            help="How much a refusal says: plain, explain or guide. Default: guide; with --web plain, as agents get."
        ),
    ] = None,
    strictness: Strictness = "state",
    offer: Tools = "own",
    web: Annotated[bool, typer.Option("--web", help="Play in the browser, on 127.0.0.1. Ctrl-C ends.")] = False,
    role: Annotated[str, typer.Option("--as", help="With --web: whom you play, agent or user.")] = "agent",
    agent: Annotated[str, typer.Option(help="With --as user: the agent you talk with.")] = "reference",
    out: Annotated[Path | None, typer.Option(help="With --web: folder whose log gets your episodes.")] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="With --web: where it listens; 0: a free port.")] = 0,
    json: AsJson = False,
) -> None:
    """Play the agent yourself: type what to say, or a call such as weather(address="…"); end with ###STOP###.

    With --web the tools are forms, several tasks can be played, and you may play the user instead.
    """
    check_id(env_id)
    settings: dict[str, Any] = {
        "language": language,
        "user": user,
        "feedback": feedback or ("plain" if web else "guide"),
        "strictness": strictness,
        "tools": offer,
    }
    if web:
        _in_the_browser(env_id, settings, role=role, agent=agent, seed=seed, out=out, port=port, json=json)
    elif role != "agent" or out is not None or port:
        raise CallerError("--as, --out and --port go with --web")
    else:
        _in_the_terminal(env_id, settings, seed, json=json)


def _in_the_terminal(env_id: str, settings: dict[str, Any], seed: int, *, json: bool) -> None:
    console = screen(stderr=json)

    def read() -> str:
        console.print(Text(" agent> ", style="bold green"), end="")
        return input()

    person = make_agent("human", read=read, write=lambda _: None)
    log = play_episode(
        gym.make(env_id, **settings),
        person,
        seed=seed,
        agent_name="human",
        settings=settings,
        watch=lambda messages: show_messages(console, (m for m in messages if m["role"] != "assistant"), whole=True),
    )
    if json:
        print_json(log.data())
        return
    rows = [(r["status"], r["turn"], r["sentence"]) for r in log.rubrics.values()]
    console.print(table("Rubrics", ("status", "turn", "rubric"), rows))
    console.print(f"Ended: {log.end_reason}. Success: {log.is_success}. Reward: {sum(log.rewards):.3f}.")


def _in_the_browser(
    env_id: str, settings: dict[str, Any], *, role: str, agent: str, seed: int, out: Path | None, port: int, json: bool
) -> None:
    from vitagym.play import Role, Session, play_server

    if role not in _ROLES:
        raise UnknownName("role", role, _ROLES)
    # A log names every setting, as an evaluation's does, so that a person's episodes compare with those of agents.
    whole = {**settings, "max_turns": 300, "judge": "rules"}
    session = Session(env_id, whole, role=Role(role), agent=agent, seed=seed, out=out)
    with play_server(session, port=port) as server:
        try:
            serve(server, json=json)
        finally:
            session.close()
