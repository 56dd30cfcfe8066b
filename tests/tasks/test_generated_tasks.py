"""Tasks that families make: sound, the same in both languages, fixed by their seed, and giving nothing away."""

import json
import subprocess
import sys

import numpy as np
import pytest

from vitagym.errors import CallerError, UnknownName
from vitagym.generation.families import families
from vitagym.generation.playback import play
from vitagym.generation.proofs import prove
from vitagym.language import Language
from vitagym.tasks.sources import draft_of_test, load_task, load_tasks, make_draft, make_task, task_ids
from vitagym.tasks.task import Release, Task

DOMAINS = ("delivery", "instore", "ota", "cross")
MADE = [domain for domain in DOMAINS if families(domain)]
FAMILIES = [(domain, name) for domain in MADE for name in families(domain)]
SEEDS = range(12)


def dumped(task):
    return task.model_dump_json()


@pytest.mark.parametrize("domain", MADE)
def test_tasks_of_the_test_split_are_proved_in_both_languages(domain):
    for task_id in task_ids(domain)[::10]:
        proof = prove(draft_of_test(domain, task_id))
        assert proof.faults == (), task_id
        assert all(1 <= count <= 20 for count in proof.solutions.values() if count), task_id


@pytest.mark.parametrize(("domain", "family"), FAMILIES)
def test_tasks_of_any_seed_are_proved(domain, family):
    for seed in SEEDS:
        proof = prove(make_draft(domain, seed, family=family))
        assert proof.faults == (), seed
        assert proof.bitten > 3


@pytest.mark.parametrize(("domain", "family"), FAMILIES)
def test_a_seed_gives_one_task_and_other_seeds_others(domain, family):
    again = [[dumped(make_task(domain, seed, family=family)) for seed in SEEDS] for _ in range(2)]
    assert again[0] == again[1]
    assert len({text.split('"instruction"')[1] for text in again[0]}) == len(SEEDS)


@pytest.mark.parametrize(("domain", "family"), FAMILIES)
def test_steps_wait_for_points_that_exist_and_changes_of_mind_replace_such(domain, family):
    task = make_task(domain, 3, family=family)
    said = {point.id for point in task.points}
    waits = {point_id for step in task.solution for point_id in step.after}
    assert waits <= said
    assert any(point.release is Release.OPENING for point in task.points)
    assert all(point.replaces is None or point.replaces in said for point in task.points)
    assert all(point.event is not None for point in task.points if point.release is Release.EVENT)


@pytest.mark.parametrize("domain", MADE)
def test_no_task_of_the_test_split_resembles_another_or_a_made_one(domain):
    tasks = load_tasks(domain)
    instructions = [task.instruction for task in tasks]
    assert len(set(instructions)) == len(tasks) == 100
    made = [make_task(domain, seed, split=split) for seed in range(21) for split in ("train", "dev")]
    assert not {str(task.solution) for task in made} & {str(task.solution) for task in tasks}
    assert not {json.dumps(task.environment) for task in made} & {json.dumps(task.environment) for task in tasks}
    assert {task.family for task in tasks} == set(families(domain))
    assert len({task.persona for task in tasks}) == 10


@pytest.mark.parametrize("domain", MADE)
def test_no_label_gives_anything_away(domain):
    for language in Language:
        for task in load_tasks(domain, "test", language.value):
            text = json.dumps(task.environment, ensure_ascii=False)
            assert not any(label in text for label in ("target", "distraction", "valid", "near_miss"))


@pytest.mark.parametrize("domain", [d for d in MADE if d in ("delivery", "instore")])
def test_neither_names_nor_places_in_lists_give_the_answer_away(domain):
    places, first_words, answers = [], {}, set()
    for seed in range(120):
        draft = make_draft(domain, seed)
        task = draft.task(Language.EN)
        section = task.environment["stores" if domain == "delivery" else "shops"]
        for goal in draft.scene.goals:
            if goal.pool is None or not goal.pool.valid:
                continue
            chosen = goal.pool.chosen.provider
            places.append(list(section).index(chosen.id) / (len(section) - 1))
            answers.add(chosen.name.en.split()[0])
            for provider in goal.pool.providers:
                first_words.setdefault(provider.name.en.split()[0], set()).add(provider is chosen)
    assert abs(sum(places) / len(places) - 0.5) < 0.08
    assert min(places) == 0
    assert max(places) == 1
    assert all(False in first_words[word] for word in answers)


@pytest.mark.parametrize("domain", MADE)
def test_a_task_says_how_hard_it_is(domain):
    for task in load_tasks(domain):
        assert task.complexity is not None
        assert task.complexity.reason >= 3
        world = task.catalogue
        entries = len(world.providers) + sum(len(provider.products) for provider in world.providers.values())
        past = len(world.orders) + len(world.bookings) + len(world.reservations)
        assert task.complexity.search_space == entries + past
        assert task.complexity.needed_tools == len({s.tool for s in task.solution if s.kind == "call"})
    easy, hard = (make_task(domain, 5, distractors=n).complexity for n in (1, 6))
    assert hard.search_space > easy.search_space


@pytest.mark.parametrize("domain", MADE)
def test_a_task_survives_json(domain):
    task = load_tasks(domain)[0]
    again = Task.model_validate_json(task.model_dump_json())
    assert again == task
    assert play(again, again.solution).success


def test_tasks_do_not_depend_on_the_order_of_hashes():
    script = (
        "from vitagym.tasks.sources import make_task\n"
        "for domain in ('delivery', 'instore'):\n"
        "    for seed in range(8):\n"
        "        print(make_task(domain, seed, 'zh').model_dump_json())\n"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-X", "utf8", "-c", script],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    assert len(runs[0]) > 10_000


def test_what_is_not_there_is_named_with_the_nearest():
    with pytest.raises(UnknownName, match="delivery"):
        make_task("delivry", 1)
    with pytest.raises(UnknownName, match="delivery-test-001"):
        load_task("delivery", "delivery-test-01")
    with pytest.raises(UnknownName, match="train"):
        make_task("delivery", 1, split="trian")
    with pytest.raises(UnknownName, match="en"):
        make_task("delivery", 1, "english")
    with pytest.raises(UnknownName, match="distractors"):
        make_task("delivery", 1, distractor=3)
    with pytest.raises(UnknownName, match="office_lunch"):
        make_task("delivery", 1, family="lunch")
    with pytest.raises(UnknownName, match="impatient"):
        make_task("delivery", 1, persona="inpatient")


def test_a_persona_can_be_set():
    assert make_task("delivery", 1, persona="cold").persona == "cold"


@pytest.mark.parametrize("seed", [-1, 1.5, "1", None], ids=repr)
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(CallerError, match="whole number"):
        make_task("delivery", seed)
    assert make_task("delivery", np.int64(4)) == make_task("delivery", 4)
