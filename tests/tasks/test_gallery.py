"""The gallery page is what the pack holds."""

from pathlib import Path

from vitagym.agents.gallery import gallery

PAGE = Path(__file__).parents[2] / "docs" / "gallery.md"


def test_the_page_is_current():
    assert PAGE.read_text(encoding="utf-8") == gallery(), "vitagym gallery --out docs/gallery.md"
