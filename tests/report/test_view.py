"""``vitagym view``: the report served on this machine alone, anew when episodes have ended."""

import http.client
import threading
from contextlib import contextmanager

import pytest

from vitagym.errors import CallerError
from vitagym.evaluation.log import EPISODES
from vitagym.report.local import address_of
from vitagym.report.packing import unpacked
from vitagym.report.view import view_server


@contextmanager
def serving(path):
    with view_server(path) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def get(server, path="/", **headers):
    connection = http.client.HTTPConnection(*server.server_address[:2], timeout=60)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def episodes(page):
    start = page.index('id="head">') + len('id="head">')
    return unpacked(page[start : page.index("<", start)])["run"]["episodes"]


def test_a_reload_shows_new_episodes(logs, tmp_path):
    (tmp_path / EPISODES).write_bytes(logs[0].line())
    with serving(tmp_path) as server:
        assert address_of(server).startswith("http://127.0.0.1:")
        assert episodes(get(server)[1]) == 1
        with (tmp_path / EPISODES).open("ab") as file:
            file.write(logs[1].line() + logs[2].line()[:-40])  # one more, and one that is being written
        assert episodes(get(server)[1]) == 2


def test_there_is_nothing_else(logs, tmp_path):
    (tmp_path / EPISODES).write_bytes(logs[0].line())
    with serving(tmp_path) as server:
        assert get(server, f"/{EPISODES}")[0] == get(server, "/../../etc/passwd")[0] == 404


def test_another_site_s_name_is_refused(logs, tmp_path):
    (tmp_path / EPISODES).write_bytes(logs[0].line())
    with serving(tmp_path) as server:
        assert get(server, Host="evil.example")[0] == 403
        assert get(server, Host=f"localhost:{server.server_port}")[0] == 200


def test_a_folder_without_a_log_is_refused(tmp_path):
    with pytest.raises(CallerError, match="no log"):
        view_server(tmp_path)


def test_a_port_that_is_taken_is_refused(logs, tmp_path):
    (tmp_path / EPISODES).write_bytes(logs[0].line())
    with serving(tmp_path) as server, pytest.raises(CallerError, match=str(server.server_port)):
        view_server(tmp_path, port=server.server_port)
