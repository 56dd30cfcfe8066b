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
from vitagym.analysis.published import lines
from vitagym.analysis.summary import summarise
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
    # A thing that shares its names with another one cannot be told from it in a claim; without a deed nobody asks; what
    # is to be done anew after a change of mind was right before that.
    Way.CLAIM: {T.CLAIMED_UNDONE, T.LEFT_UNDONE, T.NEVER_ASKED, T.UNDONE},
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
def shy():
    """A task with something that the user says only when asked, and something that it says only after an event."""
    for number in range(1, 101):
        task = drawn("cross", number).task(Language.EN)
        asked = [p for p in task.points if p.release is Release.ASKED and p.conveys]
        later = [p for p in task.points if p.release is Release.EVENT and p.conveys and p.replaces is None]
        misses = [m for m in makings(drawn("cross", number), task) if m.way is Way.NEAR_MISS] if asked and later else []
        if any(m.what in resting_on(task, asked[0]) for m in misses):
            return drawn("cross", number), task, asked[0], later[0]
    raise AssertionError("no such task")


def resting_on(task, point):
    """Ids of the rubrics that rest on a point and on no other."""
    said = {p.id: {(c.goal, c.kind) for c in p.conveys} for p in task.points}
    others = set().union(*(pairs for key, pairs in said.items() if key != point.id))
    return [r.id for r in task.rubrics if (r.goal, r.requirement) in said[point.id] - others]


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
    """0 false positives over the 400 fixed tasks; and the lines that are shipped are what these episodes come to."""
    for domain, name in {"delivery": "Delivery", "instore": "InStore", "ota": "OTA", "cross": "Cross"}.items():
        env = gym.make(f"VitaBench-{name}-v0", disable_env_checker=True)
        rows = []
        for number in range(100):
            played = play_episode(env, make_agent("reference"), seed=number, agent_name="reference").data()
            assert find_failures(played) == [], played["task_id"]
            rows.append({**played, "messages": played["messages"][:1], "acts": ()})
        env.close()
        summed = summarise(rows, resamples=40)
        assert summed.tasks == 100
        line = lines().agents["reference"][domain]
        assert summed.metrics["success"].value == line["success"] == line["rubric_score"] == 1
        assert summed.metrics["turns"].value == pytest.approx(line["turns"], rel=0.03)
        assert summed.metrics["calls"].value == pytest.approx(line["calls"], rel=0.03)


def test_doing_nothing_comes_to_what_is_shipped():
    _, task, _, _ = shy()
    line = lines().agents["noop"]["cross"]
    played = noop(task)
    assert (played["rubric_score"], played["turns"], played["usage"]["tool_calls"]) == (
        line["rubric_score"],
        line["turns"],
        line["calls"],
    )


def test_nothing_failed_has_no_shares():
    counted = count_failures([row("t1"), row("t2")], on(None))
    assert (counted.episodes, counted.failed_rubrics, counted.seen) == (2, 0, {})
    assert all(share.value is None for share in counted.shares.values())


def test_no_failure_in_chinese_reference_episodes():
    for name in ("Delivery", "Cross"):
        env = gym.make(f"VitaBench-{name}-v0", language="zh", disable_env_checker=True)
        for number in range(10):
            assert find_failures(play_episode(env, make_agent("reference"), seed=number).data()) == []


def test_what_is_only_said_when_asked_and_nobody_asks():
    draft, task, asked, _ = shy()
    waits = {point.id for point in task.points if point.release is Release.ASKED}
    making = next(m for m in makings(draft, task) if m.way is Way.NEAR_MISS and m.what in resting_on(task, asked))
    steps = [s.model_copy(update={"after": tuple(p for p in s.after if p not in waits)}) for s in making.steps]
    found = find_failures(play_steps(task, steps), on(task))
    assert explained(found)[making.what] is T.NEVER_ASKED
    assert {failure.about for failure in found if failure.type is T.NEVER_ASKED} == {asked.id}


def test_one_that_ends_at_once_neither_asked_nor_heard_the_user_out():
    _, task, asked, later = shy()
    played = noop(task)
    why = explained(find_failures(played, on(task)))
    assert set(why) == {rubric.id for rubric in task.rubrics}
    assert {why[rubric] for rubric in resting_on(task, asked)} == {T.NEVER_ASKED}
    assert {why[rubric] for rubric in resting_on(task, later)} == {T.NOT_HEARD_OUT}
    assert set(why.values()) <= {T.NEVER_ASKED, T.NOT_HEARD_OUT, T.LEFT_UNDONE}


def test_a_user_that_ends_at_once_is_to_blame():
    _, task, _, later = shy()
    found = find_failures({**noop(task), "end_reason": "user_done"}, on(task))
    assert {explained(found)[rubric] for rubric in resting_on(task, later)} == {T.USER_BROKE_RULE}
    assert [f.about for f in found if f.type is T.USER_BROKE_RULE and not f.rubrics] == ["early_stop"]


def test_a_user_that_says_what_it_was_not_told_or_too_early():
    _, task, asked, _ = shy()
    played = copy.deepcopy(noop(task))
    played["messages"][1]["content"] += " My booking number is 77310."
    played["acts"] = [*played["acts"], {"turn": 0, "kind": "inform", "point": asked.id, "slot": asked.slot.value}]
    broken = [f for f in find_failures(played, on(task)) if f.type is T.USER_BROKE_RULE]
    assert [(f.about, f.turns) for f in broken] == [(asked.id, (0,)), ("77310", (0,))]


def test_a_user_may_say_again_what_the_agent_said():
    _, task, _, _ = shy()
    played = copy.deepcopy(noop(task))
    opening = list(played["messages"][:2])
    answer = {"role": "user", "content": "G77310 is fine."}
    told = [{"role": "assistant", "content": "There is G77310."}, answer]
    made_up = [{"role": "assistant", "content": "There is a train."}, answer]
    for talk, about in ((told, []), (made_up, ["77310"])):
        found = find_failures({**played, "messages": opening + talk}, on(task))
        assert [f.about for f in found if f.about == "77310"] == about


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
