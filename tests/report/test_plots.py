"""Plots as data and as files: every value is the analysis' own, and stands in the CSV beside the picture."""

import csv

import pytest
from support.command import run

from vitagym.analysis import conditions, grouped, summarise
from vitagym.evaluation.log import read_logs
from vitagym.report import Reporter
from vitagym.report.images import write_plots
from vitagym.report.plots import Form


@pytest.fixture(scope="module")
def plots(run_folder):
    return {plot.name: plot for plot in Reporter().plots(read_logs(run_folder))}


def points(plot):
    return {(series.name, p.x): (p.y, p.low, p.high, p.n) for series in plot.series for p in series.points}


def test_success_is_the_summary_s(plots, rows):
    found = points(plots["success_by_domain"])
    for name, of_condition in conditions(rows).items():
        for domain, of_domain in grouped(of_condition, "domain").items():
            figure = summarise(of_domain).metrics["success"]
            assert found[name, domain] == (figure.value, figure.low, figure.high, figure.episodes)


def test_pass_curves_are_the_summary_s(plots, rows):
    for name, of_condition in conditions(rows).items():
        summary = summarise(of_condition)
        for k in (1, 2):
            assert points(plots["pass_at"])[name, k][0] == summary.pass_at[k - 1].value
            assert points(plots["pass_hat"])[name, k][0] == summary.pass_hat[k - 1].value


def test_the_course_of_episodes_ends_where_they_end(plots, rows):
    for name, of_condition in conditions(rows).items():
        summary = summarise(of_condition)
        assert points(plots["rubrics_over_turns"])[name, 1.0][0] == pytest.approx(summary.metrics["rubric_score"].value)
        assert points(plots["reward_over_turns"])[name, 1.0][0] == pytest.approx(summary.metrics["reward"].value)
        assert points(plots["rubrics_over_turns"])[name, 0.0][0] == 0


def test_a_condition_has_one_colour_in_all_plots(plots):
    places = {}
    for plot in plots.values():
        for series in plot.series:
            assert places.setdefault(series.name, series.place) == series.place or not series.name


def test_bins_of_lengths_hold_every_scored_episode(plots, rows):
    for series in plots["success_against_turns"].series:
        scored = [row for row in rows if row["agent"] == series.name and row["is_success"] is not None]
        assert sum(point.n for point in series.points) == len(scored)


def test_files_hold_the_numbers_and_are_the_same_every_time(plots, tmp_path):
    first = write_plots(plots.values(), tmp_path / "a")
    again = write_plots(plots.values(), tmp_path / "b")
    assert {path.name for path in first} == {f"{name}.{kind}" for name in plots for kind in ("png", "svg", "csv")}
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in again]
    for name, plot in plots.items():
        with (tmp_path / "a" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            written = [(line["series"], line["x"], float(line["y"]), int(line["n"])) for line in csv.DictReader(file)]
        assert written == [(s.name, str(p.x), p.y, p.n) for s in plot.series for p in s.points]
    assert {plot.form for plot in plots.values()} == set(Form)


def test_the_commands(run_folder, tmp_path):
    page = tmp_path / "page.html"
    done = run("report", run_folder, "--out", page, "--json")
    assert done.returncode == 0, done.stderr
    assert page.stat().st_size > 100_000
    done = run("report", run_folder, "--plots", tmp_path / "plots")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "plots" / "pass_at.csv").exists()


def test_the_page_lies_in_the_run_s_folder_by_default(logs, tmp_path):
    (tmp_path / "episodes.jsonl").write_bytes(logs[0].line())
    assert run("report", tmp_path).returncode == 0
    assert (tmp_path / "report.html").exists()


@pytest.mark.parametrize("arguments", [["nowhere"], [".", "--plots", "a", "--out", "b"]])
def test_wrong_calls_are_refused(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("report", *arguments).returncode == 2
