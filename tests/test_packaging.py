"""What is in the folders is in the package: every subpackage and every asset is shipped."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = {"vitagym": "vitagym", "envs": "vitagym.envs", "rewards": "vitagym.rewards", "assets": "vitagym.assets"}


@pytest.fixture(scope="module")
def settings():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_subpackage_is_shipped(settings):
    found = {
        ".".join([name, *init.parent.relative_to(ROOT / folder).parts])
        for folder, name in FOLDERS.items()
        for init in (ROOT / folder).rglob("__init__.py")
    }
    assert found == set(settings["tool"]["setuptools"]["packages"])


def test_every_module_lies_in_a_package():
    for folder in FOLDERS:
        for module in (ROOT / folder).rglob("*.py"):
            assert (module.parent / "__init__.py").exists(), module


def test_every_asset_is_shipped(settings):
    patterns = settings["tool"]["setuptools"]["package-data"]["vitagym.assets"]
    shipped = {path for pattern in patterns for path in (ROOT / "assets").glob(pattern)}
    present = {p for p in (ROOT / "assets").rglob("*") if p.is_file() and p.suffix not in (".py", ".pyc")}
    assert present == shipped
