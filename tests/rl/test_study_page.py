"""The page on reward shaping says what the study's own rows say."""

import argparse
import json
import math
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs vitagym[rl]")
pytest.importorskip("matplotlib", reason="needs vitagym[plots]")

ROOT = Path(__file__).parent.parent.parent
KEPT = ROOT / "docs" / "reward-shaping"


@pytest.fixture
def study(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    for name in ("ppo_single_file", "reward_shaping_study"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    import reward_shaping_study

    return reward_shaping_study


def test_the_page_shows_the_tables_that_the_kept_rows_give(study, tmp_path):
    kept = json.loads((KEPT / "summary.json").read_text(encoding="utf-8"))
    settings = argparse.Namespace(**kept["settings"], out=tmp_path, processes=1)
    summary = study.report(study.read(KEPT / "runs.csv"), tmp_path, settings)
    assert study.show(summary) == study.show(kept)
    page = (ROOT / "docs" / "reward-shaping.md").read_text(encoding="utf-8")
    tables = [f"### {part.strip()}" for part in study.show(kept).split("### ")[1:]]
    assert len(tables) == len(kept["difficulties"])
    assert all(table in page for table in tables)
    for difficulty in kept["difficulties"]:
        name = f"{difficulty}.csv"
        assert (tmp_path / name).read_text(encoding="utf-8") == (KEPT / name).read_text(encoding="utf-8")


def test_steps_to_an_aim_are_read_off_between_two_evaluations(study):
    curve = [(0, 0.0), (10, 0.2), (20, 0.6), (30, 0.4)]
    assert study.steps_to(curve, 0.4) == pytest.approx(15)
    assert math.isinf(study.steps_to(curve, 0.7))


def test_a_run_that_never_got_there_makes_the_ratio_a_lower_bound(study):
    told = study.compared([400.0, math.inf, math.inf], [100.0, 100.0, 100.0], most=800)
    assert told["at_least"]
    assert told["never"] == [2, 0]
    assert told["ratio"] == pytest.approx((4 * 8 * 8) ** (1 / 3))
    assert told["low"] <= told["ratio"] <= told["high"]
    assert told["p"] == pytest.approx(2 / 20)  # all three apart, one way or the other
    assert not study.compared([100.0, 110.0], [100.0, 110.0], most=800)["at_least"]
    assert not study.compared([400.0, math.inf], [100.0, math.inf], most=800)["at_least"], "it may be less as well"
