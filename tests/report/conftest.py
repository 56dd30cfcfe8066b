"""Rows of real episodes, pages made of them, and a browser to open them in."""

import gymnasium as gym
import pytest
from support.browser import browser, tab  # noqa: F401 - fixtures of the tests here

from vitagym.agents import make_agent
from vitagym.agents.episodes import play_episode
from vitagym.evaluation.log import EPISODES
from vitagym.report import Reporter

DOMAINS = ("Delivery", "InStore", "OTA", "Cross")
AGENTS = {"reference": {}, "noop": {}, "random": {"seed": 0}}


def played(domain, agent, *, tasks=2, trials=1, language="en"):
    env = gym.make(f"VitaBench-{domain}-v0", language=language)
    for seed in range(tasks):
        for trial in range(trials):
            yield play_episode(
                env,
                make_agent(agent, **AGENTS[agent]),
                seed=seed + 400 * trial,
                agent_name=agent,
                trial=trial,
                settings={"language": language},
            )


@pytest.fixture(scope="session")
def logs():
    return [log for domain in DOMAINS for agent in AGENTS for log in played(domain, agent, trials=2)]


@pytest.fixture(scope="session")
def rows(logs):
    return [log.data() for log in logs]


@pytest.fixture(scope="session")
def run_folder(logs, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "a small run"
    folder.mkdir()
    (folder / EPISODES).write_bytes(b"".join(log.line() for log in logs))
    return folder


@pytest.fixture(scope="session")
def small_page(run_folder, tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "small.html"
    path.write_text(Reporter().page_of(run_folder), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def big_page(rows, tmp_path_factory):
    """A page of 2,000 episodes: the same few again and again, as further trials."""
    many = []
    for number in range(2000):
        row = rows[number % len(rows)]
        trial = 10 + number // len(rows)
        many.append({**row, "trial": trial, "key": f"{row['key']}|{trial}"})
    path = tmp_path_factory.mktemp("pages") / "big.html"
    path.write_text(Reporter().page(many, title="2,000 episodes"), encoding="utf-8")
    return path
