"""Which task an episode has, and what a caller's mistake raises."""

import gymnasium as gym
import pytest
from support.playing import make

import vitagym
from vitagym.errors import CallerError, UnknownName
from vitagym.tasks.splits import MADE_SPLITS, TEST_TASKS


def test_seeds_choose_the_task_whatever_came_before():
    env = make()
    seeds = range(TEST_TASKS + 10)
    ids = [env.reset(seed=s)[1]["task_id"] for s in seeds]
    assert len(set(ids[:TEST_TASKS])) == TEST_TASKS
    assert ids[TEST_TASKS:] == ids[:10]
    env.reset()
    env.step("Hello!")
    assert [env.reset(seed=s)[1]["task_id"] for s in reversed(seeds)] == ids[::-1]


def test_one_seed_fixes_the_whole_sequence():
    def sequence(seed):
        env = make()
        tasks = [env.reset(seed=seed)[1]["task_id"]]
        return tasks + [env.reset()[1]["task_id"] for _ in range(8)]

    assert sequence(3) == sequence(3)
    assert len(set(sequence(3))) > 3
    assert sequence(3)[1:] != sequence(3 + TEST_TASKS)[1:]


def test_a_task_is_asked_for_by_its_id():
    env = make()
    assert env.reset(seed=5, options={"task_id": "delivery-test-002"})[1]["task_id"] == "delivery-test-002"
    assert env.unwrapped.episode_seed == 5
    first, second = (env.reset(options={"task_id": "delivery-test-002"}) for _ in range(2))
    assert first[1]["task_id"] == second[1]["task_id"]
    with pytest.raises(UnknownName, match="delivery-test-002"):
        env.reset(options={"task_id": "delivery-test-02"})
    with pytest.raises(UnknownName, match="task_id"):
        env.reset(options={"taskid": "delivery-test-002"})


@pytest.mark.parametrize("split", MADE_SPLITS)
def test_endless_splits_make_the_task_of_a_seed(split):
    env = make(tasks=split)
    other = make(tasks="dev" if split == "train" else "train")
    _, info = env.reset(seed=7)
    assert (info["task_id"], info["split"]) == (f"delivery-{split}-000007", split)
    assert env.unwrapped.task == vitagym.make_task("delivery", 7, split=split)
    other.reset(seed=7)
    assert other.unwrapped.task.environment != env.unwrapped.task.environment
    assert env.reset(options={"task_id": f"delivery-{split}-000009"})[1]["task_id"] == f"delivery-{split}-000009"
    for wrong in (f"delivery-{split}-9", f"delivery-{split}-0000009", "delivery-test-001", "ota-train-000001", 9):
        with pytest.raises(UnknownName):
            env.reset(options={"task_id": wrong})


def test_tasks_may_be_given_in_any_form():
    tasks = vitagym.load_tasks("delivery")[:2]
    for given in (tasks, tuple(tasks), [t.id for t in tasks], [t.model_dump(mode="json") for t in tasks]):
        env = make(tasks=given)
        assert [env.reset(seed=s)[1]["task_id"] for s in range(2)] == [t.id for t in tasks]
        assert env.unwrapped.task == tasks[1]


def test_language_is_the_tasks():
    chinese = vitagym.load_tasks("delivery", language="zh")[:1]
    assert "星期" in make(language="zh").reset(seed=0)[1]["system_prompt"]
    assert "星期" in make(tasks=chinese).reset(seed=0)[1]["system_prompt"]
    with pytest.raises(CallerError, match="zh"):
        make(tasks=chinese, language="en")


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"taks": "test"}, UnknownName, "tasks"),
        ({"max_turn": 3}, UnknownName, "max_turns"),
        ({"language": "fr"}, UnknownName, "en"),
        ({"feedback": "guid"}, UnknownName, "guide"),
        ({"strictness": "observe"}, UnknownName, "observed"),
        ({"tools": "need"}, UnknownName, "needed"),
        ({"user": "scriptd"}, UnknownName, "scripted"),
        ({"persona": "impatent"}, UnknownName, "impatient"),
        ({"judge": "rule"}, UnknownName, "rules"),
        ({"reward": "sprse"}, UnknownName, "sparse"),
        ({"domain": "delivry"}, UnknownName, "delivery"),
        ({"tasks": "tset"}, UnknownName, "test"),
        ({"tasks": ["delivery-test-01"]}, UnknownName, "delivery-test-001"),
        ({"tasks": []}, CallerError, "empty"),
        ({"tasks": 3}, CallerError, "3"),
        ({"tasks": [3]}, CallerError, "3"),
        ({"tasks": ["delivery-test-001"] * 2}, CallerError, "twice"),
        ({"tasks": {"delivery-test-001"}}, CallerError, "list"),
        ({"tasks": {"delivery-test-001": 1}}, CallerError, "list"),
        pytest.param({"tasks": iter(["delivery-test-001"])}, CallerError, "list", id="an iterator"),
        ({"tasks": b"test"}, CallerError, "list"),
        ({"tasks": [{"id": "mine", "split": "dev"}]}, CallerError, "mine.*domains"),
        ({"max_turns": 0}, CallerError, "0"),
        ({"max_turns": True}, CallerError, "True"),
        ({"max_turns": "300"}, CallerError, "300"),
    ],
    ids=str,
)
def test_a_callers_mistake_names_the_value_and_the_nearest_match(arguments, error, said):
    with pytest.raises(error, match=said):
        gym.make("VitaBench-Delivery-v0", **arguments)


def test_what_is_no_judge_is_refused():
    with pytest.raises(CallerError, match="7"):
        make(judge=7).reset(seed=0)


@pytest.mark.parametrize("wrong", [5, ["delivery-test-001"], "delivery-test-1"], ids=str)
def test_what_is_no_task_id_is_refused(wrong):
    with pytest.raises(UnknownName, match="delivery-test-001"):
        make().reset(options={"task_id": wrong})


def test_an_unknown_render_mode_is_refused():
    with pytest.raises(UnknownName, match="ansi"), pytest.warns(UserWarning, match="ascii"):
        make(render_mode="ascii")


def test_a_task_of_another_domain_is_refused():
    tasks = vitagym.load_tasks("delivery")[:1]
    with pytest.raises(CallerError, match="delivery"):
        make("ota", tasks=tasks)
    assert make("cross", tasks=tasks).reset(seed=0)[1]["task_id"] == tasks[0].id


@pytest.mark.parametrize("value", ["yes", "no", 1, None])
def test_debug_is_switched_by_a_truth_value_alone(value):
    with pytest.raises(CallerError, match="debug"):
        vitagym.VitaEnv("delivery", debug=value)


@pytest.mark.parametrize("argument", ["tools", "feedback", "strictness", "persona", "language"])
def test_an_unknown_value_is_refused_under_its_arguments_name(argument):
    with pytest.raises(UnknownName, match=f"unknown {argument} 'every'"):
        vitagym.VitaEnv("delivery", **{argument: "every"})


def test_a_snapshot_of_another_domain_is_refused():
    one, other = vitagym.VitaEnv("delivery"), vitagym.VitaEnv("instore")
    one.reset(seed=0)
    other.reset(seed=0)
    with pytest.raises(CallerError, match="delivery"):
        other.restore(one.snapshot())
