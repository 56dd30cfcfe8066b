"""The help names every command once, in sections, and the page about the command line names the same."""

import re
from pathlib import Path

from support.command import run

import vitagym
from vitagym.cli.app import app
from vitagym.cli.sections import SECTIONS

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"
NAMED = [name for names in SECTIONS.values() for name in names]


def registered():
    commands = {command.name or command.callback.__name__.replace("_", "-") for command in app.registered_commands}
    return commands | {group.name for group in app.registered_groups}


def test_every_command_stands_in_one_section():
    assert sorted(NAMED) == sorted(registered())


def test_the_help_says_a_whole_sentence_of_each_command():
    shown = run("--help")
    assert shown.returncode == 0
    assert "..." not in shown.stdout.partition("Options:")[2]
    places = [shown.stdout.index(f"\n  {name} ") for name in NAMED]
    assert places == sorted(places)


def test_the_page_lists_the_commands_in_the_order_of_the_help():
    listed = re.findall(r"^\| `vitagym ([\w-]+)", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert list(dict.fromkeys(listed)) == NAMED


def test_the_version_is_the_package_s():
    shown = run("--version")
    assert shown.returncode == 0
    assert shown.stdout == f"vitagym {vitagym.__version__}\n"
