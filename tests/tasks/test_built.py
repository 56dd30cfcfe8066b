"""What is made from a task is made once, shared by its episodes, and never outlives a change of its fields."""

import pickle
from copy import copy, deepcopy

import pytest

from vitagym.tasks.sources import load_tasks


@pytest.fixture
def task():
    return load_tasks("delivery")[0].model_copy()


def test_it_is_made_once(task):
    made = [task.built("list", lambda t: [t.id]) for _ in range(2)]
    assert made[0] is made[1]
    assert task.catalogue is task.catalogue


@pytest.mark.parametrize(
    "again", [copy, deepcopy, lambda t: pickle.loads(pickle.dumps(t)), lambda t: t.model_copy(update={"rubrics": ()})]
)
def test_copies_make_their_own(task, again):
    made = task.built("list", lambda t: [t.rubrics])
    catalogue = task.catalogue
    other = again(task)
    assert other.built("list", lambda t: [t.rubrics]) is not made
    assert other.built("list", lambda t: [t.rubrics]) == [other.rubrics]
    assert other.catalogue is not catalogue
    assert other.catalogue == catalogue
    assert task.built("list", lambda t: []) is made
