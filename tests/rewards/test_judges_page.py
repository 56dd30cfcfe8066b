"""The page on judges: its examples run, and what it prints is what the commands print."""

import doctest
from pathlib import Path

from vitagym.rewards.audit.attackers import ATTACKERS
from vitagym.rewards.laboratory.makings import Way

PAGE = Path(__file__).parents[2] / "docs" / "judges.md"


def test_every_example_runs():
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.failed == 0
    assert found.attempted > 10


def test_every_way_and_every_attacker_is_on_the_page():
    page = PAGE.read_text(encoding="utf-8")
    assert [way.value for way in Way if f"\n| {way.value} |" not in page] == []
    assert [name for name in ATTACKERS if f"\n{name} " not in page] == []
