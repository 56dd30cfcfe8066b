"""The linter finds every known fault of the public data, and nothing in data without faults."""

import json
from collections import Counter

import pytest

from vitagym.errors import CallerError
from vitagym.tasks.lint import FaultCode, lint


def counts(faults):
    return Counter(fault.code for fault in faults)


@pytest.fixture(scope="module")
def delivery(official):
    return lint(official / "tasks_delivery_en.json.gz")


@pytest.fixture(scope="module")
def instore(official):
    return lint(official / "tasks_instore_en.json.gz")


def test_every_known_fault_is_found_in_the_public_data(delivery, instore):
    both = [*delivery, *instore]
    assert set(counts(both)) == set(FaultCode)
    providers = [f for f in both if f.code is FaultCode.D1 and ".orders." not in f.field]
    assert len({f.task_id for f in providers}) == 3
    assert counts(both)[FaultCode.D2] == 6
    assert {f.task_id for f in both if f.code is FaultCode.D3} == {"10721002", "20715002", "80716001", "J0717003"}
    assert counts(delivery)[FaultCode.D6] == 196
    assert len({f.task_id for f in instore if f.code is FaultCode.D7}) == 50


def test_only_two_kinds_of_fault_cannot_be_repaired(delivery, instore):
    left = [f for f in (*delivery, *instore) if not f.repaired]
    assert Counter((f.code.value, f.task_id) for f in left) == {
        ("D3", "10721002"): 1,
        ("D3", "20715002"): 1,
        ("D4", "80715001"): 1,
        ("D4", "D0721001"): 1,
        ("D4", "I0716002"): 1,
    }


def test_a_fault_says_where_it_is(tmp_path, minimal):
    minimal["environment"]["stores"]["S1"]["store_id"] = "S2"
    path = tmp_path / "one.json"
    path.write_text(json.dumps(minimal), encoding="utf-8")
    found = lint(path)
    assert [(f.code, f.task_id, f.field, f.repaired) for f in found] == [
        (FaultCode.D1, "X1", "environment.stores.S1.store_id", True),
        (FaultCode.D2, "X1", "environment.stores.S1.products.P1.store_id", True),
    ]


def test_data_without_faults_has_none(tmp_path, minimal):
    path = tmp_path / "one.json"
    path.write_text(json.dumps([minimal]), encoding="utf-8")
    assert lint(path) == []


@pytest.mark.parametrize("content", [b"", b"{", b"\x1f\x8bnot gzip", b"[1]", b'{"id": 3}', b"\xff\xfe"])
def test_a_file_that_holds_no_tasks_is_refused_by_name(tmp_path, content):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(CallerError, match=r"bad\.json"):
        lint(path)


def test_a_missing_file_is_refused_by_name(tmp_path):
    with pytest.raises(CallerError, match=r"nowhere\.json"):
        lint(tmp_path / "nowhere.json")
