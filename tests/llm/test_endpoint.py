"""An endpoint's fields come from arguments, then the role's variables, then those of all roles."""

from dataclasses import fields

import pytest

from vitagym.errors import CallerError
from vitagym.llm.endpoint import Endpoint, endpoint

NAMES = [field.name for field in fields(Endpoint) if field.name != "extra"]


@pytest.mark.parametrize("name", NAMES)
def test_every_field_can_stand_in_the_environment(name, monkeypatch):
    monkeypatch.setenv("VITAGYM_MODEL", "1")
    monkeypatch.setenv(f"VITAGYM_{name.upper()}", "3")
    assert float(getattr(endpoint("user"), name)) == 3
    monkeypatch.setenv(f"VITAGYM_USER_{name.upper()}", "2")
    assert float(getattr(endpoint("user"), name)) == 2
    assert float(getattr(endpoint("judge"), name)) == 3
    assert getattr(endpoint("user", **{name: 5}), name) == 5


def test_what_is_no_number_is_refused_by_the_variables_name(monkeypatch):
    monkeypatch.setenv("VITAGYM_MODEL", "m")
    monkeypatch.setenv("VITAGYM_JUDGE_TIMEOUT_S", "soon")
    with pytest.raises(CallerError, match="VITAGYM_JUDGE_TIMEOUT_S='soon'"):
        endpoint("judge")
