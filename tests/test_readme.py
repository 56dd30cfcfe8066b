"""What README and docs show is what happens: snippets run, commands exist, links lead somewhere."""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.role_server import role_server

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
_TINY = "--tasks 2 --evaluate-tasks 2"
SHORT = {
    "ppo_single_file.py": f"{_TINY} --warm-start 2 --easy-first 0.5 --steps 600 --environments 4 --final-tasks 2",
    "reward_shaping_study.py": f"{_TINY} --steps 2000 --points 1 --seeds 2 --rewards sparse shaped --difficulties easy",
    "branching.py": "--demonstrations 2 --tasks 1 --width 2 --depth 3",
}
"""Examples that train, and what makes them short."""
DATA = "tasks_delivery_en.json.gz"
MODEL = 'make_agent("llm"'


@pytest.fixture(scope="module")
def models():
    """What names models to the process: a local server plays them."""
    with role_server() as url:
        yield {"VITAGYM_BASE_URL": url, "VITAGYM_AGENT_MODEL": "agent"}


def blocks(language):
    """Blocks of a language; interactive sessions have doctests of their own."""
    return [
        pytest.param(code, shown, id=f"{page.name}-{number}")
        for page in PAGES
        for number, (kind, code, shown) in enumerate(_BLOCK.findall(page.read_text(encoding="utf-8")))
        if kind == language and not code.startswith(">>>")
    ]


@pytest.mark.parametrize(("code", "shown"), blocks("python"))
def test_a_snippet_runs_and_prints_what_is_shown(code, shown, tmp_path, monkeypatch, request):
    if DATA in code:
        shutil.copy(request.getfixturevalue("official") / DATA, tmp_path)
    if MODEL in code:
        for name, value in request.getfixturevalue("models").items():
            monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "snippet", "exec"), {"__name__": "__main__"})
    if shown:
        assert out.getvalue() == shown


@pytest.mark.parametrize(("code", "shown"), blocks("bash"))
def test_a_command_is_one_that_there_is(code, shown, tmp_path):
    for line in code.strip().splitlines():
        if line.startswith("vitagym "):
            command = [sys.executable, "-c", "from vitagym.cli import main; main()", *line.split()[1:]]
            done = subprocess.run(command, capture_output=True, cwd=tmp_path, check=False, timeout=300)
            assert done.returncode == 0, done.stderr.decode()
        else:
            assert line.startswith("python3 -m venv .venv && .venv/bin/pip install -e "), line


def test_the_two_commands_come_first():
    commands = [
        code.strip() for kind, code, _ in _BLOCK.findall(PAGES[0].read_text(encoding="utf-8")) if kind == "bash"
    ]
    assert commands[0].endswith(".venv/bin/vitagym rollout")
    assert commands[1].endswith(".venv/bin/pytest")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_an_example_runs(example, tmp_path, request):
    if example.name in SHORT:
        pytest.importorskip("torch", reason="needs vitagym[rl]")
    models = request.getfixturevalue("models") if "language_model" in example.name else {}
    environment = {**os.environ, **models, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, str(example), *SHORT.get(example.name, "").split()]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path, env=environment, check=False, timeout=300)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.strip()
