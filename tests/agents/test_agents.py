"""Agents by name; the floors stay on the floor, whatever they draw."""

import sys

import gymnasium as gym
import pytest

import vitagym
from vitagym.agents import agent_names, make_agent
from vitagym.agents.episodes import play_episode
from vitagym.errors import CallerError, UnknownName

MODELS = ("llm", "react", "plan")
IDS = ["VitaBench-Delivery-v0", "VitaBench-InStore-v0", "VitaBench-OTA-v0", "VitaBench-Cross-v0"]


def play(env_id, name, seed=0, agent_options=None, **settings):
    env = gym.make(env_id, **settings)
    return play_episode(env, make_agent(name, **(agent_options or {})), seed=seed)


def test_every_agent_can_be_made_from_the_public_face():
    for name in agent_names():
        agent = vitagym.make_agent(name, **({"model": "m"} if name in MODELS else {}))
        assert callable(agent.start)
        assert callable(agent.act)


def test_an_unknown_agent_is_refused_with_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean 'reference'"):
        make_agent("referense")


def test_an_unknown_option_is_refused_with_the_nearest():
    with pytest.raises(CallerError, match="Did you mean 'seed'"):
        make_agent("random", sead=3)


@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_doing_nothing_earns_nothing(env_id, language):
    log = play(env_id, "noop", language=language)
    assert log.is_success is False
    assert sum(log.rewards) == pytest.approx(0)
    assert log.end_reason == "agent_stop"
    assert log.usage["tool_calls"] == 0


@pytest.mark.parametrize("env_id", IDS)
def test_random_play_is_fixed_by_its_seed(env_id):
    first, again, other = (play(env_id, "random", agent_options={"seed": seed}) for seed in (1, 1, 2))
    assert first == again
    assert first.actions != other.actions


def test_random_play_uses_what_it_has_seen():
    logs = [play("VitaBench-Cross-v0", "random", seed=seed, agent_options={"seed": seed}) for seed in range(3)]
    calls = sum(log.usage["tool_calls"] for log in logs)
    assert calls > 30
    assert sum(log.usage["refused_calls"] for log in logs) < calls
    assert all(log.is_success is False for log in logs)


def test_a_person_reads_what_is_new_and_types_the_action():
    lines, shown = iter(["", "What do you need?", 'weather(address="x")']), []

    def read():
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    env = gym.make("VitaBench-Delivery-v0")
    log = play_episode(env, make_agent("human", read=read, write=shown.append), seed=0)
    assert log.actions == ("What do you need?", 'weather(address="x")', "###STOP###")
    assert shown[0] == log.messages[1]["content"]
    assert len(shown) == 3


def test_a_log_is_the_whole_episode():
    log = play("VitaBench-Cross-v0", "noop", seed=3)
    data = log.data()
    assert data["task_id"] == log.task_id
    assert [m["role"] for m in log.messages[:3]] == ["system", "user", "assistant"]
    assert data["reward"] == pytest.approx(sum(log.rewards))
    assert len(log.rewards) == len(log.actions) == len(log.reward_terms)
    for reward, terms in zip(log.rewards, log.reward_terms, strict=True):
        assert reward == pytest.approx(sum(terms.values()))
    assert all(row["sentence"] and row["status"] for row in log.rubrics.values())


@pytest.mark.parametrize("name", ["reference", "noop", "random"])
def test_an_agent_may_start_before_or_after_the_reset(name):
    env = gym.make("VitaBench-Delivery-v0", language="zh")
    actions = []
    for early in (True, False):
        agent = make_agent(name, **({"model": "m"} if name in MODELS else {}))
        if early:
            agent.start(env)
        observation, info = env.reset(seed=2)
        if not early:
            agent.start(env)
        actions.append(agent.act(observation, info))
    assert actions[0] == actions[1]


OWN = """
import vitagym

class Silent:
    def __init__(self, words="Hello", seed=0):
        self.words, self.seed = words, seed

    def start(self, env):
        pass

    def act(self, observation, info):
        return f"{self.words} {self.seed}. ###STOP###"

class Deaf:
    def start(self, env):
        pass

def silent(words="Hi"):
    return Silent(words)

NUMBER = 3
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A module of the caller's own."""
    (tmp_path / "own_agents.py").write_text(OWN, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "own_agents"
    sys.modules.pop("own_agents", None)


def test_an_agent_of_ones_own_is_named_by_module_and_class(own):
    assert vitagym.make_agent(f"{own}:Silent", words="Bye").act("", {}) == "Bye 0. ###STOP###"
    assert vitagym.make_agent(f"{own}:silent").act("", {}) == "Hi 0. ###STOP###"


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("own_agents:Silnt", {}, "'Silent'"),
        ("own_agents:NUMBER", {}, "NUMBER"),
        ("own_agent:Silent", {}, "no module 'own_agent'"),
        ("own_agents.more:Silent", {}, "no module 'own_agents.more'"),
        ("own_agents:Silent", {"word": "x"}, "words, seed"),
        ("own_agents:Deaf", {}, "lacks act"),
        ("own_agents:", {}, "allowed: llm"),
        ("noop:large", {}, "allowed: llm"),
        ("llm:", {}, "allowed: llm"),
    ],
)
def test_an_agent_that_cannot_be_had_is_refused_with_what_can(own, name, options, said):
    with pytest.raises(CallerError, match=said):
        vitagym.make_agent(name, **options)


def test_a_fault_of_ones_own_module_is_shown_as_it_is(tmp_path, monkeypatch):
    (tmp_path / "broken_agents.py").write_text("import no_such_package_of_ours", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ModuleNotFoundError, match="no_such_package_of_ours"):
        vitagym.make_agent("broken_agents:Silent")


def test_a_model_is_named_behind_the_agent():
    assert vitagym.make_agent("llm:mine").endpoint.model == "mine"
    assert vitagym.make_agent("react:mine").endpoint.model == "mine"
