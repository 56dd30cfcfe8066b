"""RLlib trains, stops, resumes, and leaves nothing behind; what it trained is loaded and evaluated."""

import numpy as np
import pytest
from support.toy_symbolic import C, D, ToySymbolic

pytest.importorskip("ray", reason="needs vitagym[rl]")
torch = pytest.importorskip("torch", reason="needs vitagym[rl]")

from ray.rllib.env.single_agent_env_runner import SingleAgentEnvRunner  # noqa: E402

from vitagym.errors import CallerError  # noqa: E402
from vitagym.rl import rllib_training  # noqa: E402
from vitagym.rl.evaluating import ModulePolicy, evaluate, load  # noqa: E402
from vitagym.rl.plan import TrainingPlan  # noqa: E402
from vitagym.rl.policies import ExpertPolicy, play, score  # noqa: E402
from vitagym.rl.progress import read_progress  # noqa: E402
from vitagym.rl.scoring import NEVER, CandidateScorer, ValueHead  # noqa: E402


@pytest.fixture
def plan(toy_id):
    return TrainingPlan(toy_id, pool=None, batch=1024, minibatch=256)


@pytest.fixture(autouse=True)
def toy_expert(monkeypatch):
    monkeypatch.setattr(rllib_training, "ExpertPolicy", lambda: ExpertPolicy(lambda env: env.unwrapped.expert()))


def test_a_scorer_does_not_mind_the_order_of_candidates_or_rows_that_are_masked():
    torch.manual_seed(0)
    scorer, value = CandidateScorer(C, D), ValueHead()
    ctx, cand = torch.randn(3, C), torch.randn(3, 7, D)
    mask = torch.tensor([[1, 1, 1, 0, 0, 0, 0], [1] * 7, [0, 0, 1, 0, 0, 0, 1]])
    logits, summary = scorer(ctx, cand, mask)
    assert (logits[mask == 0] == NEVER).all()
    order = torch.randperm(7)
    moved, moved_summary = scorer(ctx, cand[:, order], mask[:, order])
    assert torch.allclose(moved, logits[:, order], atol=1e-6)
    assert torch.allclose(value(moved_summary), value(summary), atol=1e-6)
    cand[mask == 0] = 99.0
    assert torch.equal(scorer(ctx, cand, mask)[0], logits)


def test_a_runner_samples_without_a_cluster_and_logs_our_figures(plan):
    runner = SingleAgentEnvRunner(config=rllib_training.configured(plan))
    try:
        episodes = runner.sample(num_timesteps=600, explore=True)
        logged = runner.get_metrics()["vitagym"]
    finally:
        runner.stop()
    assert sum(len(e) for e in episodes) >= 600
    names = {
        "success",
        "rubric_score",
        "turn",
        "episode_steps",
        "reward",
        "reward_success",
        "reward_rubric",
        "success_even",
    }
    assert names <= set(logged)
    for episode in episodes:
        taken = episode.get_observations(slice(0, len(episode)))["mask"]
        assert (taken[np.arange(len(episode)), episode.get_actions()] == 1).all()


def test_training_improves_stops_resumes_and_can_be_evaluated(plan, toy_id, tmp_path):
    rows = rllib_training.train(plan, tmp_path, steps=12_000)
    assert rows[0]["success"] < 0.7
    assert rows[-1]["success"] > 0.9
    assert read_progress(tmp_path)[-1]["steps"] == rows[-1]["steps"]
    more = rllib_training.train(TrainingPlan.load(tmp_path), tmp_path, steps=13_000, resume=True)
    assert len(more) > len(rows)
    assert more[len(rows)]["steps"] > rows[-1]["steps"]
    assert more[-1]["success"] > 0.9
    loaded, module = load(tmp_path)
    assert loaded == plan
    held_out = score(evaluate(loaded, ModulePolicy(module), toy_id.replace("-Train", "-Dev"), episodes=50))
    assert held_out.success > 0.9
    with pytest.raises(CallerError, match="tasks of training"):
        evaluate(loaded, ModulePolicy(module), toy_id)
    assert any((tmp_path / "tensorboard").iterdir())


def test_a_warm_start_begins_where_the_expert_is(plan, tmp_path):
    from dataclasses import replace

    cold = rllib_training.train(plan, tmp_path / "cold", steps=1)
    warm = rllib_training.train(replace(plan, warm_start=60), tmp_path / "warm", steps=1)
    assert warm[0]["success"] > cold[0]["success"] + 0.2
    assert warm[0]["success"] > 0.9


def test_a_run_is_not_written_over_and_nothing_is_not_resumed(plan, tmp_path):
    with pytest.raises(CallerError, match="limit"):
        rllib_training.train(plan, tmp_path)
    with pytest.raises(CallerError, match="nothing to resume"):
        rllib_training.train(plan, tmp_path, steps=1, resume=True)
    (tmp_path / "checkpoints").mkdir()
    with pytest.raises(CallerError, match="holds a run already"):
        rllib_training.train(plan, tmp_path, steps=1)
    with pytest.raises(CallerError, match="no folder of a training run"):
        load(tmp_path / "nowhere")


def test_cloning_learns_the_experts_choices(plan):
    from vitagym.rl.cloning import clone, demonstrations

    episodes = play([ToySymbolic()], ExpertPolicy(lambda env: env.unwrapped.expert()), range(40), keep=True)
    shown = demonstrations(episodes, 0.9)
    first = episodes[0].steps
    assert shown.returns[len(first) - 1] == pytest.approx(first[-1].reward)
    assert shown.returns[len(first) - 2] == pytest.approx(first[-2].reward + 0.9 * first[-1].reward)
    spec = rllib_training.module_spec(plan)
    spec.observation_space, spec.action_space = ToySymbolic().observation_space, ToySymbolic().action_space
    losses = clone(spec.build(), shown, gradient_steps=200)
    assert np.mean(losses[-20:]) < 0.7 * np.mean(losses[:20])
