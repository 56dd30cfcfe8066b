"""Fixtures that all tests share."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# How fast a machine is, and what else it does, is no property of the code; CI draws the same examples every time.
settings.register_profile("any machine", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("any machine")


@pytest.fixture(scope="session")
def official() -> Path:
    """The folder of public VitaBench data; tests that need it are skipped, visibly, where it is not given."""
    folder = os.environ.get("VITABENCH_DATA")
    if not folder:
        pytest.skip("set VITABENCH_DATA to the folder of public VitaBench data")
    return Path(folder)
