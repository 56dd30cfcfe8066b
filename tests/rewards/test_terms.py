"""What each reward term pays, and what a spec may say."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.episodes import Episode, make_order, make_task

from vitagym.dialogue.transcript import Role, ToolCall
from vitagym.errors import CallerError, UnknownName
from vitagym.rewards.rubrics import RubricState, RubricStatus
from vitagym.rewards.single_terms import TERMS
from vitagym.rewards.terms import PRESETS, make_reward
from vitagym.rewards.transition import Transition
from vitagym.tools.results import Result

TASK = make_task({"id": "a", "requirement": "diet"}, {"id": "b"}, {"id": "c"})


def states(met):
    """``"a c"``: a and c are met."""
    found = {}
    for rubric in TASK.rubrics:
        status = RubricStatus.MET if rubric.id in met else RubricStatus.PENDING
        found[rubric.id] = RubricState(status, 0, "")
    return found


def transition(before, after, *, ends="", success=None, turns=(), transcript=None):
    return Transition(
        states(before), states(after), tuple(turns), ends == "terminated", ends == "truncated", success,
        {"ledger_score": len(before) / 4}, {"ledger_score": len(after) / 4}, transcript, TASK.rubrics,
    )  # fmt: skip


def paid(spec, *steps):
    return sum(sum(make_reward(spec).terms(step).values()) for step in steps)


@pytest.mark.parametrize("ends", ["terminated", "truncated"])
def test_success_pays_once_at_the_end(ends):
    assert paid("sparse", transition("", "abc", success=True)) == 0
    assert paid("sparse", transition("abc", "abc", ends=ends, success=True)) == 1
    assert paid("sparse", transition("ab", "ab", ends=ends, success=False)) == 0
    assert paid("sparse", transition("ab", "ab", ends=ends, success=None)) == 0


def test_the_default_is_success_and_the_change_of_the_satisfied_fraction():
    assert make_reward().names == ("success", "rubric")
    assert make_reward() == make_reward("dense")
    failed = (transition("", "a"), transition("a", "ab"), transition("ab", "ab", ends="terminated", success=False))
    assert paid(None, *failed) == pytest.approx(2 / 3)
    done = (transition("", "abc"), transition("abc", "abc", ends="terminated", success=True))
    assert paid(None, *done) == pytest.approx(2)


def test_the_potential_preset_is_worth_success_alone_over_an_episode():
    failed = (transition("", "ab"), transition("ab", "ab", ends="terminated", success=False))
    assert paid("potential", *failed) == pytest.approx(0)
    cut_off = (transition("", "ab"), transition("ab", "ab", ends="truncated", success=False))
    assert paid("potential", *cut_off) == pytest.approx(2 / 3)


def test_undoing_costs_what_doing_paid():
    assert paid("fraction", transition("", "a"), transition("a", "")) == 0


def test_kinds_of_requirement_can_weigh_more_or_stand_alone():
    assert paid("weighted(diet=3)", transition("", "a")) == pytest.approx(3 / 5)
    assert paid("weighted(diet=3)", transition("", "b")) == pytest.approx(1 / 5)
    assert paid("only('diet')", transition("", "a")) == 1
    assert paid("only('diet')", transition("", "b")) == 0
    assert paid("only('address')", transition("", "abc")) == 0


def test_the_ledger_score_can_be_paid():
    assert paid("ledger", transition("a", "abc")) == pytest.approx(0.5)
    with pytest.raises(CallerError, match="ledger judge"):
        make_reward("ledger").terms(Transition(states(""), states(""), (), False, False, None))


def test_costs():
    refused = Result(False, None, "No.", "not_found")
    episode = Episode().put(make_order()).say("Which address? It is 20 yuan.").hear("Home.").say("Which   ADDRESS?")
    episode.transcript.add(episode.transcript.turns[1].role, "No.", result=refused)
    turns = episode.transcript.turns
    last = transition("", "", turns=turns[4:], transcript=episode.transcript)
    assert make_reward("-step_cost(0.01) - refused_cost(0.2) - repeat_cost(0.3) - 2*length_cost(1)").terms(last) == {
        "step_cost": pytest.approx(-0.01),
        "refused_cost": pytest.approx(-0.2),
        "repeat_cost": pytest.approx(-0.3),
        "length_cost": pytest.approx(-0.032),
    }
    first = transition("", "", turns=turns[2:4], transcript=episode.transcript)
    assert paid("-repeat_cost", first) == 0


def test_a_record_costs_when_it_is_made_and_not_when_it_is_changed():
    def calls(*made):
        """Turns of calls: what each named, and what it gave; None where it was refused."""
        transcript = Episode().transcript
        for number, (named, data) in enumerate(made):
            result = Result(False, None, "No.", "not_found") if data is None else Result.accepted(data)
            call = ToolCall(f"c{number}", "write", named, "{}")
            transcript.add(Role.TOOL, result.text, call=call, result=result)
        return transition("", "", turns=transcript.turns)

    assert paid("-record_cost(0.2)", calls(({"store_id": "S1"}, {"order_id": "O1"}))) == pytest.approx(-0.2)
    both = calls(({}, {"reservation_id": "R1"}), ({}, {"book_id": "B1"}))
    assert paid("-record_cost(0.2)", both) == pytest.approx(-0.4)
    assert paid("-record_cost(0.2)", calls(({"order_id": "O1"}, {"order_id": "O1", "status": "cancelled"}))) == 0
    assert paid("-record_cost(0.2)", calls(({"store_id": "S1"}, None), ({}, [{"order_id": "O1"}]), ({}, {}))) == 0


def test_facts_that_stood_nowhere_are_invented():
    words = "That is ¥88 at 12:30 pm on July 27, in 3 steps."
    before = Episode().hear("For July 27, please.").say(words)
    told = transition("", "", turns=before.transcript.turns[1:], transcript=before.transcript)
    assert paid("-invented_cost(0.1)", told) == pytest.approx(-0.2)
    after = Episode().hear("On 2025-07-27.").read({"price": 88.0, "arrival": "2025-07-27 12:30:00"}).say(words)
    told = transition("", "", turns=after.transcript.turns[3:], transcript=after.transcript)
    assert paid("-invented_cost(0.1)", told) == 0


def test_a_spec_may_be_a_name_a_sum_a_list_or_your_own_term():
    def bonus(transition):
        return 0.25

    wanted = {"success": 0.0, "rubric": pytest.approx(0.5 * 0.99 / 3), "step_cost": -0.01}
    step = transition("", "a")
    assert make_reward("success + 0.5*rubric(gamma=0.99) - step_cost(0.01)").terms(step) == wanted
    assert make_reward(["success", "rubric(0.99)*0.5", "-step_cost(0.01)"]).terms(step) == wanted
    assert make_reward(["sparse", bonus]).terms(step) == {"success": 0.0, "bonus": 0.25}
    assert make_reward(bonus).terms(step) == {"bonus": 0.25}
    assert make_reward("2*(dense - step_cost)").terms(step)["step_cost"] == -0.02
    assert make_reward("only('diet') + only('x')").names == ("only('diet')", "only('x')")
    reward = make_reward("sparse")
    assert make_reward(reward) is reward


@pytest.mark.parametrize("name", [*PRESETS, *TERMS])
def test_every_name_in_the_registries_makes_a_reward(name):
    cost = name.endswith("_cost")
    spec = ("-" if cost else "") + name + ("('diet')" if name == "only" else "")
    reward = make_reward(spec)
    before, after = transition("", ""), transition("", "abc", ends="terminated", success=True)
    assert tuple(reward.terms(after)) == reward.names
    assert pickle.loads(pickle.dumps(reward)) == reward
    if not cost and name != "shaping":
        assert sum(reward.terms(before).values()) == 0 < sum(reward.terms(after).values())


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("denser", "nearest|'dense'"),
        ("success + rubrics", "'rubric'"),
        ("rubric(gama=1)", "'gamma'"),
        ("rubric(gamma=2)", "from 0 to 1"),
        ("rubric('a')", "rubric"),
        ("weighted(diet=-1)", "diet"),
        ("only()", "requirement"),
        ("success + step_cost", "subtract"),
        ("success success", "cannot be read"),
        ("success*rubric", "no term"),
        ("success / 2", "no term"),
        ("rubric(gamma=x)", "no number"),
        ("rubric(**{})", "no term"),
        ("1e999*success", "no term"),
        ("success + success", "twice"),
        ("", "cannot be read"),
        ("\x00", "cannot be read"),
        (["success", 3], "3"),
        (3, "3"),
    ],
)
def test_what_cannot_be_used_is_named(spec, says):
    with pytest.raises(CallerError, match=says):
        make_reward(spec)


def test_the_nearest_name_is_given():
    with pytest.raises(UnknownName) as caught:
        make_reward("success + potental")
    assert caught.value.nearest == "potential"


@given(st.text())
def test_any_text_is_a_reward_or_a_caller_error(text):
    try:
        reward = make_reward(text)
    except CallerError:
        return
    assert reward.names


def test_terms_that_need_more_than_the_states_say_so():
    bare = Transition(states(""), states("a"), (), False, False, None)
    with pytest.raises(CallerError, match="rubrics"):
        make_reward("only('diet')").terms(bare)
    asked = Transition(states(""), states("a"), tuple(Episode().say("Why?").transcript.turns), False, False, None)
    with pytest.raises(CallerError, match="transcript"):
        make_reward("-repeat_cost").terms(asked)
