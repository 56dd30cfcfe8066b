"""Requests of an event loop go straight to the endpoint, or through the proxy of the process environment."""

import asyncio
import gzip
import json
import socket
from dataclasses import replace

import pytest
from support.openai_server import Answer, serving

from vitagym.errors import EndpointError
from vitagym.llm.chat import Chat
from vitagym.llm.direct import is_direct
from vitagym.llm.endpoint import Endpoint

ASK = [{"role": "user", "content": "Hello"}]
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "REQUEST_METHOD")


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch):
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def asked(url, **settings):
    fast = {"attempts": 1, "timeout_s": 5.0, "patience_s": 5.0, **settings}
    return asyncio.run(Chat(Endpoint("m", base_url=url, api_key="k", **fast)).acomplete(ASK))


@pytest.mark.parametrize(
    ("variable", "value", "url", "direct"),
    [
        ("HTTP_PROXY", "http://proxy:1", "http://models:80/v1", False),
        ("HTTP_PROXY", "http://proxy:1", "https://models/v1", True),
        ("https_proxy", "http://proxy:1", "https://models/v1", False),
        ("ALL_PROXY", "socks5://proxy:1", "https://models/v1", False),
        ("NO_PROXY", "models", "https://models/v1", True),
    ],
)
def test_a_proxy_before_the_endpoint_is_seen(variable, value, url, direct, monkeypatch):
    monkeypatch.setenv(variable, value)
    assert is_direct(url) is direct


def test_hosts_that_need_no_proxy_are_reached_directly(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://proxy:1")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving([Answer("Hi.")]) as server:
        assert asked(server.url).text == "Hi."


def test_an_endpoint_behind_a_proxy_is_reached_through_it(monkeypatch):
    with serving([Answer("Hi.")]) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url.removesuffix("/v1"))
        assert asked("http://models.invalid/v1").text == "Hi."
        assert proxy.headers[0]["host"] == "models.invalid"


def test_the_request_says_what_the_package_says_in_the_calling_thread():
    with serving([Answer("Hi.")]) as server:
        talk = Chat(Endpoint("m", base_url=server.url, api_key="k"))
        talk.complete(ASK)
        asyncio.run(talk.acomplete(ASK))
        in_thread, in_loop = server.headers
        assert server.requests[0] == server.requests[1]
        assert in_loop.keys() == in_thread.keys()
        for name in ("authorization", "content-type", "content-length", "host", "accept"):
            assert in_loop[name] == in_thread[name]


FAULTS = {
    "429": Answer(status=429, headers={"Retry-After": "0"}),
    "500": Answer(status=500),
    "cut": Answer(cut=True),
    "late": Answer("late", delay_s=0.6),
    "malformed": Answer(body=b'{"choices": [{"message": {"role": "assis'),
    "no text": Answer(body=b"\xff\xfe"),
    "empty": Answer(""),
    "refused": Answer(None, refusal="no"),
    "long": Answer("x" * 100_000),
    "wrong key": Answer(status=401),
    "overflow": Answer(status=400, body=b'{"error": {"message": "too long", "code": "context_length_exceeded"}}'),
    "page": Answer(status=502, body=b"<html>Bad gateway</html>", headers={"Content-Type": "text/html"}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_request_like_one_before_meets_a_fault_as_the_package_does(fault):
    """The first request of an event loop is the package's own; the next ones are not."""

    def outcome(ask):
        try:
            return ask()
        except EndpointError as error:
            return str(error), error.timed_out, error.overflow, error.attempts

    with serving([FAULTS[fault]]) as server:
        at = Endpoint("m", base_url=server.url, api_key="k", attempts=2, backoff_s=0.01, timeout_s=0.3)
        expected = outcome(lambda: Chat(at).complete(ASK))
        asked_in_thread = len(server.requests)

    answers = iter([Answer("Hi.")])
    with serving(lambda _: next(answers, FAULTS[fault])) as other:
        at = replace(at, base_url=other.url)

        async def second():
            talk = Chat(at)
            assert (await talk.acomplete(ASK)).text == "Hi."
            return await talk.acomplete(ASK)

        got = outcome(lambda: asyncio.run(second()))
        assert len(other.requests) - 1 == asked_in_thread
    assert str(got).replace(other.url, server.url) == str(expected)


def in_turn(url, count):
    """The texts of so many answers in one event loop."""

    async def ask():
        talk = Chat(Endpoint("m", base_url=url, api_key="k", attempts=1, timeout_s=5.0))
        return [(await talk.acomplete(ASK)).text for _ in range(count)]

    return asyncio.run(ask())


def test_a_packed_answer_is_read():
    message = {"choices": [{"message": {"role": "assistant", "content": "Hí."}}]}
    packed = Answer(body=gzip.compress(json.dumps(message).encode()), headers={"Content-Encoding": "gzip"})
    with serving([packed]) as server:
        assert in_turn(server.url, 3) == ["Hí."] * 3
        assert len(server.requests) == 3


@pytest.mark.parametrize("before", [0, 2])
def test_a_request_sent_elsewhere_is_followed_each_time(before):
    with serving([Answer("There.")]) as there:
        moved = Answer(status=307, headers={"Location": f"{there.url}/chat/completions"})
        with serving([*[Answer("Here.")] * before, moved]) as server:
            assert in_turn(server.url, before + 2) == ["Here."] * before + ["There."] * 2
            assert (len(server.requests), len(there.requests)) == (before + 2, 2)


def test_requests_are_alike_but_for_their_bodies():
    with serving([Answer("Hi.")]) as server:
        in_turn(server.url, 3)
        assert server.headers[0] == server.headers[1] == server.headers[2]


def test_requests_one_after_the_other_keep_the_line():
    with serving([Answer("Hi.")]) as server:
        in_turn(server.url, 5)
        assert server.connections == 1


def test_nobody_there_is_no_time_out():
    with socket.socket() as unheard:
        unheard.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unheard.getsockname()[1]}/v1"
        with pytest.raises(EndpointError, match="Connection error") as caught:
            asked(url)
        assert not caught.value.timed_out


def test_an_endpoint_is_usable_from_one_event_loop_after_the_other():
    with serving([Answer("Hi.")]) as server:
        talk = Chat(Endpoint("m", base_url=server.url, api_key="k"))

        async def twice():
            return [(await talk.acomplete(ASK)).text for _ in range(2)]

        assert [asyncio.run(twice()) for _ in range(2)] == [["Hi."] * 2] * 2
