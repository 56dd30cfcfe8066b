"""Failures: planted ones are found with their evidence, and where nothing went wrong none is."""

import copy
import json
from functools import cache

import gymnasium as gym
import pytest
from support.log_rows import cut_off, row
from support.planted import play_steps

from vitagym.agents import make_agent
from vitagym.agents.episodes import play_episode
from vitagym.analysis.failures import Category, FailureType, count_failures, find_failures, title
from vitagym.analysis.failures.causes import explained
from vitagym.language import Language
from vitagym.rewards.laboratory.makings import Way, makings
from vitagym.tasks.sources import draft_of_test
from vitagym.tasks.task import CallStep, Release

T = FailureType
KINDS = {
    Way.NEAR_MISS: {T.CONSTRAINT_IGNORED, T.WRONG_ENTITY},
    Way.SLIP: {T.CONSTRAINT_IGNORED, T.CLAIMED_UNDONE},
    Way.SILENT: {T.NOT_TOLD},
    Way.EXTRA: {T.WRONG_ENTITY},
    Way.UNDONE: {T.UNDONE},
    # A thing that shares its names with another one cannot be told from it in a claim; without a deed nobody asks.
    Way.CLAIM: {T.CLAIMED_UNDONE, T.LEFT_UNDONE, T.NEVER_ASKED},
}
"""What each way to change a solution plants."""
NEUTRAL = "Let me see."


@cache
def drawn(domain, number):
    task_id = f"{domain}-test-{number:03d}"
    return draft_of_test(domain, task_id)


def on(task):
    return lambda _: task


@cache
def planted(domain, number):
    draft = drawn(domain, number)
    task = draft.task(Language.EN)
    found = [m for m in makings(draft, task) if m.way in KINDS and not m.yields]
    return [(m, play_steps(m.task, m.steps)) for m in found]


PLACES = [("delivery", 8), ("delivery", 15), ("instore", 2), ("ota", 6), ("cross", 4)]


@pytest.mark.parametrize(("domain", "number"), PLACES)
def test_what_was_planted_is_found(domain, number):
    ways = set()
    for making, played in planted(domain, number):
        why = explained(find_failures(played, on(making.task)))
        assert set(why) == making.unmet, making.what
        assert set(why.values()) <= KINDS[making.way], (making.way, making.what, why)
        ways.add(making.way)
    assert len(ways) >= 3


@pytest.mark.parametrize(("domain", "number"), PLACES)
def test_the_evidence_is_where_it_says(domain, number):
    for _, played in planted(domain, number):
        for failure in find_failures(played, on(drawn(domain, number).task(Language.EN))):
            assert failure.turns
            assert list(failure.turns) == sorted(set(failure.turns))
            messages = [played["messages"][turn + 1] for turn in failure.turns]
            match failure.type:
                case T.CLAIMED_UNDONE:
                    assert [m["role"] for m in messages] == ["assistant"]
                case T.WRONG_ENTITY | T.UNDONE:
                    assert {m["role"] for m in messages} == {"tool"}
                case T.CONSTRAINT_IGNORED:
                    assert [m["role"] for m in messages].count("user") >= 1


def test_no_failure_in_any_reference_episode():
    """0 false positives over the 400 fixed tasks."""
    rows = []
    for name in ("Delivery", "InStore", "OTA", "Cross"):
        env = gym.make(f"VitaBench-{name}-v0", disable_env_checker=True)
        for number in range(100):
            played = play_episode(env, make_agent("reference"), seed=number, agent_name="reference").data()
            assert find_failures(played) == [], played["task_id"]
            rows.append({**played, "messages": played["messages"][:1], "acts": ()})
        env.close()
    assert len({played["task_id"] for played in rows}) == 400
    counted = count_failures(rows)
    assert (counted.episodes, counted.failed_rubrics, counted.seen) == (400, 0, {})
    assert all(share.value is None for share in counted.shares.values())


def test_no_failure_in_chinese_reference_episodes():
    for name in ("Delivery", "Cross"):
        env = gym.make(f"VitaBench-{name}-v0", language="zh", disable_env_checker=True)
        for number in range(10):
            assert find_failures(play_episode(env, make_agent("reference"), seed=number).data()) == []


def test_what_is_only_said_when_asked_and_nobody_asks():
    draft = drawn("cross", 4)
    task = draft.task(Language.EN)
    waits = {point.id for point in task.points if point.release is Release.ASKED}
    making = next(m for m in makings(draft, task) if m.way is Way.NEAR_MISS and m.what.endswith("diet"))
    steps = [s.model_copy(update={"after": tuple(p for p in s.after if p not in waits)}) for s in making.steps]
    found = find_failures(play_steps(task, steps), on(task))
    assert explained(found)[making.what] is T.NEVER_ASKED
    assert {failure.about for failure in found} == waits


def test_one_that_ends_at_once_did_not_hear_the_user_out():
    task = drawn("cross", 4).task(Language.EN)
    played = noop(task)
    found = find_failures(played, on(task))
    why = explained(found)
    assert set(why) == {rubric.id for rubric in task.rubrics}
    heard = {act["point"] for act in played["acts"]}
    assert heard == {"need", "train"}
    for rubric, what in why.items():
        told = rubric.startswith("train") or rubric == "nothing_more"
        assert what is (T.LEFT_UNDONE if told else T.NEVER_ASKED if rubric == "flowers.diet" else T.NOT_HEARD_OUT)


def test_a_user_that_ends_at_once_is_to_blame():
    task = drawn("cross", 4).task(Language.EN)
    found = find_failures({**noop(task), "end_reason": "user_done"}, on(task))
    assert explained(found)["table.visits_at"] is T.USER_BROKE_RULE
    assert [f.about for f in found if f.type is T.USER_BROKE_RULE and not f.rubrics] == ["early_stop"]


def test_a_user_that_says_what_it_was_not_told_or_too_early():
    task = drawn("cross", 4).task(Language.EN)
    played = copy.deepcopy(noop(task))
    played["messages"][1]["content"] += " My booking number is 77310."
    played["acts"] = [*played["acts"], {"turn": 0, "kind": "inform", "point": "lilies", "slot": "diet"}]
    broken = [f for f in find_failures(played, on(task)) if f.type is T.USER_BROKE_RULE]
    assert [(f.about, f.turns) for f in broken] == [("lilies", (0,)), ("77310", (0,))]


def test_a_user_may_say_again_what_the_agent_said():
    task = drawn("cross", 4).task(Language.EN)
    played = copy.deepcopy(noop(task))
    opening = list(played["messages"][:2])
    talk = [{"role": "assistant", "content": "There is G7731."}, {"role": "user", "content": "G7731 is fine."}]
    assert [f for f in find_failures({**played, "messages": opening + talk}, on(task)) if f.about == "7731"] == []


@pytest.mark.parametrize(("times", "what"), [(1, T.REFUSED), (3, T.REFUSAL_REPEATED)])
def test_refused_calls(times, what):
    task = drawn("delivery", 8).task(Language.EN)
    making = [s for s in task.solution if isinstance(s, CallStep) and s.tool == "create_delivery_order"]
    wrong = making[0].model_copy(update={"arguments": {**making[0].arguments, "store_id": "S1"}, "binds": None})
    asked = wrong.model_copy(update={"after": tuple(point.id for point in task.points)})
    found = find_failures(play_steps(task, [asked, *[wrong] * (times - 1)]), on(task))
    assert set(explained(found).values()) == {what}
    shown = next(failure for failure in found if failure.rubrics)
    assert len(shown.turns) == times
    assert shown.about == "create_delivery_order"
    repeats = [f for f in found if f.type is T.REFUSAL_REPEATED and not f.rubrics]
    assert len(repeats) == times - 1


def test_another_domains_tool():
    task = drawn("delivery", 8).task(Language.EN)
    look = CallStep(tool="hotel_search_recommand", arguments={"city_name": "Wuhan", "key_words": ["hotel"]})
    done = play_steps(task, [look, *task.solution], tools="all")
    assert done["is_success"]
    (found,) = find_failures(done, on(task))
    assert (found.type, found.about, found.rubrics) == (T.WRONG_DOMAIN_TOOL, "hotel_search_recommand", ())
    only = play_steps(task, [look.model_copy(update={"after": tuple(p.id for p in task.points)})], tools="all")
    assert set(explained(find_failures(silent(only), on(task))).values()) == {T.WRONG_DOMAIN_TOOL}


def test_what_is_neither_done_nor_claimed_is_left_undone():
    task = drawn("delivery", 8).task(Language.EN)
    first = next(s for s in task.solution if isinstance(s, CallStep) and s.tool == "get_delivery_store_info")
    played = play_steps(task, [first.model_copy(update={"after": tuple(p.id for p in task.points)})])
    assert set(explained(find_failures(silent(played), on(task))).values()) == {T.LEFT_UNDONE}
    assert T.CLAIMED_UNDONE in explained(find_failures(played, on(task))).values()


def test_without_the_task_rubrics_stay_unexplained_and_behaviour_is_still_found():
    task = drawn("delivery", 8).task(Language.EN)
    call = CallStep(tool="get_delivery_store_info", arguments={"store_id": "S1"})
    found = find_failures(play_steps(task, [call, call]), on(None))
    assert set(explained(found).values()) == {T.UNEXPLAINED}
    assert {f.type for f in found} == {T.UNEXPLAINED, T.REFUSAL_REPEATED, T.CLAIMED_UNDONE}


def test_endpoints_and_what_is_unscored_are_no_failures():
    assert find_failures(cut_off(), on(None)) == []
    assert find_failures(row(success=None), on(None)) == []
    assert count_failures([cut_off()], on(None)).episodes == 0
    assert count_failures([], on(None)).failed_rubrics == 0


def test_counts_and_shares():
    listed = [row(f"t{i}", False) for i in range(4)]
    counted = count_failures(listed, on(None))
    assert (counted.failed_rubrics, counted.unexplained, counted.shares[Category.USER].value) == (4, 4, None)
    played = [one for _, one in planted("ota", 6)]
    counted = count_failures(played, on(drawn("ota", 6).task(Language.EN)))
    assert sum(counted.rubrics.values()) == counted.failed_rubrics
    assert sum(share.value for share in counted.shares.values()) == pytest.approx(1)
    json.dumps(counted.data())


def test_every_type_and_category_has_a_name_in_both_languages():
    for language in Language:
        names = [title(what, language) for what in (*FailureType, *Category)]
        assert len(set(names)) == len(names)
    assert [what for what in FailureType if what.category is None] == [T.UNEXPLAINED]


def noop(task):
    from vitagym.env.environment import VitaEnv

    return play_episode(VitaEnv("cross", tasks=[task]), make_agent("noop"), seed=0, agent_name="noop").data()


def silent(played):
    """The same episode, with an agent that says nothing of what it does."""
    messages = [
        {**m, "content": NEUTRAL} if m["role"] == "assistant" and not m.get("tool_calls") else m
        for m in played["messages"]
    ]
    return {**played, "messages": messages}
