"""Users replayed from a log, and mixtures of users."""

import json
from collections import Counter

import gymnasium as gym
import pytest
from support.talks import dinner, talk

from vitagym.errors import CallerError, UnknownName
from vitagym.randomness import Stream
from vitagym.users.choice import make_user
from vitagym.users.replay import ReplayedUser
from vitagym.users.scripted import ScriptedUser
from vitagym.users.solo import SoloUser


def log_of(task, seed=1):
    user = ScriptedUser(task, Stream(seed, "user"))
    messages = [{"role": "system", "content": "You are an assistant."}]
    acts = []
    for message, reply in talk(user, "listening", task):
        messages += [{"role": "assistant", "content": message}] if message else []
        turn = len(messages) - 1
        acts += [{"turn": turn, "kind": act.kind, "point": act.point, "slot": act.slot} for act in reply.acts]
        messages.append({"role": "user", "content": reply.text})
    told = {"task_id": task.id, "language": task.language.value, "messages": messages, "acts": acts}
    return {**told, "end_reason": "user_done"}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("form", ["one", "list", "lines", "folder"])
def test_a_log_replays_to_the_same_words(tmp_path, language, form):
    task, other = dinner(language), dinner(language).model_copy(update={"id": "other"})
    episodes = [log_of(task), log_of(other)]
    file = tmp_path / "log.jsonl"
    written = {
        "one": json.dumps(episodes[0]),
        "list": json.dumps(episodes),
        "lines": "\n".join(map(json.dumps, episodes)),
        "folder": json.dumps(episodes),
    }
    file.write_text(written[form], encoding="utf-8")
    user = make_user(f"replay:{tmp_path if form == 'folder' else file}", task, Stream(1, "user"))
    said = [message["content"] for message in episodes[0]["messages"] if message["role"] == "user"]
    turns = talk(user, "listening", task)
    assert [reply.text for _, reply in turns] == said
    assert turns[-1][1].done


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_it_says_carries_the_acts_of_the_log(tmp_path, language):
    task = dinner(language)
    file = tmp_path / "log.json"
    file.write_text(json.dumps(log_of(task)), encoding="utf-8")
    said = talk(ScriptedUser(task, Stream(1, "user")), "listening", task)
    again = talk(make_user(f"replay:{file}", task, Stream(1, "user")), "listening", task)
    assert [reply for _, reply in again] == [reply for _, reply in said]
    assert any(act.point for _, reply in again for act in reply.acts)


def test_after_its_last_words_it_says_goodbye():
    user = ReplayedUser.of_messages([{"role": "user", "content": "Hello"}], dinner().language, ended=False)
    assert not user.open().done
    other = user.fork()
    for made in (user, other):
        last = made.reply("Hi")
        assert last.done
        assert last.text


def test_a_log_that_does_not_fit_is_named(tmp_path, monkeypatch):
    monkeypatch.delenv("VITAGYM_REPLAY", raising=False)
    file = tmp_path / "log.json"
    file.write_text("[]", encoding="utf-8")
    with pytest.raises(CallerError, match="no episode on task 'dinner'"):
        make_user(f"replay:{file}", dinner(), Stream(1, "user"))
    with pytest.raises(CallerError, match="no log"):
        make_user("replay:/nowhere/at/all", dinner(), Stream(1, "user"))
    with pytest.raises(CallerError, match="VITAGYM_REPLAY"):
        make_user("replay", dinner(), Stream(1, "user"))
    monkeypatch.setenv("VITAGYM_REPLAY", str(file))
    with pytest.raises(CallerError, match="dinner"):
        make_user("replay", dinner(), Stream(1, "user"))


def test_a_mixture_draws_one_user_for_each_episode():
    drawn = Counter(type(make_user({"scripted": 3, "solo": 1}, dinner(), Stream(n, "user"))) for n in range(400))
    assert set(drawn) == {ScriptedUser, SoloUser}
    assert 0.65 < drawn[ScriptedUser] / 400 < 0.85
    same = [type(make_user({"scripted": 1, "solo": 1}, dinner(), Stream(7, "user"))) for _ in range(5)]
    assert len(set(same)) == 1


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        ({}, CallerError),
        ({"scripted": 0}, CallerError),
        ({"scripted": -1, "solo": 2}, CallerError),
        ({"scriptd": 1}, UnknownName),
        ("scripted:cold", UnknownName),
        ("nobody", UnknownName),
    ],
)
def test_what_is_no_user_is_refused_when_the_environment_is_made(spec, error):
    with pytest.raises(error):
        gym.make("VitaBench-Delivery-v0", user=spec)


def test_an_environment_takes_a_mixture():
    env = gym.make("VitaBench-Delivery-v0", user={"scripted": 1, "solo": 1})
    kinds = set()
    for seed in range(12):
        env.reset(seed=seed)
        kinds.add(type(env.unwrapped.user))
    assert kinds == {ScriptedUser, SoloUser}
