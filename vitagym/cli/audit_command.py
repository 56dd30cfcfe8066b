"""``vitagym audit``: attackers try to be paid without doing the task."""

from __future__ import annotations

from typing import Annotated, Any

import gymnasium as gym
import typer
from rich.text import Text

from vitagym.cli.app import FAILED, AsJson, Language, app
from vitagym.cli.rollout import Plan
from vitagym.cli.screen import print_json, screen, table
from vitagym.rewards.audit.findings import Finding, Findings
from vitagym.rewards.audit.raids import EveryReward
from vitagym.rewards.terms import PRESETS

_SHOWN = 20
_TEST_IDS = tuple(f"VitaBench-{name}-v0" for name in ("Delivery", "InStore", "OTA", "Cross"))


@app.command()
def audit(
    env_ids: Annotated[
        list[str] | None, typer.Argument(metavar="ENV_ID", help="Default: the test tasks of every domain.")
    ] = None,
    reward: Annotated[
        list[str] | None, typer.Option(help="Reward, as reward=; may be given again. Default: every preset.")
    ] = None,
    tasks: Annotated[int | None, typer.Option(min=1, help="Tasks of each environment. Default: all.")] = None,
    language: Language = "en",
    json: AsJson = False,
) -> None:
    """Let attackers try to be paid without doing the task, and print the most that each gets.

    What it gets is a share of what doing the task gets. Exit code 1: an attacker succeeds, a loop pays, or doing the
    task does not succeed.
    """
    specs = tuple(reward or PRESETS)
    found = Findings()
    for env_id in env_ids or _TEST_IDS:
        env: Any = gym.make(env_id, reward=EveryReward(specs), language=language).unwrapped
        found.add(env, range(Plan((env_id,), (), tasks, 1, 0, {}).tasks_of(env_id)))
    if json:
        print_json({**found.data(), "clean": found.clean})
    else:
        _show(found, specs)
    if not found.clean:
        raise typer.Exit(FAILED)


def _show(found: Findings, specs: tuple[str, ...]) -> None:
    console = screen()
    console.print(f"{found.honest} tasks; best return as a share of what doing the task gets")
    rows = [_row(name, finding, specs) for name, finding in found.by_attacker.items()]
    console.print(table("", ("attacker", "successes", *specs, "best loop"), rows))
    for name, finding in found.by_attacker.items():
        for task in finding.successes[:_SHOWN]:
            console.print(Text(f"{name} succeeds on {task}"))
        for spec in finding.loops_that_pay:
            console.print(Text(f"{name}: a loop pays {finding.best[spec].loop} by {spec}"))
    for task in found.honest_failures[:_SHOWN]:
        console.print(Text(f"doing the task does not succeed on {task}"))


def _row(name: str, finding: Finding, specs: tuple[str, ...]) -> tuple[object, ...]:
    best = [finding.best[spec] for spec in specs]
    loops = [one.loop for one in best if one.loop is not None]
    # Adding 0.0 after rounding turns -0.0 into 0.0.
    loop = f"{round(max(loops), 9) + 0.0:.2f}" if loops else "–"
    return name, len(finding.successes), *(f"{one.share:.0%}" for one in best), loop
