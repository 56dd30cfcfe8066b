"""The log of an episode: what its fields are, how it is read back, what a broken line does."""

import dataclasses
from pathlib import Path

import gymnasium as gym
import orjson
import pytest

import vitagym
from vitagym.agents.episodes import play_episode
from vitagym.errors import CallerError
from vitagym.evaluation.log import EpisodeLog, read_logs, read_rows
from vitagym.evaluation.log_fields import field_meanings, field_table

PAGE = Path(__file__).parents[2] / "docs" / "log.md"


@pytest.fixture(scope="module", params=["reference", "random"])
def log(request):
    env = gym.make("VitaBench-Cross-v0")
    return play_episode(env, vitagym.make_agent(request.param), seed=3, agent_name=request.param)


def test_every_field_is_documented_and_nothing_else():
    fields = {field.name for field in dataclasses.fields(EpisodeLog)}
    assert set(field_meanings()) == fields | {"schema", "key", "reward", "turns"}
    assert all(meaning.endswith(".") for meaning in field_meanings().values())


def test_the_page_has_the_table_of_the_type():
    assert field_table() in PAGE.read_text(encoding="utf-8")


def test_a_line_says_what_the_log_says(log):
    row = orjson.loads(log.line())
    assert set(row) == set(field_meanings())
    assert row["schema"] == "vitagym.episode/1"
    assert row["key"] == f"VitaBench-Cross-v0|{log.agent}|scripted|rules|{log.task_id}|0"
    assert row["messages"] == [dict(m) for m in log.messages]


def test_turns_count_as_in_the_transcript(log):
    roles = [message["role"] for message in log.messages[1:]]
    assert len(log.action_turns) == len(log.actions) == len(log.rewards)
    assert all(roles[turn] == "assistant" for turn in log.action_turns)
    assert all(roles[act["turn"]] == "user" for act in log.acts)
    assert all(log.messages[change["turn"] + 1]["name"] == change["tool"] for change in log.world_changes)


def test_changes_of_rubrics_lead_to_their_last_states(log):
    status = dict.fromkeys(log.rubrics, "pending")
    for change in log.rubric_changes:
        status[change["rubric"]] = change["status"]
    assert status == {rubric: state["status"] for rubric, state in log.rubrics.items()}
    turns = [change["turn"] for change in log.rubric_changes]
    assert turns == sorted(turns)


def test_the_reference_solution_changes_the_world_and_shows_places():
    env = gym.make("VitaBench-Cross-v0")
    log = play_episode(env, vitagym.make_agent("reference"), seed=3)
    assert [change for change in log.world_changes if change["before"] is None]
    after = {change["record"]: change["after"] for change in log.world_changes}
    ledger = env.unwrapped.world.ledger
    records = {**ledger.orders, **ledger.bookings, **ledger.reservations}
    assert all(records[record].data() == data for record, data in after.items())
    shown = {place["id"] for place in log.places if place["kind"] != "address"}
    assert shown
    assert all(any(place in str(m.get("content")) for m in log.messages) for place in shown)


def write(path, *lines):
    path.write_bytes(b"".join(lines))
    return path


def test_a_later_attempt_stands_in_the_place_of_the_earlier(log, tmp_path):
    again = dataclasses.replace(log, attempt=1)
    (row,) = read_logs(write(tmp_path / "episodes.jsonl", log.line(), again.line()))
    assert row["attempt"] == 1


def test_a_broken_last_line_is_left_out_and_a_broken_line_before_it_is_said(log, tmp_path):
    file = write(tmp_path / "episodes.jsonl", log.line(), log.line()[:-40])
    assert len(read_logs(tmp_path)) == len(read_logs(file)) == 1
    with pytest.raises(CallerError, match="line 1 of"):
        read_logs(write(file, log.line()[:-40] + b"\n", log.line()))


@pytest.mark.parametrize("made", [None, "empty", "other"])
def test_what_is_no_log_is_refused_by_name(tmp_path, made):
    path = tmp_path / "there"
    if made is not None:
        path.mkdir()
    if made == "other":
        (path / "notes.jsonl").write_text('{"a": 1}\n', encoding="utf-8")
    with pytest.raises(CallerError, match="there"):
        read_logs(path)


def test_a_field_that_a_line_lacks_is_named_with_its_file_and_line(log, tmp_path):
    row = log.data()
    del row["is_success"]
    file = write(tmp_path / "episodes.jsonl", log.line(), orjson.dumps(row) + b"\n")
    whole, lacking = read_rows(file)
    assert whole == orjson.loads(log.line())
    assert orjson.loads(orjson.dumps(lacking)) == orjson.loads(orjson.dumps(row))
    assert lacking.get("is_success") is None
    with pytest.raises(CallerError, match=r"line 2 of '.*episodes\.jsonl' has no field 'is_success'"):
        lacking["is_success"]
