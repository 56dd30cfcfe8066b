"""Several judges as one: the majority of those that can say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.episodes import Episode, make_order, make_task

from vitagym.errors import CallerError
from vitagym.llm.endpoint import Endpoint
from vitagym.rewards.judges import make_judge
from vitagym.rewards.model_judge import ModelJudge
from vitagym.rewards.rubrics import RubricState, RubricStatus
from vitagym.rewards.unreliable import Flipped
from vitagym.rewards.vote import Vote
from vitagym.rewards.windows import Windows

TASK = make_task({"id": "a", "check": {"kind": "provider", "record": "delivery", "ids": ["S1"]}}, {"id": "b"})


class Says:
    """A judge that has made up its mind."""

    def __init__(self, status, turn):
        self.scores = {"said": 1}
        self.states = {i: RubricState(status, turn, "so I say") for i in "ab"}

    def update(self, evidence, *, final):
        return self.states

    def fork(self):
        return self


def voted(*votes):
    states = make_judge(Vote(tuple(Says(status, turn) for status, turn in votes)), TASK).states
    return states["a"].status, states["a"].turn


MET, PENDING, OVERTURNED, UNSCORED = (
    RubricStatus.MET,
    RubricStatus.PENDING,
    RubricStatus.OVERTURNED,
    RubricStatus.UNSCORED,
)


@pytest.mark.parametrize(
    ("votes", "outcome"),
    [
        ([(MET, 3)], (MET, 3)),
        ([(MET, 3), (MET, 7), (PENDING, -1)], (MET, 7)),
        ([(MET, 9), (MET, 7), (MET, 5)], (MET, 7)),
        ([(MET, 3), (PENDING, -1)], (PENDING, -1)),
        ([(MET, 3), (UNSCORED, -1)], (MET, 3)),
        ([(UNSCORED, -1), (UNSCORED, -1)], (UNSCORED, -1)),
        ([(OVERTURNED, 8), (MET, 3), (PENDING, -1)], (OVERTURNED, 8)),
        ([(OVERTURNED, 8), (PENDING, -1), (PENDING, -1)], (PENDING, -1)),
    ],
)
def test_the_majority_of_those_that_can_say(votes, outcome):
    assert voted(*votes) == outcome


@given(st.lists(st.tuples(st.sampled_from(list(RubricStatus)), st.integers(-1, 9)), min_size=1, max_size=7))
def test_met_means_that_more_than_half_find_it_met(votes):
    scored = [status for status, _ in votes if status is not UNSCORED]
    status, _ = voted(*votes)
    assert (status is MET) == (scored.count(MET) > len(scored) / 2 and bool(scored))
    assert (status is UNSCORED) == (not scored)


def test_what_each_judge_reports_is_kept():
    cut = Windows(width=4, overlap=1)
    at = Endpoint("none", base_url="http://127.0.0.1:9")
    judge = make_judge(Vote((Says(MET, 3), ModelJudge(at, cut), ModelJudge(at))), TASK)
    names = {
        f"judge_{what}_{place}"
        for what in ("requests", "prompt_tokens", "completion_tokens", "cost")
        for place in (2, 3)
    }
    assert judge.scores == {"said": 1, **dict.fromkeys(names, 0)}


def test_good_judges_outvote_a_bad_one_turn_by_turn():
    judge = make_judge(Vote(("rules", "rules", Flipped("rules", share=1.0))), TASK)
    episode = Episode()
    assert judge.update(episode.say("Hello.").evidence, final=False)["a"].status is PENDING
    assert judge.update(episode.put(make_order()).evidence, final=False)["a"].status is MET
    assert judge.states["b"].status is UNSCORED
    assert judge.fork().states == judge.states


def test_nobody_cannot_vote():
    with pytest.raises(CallerError):
        Vote(())
