"""A completion over real HTTP: what is tried again, what is not, and how it ends."""

import asyncio
import json
import time

import pytest
from support.openai_server import Answer, serving

from vitagym.errors import CallerError, EndpointError, UnknownName
from vitagym.llm.chat import Chat
from vitagym.llm.endpoint import Endpoint, endpoint

ASK = [{"role": "user", "content": "Hello"}]


def chat(server, **settings):
    fast = {"attempts": 3, "backoff_s": 0.01, "timeout_s": 2.0, "patience_s": 10.0, **settings}
    return Chat(Endpoint("test", base_url=server.url, api_key="k-test", **fast))


def both(talk):
    """The answer in the calling thread, and from an event loop."""
    return [lambda: talk.complete(ASK), lambda: asyncio.run(talk.acomplete(ASK))]


def test_a_good_answer_is_read():
    with serving([Answer("Hi.")]) as server:
        talk = chat(server, seed=5, max_tokens=9, temperature=0.5, extra={"top_p": 0.9})
        for ask in both(talk):
            completion = ask()
            assert (completion.text, completion.prompt_tokens, completion.completion_tokens) == ("Hi.", 7, 3)
        body = server.requests[0]
        assert body["messages"] == ASK
        assert (body["seed"], body["max_tokens"], body["temperature"], body["top_p"]) == (5, 9, 0.5, 0.9)
        assert server.headers[0]["authorization"] == "Bearer k-test"
        assert talk.usage.requests == 2
        assert talk.usage.failed_requests == 0


PASSING = [
    Answer(status=429, headers={"Retry-After": "0"}),
    Answer(status=500),
    Answer(status=503),
    Answer(cut=True),
    Answer(body=b"not json"),
    Answer(body=b'{"choices": []}'),
    Answer(body=b"[]"),
    Answer(body=b'{"object": "chat.completion"}'),
]


@pytest.mark.parametrize("fault", PASSING, ids=lambda a: str(a.body or a.status))
def test_a_passing_fault_is_tried_again(fault):
    for turn in range(2):
        with serving([fault, fault, Answer("Hi.")]) as server:
            talk = chat(server)
            assert both(talk)[turn]().text == "Hi."
            assert len(server.requests) == 3
            assert talk.usage.failed_requests == 2


@pytest.mark.parametrize("fault", PASSING, ids=lambda a: str(a.body or a.status))
def test_a_lasting_fault_fails_the_endpoint(fault):
    for turn in range(2):
        with serving([fault]) as server:
            with pytest.raises(EndpointError, match="tried 3 times") as caught:
                both(chat(server))[turn]()
            assert not caught.value.timed_out


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_refusal_of_the_endpoint_is_not_tried_again(status):
    with serving([Answer(status=status)]) as server:
        with pytest.raises(EndpointError, match="tried once"):
            chat(server).complete(ASK)
        assert len(server.requests) == 1


def test_no_answer_in_time_is_told_apart():
    with serving([Answer("late", delay_s=0.5)]) as server:
        for turn in range(2):
            with pytest.raises(EndpointError) as caught:
                both(chat(server, attempts=2, timeout_s=0.05))[turn]()
            assert caught.value.timed_out


def test_the_time_asked_for_is_waited():
    with serving([Answer(status=429, headers={"Retry-After": "0.3"}), Answer("Hi.")]) as server:
        start = time.monotonic()
        assert chat(server).complete(ASK).text == "Hi."
        assert time.monotonic() - start >= 0.3


def test_a_wait_beyond_the_patience_is_not_begun():
    with serving([Answer(status=429, headers={"Retry-After": "3600"})]) as server:
        start = time.monotonic()
        with pytest.raises(EndpointError):
            chat(server).complete(ASK)
        assert time.monotonic() - start < 5


def test_a_refusal_and_a_cut_answer_are_marked():
    with serving([Answer(None, refusal="no"), Answer("half", finish="length")]) as server:
        talk = chat(server)
        assert talk.complete(ASK).refused
        assert talk.complete(ASK).cut


def test_many_are_in_flight_at_once_but_not_more_than_allowed():
    async def ask_all(talk):
        return await asyncio.gather(*(talk.acomplete(ASK) for _ in range(24)))

    with serving(lambda _: Answer("Hi.", delay_s=0.1)) as server:
        start = time.monotonic()
        answers = asyncio.run(ask_all(chat(server, concurrency=8, timeout_s=20.0)))
        assert [answer.text for answer in answers] == ["Hi."] * 24
        assert 2 <= server.most_in_flight <= 8
        assert time.monotonic() - start < 24 * 0.1 * 5


def test_an_endpoint_comes_from_arguments_and_the_environment(monkeypatch):
    monkeypatch.setenv("VITAGYM_MODEL", "everyone's")
    monkeypatch.setenv("VITAGYM_USER_MODEL", "user's")
    monkeypatch.setenv("VITAGYM_USER_BASE_URL", "http://127.0.0.1:1/v1")
    assert endpoint("user").model == "user's"
    assert endpoint("user").base_url == "http://127.0.0.1:1/v1"
    assert endpoint("judge").model == "everyone's"
    assert endpoint("user", model="mine", temperature=1.0).model == "mine"
    with pytest.raises(UnknownName, match="temperature"):
        endpoint("user", temperatur=1.0)
    with pytest.raises(CallerError, match="attempts"):
        endpoint("user", attempts=0)


def test_a_missing_model_is_named(monkeypatch):
    for name in ("VITAGYM_MODEL", "VITAGYM_USER_MODEL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(CallerError, match="VITAGYM_USER_MODEL"):
        endpoint("user")


def test_a_key_is_not_shown():
    assert "k-secret" not in repr(Endpoint("m", api_key="k-secret"))


OVERFLOWS = [
    (400, "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.", None),
    (400, "Requested token count exceeds the model's maximum context length of 8192 tokens.", None),
    (400, "the request exceeds the available context size", "exceed_context_size_error"),
    (400, "too long", "context_length_exceeded"),
    (400, "prompt is too long: 210000 tokens > 200000 maximum", None),
    (413, "Request Entity Too Large", None),
]


@pytest.mark.parametrize(("status", "message", "code"), OVERFLOWS)
def test_a_conversation_longer_than_the_context_is_told_apart_and_not_tried_again(status, message, code):
    body = json.dumps({"error": {"message": message, "type": "invalid_request_error", "code": code}}).encode()
    for turn in range(2):
        with serving([Answer(status=status, body=body)]) as server:
            with pytest.raises(EndpointError, match="tried once") as caught:
                both(chat(server))[turn]()
            assert caught.value.overflow
            assert not caught.value.timed_out


@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_other_faults_are_no_overflow(status):
    with serving([Answer(status=status)]) as server:
        with pytest.raises(EndpointError) as caught:
            chat(server, attempts=1).complete(ASK)
        assert not caught.value.overflow


def test_tools_are_offered_and_calls_and_reasoning_come_back():
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    tool = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
    for field in ("reasoning_content", "reasoning"):
        message = {"role": "assistant", "content": None, "tool_calls": [call], field: "Let me look."}
        body = json.dumps({"choices": [{"message": message, "finish_reason": "tool_calls"}]}).encode()
        with serving([Answer(body=body)]) as server:
            at = Endpoint("test", base_url=server.url, api_key="k")
            talk = Chat(at, tools=[tool], tool_choice="required", parallel_tool_calls=False)
            for ask in both(talk):
                completion = ask()
                assert completion.calls == (call,)
                assert (completion.text, completion.reasoning) == ("", "Let me look.")
            sent = server.requests[0]
            assert sent["tools"] == [tool]
            assert (sent["tool_choice"], sent["parallel_tool_calls"]) == ("required", False)


def test_without_tools_nothing_is_said_of_them():
    with serving([Answer("Hi.")]) as server:
        Chat(Endpoint("test", base_url=server.url, api_key="k"), tool_choice="auto").complete(ASK)
        assert not server.requests[0].keys() & {"tools", "tool_choice", "parallel_tool_calls"}
