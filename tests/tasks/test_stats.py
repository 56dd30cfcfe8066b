"""Statistics are counted from the tasks themselves."""

import pytest

from vitagym.errors import UnknownName
from vitagym.tasks.size import Size
from vitagym.tasks.sources import load_task
from vitagym.tasks.stats import published, size_of, statistics

TABLES = ("stores", "shops", "hotels", "attractions", "flights", "trains")


@pytest.mark.parametrize("domain", ["delivery", "instore", "ota", "cross"])
def test_sizes_are_those_of_the_environment_as_it_stands_in_json(domain):
    task = load_task(domain, f"{domain}-test-003")
    world = task.environment
    providers = [row for table in TABLES for row in world.get(table, {}).values()]
    records = sum(len(world.get(table, {})) for table in ("orders", "books", "reservations"))
    assert size_of(task) == Size(len(providers), sum(len(p["products"]) for p in providers), records)


def test_a_set_is_the_sum_of_its_tasks():
    tasks = [load_task("delivery", f"delivery-test-{n:03d}") for n in (1, 2, 3)]
    counted = statistics(tasks)
    assert counted.size.search_space == sum(size_of(task).search_space for task in tasks)
    assert counted.reasoning == pytest.approx(sum(t.complexity.reason for t in tasks) / 3)
    assert sum(counted.personas.values()) == sum(counted.weekdays.values()) == counted.tasks == 3


def test_the_papers_search_spaces_are_the_sums_of_its_parts():
    spaces = [published(domain).size.search_space for domain in ("delivery", "instore", "ota", "cross")]
    assert spaces == [1246, 3916, 11284, 8717]
    with pytest.raises(UnknownName, match="delivery"):
        published("delivry")
