"""Requests of an event loop go straight to the endpoint, or through the proxy of the process environment."""

import asyncio
import gzip
import json
import socket

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


def test_a_packed_answer_is_read():
    message = {"choices": [{"message": {"role": "assistant", "content": "Hí."}}]}
    packed = Answer(body=gzip.compress(json.dumps(message).encode()), headers={"Content-Encoding": "gzip"})
    with serving([packed]) as server:
        assert asked(server.url).text == "Hí."


def test_a_request_sent_elsewhere_is_followed():
    with serving([Answer("Hi.")]) as there:
        moved = Answer(status=307, headers={"Location": f"{there.url}/chat/completions"})
        with serving([moved]) as server:
            assert asked(server.url).text == "Hi."
            assert there.requests == server.requests


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
