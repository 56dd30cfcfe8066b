"""A session served on this machine, and what a page would ask of it."""

import http.client
import json
import re
import threading
from contextlib import contextmanager

import pytest
from support.browser import browser, tab  # noqa: F401 - fixtures of the tests here

from vitagym.play import Role, Session, play_server
from vitagym.report.packing import unpacked

DELIVERY = "VitaBench-Delivery-v0"
SETTINGS = {"language": "en", "user": "scripted", "feedback": "guide"}


class Client:
    """Talks with the server as the page does."""

    def __init__(self, server):
        self.server = server
        self.here = f"http://127.0.0.1:{server.server_port}"
        head = re.search(r'id="head">([^<]*)<', self.send("GET", "/")[1])
        self.token = unpacked(head[1])["token"]

    def send(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=60)
        connection.request(method, path, body=body, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def ask(self, path, **body):
        headers = {"Content-Type": "application/json", "X-Vitagym-Token": self.token, "Origin": self.here}
        status, answer = self.send("POST", path, json.dumps(body), **headers)
        assert status == 200, answer
        return json.loads(answer)


@pytest.fixture
def playing(tmp_path):
    @contextmanager
    def serve(role=Role.AGENT, *, out=tmp_path, settings=SETTINGS, **how):
        session = Session(DELIVERY, settings, role=role, out=out, **how)
        with play_server(session) as server:
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
            thread.start()
            try:
                yield Client(server)
            finally:
                server.shutdown()
                session.close()
                thread.join()

    return serve
