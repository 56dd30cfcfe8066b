"""Learning works on real tasks, from scratch: the network of the single-file example goes from chance to success."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs vitagym[rl]")

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


@pytest.fixture
def ppo(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.delitem(sys.modules, "ppo_single_file", raising=False)
    import ppo_single_file

    return ppo_single_file


def test_success_rises_from_chance_on_real_tasks(ppo):
    args = ppo.Arguments(tasks=2, steps=20_000, minutes=1e9, evaluate_every=0)
    _, rows = ppo.train(args, ppo.lessons(args), [], lambda _: None)
    early = [row for row in rows if 1_000 < row["steps"] < 4_000]
    assert max(row["success"] for row in early) < 0.1
    assert rows[-1]["success"] > 0.4
    assert rows[-1]["rubrics"] > max(row["rubrics"] for row in early) + 0.3


def test_a_batch_scores_each_situation_as_it_does_alone(ppo):
    args = ppo.Arguments(tasks=2, environments=3)
    env = ppo.make(args, "-Train", 3, pool=2)
    observations, _ = env.reset(seed=0)
    spaces = env.single_observation_space.spaces
    ppo.torch.manual_seed(0)
    net = ppo.Scorer(spaces["ctx"].shape[0], spaces["cand"].shape[1], 8)
    with ppo.torch.no_grad():
        together, worth = net(ppo.packed(observations)), net.worth(ppo.packed(observations))
        for place in range(3):
            alone = ppo.packed({name: array[place : place + 1] for name, array in observations.items()})
            assert ppo.torch.allclose(net(alone)[0], together[place], atol=1e-5)
            assert ppo.torch.allclose(net.worth(alone)[0], worth[place], atol=1e-5)
    assert (together.exp().numpy()[observations["mask"] == 0] == 0).all()


def test_an_episode_that_is_cut_off_has_nothing_after_it(ppo):
    args = ppo.Arguments(environments=1, horizon=3, gamma=0.5, lam=1.0)
    experience = ppo.Experience(args)
    experience.rewards[:, 0] = ppo.torch.tensor([1.0, 2.0, 4.0])
    experience.over[1, 0] = 1
    experience.last[:] = 8
    assert experience.advantages(args)[:, 0].tolist() == [1 + 0.5 * 2, 2, 4 + 0.5 * 8]


def test_the_situations_of_some_steps_are_those_that_were_seen(ppo):
    args = ppo.Arguments(tasks=2, environments=2, horizon=2)
    env = ppo.make(args, "-Train", 2, pool=2)
    experience = ppo.Experience(args)
    observations, _ = env.reset(seed=0)
    experience.seen.append(ppo.packed(observations))
    experience.seen.append(ppo.packed(env.step(ppo.np.array([0, 1]))[0]))
    chosen = experience.joined()(ppo.torch.tensor([3, 0]))
    for place, (step, number) in enumerate([(1, 1), (0, 0)]):
        seen = experience.seen[step]
        assert ppo.torch.equal(chosen.ctx[place], seen.ctx[number])
        assert ppo.torch.equal(chosen.cand[chosen.row == place], seen.cand[seen.row == number])
        assert ppo.torch.equal(chosen.column[chosen.row == place], seen.column[seen.row == number])
