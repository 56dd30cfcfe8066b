"""A user played by a language model, over real HTTP, kept to the rules."""

import asyncio
import json
import time

import gymnasium as gym
import pytest
from support.openai_server import Answer, serving
from support.talks import dinner

from vitagym.dialogue.acts import UserActKind
from vitagym.errors import EndpointError
from vitagym.llm.endpoint import Endpoint
from vitagym.randomness import Stream
from vitagym.tasks.task import Persona
from vitagym.users.interviews import says
from vitagym.users.language_model import LONGEST, STOP, LanguageModelUser, Slips

POINTS = {
    "background": "My mum has her birthday this Saturday",
    "need": "so could you book us a table at some Sichuan restaurant?",
    "people": "There'll be six of us.",
    "time": "Let's say 6:30 PM.",
    "later": "Sorry, my sister is late, please make it 7:15 PM.",
    "budget": "And it shouldn't cost more than 800 yuan in all.",
}


def at(server, **settings):
    fast = {"attempts": 2, "backoff_s": 0.01, "timeout_s": 2.0, **settings}
    return Endpoint("test", base_url=server.url, api_key="k", **fast)


def user(server, task=None, **options):
    return LanguageModelUser(task or dinner(), at(server), Stream(1, "user"), **options)


def all_said(server, last):
    """A user that has said everything, to which the model says what is given from then on."""
    made = user(server)
    made.open()
    for _ in range(4):
        made.reply("Anything else?")
    assert made.said >= set(POINTS)
    return made


EVERYTHING = [
    Answer(f"{POINTS['background']}, {POINTS['need']}"),
    *(Answer(POINTS[name]) for name in ("people", "time", "later", "budget")),
]


def test_a_good_talk():
    with serving([*EVERYTHING, Answer(f"Wonderful, thank you. {STOP}")]) as server:
        made = user(server)
        opening = made.open()
        assert {act.point for act in opening.acts} == {"background", "need"}
        replies = [made.reply("Anything else?") for _ in range(4)]
        assert [{act.point for act in reply.acts} for reply in replies] == [{"people"}, {"time"}, {"later"}, {"budget"}]
        assert UserActKind.CHANGE in {act.kind for act in replies[2].acts}
        last = made.reply("I've booked the table. Everything is done.")
        assert (last.text, last.done) == ("Wonderful, thank you.", True)
        assert made.slips == Slips()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_prompt_holds_persona_instructions_and_rules(language):
    task = dinner(language, Persona.COLD).model_copy(update={"instruction": "INSTRUCTION {persona}"})
    with serving([Answer("Hello.")]) as server:
        user(server, task).open()
        system, first = server.requests[0]["messages"]
        assert system["role"] == "system"
        assert "INSTRUCTION {persona}" in system["content"], "what stands in the instruction is not filled in"
        assert "U000123" in system["content"]
        assert STOP in system["content"]
        assert first["role"] == "user"


def test_a_persona_can_be_given_and_neutral_has_none():
    with serving([Answer("Hello.")]) as server:
        user(server, persona=Persona.CONTROLLING).open()
        user(server, persona=Persona.NEUTRAL).open()
        controlling, neutral = (request["messages"][0]["content"] for request in server.requests)
        assert "gives orders" in controlling
        assert "No particular personality" in neutral


def test_the_caller_can_bring_a_prompt(tmp_path):
    file = tmp_path / "mine.md"
    file.write_text("Mine: {persona} / {instructions}", encoding="utf-8")
    with serving([Answer("Hello.")]) as server:
        for prompt in (file, "Mine: {persona} / {instructions}"):
            user(server, prompt=prompt).open()
            assert server.requests[-1]["messages"][0]["content"].startswith("Mine: user ID: U000123")


def test_the_agents_thoughts_never_reach_it():
    with serving([Answer("Hello.")]) as server:
        made = user(server)
        made.open()
        made.reply("<think>The user wants it cheap.</think>Good day.")
        assert "cheap" not in json.dumps(server.requests)
        assert server.requests[-1]["messages"][-1]["content"] == "Good day."


def test_its_own_thoughts_and_line_breaks_are_left_out():
    with serving([Answer('<think>Hm.</think>"I need\n\na table."')]) as server:
        assert user(server).open().text == "I need a table."


@pytest.mark.parametrize(
    "nothing", [Answer(""), Answer(None), Answer(" \n"), Answer(None, refusal="I cannot do that.")]
)
def test_an_empty_reply_or_a_refusal_is_asked_again(nothing):
    with serving([nothing, Answer("I need a table.")]) as server:
        made = user(server)
        assert made.open().text == "I need a table."
        assert made.slips == Slips(empty=1)
        assert len(server.requests[1]["messages"]) == len(server.requests[0]["messages"]) + 1


def test_nothing_but_empty_replies_fails_the_endpoint():
    with serving([Answer("")]) as server, pytest.raises(EndpointError, match="empty"):
        user(server).open()


def test_a_reply_that_is_too_long_is_asked_again_and_then_shortened():
    long = "I need a table. " * 7000
    with serving([Answer(long), Answer("I need a table.")]) as server:
        made = user(server)
        assert made.open().text == "I need a table."
        assert made.slips == Slips(too_long=1)
    with serving([Answer(long)]) as server:
        text = user(server).open().text
        assert len(text) <= LONGEST
        assert text.endswith("I need a table.")


def test_an_end_before_all_is_said_is_held_back_and_counted():
    with serving([Answer("Hello."), Answer(STOP), Answer("There'll be six of us.")]) as server:
        made = user(server)
        made.open()
        reply = made.reply("I've booked the table.")
        assert not reply.done
        assert reply.text == "There'll be six of us."
        assert made.slips == Slips(held_back=1)
        assert "six of us" in server.requests[-1]["messages"][-1]["content"], "it is told what it has not said"


def test_the_words_before_an_end_held_back_are_said():
    with serving([Answer(f"Thanks, bye! {STOP}")]) as server:
        reply = user(server).open()
        assert (reply.text, reply.done) == ("Thanks, bye!", False)


def test_an_end_before_the_agent_has_acted_is_held_back():
    with serving([*EVERYTHING, Answer(f"Yes, please. {STOP}"), Answer(STOP)]) as server:
        made = all_said(server, STOP)
        assert not made.reply("Shall I place the order?").done
        last = made.reply("I've booked the table.")
        assert last.done
        assert last.text, "an end without words says goodbye all the same"


def test_an_end_when_it_cannot_be_done_stands():
    with serving([*EVERYTHING, Answer(f"A pity. {STOP}")]) as server:
        assert all_said(server, STOP).reply("Unfortunately there is no such table.").done


def test_holding_back_can_be_switched_off_and_does_not_go_on_for_ever():
    with serving([Answer(f"Bye. {STOP}")]) as server:
        assert user(server, hold_back=False).open().done
        made = user(server)
        replies = [made.open(), *(made.reply("Hello?") for _ in range(5))]
        assert [reply.done for reply in replies][:4] == [False, False, False, True]


@pytest.mark.parametrize(
    ("fault", "timed_out"),
    [
        (Answer(status=500), False),
        (Answer(cut=True), False),
        (Answer(body=b"<html>"), False),
        (Answer("", delay_s=0.4), True),
    ],
)
def test_a_fault_of_the_endpoint_cuts_the_episode_off(fault, timed_out):
    with serving([Answer("I need noodles."), fault]) as server:
        env = gym.make("VitaBench-Delivery-v0", user=at(server, timeout_s=0.2))
        env.reset(seed=1)
        _, _, terminated, truncated, info = env.step("Hello, what do you need?")
        assert (terminated, truncated) == (False, True)
        assert info["end_reason"] == ("endpoint_timed_out" if timed_out else "endpoint_failed")


def test_an_episode_with_a_language_model_ends_as_the_user_says(monkeypatch):
    with serving([Answer("I need noodles.")] * 3 + [Answer(f"Bye. {STOP}")]) as server:
        monkeypatch.setenv("VITAGYM_USER_BASE_URL", server.url)
        monkeypatch.setenv("VITAGYM_USER_MODEL", "test")
        env = gym.make("VitaBench-Cross-v0", user="llm")
        env.reset(seed=1)
        for _ in range(12):
            _, _, terminated, truncated, info = env.step("Everything has been done.")
            if terminated or truncated:
                break
        assert terminated
        assert info["end_reason"] == "user_done"


def test_a_fork_talks_on_by_itself():
    with serving(lambda body: Answer(f"Line {len(body['messages'])}.")) as server:
        made = user(server)
        made.open()
        other = made.fork()
        assert other.reply("Hello").text == made.reply("Hello").text == "Line 4."
        made.reply("Hello")
        assert other.reply("Hello").text == "Line 6."


def test_many_users_are_in_flight_from_one_thread():
    async def talk(made):
        await made.aopen()
        return (await made.areply("Hello")).text

    async def all_of(users):
        return await asyncio.gather(*(talk(made) for made in users))

    with serving(lambda _: Answer("I need a table.", delay_s=0.1)) as server:
        endpoint = at(server, concurrency=16, timeout_s=30.0)
        users = [LanguageModelUser(dinner(), endpoint, Stream(n, "user")) for n in range(32)]
        start = time.monotonic()
        assert asyncio.run(all_of(users)) == ["I need a table."] * 32
        assert server.most_in_flight > 4
        assert time.monotonic() - start < 64 * 0.1


def test_what_it_says_in_other_words_is_tracked():
    with serving([Answer("Mother turns a year older on Saturday, it's her birthday.")]) as server:
        made = user(server)
        made.open()
        assert made.said == {"background"}
    task = dinner("zh")
    with serving([Answer("这周六妈妈过生日，帮我订个川菜馆的位子。"), Answer("一共六个人来。")]) as server:
        made = user(server, task)
        made.open()
        made.reply(says("ask_people", task))
        assert made.said == {"background", "need", "people"}
