"""Policies without a network, and episodes played with them."""

import numpy as np
from support.toy_symbolic import ToySymbolic

from vitagym.rl.policies import ExpertPolicy, RandomPolicy, play, score


def toys(number=4):
    return [ToySymbolic() for _ in range(number)]


def expert(**settings):
    return ExpertPolicy(lambda env: env.unwrapped.expert(), **settings)


def test_a_random_policy_takes_what_there_is_and_its_seed_fixes_it():
    mask = np.zeros((200, 6), np.int8)
    mask[:, 2:5] = 1
    chosen = [RandomPolicy(seed).choose({"mask": mask}, []) for seed in (1, 1, 2)]
    assert set(chosen[0]) == {2, 3, 4}
    assert (chosen[0] == chosen[1]).all()
    assert (chosen[0] != chosen[2]).any()


def test_the_expert_succeeds_and_slips_cost_success():
    perfect = score(play(toys(), expert(), range(20)))
    assert perfect.success == 1
    assert perfect.interval[1] == 1
    slipping = score(play(toys(), expert(slips=0.9), range(20)))
    assert slipping.success < 1


def test_episodes_come_in_the_order_of_seeds_however_many_run_at_once():
    one, many = (play(toys(n), expert(), range(9), keep=True) for n in (1, 4))
    assert [e.seed for e in many] == list(range(9))
    for a, b in zip(one, many, strict=True):
        assert [s.action for s in a.steps] == [s.action for s in b.steps]
        assert a.reward == b.reward == sum(s.reward for s in b.steps)
        assert b.messages


def test_a_score_counts_families_and_leaves_out_what_could_not_be_scored():
    episodes = play(toys(), expert(), range(12))
    total = score(episodes)
    assert set(total.families) <= {"odd", "even"}
    assert sum(n for n, _ in total.families.values()) == total.episodes == 12
    assert score([]).success is None
