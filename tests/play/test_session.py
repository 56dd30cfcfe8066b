"""A person's episodes over HTTP: who may act, what may be seen while playing, and what lands in the log."""

import json

import gymnasium as gym
import pytest
from support.command import run
from support.openai_server import Answer, serving

from vitagym.agents import make_agent
from vitagym.evaluation.log import read_logs
from vitagym.evaluation.replaying import verify
from vitagym.play import Role
from vitagym.tasks.sources import load_task

DELIVERY = "VitaBench-Delivery-v0"
STOP = "###STOP###"


def reference_actions(seed):
    """What the reference does, as the page would send it."""
    env = gym.make(DELIVERY, feedback="guide")
    agent = make_agent("reference")
    observation, info = env.reset(seed=seed)
    agent.start(env)
    while info["end_reason"] is None:
        action = agent.act(observation, info)
        yield {"call": json.loads(action)} if action.startswith("{") else {"say": action}
        observation, _, _, _, info = env.step(action)


def test_a_person_who_does_what_the_reference_does_succeeds_and_is_in_the_log(playing, tmp_path):
    with playing() as client:
        state = client.ask("/briefing")["state"]
        for action in reference_actions(0):
            assert state["turn"] == "person"
            state = client.ask("/act", **action)["state"]
    assert state["turn"] == "ended"
    assert state["result"]["is_success"] is True
    assert state["kept"] == tmp_path.name
    (row,) = read_logs(tmp_path)
    assert (row["agent"], row["user"], row["is_success"], row["trial"]) == ("human", "scripted", True, 0)
    assert row["seconds"] > 0


def test_the_next_episode_and_a_further_trial(playing, tmp_path):
    for _ in range(2):
        with playing() as client:
            client.ask("/briefing")
            client.ask("/act", end=True)
            assert client.ask("/next")["state"]["seed"] == 1
            client.ask("/act", say="Bye.", end=True)
    rows = read_logs(tmp_path)
    assert [(row["seed"], row["trial"]) for row in rows] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert len({row["key"] for row in rows}) == 4
    assert rows[1]["actions"] == [f"Bye. {STOP}"]


def test_nothing_hidden_is_shown_to_the_agent_while_playing(playing):
    task = load_task("delivery", "delivery-test-001", "en")
    hidden = [rubric.sentence(task.language) for rubric in task.rubrics] + [p.wordings[0] for p in task.points[1:]]
    with playing() as client:
        seen = json.dumps(client.ask("/briefing")) + json.dumps(client.ask("/state"))
        seen += json.dumps(client.ask("/act", call={"name": "get_user_historical_behaviors", "arguments": {}}))
    assert not [sentence for sentence in hidden if sentence in seen]
    assert "rubrics" not in seen
    assert '"result": null' in seen


def test_the_user_sees_what_was_said_and_who_they_are(playing, tmp_path):
    task = load_task("delivery", "delivery-test-001", "en")
    with playing(Role.USER, agent="reference") as client:
        told = client.ask("/briefing")["briefing"]
        assert told["instructions"] == task.instruction
        assert [point["words"] for point in told["points"]] == [point.wordings[0] for point in task.points]
        state = client.ask("/act", say="Hello, I would like the dumplings from yesterday.")["state"]
        assert [message["role"] for message in state["messages"]] == ["user", "assistant"]
        assert all("tool_calls" not in message for message in state["messages"])
        state = client.ask("/act", say="No, thank you, goodbye.", end=True)["state"]
    assert state["turn"] == "ended"
    (row,) = read_logs(tmp_path)
    assert (row["agent"], row["user"], row["end_reason"]) == ("reference", "human", "user_done")


def test_a_bad_call_is_answered(playing):
    with playing() as client:
        client.ask("/briefing")
        state = client.ask("/act", call={"name": "weather", "arguments": {"address": 7}})["state"]
        assert state["messages"][-1]["refused"] is True
        assert state["turn"] == "person"


@pytest.mark.parametrize(
    "changed",
    [
        {"X-Vitagym-Token": "guessed"},
        {"X-Vitagym-Token": ""},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Host": "evil.example"},
        {"Content-Type": "text/plain"},
    ],
    ids=str,
)
def test_another_site_can_do_nothing(playing, changed):
    with playing() as client:
        client.ask("/briefing")
        known = {"Content-Type": "application/json", "X-Vitagym-Token": client.token, "Origin": client.here}
        assert client.send("POST", "/act", '{"end": true}', **{**known, **changed})[0] == 403
        assert client.ask("/state")["state"]["turn"] == "person"


@pytest.mark.parametrize("body", ["", "[]", "{", "x" * (1 << 20) + "xx"])
def test_what_is_no_request_is_refused(playing, body):
    with playing() as client:
        known = {"Content-Type": "application/json", "X-Vitagym-Token": client.token}
        try:
            assert client.send("POST", "/act", body, **known)[0] == 404
        except (BrokenPipeError, ConnectionError):
            assert len(body) > 1 << 20  # it does not even read that much
        assert client.ask("/briefing")["state"]["turn"] == "person"


def test_an_episode_that_cannot_be_kept_is_kept_with_the_next(playing, tmp_path):
    out = tmp_path / "run"
    out.write_text("a file is in the way")
    with playing(out=out) as client:
        client.ask("/briefing")
        assert client.ask("/act", end=True)["state"]["not_kept"]
        out.unlink()
        client.ask("/next")
        assert client.ask("/act", end=True)["state"]["not_kept"] is None
    assert [row["seed"] for row in read_logs(out)] == [0, 1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--as", "user"], "--web"),
        (["--web", "--as", "judge"], "user"),
        (["--web", "--as", "user", "--agent", "nobody"], "reference"),
        (["CartPole-v1", "--web"], "VitaBench"),
    ],
)
def test_wrong_calls_are_refused(arguments, said):
    done = run("play", *arguments)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_person_s_episodes_compare_with_an_evaluation_s(tmp_path, monkeypatch):
    """The command names the same settings as ``vitagym eval``, so that nothing but the agent differs."""
    made = {}

    class Stop(Exception):
        pass

    def session(env_id, settings, **how):
        made.update(env_id=env_id, settings=settings, **how)
        raise Stop

    monkeypatch.setattr("vitagym.play.Session", session)
    with pytest.raises(Stop):
        run("play", "--web", DELIVERY, "--out", tmp_path / "people")
    out = tmp_path / "agents"
    assert run("eval", DELIVERY, "--tasks", 1, "--trials", 1, "--agent", "noop", "--out", out).returncode == 0
    (row,) = read_logs(out)
    assert made["settings"] == row["settings"]
    assert made["role"] is Role.AGENT


@pytest.mark.parametrize("last", ["No, thank you, goodbye.", ""])
def test_an_episode_with_a_person_as_the_user_plays_again_to_the_byte(playing, tmp_path, last):
    with playing(Role.USER, agent="reference") as client:
        client.ask("/briefing")
        client.ask("/act", say="Dumplings, please.\r\nToday!")
        client.ask("/act", say=last, end=True)
    (found,) = verify(read_logs(tmp_path))
    assert found.parting is None, found.parting


def test_what_a_model_said_to_a_person_is_in_the_log_and_plays_again(playing, tmp_path, monkeypatch):
    with serving(lambda _: Answer("I would like dumplings.")) as server:
        monkeypatch.setenv("VITAGYM_USER_MODEL", "toy")
        monkeypatch.setenv("VITAGYM_USER_BASE_URL", server.url)
        with playing(settings={"language": "en", "user": "llm"}) as client:
            client.ask("/briefing")
            client.ask("/act", say="Which ones?")
            client.ask("/act", end=True)
    rows = read_logs(tmp_path)
    assert rows[0]["models"] == {"user": "toy"}
    assert [reply["text"] for reply in rows[0]["replies"]["user"]] == ["I would like dumplings."] * 2
    (found,) = verify(rows)
    assert found.parting is None, found.parting
