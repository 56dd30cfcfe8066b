"""The page on the symbolic view says what there is."""

from __future__ import annotations

from pathlib import Path

from vitagym.rl.page import feature_tables

PAGE = Path(__file__).parents[2] / "docs" / "symbolic.md"


def test_the_page_has_the_features_as_they_are():
    assert feature_tables() in PAGE.read_text(encoding="utf-8")
