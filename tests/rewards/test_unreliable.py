"""Judges that are late or wrong on purpose: how late, how often, and that the truth stands beside."""

import pickle

import pytest
from support.episodes import Episode, make_order, make_task

from vitagym.errors import CallerError
from vitagym.rewards.judges import make_judge
from vitagym.rewards.rubrics import RubricStatus, satisfied_fraction
from vitagym.rewards.unreliable import Delayed, Flipped, Noisy

TASK = make_task(
    *(
        {"id": f"r{i}", "goal": "g", "check": {"kind": "includes", "record": "delivery", "ids": [f"P{i}"]}}
        for i in range(200)
    ),
    {"id": "words"},
)
DONE = make_order(status="paid")


def test_states_come_late_and_all_at_once_at_the_end():
    judge, episode = make_judge(Delayed("rules", steps=2), TASK), Episode()
    fractions = []
    for step in range(4):
        if step == 0:
            episode.put(DONE)
        else:
            episode.say("Hello.")
        fractions.append(satisfied_fraction(judge.update(episode.evidence, final=False)) > 0)
    assert fractions == [False, False, True, True]
    assert judge.scores["true_fraction"] > 0
    short = make_judge(Delayed("rules", steps=9), TASK)
    assert satisfied_fraction(short.update(episode.evidence, final=True)) > 0


@pytest.mark.parametrize("kind", [Noisy, Flipped])
def test_so_many_states_are_wrong_and_the_truth_stands_beside(kind):
    judge, episode = make_judge(kind("rules", share=0.25), TASK), Episode().put(DONE)
    states = judge.update(episode.evidence, final=False)
    assert states["words"].status is RubricStatus.UNSCORED
    wrong = sum("wrong on purpose" in state.reason for state in states.values())
    assert 30 <= wrong <= 70
    assert judge.scores["true_fraction"] == 1 / 201
    again = make_judge(kind("rules", share=0.25), TASK)
    assert again.update(episode.evidence, final=False) == states
    other = make_judge(kind("rules", share=0.25, seed=1), TASK)
    assert other.update(episode.evidence, final=False) != states


def test_noise_comes_anew_at_every_step_and_a_flip_stays():
    def over_time(kind):
        judge, episode, seen = make_judge(kind("rules", share=0.1), TASK), Episode(), []
        for _ in range(3):
            states = judge.update(episode.say("Hello.").evidence, final=False)
            seen.append({i for i, state in states.items() if state.status is RubricStatus.MET})
        return seen

    noisy, flipped = over_time(Noisy), over_time(Flipped)
    assert noisy[0] != noisy[1]
    assert flipped[0] == flipped[1] == flipped[2] != set()


def test_none_and_all_can_be_wrong():
    episode = Episode().put(DONE)
    true = make_judge("rules", TASK).update(episode.evidence, final=True)
    right = make_judge(Noisy("rules", share=0.0), TASK).update(episode.evidence, final=True)
    assert right == true
    wrong = make_judge(Flipped("rules", share=1.0), TASK).update(episode.evidence, final=True)
    assert satisfied_fraction(wrong) == pytest.approx(199 / 201)


@pytest.mark.parametrize(
    "kind", [lambda: Delayed("rules", -1), lambda: Noisy("rules", 1.1), lambda: Flipped("rules", -1)]
)
def test_what_makes_no_sense_is_refused(kind):
    with pytest.raises(CallerError):
        kind()


def test_they_pickle_and_forks_go_on_by_themselves():
    for maker in (Delayed("rules", 1), Noisy("rules", 0.1), Flipped("rules", 0.1)):
        assert pickle.loads(pickle.dumps(maker)) == maker
        judge = make_judge(maker, TASK)
        before = judge.states
        judge.fork().update(Episode().put(DONE).evidence, final=True)
        assert judge.states == before
