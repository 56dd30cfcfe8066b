"""The reference agent succeeds: in every domain, language and persona, also where ids must have been observed."""

import gymnasium as gym
import pytest

from vitagym.agents import make_agent
from vitagym.agents.episodes import play_episode
from vitagym.errors import CallerError
from vitagym.tasks.sources import make_task
from vitagym.tasks.splits import TEST_TASKS
from vitagym.tasks.task import Persona

DOMAINS = {"delivery": "Delivery", "instore": "InStore", "ota": "OTA", "cross": "Cross"}


def played(domain, task_id=None, **settings):
    env = gym.make(f"VitaBench-{DOMAINS[domain]}-v0", **settings)
    return play_episode(env, make_agent("reference"), seed=0, task_id=task_id)


def missed(log):
    return {name: row for name, row in log.rubrics.items() if row["status"] != "met"}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("domain", list(DOMAINS))
def test_it_succeeds_on_every_test_task_with_observed_ids_only(domain, language):
    for number in range(1, TEST_TASKS + 1):
        log = played(domain, f"{domain}-test-{number:03d}", language=language, strictness="observed")
        assert log.is_success is True, (log.task_id, missed(log))
        assert log.reward_terms[-1]["success"] == 1
        assert sum(log.rewards) >= 1
        assert log.end_reason == "user_done"
        assert log.usage["refused_calls"] == 0


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("domain", list(DOMAINS))
def test_it_succeeds_with_every_persona(domain, language):
    for persona in Persona:
        log = played(domain, language=language, persona=persona.value)
        assert log.is_success is True, (persona, missed(log))


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_it_succeeds_on_new_tasks_and_in_few_turns(domain):
    tasks = [make_task(domain, seed) for seed in range(1000, 1010)]
    for task in tasks:
        log = played(domain, tasks=[task])
        assert log.is_success is True, (task.id, missed(log))
        assert log.turns <= 150


@pytest.mark.parametrize("domain", list(DOMAINS))
def test_every_id_and_address_it_passes_has_come_up_before(domain):
    log = played(domain)
    heard = log.messages[0]["content"]
    for message in log.messages[1:]:
        for call in message.get("tool_calls", ()):
            for value in _strings(call["function"]["arguments"]):
                if _identifies(value):
                    assert value in heard
        heard += message["content"] or ""


def test_a_task_without_a_solution_is_refused():
    task = make_task("delivery", 5).model_copy(update={"solution": ()})
    with pytest.raises(CallerError, match="no reference solution"):
        played("delivery", tasks=[task])


def _strings(arguments):
    import json

    def walk(value):
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            for item in value:
                yield from walk(item)

    for value in json.loads(arguments).values():
        yield from walk(value)


def _identifies(value):
    """Ids have no blanks and a digit; addresses name a street number or a district."""
    return (" " not in value and any(c.isdigit() for c in value) and any(c.isalpha() for c in value)) or (
        "District" in value and any(c.isdigit() for c in value)
    )
