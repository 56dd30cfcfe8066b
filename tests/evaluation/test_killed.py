"""The command in processes of its own: killed for good, stopped by Ctrl-C, run twice at once."""

import json
import signal
import subprocess
import sys
import time

import pytest

from vitagym.evaluation.log import EPISODES, read_logs, read_rows

OF_THE_CLOCK = ("started", "seconds", "seconds_by_role")
ARGUMENTS = [
    "eval", "VitaBench-Delivery-v0", "--agent", "reference", "--agent", "random", "--tasks", "8", "--trials", "2",
    "--concurrency", "4", "--json",
]  # fmt: skip
EPISODES_IN_ALL = 8 * 2 * 2


def start(out):
    command = [sys.executable, "-c", "from vitagym.cli import main; main()", *ARGUMENTS, "--out", str(out)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finished(process):
    out, err = process.communicate(timeout=240)
    return process.returncode, out.decode(), err.decode()


def lines(out):
    file = out / EPISODES
    return file.read_bytes().count(b"\n") if file.exists() else 0


def wait_for_lines(out, number, process):
    until = time.monotonic() + 200
    while lines(out) < number:
        assert process.poll() is None, "it ended before it could be stopped"
        assert time.monotonic() < until
        time.sleep(0.002)


def own(rows):
    rows = sorted(rows, key=lambda row: row["key"])
    return [{name: value for name, value in row.items() if name not in OF_THE_CLOCK} for row in rows]


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    out = tmp_path_factory.mktemp("unbroken")
    code, document, err = finished(start(out))
    assert code == 0, err
    return read_logs(out), json.loads(document)["results"]


def test_killed_twice_it_ends_as_a_run_that_was_not(unbroken, tmp_path):
    for at in (3, 14):
        process = start(tmp_path)
        wait_for_lines(tmp_path, at, process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
    kept = list(read_rows(tmp_path / EPISODES))
    assert 14 <= len(kept) < EPISODES_IN_ALL
    code, document, err = finished(start(tmp_path))
    assert code == 0, err
    assert f"{len(kept)} of {EPISODES_IN_ALL} episodes are there already" in err
    rows, results = unbroken
    assert own(read_logs(tmp_path)) == own(rows)
    assert len(list(read_rows(tmp_path / EPISODES))) == EPISODES_IN_ALL
    for one, other in zip(json.loads(document)["results"], results, strict=True):
        assert one == pytest.approx(other)


def test_ctrl_c_ends_what_is_in_flight_and_keeps_it(unbroken, tmp_path):
    process = start(tmp_path)
    wait_for_lines(tmp_path, 2, process)
    process.send_signal(signal.SIGINT)
    code, document, err = finished(process)
    assert code == 130
    assert "Stopping" in err
    assert "Traceback" not in err
    assert json.loads(document)["done"] == lines(tmp_path) < EPISODES_IN_ALL
    assert finished(start(tmp_path))[0] == 0
    assert own(read_logs(tmp_path)) == own(unbroken[0])


def test_a_second_process_is_refused_and_disturbs_nothing(unbroken, tmp_path):
    first = start(tmp_path)
    wait_for_lines(tmp_path, 1, first)
    first.send_signal(signal.SIGSTOP)
    code, document, _ = finished(start(tmp_path))
    first.send_signal(signal.SIGCONT)
    first_code, _, err = finished(first)
    assert code == 2
    assert "another process" in json.loads(document)["error"]
    assert first_code == 0, err
    assert own(read_logs(tmp_path)) == own(unbroken[0])
