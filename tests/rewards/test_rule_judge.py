"""What a rubric's state is, and why, as an agent acts."""

from dataclasses import replace

import pytest
from support.episodes import Episode, make_booking, make_order, make_reservation, make_task

from vitagym.errors import CallerError, UnknownName
from vitagym.rewards.judges import make_judge
from vitagym.rewards.rubrics import RubricStatus, success

PENDING, MET, OVERTURNED, UNSCORED = (
    RubricStatus.PENDING,
    RubricStatus.MET,
    RubricStatus.OVERTURNED,
    RubricStatus.UNSCORED,
)
LUNCH = (
    {"id": "store", "goal": "lunch", "check": {"kind": "provider", "record": "delivery", "ids": ["S1"]}},
    {"id": "dish", "goal": "lunch", "check": {"kind": "includes", "record": "delivery", "ids": ["P1"], "quantity": 1}},
    {"id": "paid", "goal": "lunch", "check": {"kind": "status", "record": "delivery", "meaning": "paid"}},
)
ALONE = {"id": "alone", "goal": "lunch", "check": {"kind": "no_other", "records": ["delivery"], "at_most": 1}}


def judged(episode, *rubrics, final=False):
    judge = make_judge("rules", make_task(*rubrics))
    return judge.update(episode.evidence, final=final)


def statuses(states):
    return [state.status for state in states.values()]


def test_nothing_is_met_before_anything_is_done():
    assert set(statuses(judged(Episode(), *LUNCH, ALONE))) == {PENDING}


def test_a_right_order_meets_its_goal_turn_by_turn():
    episode, judge = Episode(), make_judge("rules", make_task(*LUNCH, ALONE))
    episode.put(make_order())
    states = judge.update(episode.evidence, final=False)
    assert statuses(states) == [MET, MET, PENDING, PENDING]
    assert states["store"].turn == 1
    episode.put(make_order(status="paid"))
    states = judge.update(episode.evidence, final=True)
    assert statuses(states) == [MET] * 4
    assert [s.turn for s in states.values()] == [1, 1, 3, 3]
    assert success(states) is True


def test_undoing_overturns_and_doing_again_meets():
    episode = Episode().put(make_order(status="paid"))
    judge = make_judge("rules", make_task(*LUNCH))
    judge.update(episode.evidence, final=False)
    episode.cancel(make_order(status="paid"))
    states = judge.update(episode.evidence, final=False)
    assert statuses(states) == [OVERTURNED] * 3
    episode.put(make_order(id="O2", status="paid"))
    assert statuses(judge.update(episode.evidence, final=True)) == [MET] * 3


def test_a_prohibition_pays_only_together_with_its_goal():
    episode = Episode().put(make_order(status="paid"), make_order(id="O2", provider_id="S2"))
    assert judged(episode, *LUNCH, ALONE)["alone"].status is PENDING
    episode.cancel(make_order(id="O2", provider_id="S2"))
    assert judged(episode, *LUNCH, ALONE)["alone"].status is MET


def test_two_goals_take_two_records_whatever_the_order():
    wanted = [
        {"id": i, "goal": i, "check": {"kind": "provider", "record": "delivery", "ids": ids}}
        for i, ids in {"a": ["S1", "S2"], "b": ["S1"]}.items()
    ]
    one = Episode().put(make_order(provider_id="S1"))
    assert statuses(judged(one, *wanted)).count(MET) == 1
    both = Episode().put(make_order(provider_id="S1"), make_order(id="O2", provider_id="S2"))
    assert statuses(judged(both, *wanted)) == [MET, MET]


def test_one_goal_may_have_a_record_of_each_of_two_kinds():
    rubrics = (
        {"id": "voucher", "goal": "spa", "check": {"kind": "includes", "record": "instore", "ids": ["P1"]}},
        {"id": "visit", "goal": "spa", "check": {"kind": "people", "record": "reservation", "count": 2}},
    )
    episode = Episode().put(make_order(kind="instore"), make_reservation())
    assert statuses(judged(episode, *rubrics)) == [MET, MET]


def test_an_existing_record_counts_once_it_was_changed():
    old = make_reservation(id="R9")
    rubrics = (
        {"id": "which", "goal": "g", "check": {"kind": "existing", "record": "reservation", "id": "R9"}},
        {"id": "people", "goal": "g", "check": {"kind": "people", "record": "reservation", "count": 2}},
        {
            "id": "time",
            "goal": "g",
            "check": {"kind": "changed_to", "record": "reservation", "time": "2025-07-26 19:00:00"},
        },
    )
    episode = Episode(reservations={"R9": old})
    assert statuses(judged(episode, *rubrics)) == [PENDING] * 3
    episode.put(make_reservation(id="R1", time="2025-07-26 19:00:00"))
    assert statuses(judged(episode, *rubrics)) == [PENDING] * 3
    episode.put(replace(old, time="2025-07-26 19:00:00"))
    assert statuses(judged(episode, *rubrics)) == [MET] * 3


def test_an_existing_record_can_be_wanted_cancelled_and_another_left_alone():
    rubrics = (
        {"id": "which", "goal": "g", "check": {"kind": "existing", "record": "book", "id": "B9"}},
        {"id": "gone", "goal": "g", "check": {"kind": "status", "record": "book", "meaning": "cancelled"}},
        {"id": "kept", "goal": "g", "check": {"kind": "untouched", "id": "B8"}},
    )
    books = {i: make_booking(id=i) for i in ("B8", "B9")}
    episode = Episode(bookings=books).cancel(books["B9"])
    assert statuses(judged(episode, *rubrics)) == [MET] * 3
    episode.cancel(books["B8"])
    assert statuses(judged(episode, *rubrics)) == [MET, MET, OVERTURNED]


def test_what_is_told_counts_when_the_user_hears_it():
    rubric = {"id": "told", "check": {"kind": "told", "groups": [["Sunny Noodles", "晴天面馆"], ["30"]]}}
    assert judged(Episode().read("Sunny Noodles 30"), rubric)["told"].status is PENDING
    assert judged(Episode().say("sunny  NOODLES").say("30"), rubric)["told"].status is PENDING
    states = judged(Episode().hear("Hi").say("It is ＳＵＮＮＹ noodles, 30 yuan."), rubric)
    assert (states["told"].status, states["told"].turn) == (MET, 1)


def test_a_question_counts_only_before_acting():
    rubric = {"id": "asked", "check": {"kind": "asked_before", "groups": [["allergic", "allergies"]]}}
    before = Episode().say("Are you allergic to anything?").put(make_order())
    after = Episode().put(make_order()).say("Are you allergic to anything?")
    assert judged(before, rubric)["asked"].status is MET
    assert judged(after, rubric)["asked"].status is PENDING


def test_rubrics_without_a_check_stay_unscored_and_leave_success_unknown():
    words = {"id": "words"}
    episode = Episode().put(make_order(status="paid"))
    states = judged(episode, *LUNCH, words, final=True)
    assert statuses(states) == [MET, MET, MET, UNSCORED]
    assert success(states) is None


def test_a_prohibition_that_hangs_on_an_unscored_rubric_is_unscored():
    lone = {"id": "alone", "check": {"kind": "no_other", "at_most": 1}}
    assert judged(Episode(), {"id": "words"}, lone)["alone"].status is UNSCORED
    assert judged(Episode(), {"id": "words"}, *LUNCH, lone)["alone"].status is PENDING
    done = Episode().put(make_order(status="paid"))
    assert judged(done, {"id": "words"}, *LUNCH, lone)["alone"].status is UNSCORED


def test_no_rubrics_are_no_success():
    """Public implementation's fault J2."""
    assert success(judged(Episode(), final=True)) is None


def test_reasons_say_why_a_rubric_is_not_met():
    episode = Episode().put(make_order(provider_id="S2", lines=()))
    states = judged(episode, *LUNCH, final=True)
    assert states["store"].reason == "no delivery record of this goal"
    episode.put(make_order(id="O2", lines=()))
    assert judged(episode, *LUNCH, final=True)["dish"].reason == "O2 has 0 of P1"


@pytest.mark.parametrize(
    "rubric",
    [
        {"id": "x", "check": {"kind": "no_other", "at_most": 0}},
        {"id": "x", "prohibition": True, "check": {"kind": "told", "groups": [["a"]]}},
        {"id": "x", "check": {"kind": "status", "record": "delivery", "meaning": "cancelled"}},
    ],
)
def test_rubrics_that_could_never_be_met_are_refused(rubric):
    with pytest.raises(CallerError, match="'x'"):
        make_judge("rules", make_task(rubric))


def test_an_unknown_judge_is_named_with_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean 'rules'"):
        make_judge("rule", make_task())


def test_a_judge_object_is_copied_for_every_episode():
    task = make_task(*LUNCH)
    given = make_judge("rules", task)
    judge = make_judge(given, task)
    judge.update(Episode().put(make_order()).evidence, final=False)
    assert judge.states["store"].status is MET
    assert given.states["store"].status is PENDING


def test_an_invented_fact_spoils_its_goal_for_good():
    rubric = {"id": "true", "goal": "lunch", "check": {"kind": "not_invented", "wordings": ["25 minutes"]}}
    honest = Episode().read({"minutes": "25 minutes"}).say("It takes 25 minutes.").put(make_order(status="paid"))
    assert judged(honest, *LUNCH, rubric)["true"].status is MET
    bluff = Episode().say("It takes 25 minutes.").read({"minutes": "25 minutes"}).put(make_order(status="paid"))
    assert judged(bluff, *LUNCH, rubric)["true"].status is PENDING
    late = Episode().put(make_order(status="paid")).say("It takes 25 minutes.")
    assert judged(late, *LUNCH, rubric)["true"].status is OVERTURNED


def test_looking_up_counts_before_acting():
    rubric = {"id": "seen", "check": {"kind": "looked_up", "tools": ["read"], "groups": [["rain"]]}}
    assert judged(Episode().read("rain").put(make_order()), rubric)["seen"].status is MET
    assert judged(Episode().put(make_order()).read("rain"), rubric)["seen"].status is PENDING
