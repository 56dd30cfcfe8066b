"""Ids: registered by the import alone, cheaply; each passes Gymnasium's checks; specs survive their JSON form."""

import os
import pickle
import subprocess
import sys
import warnings

import gymnasium as gym
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import NameNotFound
from gymnasium.utils.env_checker import check_env
from support.playing import DOMAINS, MAIN_IDS, make, play

import vitagym
from vitagym.env.environment import VitaEnv
from vitagym.env.registration import registered_ids, symbolic_ids
from vitagym.tasks.sources import task_ids
from vitagym.tasks.splits import MADE_SPLITS, TEST_SPLIT

IDS = registered_ids()
HEAVY = ("ray", "torch", "openai", "matplotlib", "transformers", "networkx", "pydantic", "rich", "pandas", "scipy")


@pytest.mark.parametrize("env_id", IDS)
def test_an_id_passes_the_checks_without_a_warning(env_id, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gym.make(env_id)
        check_env(env.unwrapped)
        env.reset(seed=1)
        play(env, [{"name": "get_user_all_orders", "arguments": {}}, "Hello!", ""])
        env.close()


def test_everything_of_ours_in_the_registry_is_tested_here():
    ours = {spec.id for spec in gym.registry.values() if "vitagym" in str(spec.entry_point)}
    assert ours == {*IDS, *symbolic_ids()}


@pytest.mark.parametrize("domain", DOMAINS)
def test_there_is_an_id_for_each_test_task(domain):
    ids = task_ids(domain)
    named = [arguments["tasks"] for arguments in IDS.values() if arguments["domain"] == domain]
    assert [tasks[0] for tasks in named if isinstance(tasks, list)] == list(ids)
    assert [tasks for tasks in named if isinstance(tasks, str)] == [TEST_SPLIT, *MADE_SPLITS]
    last = f"VitaBench-{DOMAINS[domain]}-{len(ids):03d}-v0"
    assert gym.make(last).reset()[1]["task_id"] == ids[-1]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("VitaBench-Delivry-v0", "VitaBench-Delivery"),
        ("VitaBench-Cross-01-v0", "VitaBench-Cross-0"),
        ("vitagym:VitaBench-Otta-v0", "VitaBench-OTA"),
    ],
)
def test_an_unknown_id_is_refused_with_the_nearest(wrong, right):
    with pytest.raises(NameNotFound, match=right):
        gym.make(wrong)


def run(code, **environment):
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", code],
        env={**os.environ, **environment},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_make_works_without_an_import():
    code = "import gymnasium; print(gymnasium.make('vitagym:VitaBench-Delivery-v0').reset(seed=0)[1]['task_id'])"
    assert run(code) == task_ids("delivery")[0]


def test_the_import_is_light():
    code = (
        "import gymnasium, sys, time; before = set(sys.modules); start = time.process_time(); import vitagym;"
        "print(time.process_time() - start, *(name for name in sys.modules if name not in before))"
    )
    seconds, *modules = run(code).split()
    assert float(seconds) < 1
    loaded = {name.partition(".")[0] for name in modules}
    assert not loaded & set(HEAVY), loaded
    assert not [name for name in modules if name.startswith(("vitagym.envs", "vitagym.generation", "vitagym.rewards"))]


def test_the_public_face_is_what_it_lists():
    assert set(vitagym.__all__) <= set(dir(vitagym))
    for name in vitagym.__all__:
        assert getattr(vitagym, name).__doc__, name
    with pytest.raises(AttributeError, match="no_such_name"):
        vitagym.no_such_name  # noqa: B018


def test_tool_graphs_and_schemas():
    for domain, number in zip(DOMAINS, (20, 24, 38, 66), strict=True):
        names = [schema["function"]["name"] for schema in vitagym.tool_schemas(domain)]
        assert len(names) == number
        assert names == list(vitagym.tool_graph(domain).nodes)
        chinese = vitagym.tool_schemas(domain, language="zh")
        assert [schema["function"]["name"] for schema in chinese] == names
        assert chinese != vitagym.tool_schemas(domain)
    for wrong in (lambda: vitagym.tool_graph("otta"), lambda: vitagym.tool_schemas("otta")):
        with pytest.raises(vitagym.UnknownName, match="ota"):
            wrong()
    with pytest.raises(vitagym.UnknownName, match="zh"):
        vitagym.tool_schemas("ota", language="cn")


@pytest.mark.parametrize("form", ["tasks", "ids", "split", "objects"])
def test_a_spec_survives_its_json_form(form):
    tasks = vitagym.load_tasks("delivery")[2:5]
    given = {
        "tasks": tasks,
        "ids": [task.id for task in tasks],
        "split": "dev",
        "objects": [task.model_dump(mode="json") for task in tasks],
    }[form]
    env = make(tasks=given, feedback="guide", max_turns=30, tools="all", persona="impatient")
    spec = EnvSpec.from_json(env.spec.to_json())
    again = gym.make(spec)
    for seed in range(4):
        assert again.reset(seed=seed) == env.reset(seed=seed)
        assert again.unwrapped.task == env.unwrapped.task
    assert EnvSpec.from_json(again.spec.to_json()) == spec
    assert pickle.loads(pickle.dumps(env.spec)) == env.spec


def test_a_public_task_survives_the_json_form_of_a_spec(official):
    tasks = vitagym.load_public(official / "tasks_delivery_en.json.gz")[:3]
    env = make(tasks=tasks)
    again = gym.make(EnvSpec.from_json(env.spec.to_json()))
    for seed in range(3):
        assert again.reset(seed=seed) == env.reset(seed=seed)
        assert again.unwrapped.task == tasks[seed]


def test_the_docstring_is_a_page_that_names_what_there_is():
    page = VitaEnv.__doc__
    for env_id in MAIN_IDS.values():
        assert f"`{env_id}`" in page
    assert make().reset(seed=0)[1].keys() <= {word.strip("`,") for word in page.split()}
