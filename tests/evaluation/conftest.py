"""A small run of scripted episodes, and of episodes with a model as user and as judge."""

import json
import re

import pytest
from support.command import run
from support.openai_server import Answer, serving

from vitagym.evaluation.log import read_logs

DELIVERY = "VitaBench-Delivery-v0"


@pytest.fixture(scope="session")
def scripted_run(tmp_path_factory):
    """Two tasks, two trials, three agents, played into a folder."""
    out = tmp_path_factory.mktemp("run") / "scripted"
    agents = [part for name in ("reference", "noop", "random") for part in ("--agent", name)]
    done = run("eval", DELIVERY, "--tasks", 2, "--trials", 2, *agents, "--out", out)
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="session")
def rows(scripted_run):
    return read_logs(scripted_run)


def says(body):
    """Play a user who says the first need, then goes on, then ends; or a judge who finds every other rubric met."""
    keys = re.findall(r'"key": "(R\d+)"', str(body["messages"][1]["content"])) if len(body["messages"]) > 1 else []
    if keys:
        found = [{"key": k, "justification": "seen", "meetExpectation": i % 2 == 0} for i, k in enumerate(keys)]
        return Answer(json.dumps(found))
    if len(body["messages"]) == 4:
        return Answer("")  # asked again, it answers
    turns = sum(message["role"] == "assistant" for message in body["messages"])
    return Answer(("I would like to order something.", "Yes, please.", "Thanks. ###STOP###")[min(turns, 2)])


@pytest.fixture(scope="session")
def model_run(tmp_path_factory):
    """Two tasks with the user and the judge played by a model over HTTP."""
    out = tmp_path_factory.mktemp("run") / "models"
    with serving(says) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("VITAGYM_MODEL", "toy")
        patch.setenv("VITAGYM_BASE_URL", server.url)
        done = run(
            "eval", DELIVERY, "--tasks", 2, "--trials", 1, "--agent", "noop", "--agent", "random",
            "--user", "llm", "--judge", "llm", "--price", "toy=1,2", "--out", out,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return out
