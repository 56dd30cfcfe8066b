import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "rewards.md"


def test_every_example_of_the_page_on_rewards_runs():
    found = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8")
    assert found.failed == 0
    assert found.attempted > 20
